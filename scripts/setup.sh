# SPDX-License-Identifier: Apache-2.0
# Installs what building and testing need. Sourced by ./run and ./test; does nothing once all is installed.
# shellcheck shell=bash

BUILD_PACKAGES=(g++ cmake ninja-build nlohmann-json3-dev libcli11-dev libfmt-dev libbenchmark-dev libdw-dev libxxhash-dev
  rapidjson-dev zlib1g-dev libprotozero-dev)
TEST_PACKAGES=(libgtest-dev python3 pkg-config gdb relacy-dev)
LINT_PACKAGES=(clang-format-14 clang-tidy-14)
FUZZ_PACKAGES=(clang-14 libclang-rt-14-dev)
COVERAGE_PACKAGES=(clang-14 libclang-rt-14-dev llvm-14)
CROSS_PACKAGES=(g++-aarch64-linux-gnu qemu-user googletest)
PYTHON_PACKAGES=(python3-dev python3-venv)
# From PyPI, into .venv: needed to build and test the Python modules.
PYTHON_TOOLS=(nanobind scikit-build-core numpy pytest mypy ruff)

# Prints the time since the start, so that a long run shows where the time goes.
say() { printf '\033[1m==>\033[0m %d:%02d %s\n' $((SECONDS / 60)) $((SECONDS % 60)) "$*" | if [ -t 1 ]; then cat; else sed 's/\x1b\[[0-9]*m//g'; fi; }
die() { printf '%s\n' "$*" >&2; exit 1; }

missing_packages() {
  local package
  for package in "$@"; do
    dpkg-query -W -f='${Status}' "$package" 2>/dev/null | grep -q 'install ok installed' || printf '%s ' "$package"
  done
}

# install PACKAGE...: installs missing packages; without root it prints the command.
install() {
  command -v dpkg-query >/dev/null || {
    say "This is not Debian or Ubuntu: make sure that these packages or their equivalents are installed: $*"
    return 0
  }
  local missing
  missing=$(missing_packages "$@")
  [ -z "$missing" ] && return 0
  local sudo=()
  if [ "$(id -u)" -ne 0 ]; then
    sudo -n true 2>/dev/null || die "These packages are missing and installing them needs root. Run:
    sudo apt-get update && sudo apt-get install -y $missing"
    sudo=(sudo)
  fi
  say "installing $missing"
  # shellcheck disable=SC2086  # a list of words
  { "${sudo[@]}" apt-get update -qq && "${sudo[@]}" env DEBIAN_FRONTEND=noninteractive \
      apt-get install -y -qq --no-install-recommends $missing >/dev/null; } \
    || die "apt-get could not install: $missing"
}

# For the test of the page that shows a trace, which is skipped without a browser. Ubuntu has it as a snap only, which
# a container cannot install.
install_browser() {
  command -v chromium chromium-browser google-chrome >/dev/null && return 0
  if grep -q '^ID=debian' /etc/os-release 2>/dev/null; then install chromium; fi
}

# python_tools FOLDER PYTHON TOOL...: creates a virtual environment with these tools. Fails without access to PyPI.
python_tools() {
  local folder=$1 python=$2
  shift 2
  [ "$(cat "$folder/tools" 2>/dev/null)" = "$*" ] && return 0
  say "installing into $folder: $*"
  "$python" -m venv "$folder" && "$folder/bin/python" -m pip install -q --disable-pip-version-check "$@" || return 1
  printf '%s\n' "$*" >"$folder/tools"
}

# Installs what the Python modules need. Build folders that were configured without it are configured again.
install_python() {
  install "${PYTHON_PACKAGES[@]}"
  [ "$(cat .venv/tools 2>/dev/null)" = "${PYTHON_TOOLS[*]}" ] && return 0
  python_tools .venv python3 "${PYTHON_TOOLS[@]}" || return 1
  rm -f build/*/build.ninja
}

# configure PRESET: configures it unless that was done before.
configure() {
  [ -f "build/$1/build.ninja" ] && return 0
  say "configuring $1"
  cmake --preset "$1" >"/tmp/ferry-configure-$$.log" || { cat "/tmp/ferry-configure-$$.log"; die "cmake --preset $1 failed"; }
  rm -f "/tmp/ferry-configure-$$.log"
}

# build PRESET: configures if needed, then builds what has changed.
build() {
  configure "$1"
  say "building $1"
  cmake --build --preset "$1" || die "cmake --build --preset $1 failed"
}
