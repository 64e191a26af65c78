# SPDX-License-Identifier: Apache-2.0
# Installs what building and testing need. Sourced by ./run and ./test; does nothing once all is installed.
# shellcheck shell=bash

# python3 and GoogleTest are here because ./run and ./test share a build folder, which is configured with the tests.
BUILD_PACKAGES=(g++ cmake ninja-build nlohmann-json3-dev libcli11-dev libfmt-dev libdw-dev libxxhash-dev
  rapidjson-dev zlib1g-dev libprotozero-dev libucx-dev libsodium-dev libgtest-dev python3)
TEST_PACKAGES=(git pkg-config gdb relacy-dev)
LINT_PACKAGES=(clang-format-14 clang-tidy-14)
FUZZ_PACKAGES=(clang-14 libclang-rt-14-dev)
COVERAGE_PACKAGES=(clang-14 libclang-rt-14-dev llvm-14)
CROSS_PACKAGES=(g++-aarch64-linux-gnu qemu-user googletest)
# For scripts/packages: finds the dependencies of libraries.
PACKAGING_PACKAGES=(dpkg-dev file)
# For scripts/test_containers.
CONTAINER_PACKAGES=(debootstrap)
PYTHON_PACKAGES=(python3-dev python3-venv)
# From PyPI, into .venv: needed to build and test the Python modules.
PYTHON_TOOLS=(nanobind scikit-build-core numpy pytest mypy ruff simpy)

# Prints the time since the start, so that a long run shows where the time goes.
say() { printf '\033[1m==>\033[0m %d:%02d %s\n' $((SECONDS / 60)) $((SECONDS % 60)) "$*" | if [ -t 1 ]; then cat; else sed 's/\x1b\[[0-9]*m//g'; fi; }
die() { printf '%s\n' "$*" >&2; exit 1; }

missing_packages() {
  local package
  for package in "$@"; do
    dpkg-query -W -f='${Status}' "$package" 2>/dev/null | grep -q 'install ok installed' || printf '%s ' "$package"
  done
}

# install PACKAGE... [-- OPTIONAL...]: installs the missing packages. Without root it names all of them at once; it goes
# on if only optional ones are missing, and returns 1 then.
install() {
  local needed=() optional=()
  while [ $# -gt 0 ] && [ "$1" != -- ]; do needed+=("$1"); shift; done
  [ $# -eq 0 ] || { shift; optional=("$@"); }
  command -v dpkg-query >/dev/null || {
    say "This is not Debian or Ubuntu: make sure that these packages or their equivalents are installed:" \
      "${needed[@]}" "${optional[@]}"
    return 0
  }
  local missing missing_optional
  missing=$(missing_packages "${needed[@]}")
  missing_optional=$(missing_packages "${optional[@]}")
  [ -n "$missing$missing_optional" ] || return 0
  local sudo=()
  if [ "$(id -u)" -ne 0 ]; then
    sudo=(sudo -n)
    if ! sudo -n true 2>/dev/null; then
      [ -n "$missing" ] || return 1
      die "Installing packages needs root. Ask an administrator to run this, then start again:
    apt-get update && apt-get install -y --no-install-recommends $missing$missing_optional"
    fi
  fi
  say "installing $missing$missing_optional"
  "${sudo[@]}" apt-get update -qq || die "apt-get update failed"
  apt_install "$missing$missing_optional" && return 0
  [ -n "$missing_optional" ] || die "apt-get could not install: $missing"
  [ -z "$missing" ] || apt_install "$missing" || die "apt-get could not install: $missing"
  return 1
}

# apt_install "PACKAGE ...", for install. Build folders look again for what was missing when they were configured.
apt_install() {
  # shellcheck disable=SC2086  # a list of words
  "${sudo[@]}" env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends $1 >/dev/null || return 1
  rm -f build/*/build.ninja
}

# For the test of the page that shows a trace, which is skipped without a browser. Ubuntu has it as a snap only, which
# a container cannot install.
install_browser() {
  command -v chromium chromium-browser google-chrome >/dev/null && return 0
  if grep -q '^ID=debian' /etc/os-release 2>/dev/null; then install chromium; fi
}

# python_tools FOLDER PYTHON TOOL...: creates a virtual environment with these tools. Fails without access to PyPI; the
# reason is in build/pip.log.
python_tools() {
  local folder=$1 python=$2
  shift 2
  [ "$(cat "$folder/tools" 2>/dev/null)" = "$*" ] && return 0
  say "installing into $folder: $*"
  mkdir -p build
  { "$python" -m venv "$folder" \
      && "$folder/bin/python" -m pip install -q --disable-pip-version-check --retries 2 "$@"; } >build/pip.log 2>&1 || return 1
  printf '%s\n' "$*" >"$folder/tools"
}

# Installs what the Python modules need. Build folders that were configured without it are configured again. Fails where
# it cannot be had.
install_python() {
  install -- "${PYTHON_PACKAGES[@]}" || return 1
  [ "$(cat .venv/tools 2>/dev/null)" = "${PYTHON_TOOLS[*]}" ] && return 0
  python_tools .venv python3 "${PYTHON_TOOLS[@]}" || return 1
  rm -f build/*/build.ninja
}

# For commands that can do without Python.
install_python_or_skip() {
  install_python || say "the Python modules are neither built nor tested: ${PYTHON_PACKAGES[*]} or PyPI cannot be had"
}

# configure PRESET: configures it unless that was done before.
configure() {
  [ -f "build/$1/build.ninja" ] && return 0
  say "configuring $1"
  mkdir -p build
  local log=build/configure-$1.log
  cmake --preset "$1" >"$log" 2>&1 || { cat "$log"; die "cmake --preset $1 failed"; }
}

# What a first build takes, in seconds of CPU time without a compiler cache: GCC 12, x86-64, two busy cores. The second
# is estimated from some of its files, and counts from the first on.
declare -A FIRST_BUILD=([dev:what_runs]=172 [dev:quick_tests]=430)

# about SECONDS: how long that much CPU time takes on this machine, in words.
about() {
  local seconds=$(($1 / $(nproc)))
  if [ "$seconds" -lt 60 ]; then echo "less than a minute"; else echo "about $(((seconds + 59) / 60)) minutes"; fi
}

# build PRESET [TARGET]: configures if needed, then builds what has changed.
build() {
  local preset=$1 target=("${@:2}")
  configure "$preset"
  local built=build/$preset/.built-${target[*]} seconds=${FIRST_BUILD[$preset:${target[*]}]:-}
  if [ -n "$seconds" ] && [ ! -e "$built" ]; then
    say "building $preset for the first time: $(about "$seconds") on $(nproc) cores"
  else
    say "building $preset"
  fi
  # Without a target it builds those of the preset.
  NINJA_STATUS='[%f/%t, %e s] ' cmake --build --preset "$preset" ${target:+--target "${target[@]}"} \
    || die "cmake --build --preset $preset ${target:+--target ${target[*]} }failed"
  touch "$built"
}
