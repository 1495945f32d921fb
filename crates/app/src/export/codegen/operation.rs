//! The steps of a plan, each as a cell of the program.

use super::{Source, mask};
use crate::i18n::Key;
use crate::present::cost;
use attention::plan::{Axis, Operation, Shape, Side, Step};
use attention::{HeadNorms, Linear, Pairs, Position, Source as From, alibi_slope, default_scale};
use ndarray::Array1;

/// Writes the steps of a plan.
pub(super) struct Steps<'a, 'b> {
    source: &'a Source<'b>,
    /// The positions `i` and `j` stand in the program already.
    has_positions: bool,
    has_mask: bool,
}

impl<'a, 'b> Steps<'a, 'b> {
    pub(super) fn new(source: &'a Source<'b>) -> Self {
        Self {
            source,
            has_positions: false,
            has_mask: false,
        }
    }

    /// A cell for each step that changes something.
    pub(super) fn cells(mut self) -> Vec<String> {
        let steps: Vec<Step> = self.source.plan.steps().to_vec();
        steps.iter().filter_map(|step| self.cell(step)).collect()
    }

    fn cell(&mut self, step: &Step) -> Option<String> {
        let lines = self.lines(step)?;
        let name = self.source.text(cost::operation(step.operation));
        Some(format!("# {name}\n{}", lines.join("\n")))
    }

    fn lines(&mut self, step: &Step) -> Option<Vec<String>> {
        let source = self.source;
        let result = |expression: String| vec![self.line(step, &expression)];
        Some(match step.operation {
            Operation::AddPositions(side) => self.encoding(side),
            Operation::ProjectQueries => result(self.projected("X", "Q", "n, h, d_k")),
            Operation::ProjectKeys => {
                let shape = format!("m, {}, d_k", source.kv_heads());
                result(self.projected(source.key_side(), "K", &shape))
            }
            Operation::ProjectValues => {
                let shape = format!("m, {}, {}", source.kv_heads(), source.value_width());
                result(self.projected(source.key_side(), "V", &shape))
            }
            Operation::NormQueries => result(self.normalized("Q", |norms| &norms.query)?),
            Operation::NormKeys => result(self.normalized("K", |norms| &norms.key)?),
            Operation::RotateQueries => {
                let mut lines = self.rotation();
                let rotated = format!("rotate(Q{})", self.first_place());
                lines.push(self.line(step, &rotated));
                lines
            }
            Operation::RotateKeys => result("rotate(K)".to_owned()),
            Operation::ShortenKeys => result("E @ K".to_owned()),
            Operation::ShortenValues => result("F @ V".to_owned()),
            Operation::DotScores => {
                let keys = source.dialect.swapped(&self.shared("K"), "1, 2");
                self.sharing(self.line(step, &format!("Q @ {keys}")))
            }
            Operation::AdditiveScores => {
                let tanh = format!("{}.tanh", source.dialect.module());
                let keys = match source.kv_heads() {
                    "h" => "K[:, None]".to_owned(),
                    _ => format!("{}[:, None]", self.shared("K")),
                };
                self.sharing(self.line(step, &format!("{tanh}(Q[:, :, None] + {keys}) @ w_a")))
            }
            Operation::Scale => result(self.scaled()?),
            Operation::Cap => {
                let cap = f64::from(source.request.config().cap?);
                let tanh = format!("{}.tanh", source.dialect.module());
                result(format!("{cap:?} * {tanh}(S / {cap:?})"))
            }
            Operation::Bias => self.bias(step),
            // What the page adds is a mask.
            Operation::AddBias => {
                let mut lines = self.visible();
                lines.push(self.line(step, "S + M"));
                lines
            }
            Operation::Mask => self.mask(step),
            Operation::Softmax => self.softmax(step),
            Operation::HideWeights => {
                let mut lines = self.visible();
                lines.push(self.line(step, &source.dialect.where_visible("A", "0")));
                lines
            }
            Operation::WeightedSum => result(format!("A @ {}", self.shared("V"))),
            Operation::MergeHeads => {
                let swapped = source.dialect.swapped("C", "0, 1");
                let line = format!("{swapped}.reshape(n, h * {})", source.value_width());
                let mut lines = result(line);
                if !source.has(Operation::ProjectOutput) {
                    lines.push("O = C".to_owned());
                }
                lines
            }
            Operation::ProjectOutput => {
                let bias = source
                    .request
                    .output()
                    .is_some_and(|output| output.b.is_some());
                let expression = if bias { "C @ W_O + b_O" } else { "C @ W_O" };
                vec![format!("O = {expression}{}", self.shape(&step.shape))]
            }
        })
    }

    /// `Q = expression  # [h, n, d_k]`.
    fn line(&self, step: &Step, expression: &str) -> String {
        format!(
            "{} = {expression}{}",
            step.operation.result(),
            self.shape(&step.shape)
        )
    }

    fn shape(&self, shape: &Shape) -> String {
        let axes = shape
            .0
            .iter()
            .map(|(axis, _)| *axis)
            .filter(|axis| *axis != Axis::Batch);
        let names: Vec<String> = axes.map(|axis| self.letter(axis)).collect();
        format!("  # [{}]", names.join(", "))
    }

    fn letter(&self, axis: Axis) -> String {
        let source = self.source;
        match axis {
            Axis::Heads => "h".to_owned(),
            Axis::KvHeads => source.kv_heads().to_owned(),
            Axis::Keys if source.request.config().linformer => "k".to_owned(),
            Axis::Keys => "m".to_owned(),
            Axis::DV => source.value_width().to_owned(),
            Axis::Merged => format!("h·{}", source.value_width()),
            Axis::DOut => source.output_width().to_owned(),
            other => other.name().to_owned(),
        }
    }

    /// Rows through a projection, a head for each block of columns.
    fn projected(&self, from: &str, letter: &str, shape: &str) -> String {
        let has_bias = self
            .source
            .projection(letter)
            .is_some_and(|linear| linear.b.is_some());
        let bias = if has_bias {
            format!(" + b_{letter}")
        } else {
            String::new()
        };
        let product = format!("({from} @ W_{letter}{bias}).reshape({shape})");
        self.source.dialect.swapped(&product, "0, 1")
    }

    /// Rows of a mean square of 1, times the norm's own numbers; `None` where the layer has no norms.
    fn normalized(
        &self,
        letter: &str,
        scale: impl Fn(&HeadNorms) -> &Array1<f32>,
    ) -> Option<String> {
        let From::Layer { layer, .. } = self.source.request.source() else {
            return None;
        };
        let norms = layer.refinements().norms.as_ref()?;
        let numbers: Vec<String> = (scale(norms).iter())
            .map(|number| format!("{:?}", f64::from(*number)))
            .collect();
        let (module, array) = (self.source.dialect.module(), self.source.dialect.array());
        let scale = format!("{module}.{array}([{}])", numbers.join(", "));
        let epsilon = f64::from(norms.epsilon);
        Some(format!(
            "{letter} / (({letter}**2).mean(-1)[..., None] + {epsilon:?}) ** 0.5 * {scale}"
        ))
    }

    /// Keys or values with a head for every query head.
    fn shared(&self, letter: &str) -> String {
        match self.source.kv_heads() {
            "h" => letter.to_owned(),
            _ => self.source.dialect.repeated(letter),
        }
    }

    /// A line before which it is said how heads are shared, where they are.
    fn sharing(&self, line: String) -> Vec<String> {
        let remark = format!("# {}", self.source.text(Key::CodeSharing));
        match self.source.kv_heads() {
            "h" => vec![line],
            _ => vec![remark, line],
        }
    }

    fn encoding(&self, side: Side) -> Vec<String> {
        let module = self.source.dialect.module();
        let mut lines = Vec::new();
        if side != Side::KeysValues {
            lines.extend([
                "def encoding(rows, first=0):".to_owned(),
                format!("    pos, c = first + {module}.arange(rows)[:, None], {module}.arange(d_model)"),
                "    angle = pos / 10_000 ** (c // 2 * 2 / d_model)".to_owned(),
                format!("    return {module}.where(c % 2 == 0, {module}.sin(angle), {module}.cos(angle))"),
                String::new(),
                String::new(),
            ]);
        }
        lines.push(match side {
            Side::KeysValues => "Y = Y + encoding(m)  # [m, d_model]".to_owned(),
            _ => format!("X = X + encoding(n{})  # [n, d_model]", self.first_place()),
        });
        lines
    }

    /// Where the first query stands, as another argument; nothing where it stands at the first key.
    fn first_place(&self) -> String {
        match self.source.request.call().places.query_start {
            0 => String::new(),
            start => format!(", {start}"),
        }
    }

    /// An odd last column has no partner and stays as it is.
    fn rotation(&self) -> Vec<String> {
        let (module, is_odd) = (
            self.source.dialect.module(),
            self.source.request.sizes().d_k % 2 == 1,
        );
        let halves = matches!(
            self.source.request.config().position.rotation(),
            Some(turn) if turn.pairs == Pairs::Halves
        );
        let join = (self.source.dialect).pick("concatenate", "cat", "concatenate");
        let x = format!("x * {module}.cos(angle) - y * {module}.sin(angle)");
        let y = format!("x * {module}.sin(angle) + y * {module}.cos(angle)");
        let mut lines = vec![
            "def rotate(rows, first=0):".to_owned(),
            format!(
                "    pos, pair = first + {module}.arange(rows.shape[1])[:, None], {module}.arange(d_k // 2)"
            ),
            "    angle = pos / 10_000 ** (2 * pair / d_k)".to_owned(),
        ];
        let rest = if is_odd { ", rows[..., -1:]" } else { "" };
        if halves {
            lines.extend([
                "    x, y = rows[..., : d_k // 2], rows[..., d_k // 2 : d_k // 2 * 2]".to_owned(),
                format!("    return {module}.{join}([{x}, {y}{rest}], -1)"),
            ]);
        } else {
            let columns = if is_odd {
                "rows[..., :-1:2]"
            } else {
                "rows[..., 0::2]"
            };
            lines.extend([
                format!("    x, y = {columns}, rows[..., 1::2]"),
                format!("    turned = {module}.stack([{x}, {y}], -1)"),
            ]);
            lines.push(if is_odd {
                format!("    return {module}.{join}([turned.reshape(*rows.shape[:2], d_k - 1){rest}], -1)")
            } else {
                "    return turned.reshape(rows.shape)".to_owned()
            });
        }
        lines.extend([String::new(), String::new()]);
        lines
    }

    /// `None` for a factor that changes nothing.
    fn scaled(&self) -> Option<String> {
        let config = self.source.request.config();
        match config.scale {
            1.0 => None,
            scale if scale == default_scale(config.sizes.d_k) => Some("S / d_k**0.5".to_owned()),
            scale => Some(format!("S * {:?}", f64::from(scale))),
        }
    }

    /// Slopes by their formula where heads are a power of two, otherwise one by one.
    fn bias(&mut self, step: &Step) -> Vec<String> {
        let (module, heads) = (
            self.source.dialect.module(),
            self.source.request.sizes().heads,
        );
        let mut lines = self.positions();
        lines.push(if heads.is_power_of_two() {
            format!("slope = 2.0 ** (-8 * {module}.arange(1, h + 1) / h)  # [h]")
        } else {
            let slopes: Vec<String> = (0..heads)
                .map(|head| format!("{:?}", alibi_slope(head, heads)))
                .collect();
            let array = self.source.dialect.array();
            format!("slope = {module}.{array}([{}])  # [h]", slopes.join(", "))
        });
        let strength = match self.source.request.config().position {
            Position::Alibi { strength, .. } if strength != 1.0 => {
                format!("{:?} * ", f64::from(strength))
            }
            _ => String::new(),
        };
        let place = match self.source.request.call().places.query_start {
            0 => "i".to_owned(),
            start => format!("i + {start}"),
        };
        let expression = format!("S - {strength}slope[:, None, None] * abs({place} - j)");
        lines.push(self.line(step, &expression));
        lines
    }

    /// Defines the positions `i` and `j`, unless they are defined.
    fn positions(&mut self) -> Vec<String> {
        if std::mem::replace(&mut self.has_positions, true) {
            return Vec::new();
        }
        vec![format!("{}  # [n, m]", self.source.dialect.positions())]
    }

    /// The mask itself.
    fn visible(&mut self) -> Vec<String> {
        if std::mem::replace(&mut self.has_mask, true) {
            return Vec::new();
        }
        let mut lines = self.positions();
        lines.extend(mask::lines(self.source));
        lines
    }

    fn mask(&mut self, step: &Step) -> Vec<String> {
        let dialect = self.source.dialect;
        let hidden = match self.source.request.call().masked_score {
            Some(score) => format!("{score:e}"),
            None => dialect.infinity().to_owned(),
        };
        let mut lines = self.visible();
        lines.push(self.line(step, &dialect.where_visible("S", &hidden)));
        lines
    }

    fn softmax(&self, step: &Step) -> Vec<String> {
        let (dialect, call) = (self.source.dialect, self.source.request.call());
        let scores = if call.temperature == 1.0 {
            "S"
        } else {
            "S / T"
        };
        let axis = dialect.pick("", ", -1", "");
        let softmax = format!("{}({scores}{axis})", dialect.softmax());
        let mut lines: Vec<String> = dialect
            .pick(SOFTMAX, &[], &[])
            .iter()
            .map(|&line| line.to_owned())
            .collect();
        // Under a mask that comes afterwards every row sees something here.
        if call.mask_after || self.source.request.empty_rows() == 0 {
            lines.push(self.line(step, &softmax));
            return lines;
        }
        lines.push(format!("# {}", self.source.text(Key::CodeEmptyRows)));
        let zeroed = format!("{}.nan_to_num({softmax})", dialect.module());
        let line = self.line(step, &zeroed);
        if dialect.pick(true, false, false) {
            lines.extend([
                "with np.errstate(invalid=\"ignore\"):".to_owned(),
                format!("    {line}"),
            ])
        } else {
            lines.push(line)
        }
        lines
    }
}

/// NumPy has none of its own.
const SOFTMAX: &[&str] = &[
    "def softmax(S):",
    "    E = np.exp(S - S.max(-1, keepdims=True))",
    "    return E / E.sum(-1, keepdims=True)",
    "",
    "",
];

impl Source<'_> {
    /// The projection that makes Q, K or V.
    fn projection(&self, letter: &str) -> Option<&Linear> {
        let From::Layer { layer, .. } = self.request.source() else {
            return None;
        };
        Some(match letter {
            "Q" => &layer.weights().query,
            "K" => &layer.weights().key,
            _ => &layer.weights().value,
        })
    }
}
