//! Layers with a sliding window, from the settings of Hugging Face's files.

use attention::{Code, Error};
use model::{Local, LocalLayers};

use crate::settings::Settings;

/// The local layers of a model whose words see `keys` words, themselves among them; `None` for none, or where no layer is local.
pub(crate) fn local(
    top: &Settings,
    keys: Option<usize>,
    layers: usize,
    otherwise: LocalLayers,
) -> Result<Option<Local>, Error> {
    let Some(keys) = keys else { return Ok(None) };
    let layers = match top.texts("layer_types")? {
        Some(types) => match pattern(top, &types, layers)? {
            Some(pattern) => pattern,
            None => return Ok(None),
        },
        None => otherwise,
    };
    Ok(Some(Local {
        layers,
        window: keys - 1,
        rotary_base: None,
    }))
}

/// Which layers a list of types calls sliding.
fn pattern(top: &Settings, types: &[String], layers: usize) -> Result<Option<LocalLayers>, Error> {
    let name = || top.name("layer_types");
    if types.len() != layers {
        let rule = format!("must have a type for each of {layers} layers");
        return Err(Error::new(Code::ShapeMismatch, name(), types.len(), rule));
    }
    let is_local = |kind: &String| match kind.as_str() {
        "sliding_attention" => Ok(true),
        "full_attention" => Ok(false),
        other => {
            let rule = "must be one of full_attention, sliding_attention";
            Err(Error::new(Code::UnknownOption, name(), other, rule))
        }
    };
    let wanted: Vec<bool> = types.iter().map(is_local).collect::<Result<_, _>>()?;
    let Some(first) = wanted.iter().position(|local| *local) else {
        return Ok(None);
    };
    let first_full = wanted.iter().position(|local| !local);
    let every = first_full.map_or(1, |first| first + 1);
    let patterns = [
        LocalLayers::All,
        LocalLayers::From(first),
        LocalLayers::AllButEvery(every),
    ];
    let fits = |pattern: &LocalLayers| (0..layers).all(|at| pattern.have(at) == wanted[at]);
    match patterns.into_iter().find(fits) {
        Some(pattern) => Ok(Some(pattern)),
        None => {
            let rule = "must be sliding from a layer on, or in all layers but every nth";
            let value = format!("{first} of {layers} and others");
            Err(Error::new(Code::UnknownOption, name(), value, rule))
        }
    }
}
