#!/usr/bin/env bash
# ccache in front of Ordo keeps what Ordo made; behind it, Ordo leaves the build alone and says so.
set -euo pipefail
command -v ccache >/dev/null || { echo "no ccache"; exit 77; }
cd "$(mktemp -d)"
trap 'rm -rf "$PWD"' EXIT
export PATH=$(dirname "$ORDO"):$PATH ORDO_CACHE=$PWD/cache ORDO_BUDGET=0 CCACHE_DIR=$PWD/ccache
unset ORDO_LOCK ORDO_DISABLE ORDO_OBJECTIVE ORDO_LOG CCACHE_COMPILERTYPE CCACHE_PREFIX CCACHE_CONFIGPATH CCACHE_DISABLE
cp -r "$ORDO_SOURCE_DIR/examples/make" "$ORDO_SOURCE_DIR/examples/cmake" .
# Builds twice: with nothing in any cache, and then with ccache's alone.
twice() {  # CC
  rm -rf ccache cache
  make -s -C make clean
  make -s -C make CC="$1" check
  md5sum make/*.o >sums
  make -s -C make clean
  mv cache first
  make -s -C make CC="$1" check
  md5sum --quiet -c sums
  ccache -s -v | grep -E 'Hits: +3 ' >/dev/null
}

make -s -C make CC=clang-22 check
md5sum make/*.o >plain
make -s -C make clean
make -s -C make CC=ordo-cc check
md5sum make/*.o >tuned
if cmp -s plain tuned; then echo "Ordo changes nothing here"; exit 1; fi

for compiler in 'ordo-cc' 'ordo-launch clang-22'; do
  echo "in front of $compiler"
  twice "ccache $compiler"
  cmp sums tuned
  [[ $(grep -c '"outcome":"tuned"' first/builds.jsonl) -eq 3 && ! -e cache/builds.jsonl ]] # not asked again
  rm -rf first
done

echo "another version of clang is another compiler to ccache"
export CCACHE_COMPILERCHECK='%compiler% --version'
twice 'ccache ordo-cc'
mkdir fake
printf '#!/bin/sh\n[ "$1" = --version ] && echo other || exec %s "$@"\n' "$(command -v clang-22)" >fake/clang-22
chmod +x fake/clang-22
ccache -z >/dev/null
make -s -C make clean
PATH=$PWD/fake:$PATH make -s -C make CC='ccache ordo-cc'
ccache -s -v | grep -E 'Hits: +0 ' >/dev/null
unset CCACHE_COMPILERCHECK
rm -rf first

echo "behind: clang's own objects, from ccache the second time"
twice 'ordo-launch ccache clang-22'
cmp sums plain
[[ $(cat first/builds.jsonl cache/builds.jsonl | grep -c '"outcome":"plain","reason":"ccache is not clang 22"') -eq 6 ]]

# cmake -D SETTING…: a build, and another with nothing but ccache's memory.
cmake_twice() {
  rm -rf ccache cache out
  cmake -S cmake -B out -G Ninja -DCMAKE_BUILD_TYPE=MinSizeRel "$@" >/dev/null
  ninja -C out >/dev/null
  ctest --test-dir out >/dev/null
  [[ $(grep -c '"outcome":"tuned"' cache/builds.jsonl) -eq 2 ]]
  ninja -C out -t clean >/dev/null && mv cache first && ninja -C out >/dev/null && ctest --test-dir out >/dev/null
}
if command -v cmake >/dev/null && command -v ninja >/dev/null; then
  echo "CMake: ordo-c++ as compiler, ccache as launcher"
  cmake_twice -DCMAKE_CXX_COMPILER=ordo-c++ -DCMAKE_CXX_COMPILER_LAUNCHER=ccache
  [[ ! -e cache/builds.jsonl ]]
  rm -rf first

  echo "CMake: both as launchers, where ccache takes the compiler for a source and lets everything pass"
  cmake_twice -DCMAKE_CXX_COMPILER=clang++-22 '-DCMAKE_CXX_COMPILER_LAUNCHER=ccache;ordo-launch'
  [[ $(grep -c '"outcome":"tuned"' cache/builds.jsonl) -eq 2 ]]
fi
