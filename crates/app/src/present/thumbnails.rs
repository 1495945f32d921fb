//! All heads in small: of the run, or of every layer of the model that it is a layer of.

use super::reading::{Look, classify, look};
use super::run::Run;
use super::{learned, roles};
use crate::i18n::Language;
use crate::i18n::number::CellStyle;
use crate::scene::heatmap::{Grid, Hidden};

/// One head in small.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Thumbnail {
    /// Its number, counted on through the layers.
    pub at: usize,
    /// Its layer, from 0, of so many.
    pub layer: usize,
    /// How many layers there are.
    pub layers: usize,
    /// Its number in its layer, from 0.
    pub head: usize,
}

/// All of them, layer by layer; none where there are no cells.
pub fn thumbnails(run: &Run) -> Vec<Thumbnail> {
    let layers = run.learned().map_or(1, |_| run.state.layers);
    let heads = match run.head(0) {
        [] => 0,
        _ => run.heads(),
    };
    let of_layer = |layer| {
        (0..heads).map(move |head| Thumbnail {
            at: layer * heads + head,
            layer,
            layers,
            head,
        })
    };
    (0..layers).flat_map(of_layer).collect()
}

impl Thumbnail {
    /// Whether it is of the layer that the run has computed.
    fn is_of_run(self, run: &Run) -> bool {
        self.layers == 1 || self.layer + 1 == run.state.layer
    }

    /// Short name of its role, if known. The settings of the page may make another head of a learned one.
    pub fn role(self, run: &Run, language: Language) -> Option<String> {
        match run.learned() {
            Some(_) => learned::role_name(run, self.at, language),
            None => roles::short(run, self.head, language),
        }
    }

    /// What the query of a row looks at most: "→ animal .81"; `None` where no single key has the largest weight.
    pub fn link(self, run: &Run, row: usize) -> Option<String> {
        let look = match run.learned() {
            Some(layer) if !self.is_of_run(run) => {
                let (map, columns) = (layer.map(self.at), run.keys.len());
                let weights = map.get(row * columns..(row + 1) * columns)?;
                classify(weights.iter().copied().enumerate())
            }
            _ => look(run, self.head, row),
        };
        let Look::At(key, weight) = look else {
            return None;
        };
        let weight = CellStyle::WEIGHT.write(weight);
        Some(format!("→ {} {weight}", run.key(key)))
    }

    /// Its map: as computed with the settings of the page, or in another layer as the model computes it, where all is `seen`.
    pub fn grid<'a>(self, run: &'a Run, seen: &'a Hidden) -> Option<Grid<'a>> {
        match run.learned() {
            Some(layer) if !self.is_of_run(run) => Grid::new(layer.map(self.at), seen).ok(),
            _ => run.grid(self.head),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::present::run::tests::{computed, reply};

    const LINK: &str =
        "weights=learned&d_model=32&d_k=8&heads=3&kv_heads=3&trained=2&text=the+fox+was+ill";

    #[test]
    fn heads_of_all_layers_are_listed_layer_by_layer() {
        let run = computed(&format!("{LINK}&layer=1&mask=causal"));
        let all = thumbnails(&run);
        let places: Vec<_> = all
            .iter()
            .map(|own| (own.at, own.layer, own.head))
            .collect();
        assert_eq!(
            places,
            [
                (0, 0, 0),
                (1, 0, 1),
                (2, 0, 2),
                (3, 1, 0),
                (4, 1, 1),
                (5, 1, 2)
            ]
        );
        assert_eq!(run.thumbnail(2), 2);
        let seen = Hidden::none(4, 4);
        for own in all {
            let grid = own.grid(&run, &seen).expect("a map");
            // The mask of the page is of the layer that is looked at.
            let is_causal = grid.hidden().count() > 0;
            assert_eq!(is_causal, own.layer == 0, "{own:?}");
        }
        assert_eq!(computed(&format!("{LINK}&layer=2")).thumbnail(2), 5);
    }

    #[test]
    fn a_link_goes_where_the_reading_pane_finds_one_key() {
        let (state, mut reply) = reply("text=a+b&heads=1");
        reply.weights = vec![0.504, 0.496, 0.9, 0.1];
        let run = Run::new(state, reply, None).expect("as many weights as cells");
        let all = thumbnails(&run);
        let links = [0, 1].map(|row| all[0].link(&run, row));
        assert_eq!(links, [None, Some("→ a .90".to_owned())]);
    }

    #[test]
    fn a_layer_by_itself_has_its_own_heads() {
        let run = computed("text=a+b&heads=2");
        let places: Vec<_> = thumbnails(&run)
            .iter()
            .map(|own| (own.at, own.head))
            .collect();
        assert_eq!(places, [(0, 0), (1, 1)]);
        assert_eq!(run.thumbnail(1), 1);
        assert_eq!(thumbnails(&computed("text=")), []);
    }
}
