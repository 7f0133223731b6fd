#!/usr/bin/env bash
# wing: targets
# Programs for Linux on other processors are tested by running, in C and C++, and a wrong one is seen.
set -euo pipefail
cd "$(mktemp -d)"
trap 'rm -rf "$PWD"' EXIT
export ORDO_CACHE=$PWD/cache
fail() { echo "FAILED: $1"; cat out err 2>/dev/null; exit 1; }
run() {  # run CODE COMMAND...
  local code=0
  "${@:2}" >out 2>err || code=$?
  [[ $code == "$1" ]] || fail "exit code $code: ${*:2}"
}
suite=$ORDO_SOURCE_DIR/suite

for triple in aarch64-linux-gnu arm-linux-gnueabihf riscv64-linux-gnu; do
  run 0 "$ORDO" tune "$suite/sha256" --budget 20evals -q -o tuned.o -- --target=$triple
  grep -Eq '^  tested  *[0-9]+ tests? passed' out || fail "it does not run for $triple"
  run 0 "$ORDO" check sha256.ordo.json
  grep -q 'ran and compared' out || fail "check does not run it for $triple"
done

run 0 "$ORDO" tune "$suite/bignum" --budget 5evals -q -o tuned.o -- --target=arm-linux-gnueabihf -mthumb
grep -Eq '^  tested  *[0-9]+ tests? passed' out || fail "C++ does not run"

echo "a wrong program is seen by running it"
cp -r "$suite/sha256" .
for file in sha256/tests/*.out; do echo wrong >"$file"; done
run 1 "$ORDO" tune sha256 --budget 10evals -q -o wrong.o -- --target=aarch64-linux-gnu
grep -q "expected 'wrong'" err || fail "its tests have no teeth"

echo "what it counts is not this machine's time"
run 78 "$ORDO" tune "$suite/sha256" --objective runtime -- --target=aarch64-linux-gnu
