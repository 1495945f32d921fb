# Python for the tests that run exported code: NumPy, JAX, safetensors and what builds the examples in a virtual environment of the project's own, and
# a Python that has PyTorch. From PyPI, PyTorch for Linux brings gigabytes of CUDA, so Debian's package is taken.
# shellcheck shell=bash

PYTHON_AT_LEAST=11
PYTHON_HOME=$TOOLS/python
PYTHON_REQUIREMENTS=tests/python/requirements.txt

# The newest packages need Python 3.11; `venv` and `ensurepip` are packages of their own in Debian.
can_make_environment() { have python3 && python3 -c "import sys, venv, ensurepip; sys.exit(sys.version_info < (3, $PYTHON_AT_LEAST))" 2>/dev/null; }

has_torch() { [ -n "$1" ] && have "$1" && "$1" -c 'import torch' >/dev/null 2>&1; }

# The Python that has PyTorch: somebody's own choice, or the system's.
torch_python() {
  local python
  for python in "${PYTORCH_PYTHON:-}" "$PYTHON_HOME/bin/python" /usr/bin/python3; do
    if has_torch "$python"; then echo "$python" && return; fi
  done
  return 1
}

# Names, as Debian calls them, of what the Python tests lack.
missing_python_packages() {
  can_make_environment || echo python3 python3-venv
  torch_python >/dev/null || { have apt-get && echo python3-torch; } || true
}

make_environment() {
  rm -rf "$PYTHON_HOME"
  python3 -m venv "$PYTHON_HOME" && "$PYTHON_HOME/bin/python" -m pip install --disable-pip-version-check --requirement "$PYTHON_REQUIREMENTS"
}

ensure_python() {
  if cmp -s "$PYTHON_REQUIREMENTS" "$PYTHON_HOME/.installed"; then return; fi
  can_make_environment || die "The Python tests need Python 3.$PYTHON_AT_LEAST or newer with its module venv."
  step "NumPy, JAX, safetensors, MkDocs and JupyterLab into ${PYTHON_HOME#"$ROOT/"}/ (860 MB, a minute)" \
    "pip could not install them: check the network, then run the same command again." make_environment
  cp "$PYTHON_REQUIREMENTS" "$PYTHON_HOME/.installed"
}
