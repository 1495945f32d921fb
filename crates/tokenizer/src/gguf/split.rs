//! How `gpt2` vocabularies split text into words, by the name that stands in `tokenizer.ggml.pre`.
//!
//! Names and patterns are those of llama.cpp at commit 0c1e570 (October 2026), and each is tested against it. A pattern splits what those before it have
//! left whole; what it does not match stays together.

use crate::error::OpenError;

/// What a name stands for.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Rule {
    /// Regular expressions, one after the other.
    pub(crate) patterns: &'static [&'static str],
    /// Whether a word that is a token is taken as it is, without merges.
    pub(crate) whole_words: bool,
    /// Whether texts begin with the token of `bos_token_id` where `add_bos_token` is absent.
    pub(crate) bos: bool,
}

/// English contractions of GPT-2, in small letters.
macro_rules! small_contractions {
    () => {
        "'s|'t|'re|'ve|'m|'ll|'d"
    };
}

/// English contractions in small or capital letters.
macro_rules! contractions {
    () => {
        "'[sS]|'[tT]|'[rR][eE]|'[vV][eE]|'[mM]|'[lL][lL]|'[dD]"
    };
}

/// Spaces before and after line breaks, and those that do not belong to a word.
macro_rules! spaces {
    () => {
        r"\s*[\r\n]+|\s+(?!\S)|\s+"
    };
}

const DIGIT: &str = r"\p{N}";
const GPT2: &str = concat!(
    small_contractions!(),
    r"| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+"
);
const LLAMA3: &str = concat!(
    contractions!(),
    r"|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n]*|",
    spaces!()
);
const QWEN2: &str = concat!(
    contractions!(),
    r"|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}| ?[^\s\p{L}\p{N}]+[\r\n]*|",
    spaces!()
);
const QWEN35: &str = concat!(
    contractions!(),
    r"|[^\r\n\p{L}\p{N}]?[\p{L}\p{M}]+|\p{N}| ?[^\s\p{L}\p{M}\p{N}]+[\r\n]*|",
    spaces!()
);
const SEED_CODER: &str = concat!(
    contractions!(),
    r"|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}| ?[^\s\p{L}\p{N}\r\n]+|",
    spaces!()
);

/// Letters of any case but the small ones of ASCII, then of any case but its capitals: how llama.cpp tells cases apart.
macro_rules! cased {
    ($first:literal, $last:literal) => {
        concat!(
            r"[^\r\n\p{L}\p{N}]?(?:(?=\p{L})[^a-z])",
            $first,
            r"(?:(?=\p{L})[^A-Z])",
            $last
        )
    };
}

const TEKKEN: &str = concat!(
    cased!("*", "+"),
    "|",
    cased!("+", "*"),
    r"|\p{N}| ?[^\s\p{L}\p{N}]+[\r\n/]*|",
    spaces!()
);
const GPT4O: &str = concat!(
    cased!("*", "+"),
    "(?:",
    contractions!(),
    ")?|",
    cased!("+", "*"),
    "(?:",
    contractions!(),
    r")?|\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n/]*|",
    spaces!()
);
const DEEPSEEK3: &[&str] = &[
    r"\p{N}{1,3}",
    "[一-龥぀-ゟ゠-ヿ]+",
    concat!(
        r##"[!"#$%&'()*+,\-./:;<=>?@\[\\\]^_`{|}~][A-Za-z]+|[^\r\n\p{L}\p{P}\p{S}]?[\p{L}\p{M}]+| ?[\p{P}\p{S}]+[\r\n]*|"##,
        spaces!()
    ),
];
const DEEPSEEK_CODER: &[&str] = &[
    r"[\r\n]",
    r"\s?\p{L}+",
    r"\s?\p{P}+",
    // llama.cpp reads the spaces among them (U+2028, U+3000 …) as spaces before it matches.
    r"[[一-龥ࠀ-一가-\u{D7FF}]&&\S]+",
    DIGIT,
];
const FALCON: &[&str] = &[r"[\p{P}\$\+<=>\^~\|`]+", GPT2, "[0-9][0-9][0-9]"];
const DEFAULT: &[&str] = &[r"[\p{P}\$\+<=>\^~\|]+", GPT2, r"\p{N}+", "[0-9][0-9][0-9]"];
const BLOOM: &str = r" ?[^(\s|.,!?…。，、।۔،)]+";

/// The patterns alone.
const fn plain(patterns: &'static [&'static str]) -> Rule {
    Rule {
        patterns,
        whole_words: false,
        bos: false,
    }
}

/// The patterns, and words that are tokens as they are.
const fn whole(patterns: &'static [&'static str], bos: bool) -> Rule {
    Rule {
        patterns,
        whole_words: true,
        bos,
    }
}

/// Names with what they stand for.
const RULES: &[(&[&str], Rule)] = &[
    (
        &[
            "gpt-2",
            "mpt",
            "olmo",
            "phi-2",
            "roberta-bpe",
            "modern-bert",
            "exaone4",
            "jais",
            "jina-es",
            "jina-de",
            "jina-v1-en",
            "mellum",
            "trillion",
            "gigachat",
            "a.x-4.0",
            "granite-docling",
        ],
        plain(&[GPT2]),
    ),
    (
        &[
            "smollm",
            "starcoder",
            "refact",
            "command-r",
            "codeshell",
            "exaone",
            "minerva-7b",
            "mellum2",
        ],
        plain(&[DIGIT, GPT2]),
    ),
    (
        &[
            "llama-bpe",
            "llama3",
            "llama-v3",
            "falcon3",
            "falcon-h1",
            "pixtral",
            "midm-2.0",
            "lfm2",
            "jina-v5-nano",
        ],
        whole(&[LLAMA3], true),
    ),
    (&["glm4", "glm5"], whole(&[LLAMA3], false)),
    (&["chatglm-bpe", "dbrx", "smaug-bpe"], plain(&[LLAMA3])),
    (
        &[
            "qwen2",
            "deepseek-r1-qwen",
            "stablelm2",
            "megrez",
            "hunyuan",
            "kormo",
            "f2llmv2",
            "solar-open",
            "grok-2",
        ],
        plain(&[QWEN2]),
    ),
    (&["qwen35"], plain(&[QWEN35])),
    (&["seed-coder"], plain(&[SEED_CODER])),
    (&["tekken"], whole(&[TEKKEN], true)),
    (
        &["gpt-4o", "llama4", "kanana2", "talkie", "minimax-m2"],
        plain(&[GPT4O]),
    ),
    (
        &["deepseek-v3", "hunyuan-dense", "joyai-llm", "hy_v4"],
        plain(DEEPSEEK3),
    ),
    (&["deepseek-coder"], plain(DEEPSEEK_CODER)),
    (&["falcon"], plain(FALCON)),
    (&["bloom", "poro-chat", "gpt3-finnish"], plain(&[BLOOM])),
    (&["viking"], plain(&[BLOOM, DIGIT])),
    (&["default"], plain(DEFAULT)),
];

/// All names that `tokenizer.ggml.pre` can have.
pub fn names() -> impl Iterator<Item = &'static str> {
    RULES.iter().flat_map(|(names, _)| names.iter().copied())
}

/// What a name stands for; files without one are of old and have the default of llama.cpp.
///
/// # Errors
/// A name that is not known.
pub(crate) fn rule(name: Option<&str>) -> Result<Rule, OpenError> {
    let name = name.unwrap_or("default");
    let found = RULES.iter().find(|(names, _)| names.contains(&name));
    let rule = found.map(|(_, rule)| *rule);
    rule.ok_or_else(|| OpenError::UnknownSplit(name.to_owned()))
}
