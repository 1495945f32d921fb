//! Charts of the chosen head by row (entropy, weight on itself, weight on the first token) and the histogram of its weights.

use std::cell::RefCell;
use std::rc::Rc;

use super::columns::{BarEvent, Columns};
use crate::browser::dom::{MissingPart, Root};
use crate::browser::main_view::ViewContext;
use crate::browser::map::Pointed;
use crate::browser::sender::Sender;
use app::i18n::{Key, Language, text};
use app::message::Highlight;
use app::present::findings::Findings;
use app::present::head_charts;
use app::present::run::Run;
use attention::analysis::{BINS, Places, bin_of, entropy_limit};

/// Cells of a bin up to which they are outlined on the map.
const MOST_OUTLINED: usize = 4096;

/// The charts.
pub(super) struct Charts {
    entropy: Columns,
    itself: Columns,
    first: Columns,
    weights: Columns,
    /// The bin of each cell of the map, row by row.
    bins: Rc<RefCell<Bins>>,
}

/// Which cells fall into which bin.
#[derive(Default)]
struct Bins {
    keys: usize,
    of_cell: Vec<u8>,
}

impl Charts {
    pub(super) fn new(root: &Root, sender: &Sender) -> Result<Self, MissingPart> {
        let chart = |id: &str, key: fn(usize) -> Option<usize>| {
            let sender = sender.clone();
            Columns::new(root, id, move |touch| match touch {
                BarEvent::At(query) => sender.highlight(Highlight::At(Pointed {
                    query: Some(query),
                    key: key(query),
                })),
                BarEvent::Away => sender.highlight(Highlight::Nothing),
                BarEvent::Chosen(query) => sender.highlight(Highlight::Row(query)),
            })
        };
        let bins = Rc::new(RefCell::new(Bins::default()));
        let (own, of_bins) = (Rc::clone(&bins), sender.clone());
        let weights = Columns::new(root, "chart-weights", move |touch| {
            of_bins.highlight(match touch {
                BarEvent::At(bin) | BarEvent::Chosen(bin) => {
                    Highlight::Cells(own.borrow().cells(bin))
                }
                BarEvent::Away => Highlight::Nothing,
            });
        });
        Ok(Self {
            entropy: chart("chart-entropy", |_| None)?,
            itself: chart("chart-itself", Some)?,
            first: chart("chart-first", |_| Some(0))?,
            weights: weights?,
            bins,
        })
    }

    pub(super) fn update(
        &mut self,
        run: &Run,
        findings: &Findings,
        head: usize,
        language: Language,
    ) {
        let Some(counts) = run.histogram(head) else {
            return;
        };
        let entropy = head_charts::entropy(run, head).unwrap_or_default();
        let most = format!("{:.2}", entropy.top);
        let nats = text::nats(language, &most);
        self.entropy.update(entropy, &nats);
        self.itself.show_only_if(findings.places == Places::Same);
        let own = head_charts::itself(run, head).unwrap_or_default();
        self.itself.update(own, "1");
        self.first.show_only_if(findings.places != Places::None);
        self.first.update(head_charts::first(run, head), "1");
        for chart in [&mut self.entropy, &mut self.itself, &mut self.first] {
            chart.label(&run.queries);
        }
        self.bins.replace(Bins {
            keys: run.keys.len(),
            of_cell: bins_of_cells(run, head),
        });
        let most = counts.iter().copied().max().unwrap_or(0);
        let weights = head_charts::histogram(&counts);
        self.weights.update(weights, &most.to_string());
        self.weights.label(&["0", "1"].map(str::to_owned));
    }

    /// Emphasizes the bars of the highlighted cell on the map, or of the bar hovered on a chart.
    pub(super) fn point(&mut self, context: &ViewContext<'_>) {
        let ViewContext {
            run,
            head,
            row,
            language,
            ..
        } = *context;
        let Some(stats) = run.reply.stats.get(head) else {
            return;
        };
        let token = |row: usize| run.queries.get(row).map_or("", String::as_str);
        let rows = |chart: &Columns| {
            let at = chart.over().unwrap_or(row);
            Some(at).filter(|at| *at < run.queries.len())
        };
        let plain = |at: usize, value: f32| format!("{}: {value:.3}", token(at));

        let at = rows(&self.entropy);
        let said = at.map(|at| of_most(run, at, stats.entropy_per_query[at], language));
        self.entropy.point(at, &said.unwrap_or_default());
        let at = rows(&self.itself);
        let own = at.and_then(|at| Some(plain(at, *stats.self_weight.get(at)?)));
        self.itself.point(at, &own.unwrap_or_default());
        let at = rows(&self.first);
        let weight = at.and_then(|at| Some(plain(at, *run.row(head, at).first()?)));
        self.first.point(at, &weight.unwrap_or_default());

        let bin = self.weights.over().or_else(|| pointed_bin(context));
        let counts = run.histogram(head).unwrap_or_default();
        let said = bin.map(|bin| cells(bin, &counts, language));
        self.weights.point(bin, &said.unwrap_or_default());
    }
}

impl Bins {
    /// The cells of a bin as rows and columns; none where they are too many to be told apart.
    fn cells(&self, bin: usize) -> Vec<(usize, usize)> {
        let all = self.of_cell.iter().enumerate();
        let cells: Vec<_> = all
            .filter(|(_, of)| usize::from(**of) == bin)
            .map(|(cell, _)| (cell / self.keys, cell % self.keys))
            .collect();
        if cells.len() > MOST_OUTLINED {
            Vec::new()
        } else {
            cells
        }
    }
}

/// The bin of each cell; that of a hidden one is none of the histogram's.
fn bins_of_cells(run: &Run, head: usize) -> Vec<u8> {
    let keys = run.keys.len().max(1);
    let bin = |(at, weight): (usize, &f32)| match run.seen.reaches(at / keys, at % keys) {
        true => bin_of(*weight) as u8,
        false => u8::MAX,
    };
    run.head(head).iter().enumerate().map(bin).collect()
}

/// The bin of the weight that is pointed out on the map.
fn pointed_bin(context: &ViewContext<'_>) -> Option<usize> {
    let (query, key) = (context.pointed.query?, context.pointed.key?);
    let weight = context.run.row(context.head, query).get(key)?;
    let is_counted = context.displayed.is_pairs() && context.run.seen.reaches(query, key);
    is_counted.then(|| bin_of(*weight))
}

/// "it: 1.02 nats of at most 2.40".
fn of_most(run: &Run, row: usize, entropy: f64, language: Language) -> String {
    let most = entropy_limit(run.findings().visible.count(row));
    let (value, most) = (format!("{entropy:.2}"), format!("{most:.2}"));
    let said = text::analysis_of_most(language, &value, &most);
    let token = run.queries.get(row).map_or("", String::as_str);
    format!("{token}: {said}")
}

/// "0.10 to 0.15: 7 of 121 cells", and that they are too many to be outlined.
fn cells(bin: usize, histogram: &[u32; BINS], language: Language) -> String {
    let edge = |at: usize| format!("{:.2}", at as f64 / BINS as f64);
    let count = histogram.get(bin).copied().unwrap_or(0);
    let (from, to) = (edge(bin), edge(bin + 1));
    let cells: u32 = histogram.iter().sum();
    let said = text::analysis_cells(language, &from, &to, &count, &cells);
    if count as usize <= MOST_OUTLINED {
        return said;
    }
    let many = Key::AnalysisCellsMany.text(language);
    format!("{said} · {many}")
}
