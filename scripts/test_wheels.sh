#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# For every Python found: builds the wheel, installs it into an empty environment, uses it there with no
# variables set, and runs the tests against it.
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
  "$tools/bin/python" -m pip wheel -q --disable-pip-version-check --no-build-isolation --no-deps --no-index -w "$folder" . \
    || die "the wheel for Python $version cannot be built"

  say "testing the wheel for Python $version"
  clean=$PWD/$folder/clean
  rm -rf "$clean"
  "$tools/bin/python" -m venv "$clean"
  "$clean/bin/python" -m pip install -q --disable-pip-version-check --no-index "$folder"/*.whl
  (cd / && env -i "$clean/bin/python" -c 'import acl, ferry; assert acl.init() == 0 and acl.rt.set_device(0) == 0')
  (cd / && env -i "$clean/bin/ferry" run -- "$clean/bin/python" -c 'import acl; assert acl.rt.set_device(0) == 0')
  (cd / && env -i "$clean/bin/python" -m ferry info >/dev/null)
  site=$("$clean/bin/python" -c 'import sysconfig; print(sysconfig.get_path("platlib"))')
  PYTHONPATH=$site PYTHONDONTWRITEBYTECODE=1 "$tools/bin/python" -m pytest -q -p no:cacheprovider python/tests
}

if [ $# -gt 0 ]; then
  for python in "$@"; do test_wheel "$python"; done
else
  while read -r python <&3; do test_wheel "$python"; done 3< <(interpreters)
fi
