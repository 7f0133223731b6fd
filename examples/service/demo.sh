#!/usr/bin/env bash
# The loop in front of a real service, on 127.0.0.1 only (stand.sh): a build that is better becomes production, and
# one that only looked better on the stage is taken out of the traffic again. Some three minutes; nothing is left.
#
#   demo.sh [EXPERIMENTS]   2 unless told
#
# ORDO is the program. DEMO_DIR keeps what was made. DEMO_PRODUCTION is what production is at first, scalar unless told.
set -euo pipefail
# shellcheck source=examples/service/stand.sh
source "$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")/stand.sh"
experiments=${1:-2}
[[ $experiments =~ ^[1-9][0-9]?$ ]] || { echo "loop demo: '$experiments' is no number of experiments from 1 to 99" >&2; exit 64; }
ordo=${ORDO:-ordo} rate=${DEMO_RATE:-250} first=${DEMO_PRODUCTION:-scalar}
dir=${DEMO_DIR:-$(mktemp -d "${TMPDIR:-/tmp}/ordo-loop.XXXXXX")}
mkdir -p "$dir"

say() { printf '%s\n' "$*"; }
finish() {
  stand_down
  [[ -n ${DEMO_DIR:-} ]] || rm -rf "$dir"
}
trap finish EXIT
trap 'exit 130' INT TERM

say "A service that compresses, parses and queries; HAProxy before it; Prometheus, which counts how long it takes."
say "Building it ..."
stand_build "$dir"
"$stand_here/build.sh" "$first" "$dir/first"
# What the stage says of query differs from machine to machine; how a canary ends that does harm is to be seen.
PRODUCTION=$first STAGE_LOSS=0.2 stand_loop_toml "$dir/loop.toml" '"full", "query"'
stand_up "$dir/first"
stand_load "$rate" 3,1,2
cat <<TEXT

It serves $rate requests a second on 127.0.0.1:$SERVICE_PORT. Its kernels are built three ways:
  $(printf %-7s "$first") $(case $first in scalar) echo without vectors and unrolling ;; mem) echo without most optimizations ;; *) echo unlike them ;; esac): production
  full    with all of -O3: better
  query   with all of -O3 for queries, the only requests of the stage, and nothing for the others: worse
The loop knows only their names. It builds one, times it on the stage, and then gives it 5 % and 30 % of the
requests, and as many to production's build, started with it, for control. What it sees:

TEXT
status=0
"$ordo" loop run --file "$dir/loop.toml" --experiments "$experiments" || status=$?
echo
"$ordo" loop history --file "$dir/loop.toml"
echo
"$ordo" loop status --file "$dir/loop.toml"
echo
stand_unload || { say "requests were lost"; status=1; }
say "Everything that ran has ended."
exit "$status"
