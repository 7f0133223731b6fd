#!/usr/bin/env bash
# Code for other machines: the result is smaller or the baseline, what proves it is stock, and what could not be
# checked is said.
set -euo pipefail
cd "$(mktemp -d)"
trap 'rm -rf "$PWD"' EXIT
export ORDO_CACHE=$PWD/cache
cat >f.c <<'C'
int table[64];
int sum(const int* p, int n) { int s = 0; for (int i = 0; i < n; i++) s += p[i] * table[i & 63]; return s; }
static int mix(int a, int b) { return a * b + (a >> 3) - (b << 2); }
int walk(int a, int b) { int x = 0; while (a-- > 0) { x += mix(a, b); if (x > 1000) x -= mix(b, a); } return x; }
C
text() { llvm-size-22 "$1" | awk 'NR == 2 { print $1 }'; }
fail() { echo "FAILED: $1"; cat out err; exit 1; }
run() {  # run CODE COMMAND...
  local code=0
  "${@:2}" >out 2>err || code=$?
  [[ $code == "$1" ]] || fail "exit code $code: ${*:2}"
}

for machine in "ARM --target=thumbv7em-none-eabi -mcpu=cortex-m4" "AArch64 --target=aarch64-linux-gnu" \
  "RISC-V --target=riscv32-unknown-elf -march=rv32imc -mabi=ilp32"; do
  read -r name words <<<"$machine"
  read -ra flags <<<"$words"
  clang-22 -Oz "${flags[@]}" -c f.c -o plain.o
  run 0 "$ORDO" tune f.c --budget 40evals -q -o tuned.o -- "${flags[@]}"
  [[ ! -s err ]] || fail "it complains for $name"
  grep -q '^  tested  *NOT CHECKED but for its IR: .* functions for .* are not compared here' out || fail "it claims a check for $name"
  grep -q '^  code_bytes ' out || fail "no parts for $name"
  ! grep -q "clang's object has" out || fail "the search measured another size than clang makes for $name"
  (($(text tuned.o) <= $(text plain.o))) || fail "larger for $name"
  [[ $(llvm-readelf-22 -h tuned.o | sed -n 's/.*Machine: *//p') == "$name" ]] || fail "no code for $name"
  run 0 "$ORDO" verify f.ordo.json f.c
  run 0 "$ORDO" replay f.ordo.json f.c -o again.o
  cmp tuned.o again.o || fail "a replay differs for $name"
  # Without a search, which a busy machine has less of. What it tries need not pay for each machine.
  run 0 env ORDO_BUDGET=0 ORDO_LOG="$PWD/log.$name" "${ORDO%/*}/ordo-cc" -Oz "${flags[@]}" -c f.c -o dropin.o
  grep -q '"outcome":"tuned"' "log.$name" || fail "ordo-cc does not tune for $name"
  (($(text dropin.o) <= $(text plain.o))) || fail "ordo-cc makes it larger for $name"
  gained=$((${gained:-0} + $(text plain.o) - $(text dropin.o)))
done
((gained > 0)) || fail "ordo-cc gains nothing for any of them"

echo "IR knows its machine, and flags may not say another"
clang-22 -Oz --target=thumbv7em-none-eabi -mcpu=cortex-m4 -Xclang -disable-llvm-passes -emit-llvm -c f.c -o f.bc
run 0 "$ORDO" tune f.bc --budget 10evals -o own.o
run 64 "$ORDO" tune f.bc --budget 10evals -o other.o -- --target=aarch64-linux-gnu
grep -q 'thumbv7em' err || fail "the machine of the IR is not named"
grep -q 'aarch64' err || fail "the machine of the flags is not named"
run 0 "$ORDO" tune f.bc --budget 10evals -o ir.o -- --target=thumbv7em-none-eabi -mcpu=cortex-m4

echo "what does not run here is not timed"
run 78 "$ORDO" tune f.c --objective runtime --run './f' -- --target=aarch64-linux-gnu
grep -q 'for programs that run here' err || fail "another reason"
