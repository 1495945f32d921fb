//! Origins of pages that may set the state of an embedded one.

wasm_chunks::chunk!("host");

use super::SettingError;

/// The most that a link may name.
const MOST: usize = 16;

/// The longest name of a host, port included.
const LONGEST: usize = 260;

/// Origins of pages, as browsers write them: scheme, host, and the port where it is not the scheme's own.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Origins(Vec<String>);

impl Origins {
    /// Reads origins with commas between them, as a link has them.
    ///
    /// ```
    /// use app::state::Origins;
    /// let origins = Origins::parse("https://A.example:443,http://localhost:8080").expect("two origins");
    /// assert_eq!(origins.to_param(), "https://a.example,http://localhost:8080");
    /// ```
    ///
    /// # Errors
    /// [`SettingError::Origins`] where one of them is no origin, [`SettingError::Many`] where there are too many.
    pub fn parse(written: &str) -> Result<Self, SettingError> {
        let mut origins = Vec::new();
        for one in written.split(',') {
            let origin = origin(one.trim()).ok_or(SettingError::Origins)?;
            if !origins.contains(&origin) {
                origins.push(origin);
            }
        }
        let is_room = origins.len() <= MOST;
        is_room
            .then_some(Self(origins))
            .ok_or(SettingError::Many { max: MOST as u32 })
    }

    /// Formats the origins as [`parse`](Self::parse) reads them.
    pub fn to_param(&self) -> String {
        self.0.join(",")
    }

    /// Whether it is empty: then no host may change settings.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Whether `origin`, as a browser writes it, is one of them.
    pub fn contains(&self, origin: &str) -> bool {
        self.0.iter().any(|own| own == origin)
    }
}

/// One origin as browsers write it; `None` for anything that no page can have, such as one with a path.
fn origin(written: &str) -> Option<String> {
    let lower = written.to_ascii_lowercase();
    let (scheme, rest) = lower.split_once("://")?;
    let own_port = match scheme {
        "https" => 443,
        "http" => 80,
        _ => return None,
    };
    let rest = rest.strip_suffix('/').unwrap_or(rest);
    if rest.len() > LONGEST {
        return None;
    }
    let (host, port) = match rest.rsplit_once(':') {
        Some((host, port)) if !port.ends_with(']') => (host, Some(number(port)?)),
        _ => (rest, None),
    };
    let port = port.filter(|port| *port != own_port);
    let port = port.map_or_else(String::new, |port| format!(":{port}"));
    is_host(host).then(|| format!("{scheme}://{host}{port}"))
}

fn number(port: &str) -> Option<u16> {
    let is_number = port.bytes().all(|byte| byte.is_ascii_digit());
    port.parse().ok().filter(|port| is_number && *port > 0)
}

/// A name, an address with dots, or one with colons in brackets. Names in other letters have to be in the form that
/// browsers report (`xn--…`).
fn is_host(host: &str) -> bool {
    let address = host
        .strip_prefix('[')
        .and_then(|host| host.strip_suffix(']'));
    if let Some(address) = address {
        return address.parse::<std::net::Ipv6Addr>().is_ok();
    }
    let is_label = |label: &str| {
        let letters = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'-' || byte == b'_';
        !label.is_empty() && label.bytes().all(letters)
    };
    host.split('.').all(is_label)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_no_page_can_have_as_its_origin_is_refused() {
        for wrong in [
            "",
            "*",
            "null",
            "a.example",
            "//a.example",
            "https://",
            "https://a..b",
            "https://a.example/path",
            "https://user@a.example",
            "https://a.example:0",
            "https://a.example:65536",
            "https://a.example:+1",
            "https://例子.example",
            "https://a example",
            "https://[::g]",
            "javascript://a.example",
            "https://a.example,",
        ] {
            assert_eq!(Origins::parse(wrong), Err(SettingError::Origins), "{wrong}");
        }
        let many: Vec<String> = (0..17).map(|at| format!("http://a{at}")).collect();
        assert_eq!(
            Origins::parse(&many.join(",")),
            Err(SettingError::Many { max: 16 })
        );
    }

    #[test]
    fn an_origin_is_compared_as_browsers_write_it() {
        let origins =
            Origins::parse("HTTPS://Course.Example:443/, http://[::1]:3000,https://course.example");
        let origins = origins.expect("origins");
        assert_eq!(
            origins.to_param(),
            "https://course.example,http://[::1]:3000"
        );
        assert!(origins.contains("https://course.example"));
        for stranger in [
            "http://course.example",
            "https://course.example:8443",
            "null",
            "",
        ] {
            assert!(!origins.contains(stranger), "{stranger}");
        }
    }
}
