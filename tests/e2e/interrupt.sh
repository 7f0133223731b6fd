#!/usr/bin/env bash
# Ctrl-C keeps the best so far and writes its recipe; kill -9 leaves no process behind.
set -euo pipefail
cd "$(mktemp -d)"
trap 'rm -rf "$PWD"' EXIT
export ORDO_CACHE=$PWD/cache

# Waits up to 20 s until a command succeeds.
await() { for _ in $(seq 200); do "$@" && return; sleep 0.1; done; echo "gave up on: $*"; exit 1; }

"$ORDO" tune "$ORDO_SOURCE_DIR/suite/sorts" --budget 10m >out.txt 2>err.txt &
await grep -q 'sequence 1:' err.txt
kill -INT $!
status=0
wait $! || status=$?
[[ $status -eq 130 ]] || { cat err.txt; exit 1; }
"$ORDO" verify sorts.ordo.json "$ORDO_SOURCE_DIR/suite/sorts" >/dev/null

"$ORDO" tune "$ORDO_SOURCE_DIR/suite/sorts" --budget 10m -o killed.o >out.txt 2>err2.txt &
coordinator=$!
await grep -q 'sequence 1:' err2.txt
zygote=$(pgrep -P $coordinator -f ordo-worker)
workers=$(pgrep -P "$zygote")
kill -KILL $coordinator
gone() { ! ps -p "$(echo $zygote $workers | tr ' ' ,)" -o stat= | grep -v Z >/dev/null; }
await gone
[[ ! -e killed.o ]]
