//! Settings of every kind.

#[path = "imported.rs"]
mod imported;

use app::state::{Action, Field, State, Value, reduce, url};

pub(super) struct Case {
    pub name: String,
    pub state: State,
}

/// Settings as links write them, each with every mechanism that it names.
const LINKS: [&str; 41] = [
    "",
    "text=one&d_model=4&d_k=1&heads=1&weights=random",
    "text=one&source=two+words+more&d_model=7&d_k=3&heads=2&weights=random&positions=none",
    "text=a+b+c+d+e&d_model=10&d_k=5&heads=3&weights=random&positions=rotary",
    "text=a+b+c+d+e&d_model=8&d_k=1&heads=2&weights=random&positions=rotary",
    "text=a+b+c+d+e&source=f+g+h&d_model=12&d_k=6&heads=2&weights=random&positions=rotary",
    "text=a+b+c&source=d+e+f+g+h&d_model=12&d_k=6&heads=2&weights=random&positions=rotary_halves&align=last&mask=causal",
    "text=a+b+c+d+e&source=f+g+h&d_model=12&d_k=5&heads=2&weights=random&positions=rotary_halves&align=last&mask=local&window=1",
    "text=a+b+c&source=d+e+f+g+h&d_model=9&d_k=4&heads=2&weights=random&align=last&mask=strided&stride=2",
    "text=a+b+c+d+e&source=f+g+h&d_model=9&d_k=4&heads=2&weights=random&align=last&mask=causal",
    "text=a+b+c&source=d+e+f+g+h&d_model=9&d_k=4&heads=3&weights=random&positions=alibi&align=last",
    "text=a+b+c+d+e+f+g&d_model=9&d_k=4&heads=4&weights=random&positions=alibi",
    "text=a+b+c+d+e+f+g&d_model=9&d_k=4&heads=6&kv_heads=3&weights=random&positions=alibi&mask=causal",
    "text=a+b+c+d+e&source=f+g+h+i+j+k+l&d_model=9&d_k=4&heads=3&weights=random&positions=alibi",
    "text=a+b+c+d+e+f&d_model=6&d_k=2&heads=4&kv_heads=2&weights=random",
    "text=a+b+c+d+e+f&d_model=6&d_k=2&heads=4&kv_heads=1&weights=random&scaled=0",
    "text=a+b+c+d+e+f&d_model=6&d_k=3&heads=2&weights=random&scoring=additive",
    "text=a+b+c+d+e+f&source=g+h&d_model=6&d_k=3&heads=4&kv_heads=2&weights=random&scoring=additive&positions=rotary",
    "text=a+b+c+d+e+f&d_model=6&d_k=3&heads=2&weights=random&scoring=additive&positions=alibi&mask=local&window=2&temperature=0.3",
    "text=a+b+c+d+e+f&d_model=6&d_k=3&heads=2&weights=random&temperature=0.05",
    "text=a+b+c+d+e+f&d_model=6&d_k=3&heads=2&weights=random&temperature=7.5&mask=causal",
    "mask=causal&head=2",
    "mask=padding&valid=6",
    "mask=padding&valid=0",
    "mask=padding&valid=6&pad_rows=1",
    "mask=local&window=0&weights=random&d_model=5&d_k=3",
    "mask=strided&stride=3&weights=random",
    "mask=causal,padding,local,strided,first&valid=9&window=2&stride=4&first=2",
    "mask=causal,local&window=1&hiding=written",
    "mask=padding&valid=0&hiding=written&weights=random",
    "mask=causal&hiding=after&temperature=2",
    "mask=causal,local&window=1&hiding=added&positions=alibi",
    "mask=padding&valid=0&hiding=after&weights=random&scaled=0",
    "text=a+b+c+d+e&source=f+g+h&mask=causal,local&window=0&weights=random&d_model=8&d_k=2&heads=2",
    "text=a+b+c+d+e+f+g&linformer=1&projected=3&weights=random&d_model=8&d_k=5&heads=2",
    "text=a+b+c+d+e+f+g&source=h+i+j&linformer=1&projected=9&weights=random&d_model=8&d_k=4&heads=4&kv_heads=2&positions=rotary",
    "text=a+b+c&linformer=1&projected=5&weights=random&scoring=additive&d_model=4&d_k=2&heads=2&mask=causal&positions=alibi",
    "text=%E6%88%91%E7%88%B1%E6%9C%BA%E5%99%A8%E5%AD%A6%E4%B9%A0&source=I+love+machine+learning",
    "heads=8&kv_heads=4&mask=causal&positions=alibi&hiding=written&lang=zh",
    "text=a+b+c+d+e+f+g+h+i&d_model=512&d_k=64&heads=8&kv_heads=2&weights=random",
    "text=a+b+c+d+e+f+g+h+i&source=x+y&d_model=256&d_k=33&heads=12&kv_heads=4&weights=random&positions=rotary&mask=strided&stride=2",
];

/// Texts that would end a text, a line or a remark, turn the direction of writing, or look like something else.
pub(super) const HOSTILE: [&str; 8] = [
    "\"\"\" ''' \" ' \\ \\\" \\' \\\\\" \\",
    "a\nb\rc\td\u{0}e\u{1b}[31mf\u{7f}g",
    "x\u{2028}y\u{2029}z\u{85}w\u{b}v\u{c}u",
    "\u{202e}txet desrever\u{202c} \u{2066}isolated\u{2069} \u{200e}\u{200f}",
    "\"); import os; os.system(\"echo broken\") #",
    "\"]\nraise SystemExit\nqueries = [\"",
    "\u{feff}#!\u{ad}\u{200b}\u{200d}\u{fe0f}\u{e0001}\u{1f468}\u{200d}\u{1f469} {n} {0} %s ${x} \\N{DASH} \\u0041 \\x41",
    "हिन्दी नमस्ते עברית العربية e\u{301} 𝔸𝕋 \u{10ffff} \u{e000}",
];

fn of_link(link: &str) -> State {
    let (state, notes) = url::parse(&format!("v=1&{link}"));
    assert_eq!(notes, [], "{link}");
    state
}

fn of_text(text: &str) -> State {
    let small = of_link("d_model=8&d_k=4&heads=2&weights=random&text=x");
    let set = |state, field| reduce(state, Action::Set(field, Value::Text(text.to_owned()))).0;
    set(set(small, Field::Text), Field::Second)
}

fn of_paint(link: &str) -> State {
    let strokes = [
        ((0, 0), (3, 3), false),
        ((2, 1), (2, 6), true),
        ((4, 0), (4, 40), false),
        ((900, 1), (900, 9), false),
    ];
    strokes
        .into_iter()
        .fold(of_link(link), |state, (from, to, is_visible)| {
            reduce(
                state,
                Action::Paint {
                    from,
                    to,
                    is_visible,
                },
            )
            .0
        })
}

/// Every case.
pub(super) fn cases() -> Vec<Case> {
    let painted = [
        "text=a+b+c+d+e+f&weights=random&d_model=8&d_k=4&heads=2",
        "text=a+b+c+d+e+f&source=g+h+i+j&mask=causal,strided&weights=random&d_model=8&d_k=4&heads=2",
        "text=a+b+c+d+e+f&mask=local&hiding=after&weights=random&d_model=8&d_k=4&heads=2",
    ];
    let links = LINKS.iter().map(|link| (format!("#{link}"), of_link(link)));
    let texts = HOSTILE
        .iter()
        .map(|text| (format!("text {text:?}"), of_text(text)));
    let paint = painted
        .iter()
        .map(|link| (format!("painted {link}"), of_paint(link)));
    let all = links.chain(texts).chain(paint);
    let all = all.map(|(name, state)| Case { name, state });
    all.chain(imported::cases()).collect()
}
