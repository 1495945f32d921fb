# What the operating system provides: Node, a C linker, browsers, fonts, small programs.
# shellcheck shell=bash

NODE_AT_LEAST=20
# Older releases for Linux have WebGPU, but refuse to give an adapter.
FIREFOX_AT_LEAST=153
NODE_ADVICE="install Node $NODE_AT_LEAST or newer from https://nodejs.org and try again."
BROWSER_ADVICE="A Chromium and a Firefox of your own are used where CHROMIUM and FIREFOX name their programs."

ensure_node() {
  if ! have npm && apt_has_node; then
    step "Node and npm with apt (about a minute)" "apt could not install Node: $NODE_ADVICE" apt_install nodejs npm
  fi
  have npm || die "Node is missing: $NODE_ADVICE"
  local version
  version=$(node --version)
  [ "$(major "$version")" -ge "$NODE_AT_LEAST" ] || die "Node $version is too old: $NODE_ADVICE"
}

major() {
  local version=${1#v}
  echo "${version%%.*}"
}

# A distribution's Node may be older than what the packages accept; then installing it would help nobody.
apt_has_node() {
  have apt-get && can_be_root || return
  local candidate
  candidate=$(apt-cache policy nodejs 2>/dev/null | sed -n 's/^ *Candidate: \([0-9]*\).*/\1/p')
  [ "${candidate:-0}" -ge "$NODE_AT_LEAST" ]
}

have_one_of() {
  local name
  for name; do if have "$name"; then return; fi; done
  return 1
}

have_chinese_font() {
  compgen -G '/usr/share/fonts/opentype/noto/NotoSansCJK*' >/dev/null || { have fc-list && fc-list :lang=zh | grep -q .; }
}

# Programs in a variable are somebody's own choice.
have_current_firefox() {
  [ -z "${FIREFOX:-}" ] || return 0
  local program version
  program=$(command -v firefox-esr || command -v firefox) || return 1
  version=$("$program" --version 2>/dev/null) || return 1
  version=${version//[^0-9.]/}
  [ "${version%%.*}" -ge "$FIREFOX_AT_LEAST" ] 2>/dev/null
}

# missing_packages GROUP…: names, as Debian calls them, of what is not there.
missing_packages() {
  local groups=" $* "
  have cc || echo gcc libc6-dev
  if [[ $groups == *' browsers '* ]]; then
    [ -n "${CHROMIUM:-}" ] || have_one_of chromium chromium-browser google-chrome || echo chromium
    have_current_firefox || echo firefox-esr
    have brotli || echo brotli
  fi
  # Native tests draw figures with it as well.
  if [[ $groups == *' browsers '* || $groups == *' gpu '* ]]; then have_chinese_font || echo fonts-noto-cjk; fi
  if [[ $groups == *' gpu '* ]]; then missing_gpu_packages; fi
  if [[ $groups == *' python '* ]]; then missing_python_packages; fi
  if [[ $groups == *' pip '* ]]; then can_make_environment || echo python3 python3-venv; fi
  if [[ $groups == *' audit '* ]]; then have shellcheck || echo shellcheck; fi
}

# Most browser tests run in Chromium's headless shell; where it cannot be installed, they run in Chromium itself.
ensure_headless_shell() {
  [ -z "${CHROMIUM:-}" ] && ! have chromium-headless-shell && grep -qs '^ID=debian$' /etc/os-release && can_be_root || return 0
  (step "chromium-headless-shell with apt (half a minute)" "apt could not install it: tests run in Chromium itself, and take half as long again." \
    apt_install chromium-headless-shell) || true
}

ensure_packages() {
  local missing
  read -ra missing < <(missing_packages "$@" | tr '\n' ' ') || true
  if [ "${#missing[@]}" = 0 ]; then return; fi
  have apt-get || die "Please install with your system's package manager: ${missing[*]} (names as in Debian). $BROWSER_ADVICE $GPU_ADVICE"
  can_be_root || die "Installing ${missing[*]} needs root: run 'sudo apt-get install ${missing[*]}' and try again."
  step "${missing[*]} with apt (about a minute)" "apt could not install them: check the network and the package sources. $BROWSER_ADVICE $GPU_ADVICE" \
    apt_install "${missing[@]}"
}
