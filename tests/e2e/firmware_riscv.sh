#!/usr/bin/env bash
# wing: targets
# An image for a RISC-V microcontroller gets smaller, boots in qemu and says the same; the drop-in compiler makes
# its objects smaller, and a wrong image is refused.
set -euo pipefail
cd "$(mktemp -d)"
trap 'rm -rf "$PWD"' EXIT
export PATH=${ORDO%/*}:$PATH ORDO_CACHE=$PWD/cache ORDO_BUDGET=1s
unset ORDO_LOCK ORDO_DISABLE ORDO_OBJECTIVE ORDO_LIMIT ORDO_LOG CC
cp -r "$ORDO_SOURCE_DIR/examples/riscv32" .
fail() { echo "FAILED: $1"; cat out err 2>/dev/null; exit 1; }
run() {  # run CODE COMMAND...
  local code=0
  "${@:2}" >out 2>err || code=$?
  [[ $code == "$1" ]] || fail "exit code $code: ${*:2}"
}
number() { sed -nE "s/^ +$1 +([0-9 ]+)  clang-Oz ([0-9 ]+) .*/\1,\2/p" out | tr -d ' ' | tr , ' '; }

echo "the image: smaller, its code too, and booted"
run 0 ordo tune riscv32 --budget 100evals -q --symbols --json --emit exe -o tuned.elf
python3 - out <<'PY' || fail "symbols do not add up"
import json, sys
result = json.load(open(sys.argv[1]))["results"][0]
gained = {part["part"]: part["tuned"] - part["baseline"] for part in result["image"]}
assert sum(one["tuned"] - one["baseline"] for one in result["symbols"]) == sum(gained[part] for part in gained if part[0] == ".")
assert any(one["symbol"] == "main" for one in result["symbols"])
PY
run 0 ordo tune riscv32 --budget 100evals -q --symbols --emit exe -o tuned.elf
grep -q '^  tested  *2 tests passed' out || fail "nothing was booted"
grep -Eq '^ +[0-9]+ +[0-9]+ +-[0-9]+  main$' out || fail "no symbols"
for part in flash '\.text'; do
  read -r after before < <(number $part)
  ((after < before)) || fail "$part is not smaller"
done
llvm-readelf-22 -h tuned.elf | grep 'Flags: .*RVC' >/dev/null || fail "not compressed code"
run 0 ordo verify riscv32.ordo.json riscv32
grep -q '2 tests passed' out || fail "verify boots nothing"

echo "file by file with the drop-in compiler"
flags=(-Oz --target=riscv32-unknown-elf -march=rv32imc -mabi=ilp32 -std=c17 -ffreestanding)
for compiler in clang-22 ordo-cc; do
  for file in main calculator board; do $compiler "${flags[@]}" -c riscv32/$file.c -o $file-$compiler.o; done
done
code() { llvm-size-22 -A "$1" | awk '$1 ~ /^\.text/ { bytes += $2 } END { print bytes }'; }
for file in main calculator board; do
  (($(code $file-ordo-cc.o) <= $(code $file-clang-22.o))) || fail "more code in $file"
done
(($(code main-ordo-cc.o) < $(code main-clang-22.o))) || fail "ordo-cc does not tune"

echo "a wrong one is refused"
sed -i 's/^7$/8/' riscv32/tests/session.out
run 1 ordo tune riscv32 --budget 10evals -q -o refused.o
grep -q "expected '8', got '7'" err || fail "the test has no teeth"
