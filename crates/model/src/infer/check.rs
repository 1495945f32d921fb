//! What a pass refuses.

use super::{Inference, Patch, WantedLogits};
use crate::{Model, Words};
use attention::{Code, Error, check_finite};

impl Model {
    pub(crate) fn check_has_logits(&self) -> Result<(), Error> {
        if self.config.logits {
            return Ok(());
        }
        let rule = "the model ends without logits";
        Err(Error::new(Code::NotApplicable, "logits", "wanted", rule))
    }

    pub(crate) fn check_inference(&self, words: &Words, how: &Inference) -> Result<(), Error> {
        let named = |field: &str, error: Error| Error {
            field: field.to_owned(),
            ..error
        };
        let lists = [
            ("weights", &how.weights),
            ("contexts", &how.contexts),
            ("off", &how.off),
        ];
        for (field, heads) in lists {
            let mut heads = heads.iter();
            let check = |(layer, head): &(usize, usize)| self.check_head(*layer, *head);
            heads
                .try_for_each(check)
                .map_err(|error| named(field, error))?;
        }
        let mut hidden = how.hide.iter();
        hidden
            .try_for_each(|cells| self.check_hidden(cells))
            .map_err(|error| named("hide", error))?;
        let mut patches = how.patch.iter();
        patches
            .try_for_each(|patch| self.check_patch(words, how, patch))
            .map_err(|error| named("patch", error))?;
        let layers = self.config.layers;
        if let Some(beyond) = how.hidden.iter().find(|layer| **layer > layers) {
            let rule = format!("must be at most {layers} (layers)");
            return Err(Error::new(Code::ShapeMismatch, "hidden", beyond, rule));
        }
        match how.logits {
            WantedLogits::None => Ok(()),
            WantedLogits::Last | WantedLogits::All => self.check_has_logits(),
        }
    }

    fn check_patch(&self, words: &Words, how: &Inference, patch: &Patch) -> Result<(), Error> {
        let (layer, head) = (patch.layer, patch.head);
        self.check_head(layer, head)?;
        let shape = [words.all().len(), self.config.d_k];
        if patch.rows.len() != shape[0] * shape[1] {
            let rule = format!("must be the rows of all words, {shape:?} ([batch·n, d_k])");
            let found = patch.rows.len();
            return Err(Error::new(Code::ShapeMismatch, "patch", found, rule));
        }
        if how.off.contains(&(layer, head)) {
            let (found, rule) = (format!("[{layer}, {head}]"), "the head is switched off");
            return Err(Error::new(Code::NotApplicable, "patch", found, rule));
        }
        check_finite("patch", &patch.rows)
    }
}
