//! English to French, word by word: articles take the gender of their noun, and adjectives of colour and shape stand after it.
//!
//! *the red house and the small dog* → *la maison rouge et le petit chien*. The alignment crosses where an adjective changes places (Bahdanau
//! et al. 2015, fig. 3).

use super::{Example, Generator, Task, list};
use attention::text::random::Choice;

/// English, French, and whether it is feminine.
const NOUNS: [(&str, &str, bool); 8] = [
    ("house", "maison", true),
    ("car", "voiture", true),
    ("table", "table", true),
    ("door", "porte", true),
    ("dog", "chien", false),
    ("book", "livre", false),
    ("garden", "jardin", false),
    ("cat", "chat", false),
];

/// English, French masculine and feminine, and whether it stands before the noun.
const ADJECTIVES: [(&str, [&str; 2], bool); 8] = [
    ("red", ["rouge", "rouge"], false),
    ("green", ["vert", "verte"], false),
    ("black", ["noir", "noire"], false),
    ("round", ["rond", "ronde"], false),
    ("small", ["petit", "petite"], true),
    ("big", ["grand", "grande"], true),
    ("good", ["bon", "bonne"], true),
    ("pretty", ["joli", "jolie"], true),
];

const ARTICLES: [(&str, [&str; 2]); 2] = [("the", ["le", "la"]), ("a", ["un", "une"])];

struct Translation(Vec<String>);

impl Translation {
    fn number(&self, word: &str) -> usize {
        let found = self.0.iter().position(|known| known == word);
        found.expect("all words of both languages are listed")
    }
}

/// Article, adjective and noun in both languages.
fn phrase(choice: &mut Choice) -> ([&'static str; 3], [&'static str; 3]) {
    let (article, articles) = *choice.of(&ARTICLES);
    let (adjective, adjectives, stands_before) = *choice.of(&ADJECTIVES);
    let (noun, french_noun, is_feminine) = *choice.of(&NOUNS);
    let form = usize::from(is_feminine);
    let french = if stands_before {
        [articles[form], adjectives[form], french_noun]
    } else {
        [articles[form], french_noun, adjectives[form]]
    };
    ([article, adjective, noun], french)
}

impl Generator for Translation {
    fn example(&self, choice: &mut Choice) -> Example {
        let (first, second) = (phrase(choice), phrase(choice));
        let numbers = |first: [&str; 3], joint: &str, second: [&str; 3]| -> Vec<usize> {
            let words = first.into_iter().chain([joint]).chain(second);
            words.map(|word| self.number(word)).collect()
        };
        let targets = numbers(first.1, "et", second.1);
        Example {
            words: numbers(first.0, "and", second.0),
            targets: targets.into_iter().map(Some).collect(),
        }
    }
}

pub(super) fn task() -> Task {
    let english = ARTICLES.map(|(word, _)| word).into_iter().chain(["and"]);
    let english = english
        .chain(ADJECTIVES.map(|(word, ..)| word))
        .chain(NOUNS.map(|(word, ..)| word));
    let french = ARTICLES.iter().flat_map(|(_, words)| *words).chain(["et"]);
    let french = french
        .chain(ADJECTIVES.iter().flat_map(|(_, words, _)| *words))
        .chain(NOUNS.iter().map(|(_, word, _)| *word));
    let mut words = list(english);
    for word in french {
        if !words.iter().any(|known| known == word) {
            words.push(word.to_owned());
        }
    }
    Task {
        name: "translation",
        about: "English to French; adjectives of colour and shape change places",
        words: words.clone(),
        length: 7,
        generator: Box::new(Translation(words)),
    }
}
