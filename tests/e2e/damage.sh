#!/usr/bin/env bash
# Damaged files of all kinds: an exit code that docs/exit-codes.md promises and a message, never a crash, never
# "a failure of Ordo itself". Recipes, locks and their figures are damaged by the hundred in unit tests.
set -euo pipefail
cd "$(mktemp -d)"
trap 'rm -rf "$PWD"' EXIT
export ORDO_CACHE=$PWD/cache

echo 'int f(int n) { int s = 0; for (int i = 0; i < n; i++) s += i * i; return s; }' >f.c
"$ORDO" tune f.c --budget 30evals --jobs 1 -q >/dev/null 2>&1
"$ORDO" collect f.c --budget 40evals --jobs 1 -q -o e.jsonl >/dev/null 2>&1
"$ORDO" eval f.c --methods random --compiles 10 --seeds 1 --study s.sqlite -q >/dev/null 2>&1
python3 - <<'PY'
import json
recipe = json.load(open("f.ordo.json"))
del recipe["checksum"]
recipe["format"] = 1
json.dump(recipe, open("old.ordo.json", "w"), indent=2)
PY
cp "$ORDO_SOURCE_DIR/data/policy/size.safetensors" p.safetensors
cp "$ORDO_SOURCE_DIR/data/knowledge/debian.json" .

# damage FILE SEED >DAMAGED: bits flipped, or the end cut off.
damage() {
  python3 - "$1" "$2" <<'PY'
import random, sys
rng, data = random.Random(int(sys.argv[2])), bytearray(open(sys.argv[1], "rb").read())
if rng.random() < 0.2:
    data = data[: rng.randrange(len(data))]
for _ in range(rng.randrange(1, 5) if data else 0):
    data[rng.randrange(len(data))] ^= 1 << rng.randrange(8)
sys.stdout.buffer.write(data)
PY
}

# allowed FILE SEED CODES COMMAND…: damages FILE into d.SUFFIX, which COMMAND is about.
allowed() {
  local file=$1 seed=$2 codes=$3 code=0
  shift 3
  damage "$file" "$seed" >"d.${file##*.}"
  "$ORDO" "$@" >out.txt 2>err.txt || code=$?
  if [[ " $codes " != *" $code "* ]] || { [[ $code -ne 0 ]] && ! grep -q '^ordo: ' err.txt; }; then
    echo "seed $seed of $file: ordo $*: exit $code, wanted one of $codes with a message; said:"
    cat err.txt
    exit 1
  fi
}

for ((i = 0; i < ${ORDO_DAMAGES:-6}; ++i)); do
  allowed f.ordo.json $i '0 65 78' replay d.json f.c -o d.o
  allowed old.ordo.json $i '0 1 64 65 66 75 78' replay d.json f.c -o d.o
  allowed old.ordo.json $i '0 1 64 65 66 75 78' verify d.json f.c
  allowed old.ordo.json $i '0 65 78' explain d.json f.c
  allowed p.safetensors $i '0 65 78' tune f.c --budget 5evals --jobs 1 -q --policy d.safetensors -o d.o
  allowed debian.json $i '0 65 78' tune f.c --budget 5evals --jobs 1 -q --knowledge d.json -o d.o
  allowed s.sqlite $i '0 64 65 78' report d.sqlite
  allowed e.jsonl $i '0 64 65 78' collect f.c --budget 40evals --jobs 1 -q -o d.jsonl
done
