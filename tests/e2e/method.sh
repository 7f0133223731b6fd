#!/usr/bin/env bash
# A program beside Ordo is scored like a searcher; one that breaks is a failure in the study, not of it; and
# none outlives `kill -9` of Ordo.
set -euo pipefail
cd "$(mktemp -d)"
trap 'rm -rf "$PWD"' EXIT
export ORDO_CACHE=$PWD/cache

cat >steps.sh <<'END'
#!/bin/sh
# Tries each action alone, then pairs, until it is told to end.
echo '{"ordo_method":1}'
read -r task
for second in '' ,1 ,2 ,3 ,4 ,5; do
  action=0
  while [ $action -lt 60 ]; do
    echo "{\"sequences\":[[$action$second]]}"
    read -r answer || exit 1
    case $answer in *true*) exit 0 ;; esac
    action=$((action + 1))
  done
done
END
printf '#!/bin/sh\necho "{\\"ordo_method\\":1}"; read -r task; echo "no idea" >&2; exit 2\n' >breaks.sh
printf '#!/bin/sh\necho "{\\"ordo_method\\":1}"; read -r task || exit 1; echo $$ >"$1"; exec sleep 100\n' >sleeps.sh
chmod +x ./*.sh

study=(eval "$ORDO_SOURCE_DIR/suite/wc" --objectives ir_instructions --seeds 1 --compiles 30)

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
alive() { [[ -e /proc/$1 ]] && ! grep -q '^State:.*Z' "/proc/$1/status" 2>/dev/null; }

expect 0 '3 made now' "${study[@]}" --methods random,program:./steps.sh,program:./breaks.sh --study s.sqlite
grep -q '1 of them failed' out.txt
grep -q 'breaks.sh.*the method broke: exited with status 2 before its budget was used; its last words: no idea' out.txt
expect 0 'program:./steps.sh@' report s.sqlite --markdown s.md
grep -q 'last words: no idea' s.md
expect 0 '0 made now' "${study[@]}" --methods random,program:./steps.sh --study s.sqlite
# Another version of the file is another method.
echo '# changed' >>steps.sh
expect 0 '1 made now' "${study[@]}" --methods random,program:./steps.sh --study s.sqlite

# What cannot start is said before there is a study.
expect 66 "there is no program './none.sh'" "${study[@]}" --methods program:./none.sh --study x.sqlite
expect 66 'none.py' "${study[@]}" --methods python:none.py:search --study x.sqlite
expect 64 "unknown method 'peer'" "${study[@]}" --methods peer --study x.sqlite
ORDO_PYTHON=/bin/false expect 69 './ordo peers' "${study[@]}" --methods peer/opentuner --study x.sqlite
[[ ! -e x.sqlite ]]

# Ctrl-C ends a method that thinks, and kill -9 of Ordo ends it too.
for signal in INT KILL; do
  "$ORDO" "${study[@]}" --methods "program:./sleeps.sh pid.$signal" --study k.sqlite >out.txt 2>&1 &
  for _ in $(seq 300); do [[ -s pid.$signal ]] && break; sleep 0.1; done
  pid=$(cat "pid.$signal")
  alive "$pid"
  kill -$signal $!
  wait $! && exit 1
  for _ in $(seq 100); do alive "$pid" || break; sleep 0.1; done
  ! alive "$pid" || { echo "the method outlived $signal"; exit 1; }
done
