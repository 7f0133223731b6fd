#!/usr/bin/env bash
# wing: long
# Programs that misbehave, a measuring process that is killed, a disk that is full: each with the end that
# docs/timing.md states, and nothing left behind. Machines may be busy: where a verdict may be void, 0 and 1 do.
set -euo pipefail
cd "$(mktemp -d)"
trap 'umount "$PWD/disk" 2>/dev/null || true; rm -rf "$PWD"' EXIT
export ORDO_CACHE=$PWD/cache TMPDIR=$PWD/tmp
mkdir tmp forbidden
mark=98$$  # what a child of a program sleeps for: by that it is found

run() {  # run CODES COMMAND...: the exit code is one of "0 1"
  local codes=$1 code=0
  shift
  "$@" >out 2>err || code=$?
  [[ " $codes " == *" $code "* ]] || { echo "exit code $code, not $codes: $*"; cat out err; exit 1; }
}
says() { grep -q -- "$1" out err || { echo "nobody says: $1"; cat out err; exit 1; }; }
gone() {  # gone COMMAND...: soon it is not true any more
  for ((i = 0; i < 500; i++)); do "$@" >/dev/null || return 0; sleep 0.02; done
  echo "still there: $*"
  "$@"
  exit 1
}
sleepers() { pgrep -f "sleep $mark"; }
nothing_left() {
  gone sleepers
  [[ -z $(ls tmp) ]] || { echo "left in the temporary folder:"; ls tmp; exit 1; }
}

# program NAME EXPECTED < BODY: a folder to tune, its work long enough to be timed, and two builds of it to time.
program() {
  mkdir -p "$1/tests"
  { cat <<'C'
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <sys/socket.h>
#include <unistd.h>
static unsigned work(unsigned n) {
  volatile unsigned x = 1;
  for (unsigned i = 0; i < n; i++) x = x * 31 + (x >> 7);
  return x;
}
static unsigned chance(void) {
  unsigned value = 0;
  return getrandom(&value, sizeof value, 0) == sizeof value ? value : 0;
}
int main(int argc, char** argv) {
  unsigned sum = work(400000);
  (void)argc; (void)argv; (void)sum; (void)chance;
C
    cat
    echo '  return 0; }'
  } >"$1/$1.c"
  printf '%s' "$2" >"$1/tests/out"
  cat >"$1/program.toml" <<TOML
format = 1
name = "$1"
summary = "misbehaves"
language = "c"
source = "$1.c"
cflags = ["-DMARK=\"$mark\"", "-DOUTSIDE=\"$PWD/forbidden/file\""]

[[test]]
name = "only"
stdout = "tests/out"
timeout_s = 3
TOML
  for level in 0 1; do
    clang-22 -w -O$level "-DMARK=\"$mark\"" "-DOUTSIDE=\"$PWD/forbidden/file\"" "$1/$1.c" -o "$1/O$level"
  done
}
program hang '' <<<'for (;;) pause();'
program fork $'no session\n' <<'C'
  if (fork() == 0) {
    if (fork() == 0) {
      if (setsid() >= 0) puts("got away");
      close(0), close(1), close(2);
      execlp("sleep", "sleep", MARK, NULL);
    }
    _exit(0);
  }
  usleep(20000);
  puts("no session");
C
program outside $'inside only\n' <<'C'
  int fd = open(OUTSIDE, O_WRONLY | O_CREAT, 0666), own = open("mine", O_WRONLY | O_CREAT, 0666);
  puts(fd < 0 && own >= 0 ? "inside only" : "anywhere");
C
program net $'Permission denied\n' <<'C'
  int s = socket(AF_INET, SOCK_STREAM, 0);
  puts(s < 0 ? strerror(errno) : "a socket");
C
program crash $'fine\n' <<<'  if (chance() % 4) abort(); puts("fine");'
program differs $'0\n' <<<'  printf("%u\n", chance());'
program fills $'' <<'C'
  static char block[1 << 20];
  int own = open("big", O_WRONLY | O_CREAT, 0666);
  while (write(own, block, sizeof block) > 0) {}
C

budget=(--budget 4s --runs 1 --repeats 0)
tune=("$ORDO" tune --objective runtime --budget 5s -q -o result.o)

echo "one that hangs"
run 64 "$ORDO" time hang/O0 hang/O1 --timeout 1
says 'ran past its time'
run 64 "${tune[@]}" hang
says 'ran past its time'
run 1 "$ORDO" tune hang --budget 20evals -q -o result.o
says 'even the baseline, which is what clang makes, is refused: 1 of 1 tests failed: only: ran past its time'
nothing_left

echo "one that forks, twice, and wants a session of its own"
run "0 1" "$ORDO" time fork/O0 fork/O1 "${budget[@]}"
run 0 "${tune[@]}" fork
run 0 "$ORDO" tune fork --budget 20evals -o result.o
says '1 test passed'
nothing_left

echo "one that writes elsewhere"
run "0 1" "$ORDO" time outside/O0 outside/O1 "${budget[@]}"
run 0 "${tune[@]}" outside
run 0 "$ORDO" tune outside --budget 20evals -o result.o
says '1 test passed'
[[ -z $(ls forbidden) && ! -e mine && ! -e outside/mine ]]
nothing_left

echo "one that wants the network"
run "0 1" "$ORDO" time net/O0 net/O1 "${budget[@]}"
run 0 "${tune[@]}" net
run 0 "$ORDO" tune net --budget 20evals -o result.o
says '1 test passed'

echo "one that crashes at random: nothing is claimed, and nothing called wrong"
run "1 64" "$ORDO" time crash/O0 crash/O1 "${budget[@]}"
run 64 "${tune[@]}" crash
run "0 1" "$ORDO" tune crash --budget 20evals -q -o result.o
clang-22 -w -O2 -c -emit-llvm -DMARK='""' -DOUTSIDE='""' crash/crash.c -o crash.bc
run 0 "$ORDO" check crash crash.bc --seconds 1
nothing_left

echo "one that prints something else each time"
run 64 "$ORDO" time differs/O0 differs/O1
says 'does not do the same twice'
run 64 "${tune[@]}" differs
says 'does not do the same twice'
run 1 "$ORDO" tune differs --budget 20evals -q -o result.o
says "even the baseline, which is what clang makes, is refused: 1 of 1 tests failed: only: line 1: expected '0'"
clang-22 -w -O2 -c -emit-llvm -DMARK='""' -DOUTSIDE='""' differs/differs.c -o differs.bc
run 0 "$ORDO" check differs differs.bc --seconds 1
says 'as clang makes it, the program does not do the same each time'

echo "one that fills the disk"
run 64 "${tune[@]}" fills
says 'was killed by signal 25'
run 1 "$ORDO" tune fills --budget 20evals -q -o result.o
nothing_left

echo "killed while it measures: its children go with it, and the next one cleans up"
sed -i 's/usleep(20000)/usleep(500000)/' fork/fork.c
for level in 0 1; do
  clang-22 -w -O$level "-DMARK=\"$mark\"" '-DOUTSIDE=""' fork/fork.c -o fork/slow$level
done
for what in "time fork/slow0 fork/slow1 --budget 10m" "tune fork --objective runtime --budget 10m -q -o result.o"; do
  # shellcheck disable=SC2086
  "$ORDO" $what >out 2>err &
  victim=$!
  for ((i = 0; i < 3000; i++)); do sleepers >/dev/null && break; sleep 0.02; done
  sleepers >/dev/null || { echo "it never ran"; cat out err; exit 1; }
  children=$(pgrep -P $victim)
  kill -KILL $victim
  wait $victim 2>/dev/null || true
  gone sleepers
  for child in $children; do gone kill -0 "$child" 2>/dev/null; done
  [[ -n $(ls tmp) ]] || { echo "nothing was left to remove"; exit 1; }
  run 0 "$ORDO" tune net --budget 20evals -q -o result.o
  nothing_left
done

echo "a disk that is full"
run 69 "$ORDO" tune net --budget 20evals -q -o /dev/full
says 'No space left on device'
rm -f result.o result.ordo.json
mkdir disk
if mount -t tmpfs -o size=16k tmpfs disk 2>/dev/null; then
  for what in "time net/O0 net/O1 --budget 4s" "tune net --objective runtime --budget 5s -q -o result.o" \
    "tune net --budget 20evals -q -o result.o"; do
    # shellcheck disable=SC2086
    TMPDIR=$PWD/disk run 69 "$ORDO" $what
    [[ -z $(ls disk; ls result.* 2>/dev/null) ]] || { echo "left:"; ls -l . disk; exit 1; }
  done
  says 'No space left on device'
  head -c 16K /dev/zero >disk/all
  run 69 "$ORDO" tune net --budget 20evals -q -o disk/result.o
  [[ $(ls disk) == all ]] || { echo "half a result:"; ls -l disk; exit 1; }
else
  echo "(no full disk: mounting one is not allowed here)"
fi
nothing_left
