#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Runs decode and prefill on this machine.
set -euo pipefail

usage() {
  cat <<'EOT'
Usage: run.sh [--fabric | --namespaces] FOLDER [OPTIONS OF DECODE]
  FOLDER        where the programs prefill and decode are
  --fabric      over UCX and loopback, although both are on one host
  --namespaces  over UCX between two network namespaces that this script makes, each with an
                address of its own; exits with 77 where the system does not allow them
Without either the memory is shared, as between any two processes of one host.
EOT
}

mode=shared
case "${1:-}" in
  --fabric | --namespaces) mode=${1#--}; shift ;;
esac
if [ $# -lt 1 ] || [ ! -x "$1/decode" ] || [ ! -x "$1/prefill" ]; then
  usage >&2
  exit 2
fi
folder=$(cd "$1" && pwd)
shift

# UCX looks for network devices in /sys, which shows those of the namespace in which it was mounted.
mount_own_sys='mount -t sysfs none /sys'

# The second time this script runs in a network namespace of its own, as its root.
if [ "$mode" = namespaces ] && [ -z "${INSIDE_NAMESPACE:-}" ]; then
  command -v ip >/dev/null || exit 77
  new_namespace=(unshare --net --mount)
  [ "$(id -u)" -eq 0 ] || new_namespace+=(--user --map-root-user)
  "${new_namespace[@]}" sh -c "$mount_own_sys" 2>/dev/null || exit 77
  # shellcheck disable=SC2016  # the inner shell expands them
  INSIDE_NAMESPACE=1 exec "${new_namespace[@]}" sh -c "$mount_own_sys"'; exec "$0" --namespaces "$@"' "$0" "$folder" "$@"
fi

work=$(mktemp -d)
started=()
# shellcheck disable=SC2317  # the trap calls it
clean_up() {
  local process
  for process in "${started[@]}"; do kill "$process" 2>/dev/null || true; done
  rm -rf "$work"
}
trap clean_up EXIT

# A secret of this run: the library insists that nobody else can read it.
make_secret() { (umask 077 && head -c 32 /dev/urandom >"$work/secret"); }

# Starts decode, and sets `address` to where it listens. Its output comes from descriptor 3.
start_decode() {
  exec 3< <("${in_decode[@]}" "$folder/decode" --listen "$listen:0" "$@" 2>&1)
  decode=$!
  started+=("$decode")
  local line
  address=
  while [ -z "$address" ] && read -r line <&3; do
    case $line in
      "listening at "*) address=${line#listening at } ;;
      *) printf '%s\n' "$line" >&2 ;;
    esac
  done
  [ -n "$address" ] || exit 1
}

# A second network namespace, joined to this one by a cable. A process holds it.
make_second_namespace() {
  exec 4< <(exec unshare --net --mount sh -c "$mount_own_sys && echo ready; exec sleep 600")
  local holder=$! line
  started+=("$holder")
  read -r line <&4 || exit 77  # ready
  ip link add ferry0 type veth peer name ferry1 netns "$holder" || exit 77
  ip address add 10.83.0.1/24 dev ferry0
  ip link set ferry0 up
  ip link set lo up
  in_second=(nsenter --target "$holder" --net --mount)
  "${in_second[@]}" ip address add 10.83.0.2/24 dev ferry1
  "${in_second[@]}" ip link set ferry1 up
  "${in_second[@]}" ip link set lo up
  # The kernel takes up to a second until a cable that was plugged in counts, and UCX ignores it before.
  until grep -q up /sys/class/net/ferry0/operstate; do :; done
  until "${in_second[@]}" grep -q up /sys/class/net/ferry1/operstate; do :; done
}

in_decode=()
in_prefill=()
listen=127.0.0.1
case $mode in
  shared) ;;
  fabric)
    make_secret
    export FERRY_FABRIC=listen=127.0.0.1,secret=$work/secret,always
    ;;
  namespaces)
    make_secret
    make_second_namespace
    listen=10.83.0.1
    in_decode=(env "FERRY_FABRIC=listen=10.83.0.1,secret=$work/secret")
    in_prefill=("${in_second[@]}" env "FERRY_FABRIC=listen=10.83.0.2,secret=$work/secret")
    ;;
esac

start_decode "$@"
code=0
"${in_prefill[@]}" "$folder/prefill" --connect "$address" || { code=$? && kill "$decode"; }
cat <&3
wait "$decode" || [ "$code" -ne 0 ] || code=$?
exit "$code"
