#!/usr/bin/env bash
# wing: targets
# An image for a Cortex-M4 gets smaller, boots in qemu and says the same; a wrong one is refused; and the drop-in
# compiler makes it with Make, CMake and Meson.
set -euo pipefail
cd "$(mktemp -d)"
trap 'rm -rf "$PWD"' EXIT
export PATH=${ORDO%/*}:$PATH ORDO_CACHE=$PWD/cache ORDO_BUDGET=100ms
unset ORDO_LOCK ORDO_DISABLE ORDO_OBJECTIVE ORDO_LOG CC
cp -r "$ORDO_SOURCE_DIR/examples/firmware" .
fail() { echo "FAILED: $1"; cat out err 2>/dev/null; exit 1; }
run() {  # run CODE COMMAND...
  local code=0
  "${@:2}" >out 2>err || code=$?
  [[ $code == "$1" ]] || fail "exit code $code: ${*:2}"
}
flash() { llvm-size-22 "$1" | awk 'NR == 2 { print $1 + $2 }'; }

echo "the image: smaller, by section, and booted"
run 0 ordo tune firmware --budget 200evals -q --emit exe -o tuned.elf
grep -q '^  tested  *2 tests passed' out || fail "nothing was booted"
grep -Eq '^    \.text  ' out || fail "no sections"
read -r after before < <(sed -nE 's/^  flash +([0-9 ]+)  clang-Oz ([0-9 ]+) .*/\1,\2/p' out | tr -d ' ' | tr , ' ')
((after < before)) || fail "not smaller"
[[ $(flash tuned.elf) == "$after" ]] || fail "the image is not what was said: $(flash tuned.elf)"
firmware/boot.sh tuned.elf session 0
firmware/boot.sh tuned.elf errors 3
run 0 ordo verify firmware.ordo.json firmware
grep -q '2 tests passed' out || fail "verify boots nothing"

echo "a wrong one is refused, whoever made it"
cp -r firmware wrong
sed -i 's/0x1021/0x1023/' wrong/crc.c
for file in wrong/*.c; do
  clang-22 -Oz --target=thumbv7em-none-eabi -mcpu=cortex-m4 -mfloat-abi=soft -std=c17 -ffreestanding \
    -emit-llvm -c "$file" -o "${file%.c}.bc"
done
llvm-link-22 wrong/*.bc -o wrong.bc
run 1 ordo check firmware wrong.bc
grep -q 'output .*failed.*line 2: expected .crc32 cbf43926 crc16 29b1' out || fail "it is not seen to be wrong"
sed -i 's/cbf43926/cbf43927/' firmware/tests/session.out
run 1 ordo tune firmware --budget 20evals -q -o refused.o
grep -q "expected 'crc32 cbf43927" err || fail "the test has no teeth"
cp "$ORDO_SOURCE_DIR/examples/firmware/tests/session.out" firmware/tests/

echo "Make, CMake and Meson: tuned, never larger, and booted"
made() {  # made WHAT PLAIN OWN: images
  grep -q '/json.c".*"outcome":"tuned"' cache/builds.jsonl || fail "$1: not tuned"
  (($(flash "$3") < $(flash "$2"))) || fail "$1: $(flash "$3") bytes instead of $(flash "$2")"
  rm -rf cache
}
plain=firmware/plain.elf own=firmware/firmware.elf
rm -rf cache
make -s -C firmware check
mv $own $plain
make -s -C firmware clean
make -s -j2 -C firmware CC=ordo-cc check firmware.bin >/dev/null
made Make $plain $own
make -s -C firmware clean

echo "the link as one module, over every flag that costs nothing, and booted"
cd firmware
run 0 ordo baselines --build 'make -s CC=ordo-cc firmware.elf' --clean 'make -s clean' --budget 10m
grep -q '^best *lto=full,inline=' out || fail "no flag is worth anything"
run 0 ordo tune --build 'make -s CC=ordo-cc firmware.elf' --clean 'make -s clean' --check 'make check' --budget 20s \
  --linked --json
python3 - out <<'EOF' || fail "not smaller"
import json, sys
result = json.load(open(sys.argv[1]))
[image] = result["binaries"]
assert result["checked"] and not result["failed"], result
assert image["text_after"] <= image["text_free"] < image["text_before"], image
EOF
make -s clean
rm -f ordo.lock
cd ..
rm -rf cache
make -s -C firmware CC=ordo-cc CFLAGS='-Oz --target=thumbv7m-none-eabi -mcpu=cortex-m3 -std=c17 -ffreestanding' check
make -s -C firmware clean
(cd firmware && run 0 ordo tune --build 'make CC=ordo-cc firmware.elf' --clean 'make clean' --check 'make check' --budget 3s -q)
grep -q "'make check' passes" firmware/out || fail "the whole project was not booted"
(($(flash $own) < $(flash $plain))) || fail "the whole project: $(flash $own) bytes"
for compiler in clang-22 ordo-cc; do
  CC=$compiler cmake -S firmware -B cmake-$compiler -DCMAKE_TOOLCHAIN_FILE=cortex-m4.cmake \
    -DCMAKE_BUILD_TYPE=MinSizeRel >/dev/null
  cmake --build cmake-$compiler >/dev/null
  ctest --test-dir cmake-$compiler >/dev/null
done
made CMake cmake-clang-22/firmware.elf cmake-ordo-cc/firmware.elf
sed "s/'ordo-cc'/'clang-22'/" firmware/cortex-m4.ini >plain.ini
for cross in plain.ini firmware/cortex-m4.ini; do
  meson setup meson-${cross##*/} firmware --cross-file $cross --buildtype=plain >/dev/null
  meson test -C meson-${cross##*/} >/dev/null
done
made Meson meson-plain.ini/firmware.elf meson-cortex-m4.ini/firmware.elf
