#!/usr/bin/env bash
# The prompt as a script uses it: what it applies is what stock opt makes, and what fails ends it.
set -euo pipefail
cd "$(mktemp -d)"
trap 'rm -rf "$PWD"' EXIT
export ORDO_CACHE=$PWD/cache
suite=$ORDO_SOURCE_DIR/suite

echo "apply, look, save"
printf '%s\n' "load $suite/crc32" '# a comment' '' 'apply sroa' 'ap gvn simplifycfg' diff plot state \
  'observe autophase' 'undo' 'try 3' 'save state.json' 'save out.bc' | "$ORDO" shell >out.txt
grep -q 'ir_instructions of ' out.txt
grep -q '^@@ ' out.txt
grep -q 'NumLoadInst' out.txt
grep -q '^[0-9]* tried: ' out.txt
grep -q $'\033' out.txt && { echo "colours in a pipe"; exit 1; }

echo "the state is what it says, and the program what stock opt makes"
"$ORDO" validate state.json --no-run >/dev/null
printf 'apply sroa gvn\nrecipe\n' | "$ORDO" shell "$suite/crc32" | sed -n '/^clang-22\|^opt-22\|^cd/p' >stock.sh
cp -r "$suite/crc32" copy
sed -i "s|^cd .*|cd $PWD/copy|" stock.sh
bash -e stock.sh
clang-22 -Oz -Qunused-arguments -w -Xclang -disable-llvm-passes -x ir -c out.bc -o out.o
code() { llvm-objdump-22 -d --no-addresses "$1" | tail -n +3; }
diff <(code out.o) <(code copy/crc32.o)

echo "JSON, one line each"
printf 'apply sroa\nobserve autophase\n' | "$ORDO" shell "$suite/crc32" --json >out.json
[[ $(wc -l <out.json) -eq 3 ]]
python3 -c 'import json, sys
for line in sys.stdin: assert json.loads(line)["ok"]' <out.json

echo "what fails ends a script with its exit code"
fails() { local want=$1 status=0; shift; "$@" >out.txt 2>err.txt || status=$?; [[ $status -eq $want ]] || { cat err.txt; exit 1; }; }
fails 64 "$ORDO" shell "$suite/crc32" <<<$'aply sroa\nload nowhere'
grep -q "did you mean 'apply'" err.txt
fails 66 "$ORDO" shell <<<'load nowhere.c'
fails 64 "$ORDO" shell --reward text_bytes@end </dev/null
grep -q 'use text_bytes' err.txt
fails 0 "$ORDO" shell </dev/null
