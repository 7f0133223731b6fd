#!/usr/bin/env bash
# ordo validate as a person uses it: a wrong file, a wrong state, the same state put right.
set -euo pipefail
cd "$(mktemp -d)"
trap 'rm -rf "$PWD"' EXIT
export ORDO_CACHE=$PWD/cache
program=$ORDO_SOURCE_DIR/suite/crc32

fails() {  # fails CODE COMMAND...
  local want=$1 code=0
  shift
  "$@" >out 2>err || code=$?
  [[ $code == "$want" ]] || { echo "exit code $code, not $want: $*"; cat out err; exit 1; }
}

# state PROGRAM_HASH SPACE_HASH VALUE
state() {
  printf '{"format":1,"program":"%s","level":"Oz","program_hash":"%s","space":"size","space_hash":"%s",' \
    "$program" "$1" "$2"
  printf '"actions":["sroa","inline"],"metric":"ir_instructions","value":%s,"reward":"","return":null,' "$3"
  printf '"walltime_s":0}\n'
}
hash() { sed -n 's/.*(hash \([0-9a-f]*\)).*/\1/p' out; }
zeros=00000000000000000000000000000000

echo "files that are none"
fails 66 "$ORDO" validate nowhere.jsonl
echo '{"format":1}' >bad.jsonl
fails 65 "$ORDO" validate bad.jsonl
grep -q "bad.jsonl:1: the field 'program' is missing" err
cp "$ORDO_SOURCE_DIR/docs/trajectories/progname-bytes.json" recipe.json
fails 64 "$ORDO" validate recipe.json
grep -q "recipe.json is a recipe, and this takes states; 'ordo verify recipe.json FILE'" err

echo "each check says what would be right"
state $zeros $zeros 0 >states.jsonl
fails 1 "$ORDO" validate states.jsonl
program_hash=$(hash)
state "$program_hash" $zeros 0 >states.jsonl
fails 1 "$ORDO" validate states.jsonl
space_hash=$(hash)
state "$program_hash" "$space_hash" 0 >states.jsonl
fails 1 "$ORDO" validate states.jsonl --no-run
value=$(sed -n 's/.*ir_instructions is \([0-9]*\), not 0.*/\1/p' out)
state "$program_hash" "$space_hash" "$value" >states.jsonl
fails 0 "$ORDO" validate states.jsonl
grep -q '^1 of 1 states are what they say$' out

echo "and as JSON, also with a bad state beside it"
state "$program_hash" "$space_hash" 1 >>states.jsonl
fails 1 "$ORDO" validate states.jsonl --json --no-run
[[ $(grep -c '"ok": true' out) == 1 && $(grep -c '"ok": false' out) == 1 ]]
