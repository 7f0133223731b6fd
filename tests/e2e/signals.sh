#!/usr/bin/env bash
# What a service manager, a batch system, a closed terminal or the lack of memory do to a run: the best so far is
# written, and helpers that were killed are replaced.
set -euo pipefail
cd "$(mktemp -d)"
trap 'rm -rf "$PWD"' EXIT
export ORDO_CACHE=$PWD/cache
program=$ORDO_SOURCE_DIR/suite/sorts

# Waits up to 20 s until a command succeeds.
await() { for _ in $(seq 200); do "$@" && return; sleep 0.1; done; echo "gave up on: $*"; exit 1; }

# In a session of its own, so that its process group can be signalled; its number is in $leader.
start() {
  setsid "$ORDO" tune "$program" --budget 10m -o "$1.o" >"$1.out" 2>"$1.err" &
  leader=$!
  await grep -q 'sequence 1:' "$1.err"
}

# The run $1 ended as one that was interrupted, and its result is right.
kept() {
  local status=0
  wait "$leader" || status=$?
  [[ $status -eq 130 && -s $1.o ]] || { echo "$1: exit code $status"; cat "$1.err"; exit 1; }
  "$ORDO" verify sorts.ordo.json "$program" >/dev/null
  rm sorts.ordo.json
  ! grep -i zygote "$1.err" "$1.out" || exit 1
}

# As systemd, Slurm and `timeout` do: to everybody, more than once, and SIGHUP on top.
start group
kill -TERM -- "-$leader"
kill -TERM "$leader"
kill -HUP -- "-$leader"
kept group

start hangup
kill -HUP "$leader"
kept hangup

# The process that workers are forked from is killed, as for want of memory: it is replaced, with all workers.
start helper
for _ in 1 2; do
  helper=$(pgrep -P "$leader" -f ordo-worker)
  kill -KILL "$helper"
  replaced() { local now; now=$(pgrep -P "$leader" -f ordo-worker) && [[ $now != "$helper" ]]; }
  await replaced
done
kill -INT "$leader"
kept helper

# Nobody listens.
"$ORDO" tune "$program" --budget 20evals -o deaf.o >out.txt 2>&-
"$ORDO" tune "$program" --budget 20evals -o mute.o >&- 2>&- <&-
"$ORDO" tune "$program" --budget 20evals -o pipe.o 2>&1 | head -c 1 >head.txt
"$ORDO" list actions | head -n 1 >head.txt
for object in deaf mute pipe; do [[ -s $object.o ]] || { echo "no $object.o"; exit 1; }; done
status=0
"$ORDO" list actions >/dev/full 2>full.err || status=$?
[[ $status -eq 69 ]] && grep -q 'standard output' full.err || { echo "full: $status"; cat full.err; exit 1; }
