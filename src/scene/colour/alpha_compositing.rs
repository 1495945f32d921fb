//! Composites colours, and tells whether the result is dark or light.

use super::{Background, Ink};

/// A colour with its opacity; each share between 0 and 1, in sRGB.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Srgb {
    rgb: [f64; 3],
    opacity: f64,
}

impl Srgb {
    /// Reads `color(srgb r g b)` or `color(srgb r g b / a)`, as browsers write what they mixed in sRGB.
    ///
    /// ```
    /// use attention_playground::scene::colour::Srgb;
    /// assert!(Srgb::read("color(srgb 0.5 none 1 / 0.25)").is_some());
    /// assert!(Srgb::read("red").is_none());
    /// ```
    pub fn read(text: &str) -> Option<Self> {
        let inside = text.strip_prefix("color(srgb ")?.strip_suffix(')')?;
        let (rgb, opacity) = match inside.split_once('/') {
            Some((rgb, opacity)) => (rgb, share(opacity.trim())?),
            None => (inside, 1.0),
        };
        let mut shares = rgb.split_whitespace();
        let mut next = || shares.next().and_then(share);
        let rgb = [next()?, next()?, next()?];
        shares.next().is_none().then_some(Self { rgb, opacity })
    }

    /// The ground that is meant where text of this colour stands on it.
    pub fn ground_below(self) -> Background {
        match Ink::on(self.rgb.map(byte)) {
            Ink::Black => Background::Dark,
            Ink::White => Background::Light,
        }
    }
}

/// Colours from the top down.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Layers {
    /// Each share times its opacity.
    rgb: [f64; 3],
    opacity: f64,
}

impl Layers {
    /// Puts one more below those that are there.
    pub fn put_below(&mut self, next: Srgb) {
        let seen = (1.0 - self.opacity) * next.opacity;
        for (sum, share) in self.rgb.iter_mut().zip(next.rgb) {
            *sum += seen * share;
        }
        self.opacity += seen;
    }

    /// Whether nothing that lies further below can be seen.
    pub fn is_covered(&self) -> bool {
        self.opacity > 0.995
    }

    /// The ground of what is seen; `None` while more of it is open than covered.
    pub fn ground(&self) -> Option<Background> {
        let rgb = self.rgb.map(|share| byte(share / self.opacity));
        (self.opacity > 0.5).then(|| match Ink::on(rgb) {
            Ink::White => Background::Dark,
            Ink::Black => Background::Light,
        })
    }
}

fn share(text: &str) -> Option<f64> {
    let share = match text {
        "none" => 0.0,
        number => number.parse::<f64>().ok()?,
    };
    share.is_finite().then(|| share.clamp(0.0, 1.0))
}

fn byte(share: f64) -> u8 {
    (share * 255.0).round() as u8
}

#[cfg(test)]
mod tests {
    use super::*;

    fn seen(layers: &[&str]) -> Option<Background> {
        let mut all = Layers::default();
        for layer in layers {
            all.put_below(Srgb::read(layer).expect(layer));
        }
        all.ground()
    }

    #[test]
    fn what_browsers_write_is_read() {
        let read = |rgb, opacity| Some(Srgb { rgb, opacity });
        assert_eq!(
            Srgb::read("color(srgb 0.1 0 1)"),
            read([0.1, 0.0, 1.0], 1.0)
        );
        assert_eq!(
            Srgb::read("color(srgb 1.2 -0.1 none / 0.5)"),
            read([1.0, 0.0, 0.0], 0.5)
        );
        for odd in [
            "",
            "rgb(1, 2, 3)",
            "color(srgb 1 1)",
            "color(srgb 1 1 1 1)",
            "color(srgb NaN 1 1)",
            "color(srgb 1 1 1 / )",
            "color(display-p3 1 1 1)",
        ] {
            assert_eq!(Srgb::read(odd), None, "{odd}");
        }
    }

    #[test]
    fn the_ground_is_what_is_seen_from_above() {
        let (night, paper) = ("color(srgb 0.1 0.1 0.15)", "color(srgb 1 1 1)");
        let clear = "color(srgb 0 0 0 / 0)";
        assert_eq!(seen(&[]), None);
        assert_eq!(seen(&[clear, clear]), None);
        assert_eq!(seen(&[clear, night, paper]), Some(Background::Dark));
        assert_eq!(seen(&[paper, night]), Some(Background::Light));
        let veil = "color(srgb 1 1 1 / 0.1)";
        assert_eq!(seen(&[veil, night]), Some(Background::Dark));
        assert_eq!(seen(&[veil]), None, "what lies below decides");
        let thick = "color(srgb 1 1 1 / 0.9)";
        assert_eq!(seen(&[thick, night]), Some(Background::Light));
    }

    #[test]
    fn text_stands_on_what_it_can_be_read_on() {
        let ground = |text| Srgb::read(text).expect(text).ground_below();
        assert_eq!(ground("color(srgb 0.9 0.9 0.9)"), Background::Dark);
        assert_eq!(ground("color(srgb 0.2 0.2 0.2)"), Background::Light);
    }
}
