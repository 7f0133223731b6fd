#!/usr/bin/env bash
# wing: long
# Tuning for run time as a person does it. Machines may be busy, so any verdict may come out; what must hold is
# that a result is either shown to be faster or the baseline.
set -euo pipefail
cd "$(mktemp -d)"
trap 'rm -rf "$PWD"' EXIT
export ORDO_CACHE=$PWD/cache

cat >walk.c <<'C'
#include <stdio.h>
#include <stdlib.h>
static double grid[160][160];
int main(int argc, char** argv) {
  int rounds = argc > 1 ? atoi(argv[1]) : 1;
  FILE* file = fopen("start.txt", "r");
  if (!file || fscanf(file, "%lf", &grid[0][0]) != 1) return 3;
  for (int r = 0; r < rounds; r++)
    for (int x = 0; x < 160; x++)
      for (int y = 0; y < 160; y++) grid[y][x] = grid[y][x] * 0.5 + x + y;
  double sum = 0;
  for (int i = 0; i < 160; i++) sum += grid[i][i] + grid[i][159 - i];
  printf("%.3f\n", sum);
  return 0;
}
C
echo 1.5 >start.txt

run() {  # run CODES COMMAND...
  local codes=$1 code=0
  shift
  "$@" >out 2>err || code=$?
  [[ " $codes " == *" $code "* ]] || { echo "exit code $code, not $codes: $*"; cat out err; exit 1; }
}

echo "a file and --run: a verdict, an interval, what was compared, a recipe that verifies"
run 0 "$ORDO" tune walk.c --objective runtime --run './walk 40' --budget 6s -- -DNOTHING
grep -Eq '^  verdict +(faster|slower|no difference shown|void)' out
grep -q '^  compared .*exit status and standard output in every run, on 1 input' out
grep -q 'clang-O3' out
grep -Eq 'verdict +faster' out || grep -q 'the result is the baseline' out
"$ORDO" verify walk.ordo.json walk.c | grep 'stock opt-22 makes the same IR' >/dev/null
"$ORDO" explain walk.ordo.json walk.c | grep '^  verdict' >/dev/null
"$ORDO" replay walk.ordo.json walk.c -o again.o
cmp walk.o again.o

echo "without a profile, none is made"
run 0 "$ORDO" tune walk.c --objective runtime --no-profile --run './walk 40' --budget 6s --json -q -o without.o
! grep -q 'ordo-profile' walk.ordo.json || exit 1
run 64 "$ORDO" tune walk.c --no-profile
grep -q -- '--no-profile is for --objective runtime' err

echo "immediate rewards: the same promise, and what the surrogate was worth"
run 0 "$ORDO" tune walk.c --objective runtime --reward immediate --run './walk 40' --budget 8s -o soon.o
grep -Eq '^  verdict +(faster|slower|no difference shown|void)' out
grep -Eq '^  rewards +immediate; .*surrogate.*; [0-9]+ not run: known code' out
"$ORDO" verify walk.ordo.json walk.c >/dev/null
run 64 "$ORDO" tune walk.c --reward immediate
grep -q -- '--reward is for --objective runtime' err
run 64 "$ORDO" tune walk.c --objective runtime --reward imediate --run './walk 40'
grep -q "did you mean 'immediate'" err

echo "a program with timed runs, as JSON"
mkdir mix
cat >mix/mix.c <<'C'
#include <stdio.h>
int main(void) {
  unsigned hash = 1;
  for (int c; (c = getchar()) != EOF;)
    for (unsigned i = 0; i < 30; i++) hash = (hash ^ (unsigned)c) * 16777619u + i;
  printf("%u\n", hash);
  return 0;
}
C
printf 'a line of text that is read many times\n' >mix/text.in
cat >mix/program.toml <<'TOML'
format = 1
name = "mix"
summary = "a hash of standard input"
language = "c"
source = "mix.c"
[[run]]
name = "stream"
stdin = "text.in"
repeat = 3000
stdout_xxh128 = "e614154386991734216d6b28ad21d99e"
TOML
run 0 "$ORDO" tune mix --objective runtime --budget 6s --json -q
grep -q '"verdict"' out
grep -q '"refused"' out
grep -q 'on 1 input"' out
sed -i s/3000/3001/ mix/program.toml
run 64 "$ORDO" tune mix --objective runtime --budget 6s
grep -q 'stream: the baseline prints something else than is expected' err

echo "what cannot be timed"
run 64 "$ORDO" tune walk.c --objective runtime
grep -q -- "--run './walk ARGUMENTS'" err
mv start.txt elsewhere.txt
run 64 "$ORDO" tune walk.c --objective runtime --run './walk 40'
grep -q 'the baseline exited with status 3' err
mv elsewhere.txt start.txt
printf '#!/bin/sh\n./walk 40\n' >bench.sh
chmod +x bench.sh
run 64 "$ORDO" tune walk.c --objective runtime --run './bench.sh'
grep -q 'bench.sh is another program than walk' err
run 64 "$ORDO" tune walk.c --objective runtime --run './nothere 40'
grep -q 'there is no ./nothere, and what is made is walk' err
run 64 "$ORDO" tune walk.c --objective runtime --run './walk <start.txt'
grep -q -- '--stdin FILE' err
run 64 "$ORDO" tune walk.c --objective runtime --run './walk 40' --budget 100evals
run 64 "$ORDO" tune walk.c --objective runtime --run './walk 20000' --budget 5s
grep -q 'takes a budget of' err
run 64 "$ORDO" tune walk.c --run './walk 40'
run 64 "$ORDO" tune walk.c --objective run_time

echo "Ctrl-C leaves a result"
rm -f walk.o walk.ordo.json
"$ORDO" tune walk.c --objective runtime --run './walk 40' --budget 10m >out 2>err &
sleep 4
kill -INT $!
code=0
wait $! || code=$?
[[ $code == 130 ]] || { echo "exit code $code"; cat out err; exit 1; }
grep -q '^  verdict' out
"$ORDO" verify walk.ordo.json walk.c >/dev/null
