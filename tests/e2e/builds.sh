#!/usr/bin/env bash
# The drop-in compiler in real builds: make with many jobs, killed in the middle, warm, with ccache, with CMake;
# and the plugin in stock tools.
set -euo pipefail
cd "$(mktemp -d)"
trap 'rm -rf "$PWD"' EXIT
bin=$(dirname "$ORDO")
export PATH=$bin:$PATH ORDO_CACHE=$PWD/cache ORDO_BUDGET=50ms
unset ORDO_LOCK ORDO_DISABLE ORDO_OBJECTIVE ORDO_LOG
text() { llvm-size-22 "$@" | awk 'NR > 1 { sum += $1 } END { print sum }'; }
outcomes() { grep -o '"outcome":"[a-z]*"' cache/builds.jsonl | sort | uniq -c | tr -s ' \n' ' '; }
cp -r "$ORDO_SOURCE_DIR/examples/make" "$ORDO_SOURCE_DIR/examples/cmake" .
cp -r make plain
make -s -C plain CC=clang-22 check

echo "a Makefile: never larger, and it works"
make -s -j4 -C make CC=ordo-cc check
[[ $(outcomes) == *'3 "outcome":"tuned"'* ]]
[[ $(text make/*.o) -le $(text plain/*.o) ]]
cmp make/parser.d plain/parser.d
"$ORDO" stats | grep -q 'compilations *3'
"$ORDO" stats --json | grep -q '"fallback": 0'
"$ORDO" stats --files | grep -q 'parser.c *tuned'

echo "warm: the same objects, all of them from the cache"
md5sum make/*.o >sums
make -s -C make clean && rm cache/builds.jsonl
make -s -j4 -C make CC=ordo-cc check
md5sum --quiet -c sums
[[ $(outcomes) == *' 3 "outcome":"cached"'* ]]

echo "killed in the middle, and again: a good build, an intact cache"
for delay in 0.05 0.2 0.4; do
  rm -rf cache && make -s -C make clean
  setsid make -s -j8 -C make CC=ordo-cc 2>/dev/null &
  build=$!
  sleep $delay
  kill -9 -- -$build 2>/dev/null || true
  wait $build 2>/dev/null || true
  make -s -j8 -C make CC=ordo-cc check
  [[ $(text make/*.o) -le $(text plain/*.o) ]]
  make -s -C make clean && make -s -C make CC=ordo-cc check
  [[ $(tail -n 1 cache/builds.jsonl) == *'"cached"'* ]]
done
[[ ! -e cache/builds.sqlite.broken ]]
rm -f make/*.tmp  # of the clangs that were killed

echo "a broken cache is set aside"
head -c 9999 /dev/urandom >cache/builds.sqlite && rm -f cache/builds.sqlite-*
make -s -C make clean && make -s -C make CC=ordo-cc check
[[ -e cache/builds.sqlite.broken && $(tail -n 1 cache/builds.jsonl) == *'"tuned"'* ]]

echo "ccache in front keeps what Ordo made"
if command -v ccache >/dev/null; then
  export CCACHE_DIR=$PWD/ccache CCACHE_COMPILERTYPE=clang
  for _ in 1 2; do
    make -s -C make clean && make -s -C make CC='ccache ordo-cc' check
    [[ $(text make/*.o) -le $(text plain/*.o) ]]
  done
  ccache -s -v | grep -qE 'Hits: +3 '
fi

echo "CMake with a launcher"
if command -v cmake >/dev/null && command -v ninja >/dev/null; then
  rm -f cache/builds.jsonl
  cmake -S cmake -B out -G Ninja -DCMAKE_BUILD_TYPE=MinSizeRel -DCMAKE_CXX_COMPILER=clang++-22 \
    -DCMAKE_CXX_COMPILER_LAUNCHER=ordo-launch >/dev/null
  ninja -C out >/dev/null && ctest --test-dir out >/dev/null
  [[ $(outcomes) == *'2 "outcome":"tuned"'* ]]
fi

echo "Meson"
if command -v meson >/dev/null && command -v ninja >/dev/null; then
  rm -f cache/builds.jsonl
  cp -r "$ORDO_SOURCE_DIR/examples/meson" .
  CC=ordo-cc meson setup meson/out meson --buildtype=plain -Dc_args=-Oz >/dev/null
  meson test -C meson/out >/dev/null
  grep -q '/roman.c",.*"outcome":"tuned"' cache/builds.jsonl
fi

echo "the plugin alone makes of a recipe what ordo tune makes"
cp -r "$ORDO_SOURCE_DIR/suite/sha256" . && cd sha256
"$ORDO" tune . --budget 60evals --jobs 1 -q >/dev/null
plugin=$(readlink -f "$bin/../lib/libordo-plugin.so")
ORDO_RECIPE=sha256.ordo.json clang-22 -Oz -std=c17 -fpass-plugin="$plugin" -c sha256.c -o alone.o
cmp alone.o sha256.o
ORDO_RECIPE=sha256.ordo.json clang-22 -Oz -std=c17 -DOTHER -O1 -fpass-plugin="$plugin" -c sha256.c -o other.o \
  2>&1 | grep -q 'not the program'

echo "in opt as well"
clang-22 -Oz -std=c17 -Xclang -disable-llvm-passes -emit-llvm -c sha256.c -o start.bc
"$ORDO" tune . --space size --budget 60evals --jobs 1 -q >/dev/null
ORDO_RECIPE=sha256.ordo.json opt-22 -load-pass-plugin="$plugin" -passes='default<Oz>' start.bc -o tuned.bc
clang-22 -Oz -Xclang -disable-llvm-passes -c tuned.bc -o of_opt.o
cmp <(llvm-objdump-22 -d of_opt.o | tail -n +3) <(llvm-objdump-22 -d sha256.o | tail -n +3)

echo "and in links with full and thin LTO"
for kind in full thin; do
  clang-22 -Oz -flto=$kind -std=c17 -c sha256.c -o $kind.o
  clang-22 -Oz -flto=$kind -fuse-ld=lld -Wl,--save-temps $kind.o -o $kind
  module=$kind.0.2.internalize.bc
  [[ $kind == full ]] || module=thin.o.3.import.bc
  "$ORDO" tune $module --space size --baseline clang-O2 --budget 60evals --jobs 1 -q -o $kind.tuned.o >/dev/null
  ORDO_RECIPE=$(basename $module .bc).ordo.json clang-22 -Oz -flto=$kind -fuse-ld=lld \
    -Wl,--load-pass-plugin="$plugin" -Wl,--save-temps $kind.o -o $kind
  linked=$kind.lto.o
  [[ $kind == full ]] || linked=thin.lto.thin.o
  [[ $(text $linked) -eq $(text $kind.tuned.o) ]]
done
cd ..

echo "a lock file: the same objects without a cache, and an error that names what changed"
rm -rf cache && make -s -C make clean && make -s -C make CC=ordo-cc check
"$ORDO" lock make/ordo.lock | grep -q '3 files'
md5sum make/*.o >sums
rm -rf cache && make -s -C make clean
ORDO_LOCK=$PWD/make/ordo.lock make -s -C make CC=ordo-cc check
md5sum --quiet -c sums
[[ $(outcomes) == *' 3 "outcome":"locked"'* ]]
(cd make && ORDO_LOCK=ordo.lock clang-22 -Oz -Wall -Wextra -MMD -MP -fpass-plugin="$plugin" -c parser.c)
md5sum --quiet -c sums
sed -i 's/division by zero/divided by zero/' make/parser.c
if ORDO_LOCK=$PWD/make/ordo.lock make -s -C make CC=ordo-cc 2>errors; then exit 1; fi
grep -q 'parser.c or its flags have changed' errors
[[ ! $(compgen -G 'make/*.tmp') ]]
