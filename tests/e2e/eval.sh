#!/usr/bin/env bash
# A study that is killed again and again ends up as one that was left alone; other settings are refused.
set -euo pipefail
cd "$(mktemp -d)"
trap 'rm -rf "$PWD"' EXIT
export ORDO_CACHE=$PWD/cache

study=(eval "$ORDO_SOURCE_DIR/suite/wc" "$ORDO_SOURCE_DIR/suite/crc32" --methods random,greedy
  --objectives ir_instructions --seeds 2)

# expect CODE TEXT ARG…: runs ordo and compares what it says.
expect() {
  local code=$1 text=$2 status=0
  "$ORDO" "${@:3}" >out.txt 2>&1 || status=$?
  if [[ $status -ne $code ]] || ! grep -qF -- "$text" out.txt; then
    echo "ordo ${*:3}: exit $status, wanted $code with '$text'; said:"
    cat out.txt
    exit 1
  fi
}
# What a study found, without what it took and where.
findings() { "$ORDO" report "$1" --leaderboard | grep -v -e XXH3 -e '^- began' -e '^- command'; }

# In one go.
expect 0 '8 of 8 runs are in whole.sqlite; 8 made now' "${study[@]}" --compiles 40 --study whole.sqlite --jobs 2

# Killed after each second run, wherever it is by then.
for round in $(seq 20); do
  touch "runs.$round"
  "$ORDO" "${study[@]}" --compiles 40 --study killed.sqlite --jobs 1 --json >"runs.$round" 2>err.txt &
  pid=$!
  while kill -0 $pid 2>/dev/null && (($(wc -l <"runs.$round") < 2)); do sleep 0.02; done
  kill -KILL $pid 2>/dev/null || true
  wait $pid 2>/dev/null && break
done
expect 0 '8 of 8 runs are in killed.sqlite' "${study[@]}" --compiles 40 --study killed.sqlite
cat runs.* | sed 's/,"evaluations.*//' | sort >keys.txt
[[ -z $(uniq -d keys.txt) ]] || { echo 'made twice:'; uniq -d keys.txt; exit 1; }
diff <(findings whole.sqlite) <(findings killed.sqlite)

# Nothing is left to do; more seeds are.
expect 0 '8 of 8 runs are in whole.sqlite; 0 made now' "${study[@]}" --compiles 40 --study whole.sqlite
expect 64 'another compiles' "${study[@]}" --compiles 50 --study whole.sqlite
expect 64 "another space ('size')" "${study[@]}" --compiles 40 --study whole.sqlite --space full

# Ctrl-C keeps what is done and leaves one file.
"$ORDO" "${study[@]}" --compiles 100000 --study stopped.sqlite --jobs 1 >out.txt 2>&1 &
sleep 1
kill -INT $!
status=0
wait $! || status=$?
[[ $status -eq 130 && ! -e stopped.sqlite-wal ]] || { cat out.txt; exit 1; }

# Programs may be listed in a file.
printf '# two of the suite\n\n%s\n%s\n' "$ORDO_SOURCE_DIR/suite/wc" "$ORDO_SOURCE_DIR/suite/crc32" >list.txt
expect 0 '8 of 8 runs are in whole.sqlite; 0 made now' eval --list list.txt "${study[@]:3}" --compiles 40 \
  --study whole.sqlite

# What a report says.
expect 0 'won with' report whole.sqlite --markdown whole.md
grep -q '### Against random' whole.md
expect 64 "unknown method 'rondom'; did you mean 'random'" report whole.sqlite --against rondom
expect 65 'not a database' report whole.md
expect 66 'no file' report nothing.sqlite
expect 64 'no finished run' report stopped.sqlite

# What is wrong with a command is said before there is a study.
expect 64 "unknown method 'evolution'" eval "$ORDO_SOURCE_DIR/suite/wc" --methods evolution --study x.sqlite
expect 66 'nowhere.c' eval nowhere.c --study x.sqlite
[[ ! -e x.sqlite ]]
