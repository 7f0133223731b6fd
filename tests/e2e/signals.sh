#!/usr/bin/env bash
# What a service manager, a batch system, a closed terminal or the lack of memory do to a run: the best so far is
# written, and helpers that were killed are replaced.
set -euo pipefail
cd "$(mktemp -d)"
trap 'rm -rf "$PWD"' EXIT
export ORDO_CACHE=$PWD/cache
program=$ORDO_SOURCE_DIR/suite/sorts

# Waits up to a minute until a command succeeds.
await() { for _ in $(seq 600); do "$@" && return; sleep 0.1; done; echo "gave up on: $*"; exit 1; }

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

# What is sent to `ordo build` alone, its build hears too.
"$ORDO" build -- sh -c 'echo $$ >build.pid; exec sleep 1000' >build.out 2>build.err &
leader=$!
await test -s build.pid
kill -TERM "$leader"
status=0
wait "$leader" || status=$?
[[ $status -eq 143 ]] || { echo "build: exit code $status"; cat build.err; exit 1; }
! kill -0 "$(cat build.pid)" 2>/dev/null || exit 1

# The best of a study, and of a collection, is what is finished.
study=(eval "$program" --methods random --objectives ir_instructions --compiles 10 --seeds 500 --study s.sqlite --json)
"$ORDO" "${study[@]}" >runs.jsonl 2>study.err &
leader=$!
await test -s runs.jsonl
kill -TERM "$leader"
kill -HUP "$leader"
status=0
wait "$leader" || status=$?
[[ $status -eq 130 ]] || { echo "eval: exit code $status"; cat study.err; exit 1; }
"$ORDO" report s.sqlite >report.txt

# Nobody listens.
"$ORDO" tune "$program" --budget 20evals -o deaf.o >out.txt 2>&-
"$ORDO" tune "$program" --budget 20evals -o mute.o >&- 2>&- <&-
"$ORDO" tune "$program" --budget 20evals -o pipe.o 2>&1 | head -c 1 >head.txt
"$ORDO" list actions | head -n 1 >head.txt
printf 'int f(int x) { int unused; return x * 3; }\n' >unit.c
for budget in 0 100ms; do
  rm -rf cache unit.o
  ORDO_BUDGET=$budget "$(dirname "$ORDO")/ordo-cc" -Oz -Wall -c unit.c -o unit.o <&- >&- 2>&-
  grep -q '"outcome":"tuned"' cache/builds.jsonl || { echo "ordo-cc $budget"; cat cache/builds.jsonl; exit 1; }
done
for object in deaf mute pipe unit; do [[ -s $object.o ]] || { echo "no $object.o"; exit 1; }; done
status=0
"$ORDO" list actions >/dev/full 2>full.err || status=$?
[[ $status -eq 69 ]] && grep -q 'standard output' full.err || { echo "full: $status"; cat full.err; exit 1; }
