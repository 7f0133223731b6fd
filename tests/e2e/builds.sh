#!/usr/bin/env bash
# The drop-in compiler in real builds: make with many jobs, killed in the middle, warm, with CMake, locked.
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
"$ORDO" stats | grep 'compilations *3' >/dev/null
"$ORDO" stats --json | grep '"fallback": 0' >/dev/null
"$ORDO" stats --files | grep 'parser.c *tuned' >/dev/null

echo "warm: the same objects, all of them from the cache"
md5sum make/*.o >sums
make -s -C make clean
rm cache/builds.jsonl
make -s -j4 -C make CC=ordo-cc check
md5sum --quiet -c sums
[[ $(outcomes) == *' 3 "outcome":"cached"'* ]]

echo "without time to search: never larger, and a lock file repeats it"
rm -rf cache
make -s -C make clean
ORDO_BUDGET=0 make -s -j4 -C make CC=ordo-cc check
[[ $(outcomes) == *' 3 "outcome":"tuned"'* && $(text make/*.o) -lt $(text plain/*.o) ]]
md5sum make/*.o >sums
"$ORDO" lock make/ordo.lock >/dev/null
rm -rf cache
make -s -C make clean
ORDO_LOCK=$PWD/make/ordo.lock make -s -C make CC=ordo-cc check
md5sum --quiet -c sums
rm make/ordo.lock

echo "more time is never worse, whatever the machine, the level and the limit; a lock file repeats that too"
mkdir times
cd times
cat >mix.c <<'END'
typedef unsigned u32;
static u32 rotate(u32 x, int n) { return x << n | x >> (32 - n); }
void mix(u32 state[16], const u32 *words, int rounds) {
  for (int r = 0; r < rounds; r++)
    for (int i = 0; i < 16; i++) {
      state[i] += words[i] ^ state[(i + 5) & 15];
      state[i] = rotate(state[i] ^ state[(i + 11) & 15], 7 + (i & 3));
    }
}
u32 sum(const unsigned char *bytes, int n) {
  u32 total = 0;
  for (int i = 0; i < n; i++) total = rotate(total, 3) + bytes[i] * (u32)(i | 1);
  return total;
}
END
made() {  # BUDGET FLAG...
  rm -rf ../cache
  ORDO_BUDGET=$1 ORDO_OBJECTIVE=text_bytes ordo-cc "${@:2}" -c mix.c -o mix.o
  grep '"outcome":"tuned"' ../cache/builds.jsonl >/dev/null
  text mix.o
}
for flags in -Oz -O3 '-Oz --target=thumbv7em-none-eabi -mcpu=cortex-m4' '-O3 --target=riscv32-unknown-elf'; do
  for limit in code_bytes=+0% code_bytes=any; do
    export ORDO_LIMIT=$limit
    least=$(made 0 $flags)
    for budget in 10ms 200ms 1s; do
      now=$(made $budget $flags)
      [[ $now -le $least ]] || { echo "$flags, $limit: $now with $budget, $least without"; exit 1; }
    done
    cp mix.o searched.o
    "$ORDO" lock ordo.lock >/dev/null
    ORDO_LOCK=$PWD/ordo.lock ORDO_OBJECTIVE=text_bytes ordo-cc $flags -c mix.c -o mix.o
    cmp mix.o searched.o
  done
done
unset ORDO_LIMIT
cd ..

echo "the same by a command, which says what came of it and gives the build's own status"
rm -rf cache
make -s -C make clean
said=$("$ORDO" build --budget 0 -- make -s -C make 2>&1 >/dev/null)
[[ $said == *'3 compilations: 3 tuned'*' instead of '* ]]
md5sum --quiet -c sums
"$ORDO" lock make/ordo.lock >/dev/null
make -s -C make clean
said=$("$ORDO" build --locked --lock make/ordo.lock -- make -s -C make 2>&1 >/dev/null)
[[ $said == *'3 locked'* ]]
md5sum --quiet -c sums
code=0 && "$ORDO" build -q -- sh -c 'exit 7' || code=$?
[[ $code == 7 ]]
code=0 && said=$("$ORDO" build --locked -- make 2>&1) || code=$?
[[ $code == 66 && $said == *'there is no ordo.lock'* ]]
code=0 && said=$("$ORDO" build 2>&1) || code=$?
[[ $code == 64 && $said == *'ordo build -- make'* ]]
rm make/ordo.lock

echo "killed in the middle, and again: a good build, an intact cache"
for delay in 0.05 0.2 0.4; do
  [[ $delay != 0.2 ]] || export ORDO_BUDGET=0
  rm -rf cache
  make -s -C make clean
  setsid make -s -j8 -C make CC=ordo-cc 2>/dev/null &
  build=$!
  sleep $delay
  kill -9 -- -$build 2>/dev/null || true
  wait $build 2>/dev/null || true
  rm -f make/calc  # a linker that was killed leaves a program that make takes for done, whoever compiled
  make -s -j8 -C make CC=ordo-cc check
  [[ $(text make/*.o) -le $(text plain/*.o) ]]
  # What clang had just finished when it was killed was up to date, and is compiled now.
  make -s -C make clean
  make -s -C make CC=ordo-cc check
  make -s -C make clean
  make -s -C make CC=ordo-cc check
  [[ $(tail -n 1 cache/builds.jsonl) == *'"cached"'* ]]
done
export ORDO_BUDGET=50ms
[[ ! -e cache/builds.sqlite.broken ]]
rm -f make/*.tmp  # of the clangs that were killed

echo "a broken cache is set aside"
head -c 9999 /dev/urandom >cache/builds.sqlite
rm -f cache/builds.sqlite-*
make -s -C make clean
make -s -C make CC=ordo-cc check
[[ -e cache/builds.sqlite.broken && $(tail -n 1 cache/builds.jsonl) == *'"tuned"'* ]]

echo "CMake with a launcher"
if command -v cmake >/dev/null && command -v ninja >/dev/null; then
  rm -f cache/builds.jsonl
  cmake -S cmake -B out -G Ninja -DCMAKE_BUILD_TYPE=MinSizeRel -DCMAKE_CXX_COMPILER=clang++-22 \
    -DCMAKE_CXX_COMPILER_LAUNCHER=ordo-launch >/dev/null
  ninja -C out >/dev/null
  ctest --test-dir out >/dev/null
  [[ $(outcomes) == *'2 "outcome":"tuned"'* ]]
fi

echo "a lock file: the same objects without a cache, and an error that names what changed"
rm -rf cache
make -s -C make clean
make -s -C make CC=ordo-cc check
"$ORDO" lock make/ordo.lock | grep '3 files' >/dev/null
md5sum make/*.o >sums
rm -rf cache
make -s -C make clean
ORDO_LOCK=$PWD/make/ordo.lock make -s -C make CC=ordo-cc check
md5sum --quiet -c sums
[[ $(outcomes) == *' 3 "outcome":"locked"'* ]]
plugin=$(readlink -f "$bin/../lib/libordo-plugin.so")
(cd make && ORDO_LOCK=ordo.lock clang-22 -Oz -Wall -Wextra -MMD -MP -fpass-plugin="$plugin" -c parser.c)
md5sum --quiet -c sums
sed -i 's/division by zero/divided by zero/' make/parser.c
if ORDO_LOCK=$PWD/make/ordo.lock make -s -C make CC=ordo-cc 2>errors; then exit 1; fi
grep -q 'parser.c or its flags have changed' errors
[[ ! $(compgen -G 'make/*.tmp') ]]
