//! The words by which libraries, books and papers call projections, and what goes in and comes out.

use super::Role;

/// Parameter of a module.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum End {
    Weight,
    Bias,
    None,
}

/// Parts of a model that have projections of their own.
const ELSEWHERE: [&str; 8] = [
    "mlp",
    "ffn",
    "feed",
    "intermediate",
    "pooler",
    "classifier",
    "embed",
    "lm_head",
];

/// The role of a tensor whose name ends in `stem`, with the number `tail` behind it.
pub(super) fn role_of(
    path: &[&str],
    stem: &str,
    tail: Option<u64>,
    end: &End,
    axes: usize,
) -> Option<Role> {
    let plain: String = stem.chars().filter(char::is_ascii_alphanumeric).collect();
    let weight = match counted_role(&plain, tail) {
        Some(role) => Some(role),
        None => of_weight(&plain).filter(|_| !is_elsewhere(path, &plain)),
    };
    match end {
        End::Weight => weight,
        End::Bias => weight.and_then(bias_of),
        End::None => of_array(&plain, axes),
    }
}

/// Output projections have names that other parts of a model have as well.
fn is_elsewhere(path: &[&str], plain: &str) -> bool {
    let has = |words: &[&str]| {
        path.iter()
            .any(|part| words.iter().any(|word| part.contains(word)))
    };
    match plain {
        "dense" | "proj" => !path.is_empty() && !has(&["att", "mha", "sa"]) || has(&ELSEWHERE),
        _ => has(&ELSEWHERE),
    }
}

/// Layers that are told apart by numbers: `linears.0` to `linears.3`, `einsum_dense` to `einsum_dense_3`.
fn counted_role(plain: &str, tail: Option<u64>) -> Option<Role> {
    let four = [Role::WQ, Role::WK, Role::WV, Role::WO];
    let number = match plain {
        "linears" => tail.filter(|tail| *tail < 4)?,
        _ => einsum_number(plain)? % 4,
    };
    four.get(number as usize).copied()
}

fn einsum_number(plain: &str) -> Option<u64> {
    match plain.strip_prefix("einsumdense")? {
        "" => Some(0),
        number => number.parse().ok(),
    }
}

/// The name of such a layer with the number that is its role, and which of several fours it is of.
pub(super) fn counted(stem: &str, tail: Option<u64>) -> Option<(String, Option<u64>)> {
    let plain: String = stem.chars().filter(char::is_ascii_alphanumeric).collect();
    if plain == "linears" {
        return Some((format!("linears.{}", tail?), None));
    }
    let number = einsum_number(&plain)?;
    Some((format!("einsum_dense.{}", number % 4), Some(number / 4)))
}

/// The last segment of a name without the ending for a module's weight or bias.
pub(super) fn split(name: &str) -> (&str, End) {
    for (suffix, end) in [
        ("_weight", End::Weight),
        ("_kernel", End::Weight),
        ("_bias", End::Bias),
    ] {
        if let Some(stem) = name.strip_suffix(suffix) {
            // The weights of an attention are no weights of a module.
            if !is_attention(stem) {
                return (stem, end);
            }
        }
    }
    (name, End::None)
}

/// Whether a segment names an attention, and no projection of one.
pub(super) fn is_attention(stem: &str) -> bool {
    (stem.ends_with("attn") || stem.ends_with("attention")) && !stem.ends_with("c_attn")
}

fn of_weight(plain: &str) -> Option<Role> {
    Some(match plain {
        "q" | "query" | "qproj" | "queryproj" | "wq" | "wquery" | "toq" | "qlin" | "querydense"
        | "qeinsum" | "linearq" | "qlinear" | "queryprojection" => Role::WQ,
        "k" | "key" | "kproj" | "keyproj" | "wk" | "wkey" | "tok" | "klin" | "keydense"
        | "lineark" | "klinear" | "keyprojection" => Role::WK,
        "v" | "value" | "vproj" | "valueproj" | "wv" | "wvalue" | "tov" | "vlin" | "valuedense"
        | "linearv" | "vlinear" | "valueprojection" => Role::WV,
        "o" | "out" | "outproj" | "oproj" | "cproj" | "wo" | "wout" | "toout" | "outlin"
        | "dense" | "proj" | "attentionoutput" | "outputdense" | "outputproj" | "attnveceinsum"
        | "linearout" | "outlinear" | "outprojection" | "outputprojection" => Role::WO,
        "inproj" | "cattn" | "qkv" | "wqkv" | "qkvproj" | "querykeyvalue" | "toqkv" => Role::Fused,
        "kv" | "tokv" | "kvproj" | "wkv" => Role::FusedKV,
        _ => return None,
    })
}

const fn bias_of(weight: Role) -> Option<Role> {
    Some(match weight {
        Role::WQ => Role::BQ,
        Role::WK => Role::BK,
        Role::WV => Role::BV,
        Role::WO => Role::BO,
        Role::Fused => Role::FusedBias,
        Role::FusedKV => Role::FusedKVBias,
        _ => return None,
    })
}

fn of_array(plain: &str, axes: usize) -> Option<Role> {
    let bare = plain.trim_end_matches(|c: char| c.is_ascii_digit());
    Some(match bare {
        // Inputs are told apart by numbers; anything else is counted.
        "x" | "y" if bare != plain => return None,
        "q" | "query" | "hookq" | "hookrotq" => Role::Q,
        "k" | "key" | "keys" | "hookk" | "hookrotk" => Role::K,
        "v" | "value" | "values" | "hookv" => Role::V,
        // Inputs have no heads.
        "queries" if axes > 2 => Role::Q,
        "x" | "queries" | "emb" | "embedding" | "embeddings" | "input" | "inputs" | "hidden"
        | "hiddenstates" => Role::Queries,
        "y" | "xkv" | "keysvalues" | "source" | "memory" => Role::KeysValues,
        "bq" => Role::BQ,
        "bk" => Role::BK,
        "bv" => Role::BV,
        "bo" => Role::BO,
        "wa" => Role::WA,
        _ if is_map(bare) => Role::Weights,
        _ if bare.starts_with('w') || bare.contains("proj") => return of_weight(bare),
        _ => return None,
    })
}

/// Whether a name is one of attention weights, after any prefix.
fn is_map(plain: &str) -> bool {
    let words = [
        "attn",
        "attns",
        "attention",
        "attentions",
        "attnweight",
        "attnweights",
        "attentionweight",
        "attentionweights",
        "attnprobs",
        "attentionprobs",
        "hookpattern",
    ];
    let whole = ["a", "weights", "probs", "alpha", "pattern"];
    whole.contains(&plain) || words.iter().any(|word| plain.ends_with(word))
}
