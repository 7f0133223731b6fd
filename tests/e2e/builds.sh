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
