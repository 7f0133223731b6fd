#!/usr/bin/env bash
# ordo time as a person uses it: two executables, a recipe, what cannot be compared, Ctrl-C. Machines may be
# busy: a verdict may be void (exit code 1), but never the wrong way round.
set -euo pipefail
cd "$(mktemp -d)"
trap 'rm -rf "$PWD"' EXIT
export ORDO_CACHE=$PWD/cache

run() {  # run CODES COMMAND...: the exit code is one of "0 1"
  local codes=$1 code=0
  shift
  "$@" >out 2>err || code=$?
  [[ " $codes " == *" $code "* ]] || { echo "exit code $code, not $codes: $*"; cat out err; exit 1; }
}
build() {  # build NAME ROUNDS
  clang-22 -O1 -DROUNDS="$2" -o "$1" -x c - <<'C'
#include <stdio.h>
int main(int argc, char** argv) {
  volatile unsigned long x = 1;
  for (long i = 0; i < ROUNDS; i++) x = x * 31 + (x >> 7);
  FILE* file = argc > 1 ? fopen(argv[1], "r") : NULL;
  printf("%d\n", file ? fgetc(file) : 0);
  return 0;
}
C
}
build short 1000000
build long 2000000
build alike 2000001
strip -o same long
printf 'data' >data.txt

echo "the same code is not run"
run 0 "$ORDO" time long same
grep -q 'neither was run' out

echo "twice the work is never faster"
run "0 1" "$ORDO" time short long --budget 4s --runs 1 --repeats 0 --json -- data.txt
grep -q '"verdict"' out
! grep -q '"verdict": "faster"' out || exit 1
grep -q '"log_ratios"' out
run "0 1" "$ORDO" time long short --budget 4s --runs 1 --repeats 0
grep -q '^  because' out
! grep -q '^slower' out || exit 1

echo "on the runs of a program, which say what is printed"
mkdir counted
printf '7' >counted/seven.txt
cat >counted/program.toml <<'TOML'
format = 1
name = "counted"
summary = ""
language = "c"
source = "seven.txt"
[[run]]
name = "file"
args = ["seven.txt"]
stdout_xxh128 = "b597f78f3b89d0c0a26c64aa42cc361d"
TOML
run "0 1" "$ORDO" time short long --budget 4s --runs 1 --repeats 0 --program counted
grep -q '^  because' out
sed -i 's/xxh128 = "..../xxh128 = "0000/' counted/program.toml
run 64 "$ORDO" time short long --program counted

echo "what makes no sense"
run 64 "$ORDO" time long
run 64 "$ORDO" time long short --measure speed
run 64 "$ORDO" time long short --budget 40evals
run 66 "$ORDO" time long nowhere
printf '#!/bin/sh\necho other\n' >other
chmod +x other
run 64 "$ORDO" time long other
grep -q 'the candidate has other output' err

echo "Ctrl-C prints what is known"
"$ORDO" time long alike --budget 10m --runs 50 --repeats 0 >out 2>err &
sleep 3
kill -INT $!
code=0
wait $! || code=$?
[[ $code == 130 ]] || { echo "exit code $code"; cat out err; exit 1; }

echo "a recipe against clang -O3"
"$ORDO" tune "$ORDO_SOURCE_DIR/suite/crc32" --budget 20evals --quiet >/dev/null
run "0 1" "$ORDO" time crc32.ordo.json --budget 5s --repeats 0
grep -q 'crc32 by clang-O3' out
