#!/usr/bin/env bash
# The main job as a person does it: tune, explain, verify, replay, and a result that is not worse.
set -euo pipefail
cd "$(mktemp -d)"
trap 'rm -rf "$PWD"' EXIT
export ORDO_CACHE=$PWD/cache
suite=$ORDO_SOURCE_DIR/suite

"$ORDO" tune "$suite/crc32" --budget 150evals --jobs 1 --json -q >first.json
grep -q '"ok": true' first.json
"$ORDO" verify crc32.ordo.json "$suite/crc32" | grep 'stock opt-22 makes the same IR' >/dev/null
"$ORDO" explain crc32.ordo.json | grep 'opt-22 -relocation-model=pic' >/dev/null

echo "replay gives the same object"
"$ORDO" replay crc32.ordo.json "$suite/crc32" -o again.o
cmp crc32.o again.o

echo "the same seed, one worker and a budget in sequences give the same recipe, but for the time"
mkdir two
"$ORDO" tune "$suite/crc32" --budget 150evals --jobs 1 -q -o two >/dev/null
diff <(grep -vE '"(seconds|checksum)"' crc32.ordo.json) <(grep -vE '"(seconds|checksum)"' two/crc32.ordo.json)

echo "never worse than clang -Oz, by llvm-size"
(cd "$suite/crc32" && clang-22 -Oz -std=c17 -c crc32.c -o "$OLDPWD/stock.o")
size() { llvm-size-22 "$1" | awk 'NR == 2 { print $1 }'; }
[[ $(size crc32.o) -le $(size stock.o) ]]

echo "the stock commands alone make the same code"
sed -n 's/^  \(cd\|clang-22\|opt-22\) /\1 /p' <("$ORDO" explain crc32.ordo.json) >stock.sh
mkdir copy
cp -r "$suite/crc32" copy/
sed -i "s|^cd .*|cd $PWD/copy/crc32|" stock.sh
bash -e stock.sh
[[ $(llvm-objdump-22 -d --no-addresses crc32.o | tail -n +3 | md5sum) == \
   $(llvm-objdump-22 -d --no-addresses copy/crc32/crc32.o | tail -n +3 | md5sum) ]]

echo "several files, one summary"
"$ORDO" tune "$suite/wc" "$suite/base64" --budget 60evals -q -o out | grep 'mean of 2 programs' >/dev/null
ls out/wc.o out/base64.o out/wc.ordo.json >/dev/null

echo "several metrics at once, each with how much it matters"
"$ORDO" tune "$suite/wc" --budget 60evals -q --objective ir_instructions=0.7+text_bytes=0.3 -o weighed.o >weighed.txt
grep -q '^  weighted  .*clang-Oz' weighed.txt
"$ORDO" verify wc.ordo.json "$suite/wc" | grep 'stock opt-22 makes the same IR' >/dev/null
"$ORDO" explain wc.ordo.json | grep 'tuned for ir_instructions=0.7+text_bytes=0.3 against clang-Oz' >/dev/null
! "$ORDO" tune "$suite/wc" -q --objective ir_instructions+text_bytes -o none.o 2>error.txt || exit 1
grep -q 'write METRIC, or METRIC=0.7+METRIC=0.3' error.txt

echo "flags after --, other forms"
"$ORDO" tune "$suite/wc" --budget 30evals -q --emit ll -o - -- -DNOTHING 2>/dev/null | grep '^define' >/dev/null
"$ORDO" tune "$suite/wc" --budget 30evals -q --emit exe -o wc
echo one two | ./wc >/dev/null

echo "options of passes hold for the baseline, the search, stock opt and the object"
"$ORDO" tune "$suite/sha256" --budget 30evals --jobs 1 -q -o never.o -- -mllvm -inline-threshold=-100000 >/dev/null
(cd "$suite/sha256" && clang-22 -Oz -std=c17 -mllvm -inline-threshold=-100000 -c sha256.c -o "$OLDPWD/never-stock.o")
[[ $(size never.o) -le $(size never-stock.o) ]]
grep -q '"pass_options":' sha256.ordo.json
"$ORDO" verify sha256.ordo.json "$suite/sha256" | grep 'stock opt-22 makes the same IR' >/dev/null
"$ORDO" explain sha256.ordo.json | grep 'opt-22 .*-inline-threshold=-100000' >/dev/null

echo "a template that C++ takes to be compiled elsewhere, and optimised programs do not call"
"$ORDO" tune "$suite/bignum" --budget 5evals -q -o bignum.o | grep 'tests passed' >/dev/null
