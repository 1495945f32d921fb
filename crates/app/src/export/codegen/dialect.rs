//! The differences between NumPy, PyTorch and JAX: names of functions and arguments.

use crate::state::Library;

/// A library's ways.
#[derive(Clone, Copy)]
pub(super) struct Dialect(pub(super) Library);

impl Dialect {
    /// The library's own name.
    pub(super) fn name(self) -> &'static str {
        match self.0 {
            Library::NumPy => "NumPy",
            Library::PyTorch => "PyTorch",
            Library::Jax => "JAX",
        }
    }

    /// Module prefix of the library's functions.
    pub(super) fn module(self) -> &'static str {
        match self.0 {
            Library::NumPy => "np",
            Library::PyTorch => "torch",
            Library::Jax => "jnp",
        }
    }

    /// One of the three ways to write a thing.
    pub(super) fn pick<T>(self, numpy: T, torch: T, jax: T) -> T {
        match self.0 {
            Library::NumPy => numpy,
            Library::PyTorch => torch,
            Library::Jax => jax,
        }
    }

    pub(super) fn array(self) -> &'static str {
        self.pick("array", "tensor", "array")
    }

    /// Import lines, and settings of number types and printing.
    pub(super) fn imports(self, is_inline: bool) -> &'static [&'static str] {
        match (self.0, is_inline) {
            (Library::NumPy, true) => &["import base64", "", "import numpy as np", "", NP_PRINTS],
            (Library::NumPy, false) => &["import numpy as np", "", NP_PRINTS],
            (Library::PyTorch, true) => &[
                "import base64",
                "",
                "import torch",
                "",
                TORCH_DOUBLE,
                TORCH_PRINTS,
            ],
            (Library::PyTorch, false) => &[
                "import numpy as np",
                "import torch",
                "",
                TORCH_DOUBLE,
                TORCH_PRINTS,
            ],
            (Library::Jax, true) => &[
                "import base64",
                "",
                "import jax",
                "import jax.numpy as jnp",
                "import numpy as np",
                "",
                JAX_DOUBLE,
                JAX_PRINTS,
            ],
            (Library::Jax, false) => &[
                "import jax",
                "import jax.numpy as jnp",
                "import numpy as np",
                "",
                JAX_DOUBLE,
                JAX_PRINTS,
            ],
        }
    }

    /// Function that decodes the given numbers.
    pub(super) fn reader(self, is_inline: bool) -> &'static [&'static str] {
        match (self.0, is_inline) {
            (Library::NumPy, true) => &[
                "def numbers(shape, text):",
                "    return np.frombuffer(base64.b64decode(text), \"<f4\").reshape(shape).astype(np.float64)",
            ],
            (Library::PyTorch, true) => &[
                "def numbers(shape, text):",
                "    return torch.frombuffer(bytearray(base64.b64decode(text)), dtype=torch.float32).reshape(shape).double()",
            ],
            (Library::Jax, true) => &[
                "def numbers(shape, text):",
                "    return jnp.asarray(np.frombuffer(base64.b64decode(text), \"<f4\").reshape(shape), jnp.float64)",
            ],
            (Library::NumPy, false) => &[
                "def numbers(name):",
                "    return np.load(\"attention.npz\")[name].astype(np.float64)",
            ],
            (Library::PyTorch, false) => &[
                "def numbers(name):",
                "    return torch.from_numpy(np.load(\"attention.npz\")[name]).double()",
            ],
            (Library::Jax, false) => &[
                "def numbers(name):",
                "    return jnp.asarray(np.load(\"attention.npz\")[name], jnp.float64)",
            ],
        }
    }

    /// `tensor` with its first two axes, or the last two of three, the other way round.
    pub(super) fn swapped(self, tensor: &str, axes: &str) -> String {
        let method = self.pick("swapaxes", "transpose", "swapaxes");
        format!("{tensor}.{method}({axes})")
    }

    /// `letter` with each of its heads repeated for the query heads that share it.
    pub(super) fn repeated(self, letter: &str) -> String {
        match self.0 {
            Library::NumPy => format!("np.repeat({letter}, h // g, 0)"),
            Library::PyTorch => format!("{letter}.repeat_interleave(h // g, 0)"),
            Library::Jax => format!("jnp.repeat({letter}, h // g, 0)"),
        }
    }

    /// `tensor` where `M` shows and `hidden` elsewhere.
    pub(super) fn where_visible(self, tensor: &str, hidden: &str) -> String {
        match self.0 {
            Library::NumPy => format!("np.where(M, {tensor}, {hidden})"),
            Library::PyTorch => format!("{tensor}.masked_fill(~M, {hidden})"),
            Library::Jax => format!("jnp.where(M, {tensor}, {hidden})"),
        }
    }

    pub(super) fn infinity(self) -> &'static str {
        self.pick("-np.inf", "-torch.inf", "-jnp.inf")
    }

    pub(super) fn softmax(self) -> &'static str {
        self.pick("softmax", "torch.softmax", "jax.nn.softmax")
    }

    /// Rows and columns as numbers of every cell.
    pub(super) fn positions(self) -> &'static str {
        self.pick(
            "i, j = np.indices((n, m))",
            "i, j = torch.meshgrid(torch.arange(n), torch.arange(m), indexing=\"ij\")",
            "i, j = jnp.indices((n, m))",
        )
    }
}

const NP_PRINTS: &str = "np.set_printoptions(precision=4, suppress=True, linewidth=120)";
pub(super) const TORCH_PRINTS: &str =
    "torch.set_printoptions(precision=4, sci_mode=False, linewidth=120)";
pub(super) const TORCH_DOUBLE: &str = "torch.set_default_dtype(torch.float64)";
const JAX_PRINTS: &str = "jnp.set_printoptions(precision=4, suppress=True, linewidth=120)";
const JAX_DOUBLE: &str = "jax.config.update(\"jax_enable_x64\", True)";
