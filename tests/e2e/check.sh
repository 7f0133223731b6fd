#!/usr/bin/env bash
# ordo check as a person uses it: two modules, a recipe, a wrong result and what is filed of it.
set -euo pipefail
cd "$(mktemp -d)"
trap 'rm -rf "$PWD"' EXIT
export ORDO_CACHE=$PWD/cache

gives() {  # gives CODE COMMAND...
  local want=$1 code=0
  shift
  "$@" >out 2>err || code=$?
  [[ $code == "$want" ]] || { echo "exit code $code, not $want: $*"; cat out err; exit 1; }
}
module() { clang-22 -Oz -Xclang -disable-llvm-passes -emit-llvm -c "$1" -o "$2"; }

cat >part.c <<'C'
int clamp(int x, int low, int high) { return x < low ? low : x > high ? high : x; }
unsigned sum(const unsigned char* p, unsigned n) { unsigned s = 0; while (n--) s += *p++; return s; }
C
module part.c original.bc
opt-22 -passes='default<O2>' original.bc -o optimized.bc

echo "two modules that do the same"
gives 0 "$ORDO" check original.bc optimized.bc --seconds 1
grep -q '^fine: functions compared (2 of 2, 100 % of blocks)$' out
grep -q 'alive' out
gives 0 "$ORDO" check part.c optimized.bc --seconds 1 -- -O2

echo "and two that do not"
sed 's/x > high/x >= low/' part.c >wrong.c
module wrong.c wrong.bc
gives 1 "$ORDO" check original.bc wrong.bc --seconds 1 --save-bug bugs/1
grep -q 'functions  failed   1 of 2 functions wrong: clamp: returns' out
grep -q '^WRONG' out
[[ -s bugs/1/original.bc ]]
cmp wrong.bc bugs/1/optimized.bc
grep -q 'clamp(' bugs/1/README.md
# The command in it shows the same again.
(cd bugs/1 && sed -n 's/^\(.*ordo-differ.*\)$/\1 --fail-if-wrong/p' README.md >again.sh && ! sh again.sh >out && grep -q '"wrong"' out)

echo "a function that is gone"
opt-22 -passes='internalize,globaldce' -internalize-public-api-list=sum original.bc -o gone.bc
gives 1 "$ORDO" check original.bc gone.bc --json
python3 -c "
import json
result = json.load(open('out'))
assert not result['ok'] and result['checked'].startswith('functions compared'), result
wrong = [f for f in result['functions']['functions'] if f['verdict'] == 'wrong']
assert [f['name'] for f in wrong] == ['clamp'] and 'not in the optimised module' in wrong[0]['detail'], wrong"

echo "a recipe, of a program that runs and of one that does not"
"$ORDO" tune "$ORDO_SOURCE_DIR/suite/crc32" --budget 50evals --jobs 1 -q -o crc32.o >/dev/null
gives 0 "$ORDO" check crc32.ordo.json --seconds 1
grep -q '^fine: ran and compared$' out
"$ORDO" tune part.c --budget 50evals --jobs 1 -q -o part.o >tuned
grep -q 'tested .*not run: .*; 2 of 2 functions compared' tuned
gives 0 "$ORDO" check part.ordo.json --no-run --seconds 1
grep -q '^fine: functions compared' out

echo "what makes no sense"
gives 64 "$ORDO" check original.bc
gives 66 "$ORDO" check original.bc nowhere.bc
printf garbage >garbage.bc
gives 65 "$ORDO" check original.bc garbage.bc
