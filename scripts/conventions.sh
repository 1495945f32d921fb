# Measures content/conventions.toml anew; sourced by soak.sh. Each file of scripts/conventions/requirements/ has an environment of its own, since
# its libraries ask for other versions than those of the next.
# shellcheck shell=bash
source scripts/python.sh

CONVENTIONS=$ROOT/target/conventions

make_environment_of() {
  rm -rf "$2"
  python3 -m venv "$2" && "$2/bin/python" -m pip install --disable-pip-version-check --requirement "$1"
}

ensure_environment_of() {
  local requirements=$1 folder
  folder=$CONVENTIONS/$(basename "$1" .txt)
  if cmp -s "$requirements" "$folder/.installed"; then return; fi
  step "The packages of $requirements into ${folder#"$ROOT/"}/" \
    "pip could not install them: check the network, then run the same command again." make_environment_of "$requirements" "$folder"
  cp "$requirements" "$folder/.installed"
}

measure_conventions() {
  local requirements
  can_make_environment || die "The conventions need Python 3.$PYTHON_AT_LEAST or newer with its module venv."
  for requirements in scripts/conventions/requirements/*.txt; do ensure_environment_of "$requirements"; done
  python3 -B scripts/conventions/measure.py "$@"
}
