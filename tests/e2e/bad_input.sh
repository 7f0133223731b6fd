#!/usr/bin/env bash
# Bad input: each a clear message, its exit code, and nothing half-written.
set -euo pipefail
cd "$(mktemp -d)"
trap 'rm -rf "$PWD"' EXIT
export ORDO_CACHE=$PWD/cache

# expect CODE MESSAGE ARG…: runs ordo with a small budget and compares.
expect() {
  local code=$1 message=$2 status=0
  "$ORDO" "${@:3}" >out.txt 2>err.txt || status=$?
  if [[ $status -ne $code ]] || ! grep -qF -- "$message" err.txt; then
    echo "ordo ${*:3}: exit $status, wanted $code with '$message'; said:"
    cat err.txt
    exit 1
  fi
}

: >empty.c
echo 'int f( {' >syntax.c
printf 'garbage' >garbage.bc
echo 'int f(int x) { return x + 1; }' >good.c
clang-22 -Oz -Xclang -disable-llvm-passes -emit-llvm -c good.c -o good.bc
head -c 900 good.bc >truncated.bc
clang-22 --target=aarch64-linux-gnu -Oz -Xclang -disable-llvm-passes -emit-llvm -c good.c -o arm.bc
echo 'target triple = "x86_64-pc-linux-gnu"' >no_functions.ll

expect 66 'no file or folder missing.c' tune missing.c
expect 64 'is a folder without program.toml' tune .
expect 64 'empty.c is empty' tune empty.c
expect 64 "error: expected parameter declarator" tune syntax.c
expect 65 'garbage.bc is not bitcode' tune garbage.bc
expect 65 'truncated.bc is not valid LLVM 22 bitcode' tune truncated.bc
expect 64 'arm.bc is for aarch64-unknown-linux-gnu' tune arm.bc -- --target=riscv64-linux-gnu
"$ORDO" tune no_functions.ll --budget 20evals -q >/dev/null
expect 64 "did you mean 'text_bytes'" tune good.c --objective text_byte
expect 64 "did you mean 'clang-Oz'" tune good.c --baseline clang-oz
expect 64 'needs some budget' tune good.c --budget 0
expect 66 "did you mean 'size'" tune good.c --space sise
expect 66 '/proc/nonexistent' tune good.c -o /proc/nonexistent/x.o
expect 69 'No space left on device' tune good.c --budget 5evals -q -o /dev/full
expect 64 "did you mean 'tune'" tunes good.c

"$ORDO" tune good.c --budget 20evals -q >/dev/null
echo '{"format": 1' >cut.ordo.json
# Of the first format, which has no checksum.
python3 - <<'PY'
import json
recipe = json.load(open("good.ordo.json"))
del recipe["checksum"]
recipe["format"] = 1
recipe["compiler"]["version"] = "21.1.0"
json.dump(recipe, open("old.ordo.json", "w"))
PY
sed 's/"format": 3/"format": 9/' good.ordo.json >new.ordo.json
sed 's/"objective"/"objectve"/' good.ordo.json >misspelt.ordo.json
expect 65 'cut.ordo.json is not JSON' explain cut.ordo.json
expect 78 'the recipe is for llvm 21.1.0' replay old.ordo.json good.c
expect 78 'a recipe of format 9' explain new.ordo.json
expect 65 "unknown field 'objectve'" explain misspelt.ordo.json
sed 's/"tuned": /"tuned": 9/' good.ordo.json >forged.ordo.json
expect 65 'forged.ordo.json does not fit its checksum' explain forged.ordo.json
echo 'int f(int x) { return x + 2; }' >good.c
expect 64 'is not the program this recipe was made for' verify good.ordo.json good.c

# Nothing but what was asked for is left.
[[ $(ls) == "$(printf '%s\n' arm.bc cache cut.ordo.json empty.c err.txt forged.ordo.json garbage.bc good.bc good.c good.o good.ordo.json \
  misspelt.ordo.json new.ordo.json no_functions.ll no_functions.o no_functions.ordo.json old.ordo.json out.txt syntax.c \
  truncated.bc | LC_ALL=C sort)" ]] || { ls; exit 1; }
