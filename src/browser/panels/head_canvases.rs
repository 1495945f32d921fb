//! Small maps of all heads in the training panel, a pixel for each cell.

wasm_chunks::chunk!("models");

use web_sys::HtmlCanvasElement;

use crate::browser::map::Surface;
use crate::browser::view::View;
use app::present::training::colour_index;
use app::present::training_panel::TrainingPanel;
use app::scene::colour::Lut;

/// The canvases of both runs, one after the other.
#[derive(Default)]
pub(super) struct HeadCanvases(Vec<Surface>);

impl HeadCanvases {
    pub(super) fn paint(&mut self, panel: Option<&TrainingPanel>, lut: &Lut, view: &View) {
        let Some(lab) = panel.and_then(TrainingPanel::lab) else {
            return;
        };
        self.find(view.all("canvas"));
        let own = (0..lab.run().heads()).map(|head| (lab.reading(), head));
        let others = lab.other().into_iter();
        let others =
            others.flat_map(|other| (0..other.run.heads()).map(|head| (&other.reading, head)));
        for (surface, (reading, head)) in self.0.iter_mut().zip(own.chain(others)) {
            let side = reading.words.len() as u32;
            let weights = reading.weights(head).iter();
            let pixels: Vec<u8> = weights
                .flat_map(|weight| lut.colour(colour_index(*weight)))
                .collect();
            surface.clear((side, side), 1.0);
            surface.put(&pixels, side, (0, 0));
        }
    }

    fn find(&mut self, canvases: Vec<HtmlCanvasElement>) {
        let are_same = self.0.len() == canvases.len()
            && self
                .0
                .iter()
                .zip(&canvases)
                .all(|(own, canvas)| own.canvas == *canvas);
        if !are_same {
            self.0 = canvases.into_iter().filter_map(Surface::new).collect();
        }
    }
}
