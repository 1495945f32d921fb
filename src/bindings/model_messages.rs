//! Questions of the page to an opened model, and their answers, as messages.

wasm_chunks::chunk!("model");

use js_sys::{Array, Object};
use ndarray::Array3;
use wasm_bindgen::{JsCast as _, JsValue};

use super::js_object::{get, number, object, set, text};
use super::message::{InMessage, lists, objects};
use interpret::lens::Said;
use interpret::{
    Answer, Change, LayerOfText, Likely, Next, PatchFrom, Question, Reading, Token, Why,
};
use model::HiddenCells;
use model::attribute::{Attribution, Part, ScoreCell, Source};
use model::infer::LayerInputs;

objects! {
    HiddenCells { layer, head, cells }
    LayerInputs { q, k, v }
    LayerOfText { tokens, inputs, window, weights }
    Likely { id, text, written, share }
    Next { likeliest, asked }
    Change { off, hide, patch }
    PatchFrom { layer, head, text }
    Reading { tokens, measures, maps }
    Said { likeliest, answer }
    ScoreCell { layer, head, query, key }
    Token { id, name, place, is_control }
    Why { by_key, by_query }
}

lists! { HiddenCells Likely Pair Part Said Token }

type Pair = (usize, usize);

impl InMessage for Pair {
    fn to_js(&self, _: &Array) -> JsValue {
        Array::of2(&self.0.into(), &self.1.into()).into()
    }

    fn from_js(value: &JsValue) -> Option<Self> {
        let [one, other] = <[usize; 2]>::from_js(value)?;
        Some((one, other))
    }
}

impl InMessage for [usize; 2] {
    fn to_js(&self, _: &Array) -> JsValue {
        Array::of2(&self[0].into(), &self[1].into()).into()
    }

    fn from_js(value: &JsValue) -> Option<Self> {
        Vec::<usize>::from_js(value)?.try_into().ok()
    }
}

impl InMessage for Array3<f32> {
    fn to_js(&self, transfer: &Array) -> JsValue {
        let numbers: Vec<f32> = self.iter().copied().collect();
        object([
            ("shape", self.shape().to_vec().to_js(transfer)),
            ("numbers", numbers.to_js(transfer)),
        ])
        .into()
    }

    fn from_js(value: &JsValue) -> Option<Self> {
        let shape: [usize; 3] = Vec::<usize>::from_js(&get(value, "shape"))?
            .try_into()
            .ok()?;
        Self::from_shape_vec(shape, Vec::from_js(&get(value, "numbers"))?).ok()
    }
}

impl InMessage for Attribution {
    fn to_js(&self, transfer: &Array) -> JsValue {
        object([
            ("score", self.score.into()),
            ("parts", self.parts.to_js(transfer)),
        ])
        .into()
    }

    fn from_js(value: &JsValue) -> Option<Self> {
        Some(Self {
            score: number(value, "score"),
            parts: InMessage::from_js(&get(value, "parts"))?,
        })
    }
}

impl InMessage for Part {
    fn to_js(&self, _: &Array) -> JsValue {
        let (name, layer, head) = match self.source {
            Source::Token => ("token", 0, 0),
            Source::Position => ("position", 0, 0),
            Source::TokenType => ("token_type", 0, 0),
            Source::Head(layer, head) => ("head", layer, head),
            Source::Mlp(layer) => ("mlp", layer, 0),
            Source::Bias => ("bias", 0, 0),
            Source::Distance => ("distance", 0, 0),
        };
        object([
            ("name", name.into()),
            ("layer", layer.into()),
            ("head", head.into()),
            ("value", self.value.into()),
        ])
        .into()
    }

    fn from_js(value: &JsValue) -> Option<Self> {
        let of = |field: &str| number(value, field) as usize;
        let source = match text(value, "name").as_str() {
            "token" => Source::Token,
            "position" => Source::Position,
            "token_type" => Source::TokenType,
            "head" => Source::Head(of("layer"), of("head")),
            "mlp" => Source::Mlp(of("layer")),
            "bias" => Source::Bias,
            "distance" => Source::Distance,
            _ => return None,
        };
        Some(Self {
            source,
            value: number(value, "value"),
        })
    }
}

impl InMessage for Question {
    fn to_js(&self, transfer: &Array) -> JsValue {
        let name = |name: &str| object([("name", name.into())]);
        let about = |own: &str, text: &str| {
            let question = name(own);
            set(&question, "text", &text.into());
            question
        };
        let with = |question: &Object, fields: &[(&str, usize)]| {
            let fields = fields.iter();
            fields.for_each(|(field, value)| set(question, field, &(*value as f64).into()));
        };
        let question = match self {
            Self::Read { text } => about("read", text),
            Self::Repeats => name("repeats"),
            Self::Layer { text, layer } => {
                let question = about("layer", text);
                with(&question, &[("layer", *layer)]);
                question
            }
            Self::Next {
                text,
                place,
                asked,
                change,
            } => {
                let question = about("next", text);
                with(&question, &[("place", *place)]);
                set(&question, "asked", &asked.to_js(transfer));
                set(&question, "change", &change.to_js(transfer));
                question
            }
            Self::Without {
                text,
                place,
                asked,
                off: (layer, head),
            } => {
                let question = about("without", text);
                let fields = [
                    ("place", *place),
                    ("asked", *asked),
                    ("layer", *layer),
                    ("head", *head),
                ];
                with(&question, &fields);
                question
            }
            Self::Write {
                text,
                temperature,
                seed,
            } => {
                let question = about("write", text);
                with(
                    &question,
                    &[
                        ("temperature", *temperature as usize),
                        ("seed", *seed as usize),
                    ],
                );
                question
            }
            Self::Why { text, cell } => {
                let question = about("why", text);
                set(&question, "cell", &cell.to_js(transfer));
                question
            }
            Self::Parts { text, place, asked } => {
                let question = about("parts", text);
                with(&question, &[("place", *place), ("asked", *asked)]);
                question
            }
            Self::Lens { text, place } => {
                let question = about("lens", text);
                with(&question, &[("place", *place)]);
                question
            }
        };
        question.into()
    }

    fn from_js(value: &JsValue) -> Option<Self> {
        let of = |field: &str| number(value, field) as usize;
        let written = text(value, "text");
        Some(match text(value, "name").as_str() {
            "read" => Self::Read { text: written },
            "repeats" => Self::Repeats,
            "layer" => Self::Layer {
                text: written,
                layer: of("layer"),
            },
            "next" => Self::Next {
                text: written,
                place: of("place"),
                asked: Option::from_js(&get(value, "asked"))?,
                change: Change::from_js(&get(value, "change"))?,
            },
            "without" => Self::Without {
                text: written,
                place: of("place"),
                asked: of("asked"),
                off: (of("layer"), of("head")),
            },
            "write" => Self::Write {
                text: written,
                temperature: of("temperature") as u32,
                seed: of("seed") as u32,
            },
            "why" => Self::Why {
                text: written,
                cell: ScoreCell::from_js(&get(value, "cell"))?,
            },
            "parts" => Self::Parts {
                text: written,
                place: of("place"),
                asked: of("asked"),
            },
            "lens" => Self::Lens {
                text: written,
                place: of("place"),
            },
            _ => return None,
        })
    }
}

impl InMessage for Answer {
    fn to_js(&self, transfer: &Array) -> JsValue {
        let (name, value) = match self {
            Self::Read(own) => ("read", own.to_js(transfer)),
            Self::Repeats(own) => ("repeats", own.to_js(transfer)),
            Self::Layer(own) => ("layer", own.to_js(transfer)),
            Self::Next(own) => ("next", own.to_js(transfer)),
            Self::Without(own) => ("without", own.to_js(transfer)),
            Self::Written(own) => ("written", own.to_js(transfer)),
            Self::Lens(own) => ("lens", own.to_js(transfer)),
            Self::Why(own) => ("why", own.to_js(transfer)),
            Self::Parts(own) => ("parts", own.to_js(transfer)),
        };
        object([("name", name.into()), ("value", value)]).into()
    }

    fn from_js(answer: &JsValue) -> Option<Self> {
        let value = &get(answer, "value");
        Some(match text(answer, "name").as_str() {
            "read" => Self::Read(InMessage::from_js(value)?),
            "repeats" => Self::Repeats(InMessage::from_js(value)?),
            "layer" => Self::Layer(Box::new(InMessage::from_js(value)?)),
            "next" => Self::Next(InMessage::from_js(value)?),
            "without" => Self::Without(InMessage::from_js(value)?),
            "written" => Self::Written(InMessage::from_js(value)?),
            "lens" => Self::Lens(InMessage::from_js(value)?),
            "why" => Self::Why(InMessage::from_js(value)?),
            "parts" => Self::Parts(InMessage::from_js(value)?),
            _ => return None,
        })
    }
}
