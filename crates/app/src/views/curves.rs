//! The tokens on both sides of the curves.

use super::{Markup, html, percent};
use crate::present::token_curves::CurveToken;

/// The tokens of one side; `data-at` is the place of each.
pub fn column<'a>(tokens: impl Iterator<Item = CurveToken<'a>>) -> Markup {
    html! {
        @for (at, token) in tokens.enumerate() {
            li {
                button type="button" data-at=(at) data-weight=(percent(token.share))
                    tabindex=(if token.is_stop { "0" } else { "-1" }) aria-pressed=(token.is_chosen) {
                    span class="token" { (token.token) }
                    span class="value" { (token.value) }
                }
            }
        }
    }
}
