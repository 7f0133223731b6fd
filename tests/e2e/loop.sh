#!/usr/bin/env bash
# ordo loop as a person meets it: settings that it writes and reads, and what it says where there is nothing yet.
# What it does to a service is in tests/loop/.
set -euo pipefail
cd "$(mktemp -d)"
trap 'rm -rf "$PWD"' EXIT

run() { # run CODE COMMAND...
  local code=0 wanted=$1
  shift
  "$@" >out 2>err || code=$?
  [[ $code == "$wanted" ]] || { echo "exit code $code, not $wanted: $*"; cat out err; exit 1; }
}
says() { grep -qF -- "$1" out err || { echo "not said: $1"; cat out err; exit 1; }; }

run 66 "$ORDO" loop status
says "'ordo loop init' writes one"
run 0 "$ORDO" loop init
run 64 "$ORDO" loop init
says "--force replaces it"
run 0 "$ORDO" loop init --force
run 66 "$ORDO" loop status
says "'ordo loop run' makes it"
run 66 "$ORDO" loop history

# No HAProxy: nothing is begun, and nothing stays.
sed -i "s|/run/haproxy/admin.sock|admin.sock|" loop.toml
mkdir other
sed 's|alpha = 0.01|alpha = 2.0|' loop.toml >other/loop.toml
run 65 "$ORDO" loop run --file other/loop.toml
says "alpha is above 0"
sed 's|\["O2", "O1"\]|["O2; rm -rf /"]|' loop.toml >other/loop.toml
run 65 "$ORDO" loop run --file other/loop.toml
says "names are of letters, digits"
sed 's|\["O2", "O1"\]|["O2", "O1", "O2"]|' loop.toml >other/loop.toml
run 65 "$ORDO" loop run --file other/loop.toml
says "has 'O2' twice"

run 69 "$ORDO" loop check
says "is HAProxy up"
says "there is no program ./deploy.sh"
run 69 "$ORDO" loop check --json
says '"good": false'

# A store that exists, by a run that is ended before it has begun anything.
printf '#!/bin/sh\nexit 1\n' >build.sh
chmod +x build.sh
run 124 timeout -s INT -k 20 2 "$ORDO" loop run -q
run 0 "$ORDO" loop status
says "production  O3"
says "answers are not compared"
run 0 "$ORDO" loop history
run 0 "$ORDO" loop pause
run 0 "$ORDO" loop status
says "paused"
run 0 "$ORDO" loop abort
says "it is paused"
run 0 "$ORDO" loop resume
run 0 "$ORDO" loop forgive O2
says "O2 may be tried again"
run 66 "$ORDO" loop forgive O9
says "has no candidate 'O9'; it has O2, O1"
run 0 "$ORDO" loop replay
run 66 "$ORDO" loop verdict nothing
says "'ordo loop history' lists them"

# What is left of a store that a disk or a tool has emptied.
rm loop.sqlite*
touch loop.sqlite
run 65 "$ORDO" loop status
says "loop.sqlite is damaged: it is empty"
says "put a copy of it back"
