#!/usr/bin/env bash
# A project whose links are optimised as one module each: programs, a library in an archive, a shared one.
set -euo pipefail
cd "$(mktemp -d)"
trap 'rm -rf "$PWD"' EXIT
export ORDO_CACHE=$PWD/cache
unset ORDO_LOCK ORDO_DISABLE ORDO_OBJECTIVE ORDO_LOG ORDO_BUDGET ORDO_LINKED CC CXX AR
bin=$(dirname "$ORDO")
text() { llvm-size-22 "$1" | awk 'NR > 1 { print $1 }'; }
tune() { code=0; "$ORDO" tune "$@" >out 2>err || code=$?; }
cp -r "$ORDO_SOURCE_DIR/examples/make" calc
cp -r calc plain
make -s -C plain CC=clang-22
mkdir lib
cd lib
cat >code.c <<'C'
int table[64];
int mix(int a) { for (int i = 0; i < 64; i++) a = a * 31 + table[i]; return a; }
int fill(int seed) { for (int i = 0; i < 64; i++) table[i] = seed ^ (i * 7919); return table[63]; }
int never(int a) { for (int i = 2; i < a; i++) if (a % i == 0) return i; return mix(a); }
C
cat >main.c <<'C'
#include <stdio.h>
int mix(int), fill(int);
int main(void) { fill(12); printf("%d\n", mix(4)); return 0; }
C
printf '%s\n' 'CFLAGS = -Oz' 'all: prog libcode.so' \
  'libcode.a: code.o' '	rm -f $@ && $(AR) rcs $@ code.o' \
  'prog: main.o libcode.a' '	$(CC) -o $@ main.o -L. -lcode' \
  'libcode.so: code.c' '	$(CC) $(CFLAGS) -fPIC -shared -o $@ code.c' \
  'clean:' '	rm -f *.o *.a *.so prog' >Makefile
cd ../calc

echo "a program, smaller than without -flto, checked and pinned"
tune --build 'make -s' --check 'make -s check' --budget 4s --linked --json
[[ $code -eq 0 ]] || { cat out err; exit 1; }
python3 - "$(text ../plain/calc)" "$(text calc)" "$PWD/calc" <<'EOF'
import json, sys
result, before, after = json.load(open("out")), int(sys.argv[1]), int(sys.argv[2])
assert result["ok"] and result["relinked"] and result["checked"] and result["locked"] == 1, result
[binary] = result["binaries"]
assert binary["path"] == "calc" and binary["text_before"] == before and binary["text_after"] == after, result
assert after <= binary["text_free"] <= before and binary["code_after"] <= binary["code_before"], result
assert result["free_flags"].startswith("lto=full"), result
open("flags", "w").write(result["free_flags"])
[link] = result["files"]
assert link["source"] == sys.argv[3] and link["tuned"] == after <= link["baseline"], result
assert after < before, result
EOF
cp calc tuned
make -s clean
ORDO_LINKED=1 ORDO_FREE_FLAGS=$(<flags) ORDO_LOCK=$PWD/ordo.lock make -s CC="$bin/ordo-cc"
cmp calc tuned

echo "flags that cost nothing: a table, the same by hand, and left alone on request"
"$ORDO" baselines --build 'make -s' --clean 'make -s clean' >out 2>err || { cat out err; exit 1; }
grep -q '^as it is built ' out
cmp calc ../plain/calc  # which is how it is left
best=$(sed -n 's/^best *//p' out)
make -s clean
ORDO_PLAIN=1 ORDO_FREE_FLAGS=$best make -s check CC="$bin/ordo-cc" >said
by_ours=$(text calc)
compile=$(sed -n 's/^  compile *//p' out) link=$(sed -n 's/^  link *//p' out)
make -s clean
# shellcheck disable=SC2086
for file in *.c; do clang-22 -Oz $compile -c "$file"; done
# shellcheck disable=SC2086
clang-22 -Oz $compile $link -Qunused-arguments -o calc *.o
[[ $(text calc) == "$by_ours" ]] || { echo "by hand $(text calc), by ours $by_ours"; exit 1; }
((by_ours < $(text ../plain/calc)))
tune --build 'make -s' --clean 'make -s clean' --budget 2s --linked --free-flags no --json
[[ $code -eq 0 ]] || { cat out err; exit 1; }
grep -q '"free_flags": ""' out
code=0
make -s clean
ORDO_FREE_FLAGS=-fplugin=evil.so make -s CC="$bin/ordo-cc" 2>err || code=$?
[[ $code -eq 0 ]] || { cat err; exit 1; }
grep -q 'ordo: ORDO_FREE_FLAGS has each of these once.*compiled without Ordo' err

echo "of an archive and of a shared library, whatever a program leaves out is gone, and what others may call is not"
cd ../lib
make -s CC=clang-22
./prog >wanted
nm -D libcode.so | grep -c ' T ' >exported
make -s clean
tune --build 'make -s' --clean 'make -s clean' --check './prog | cmp - wanted' --budget 4s --linked
[[ $code -eq 0 ]] || { cat out err; exit 1; }
grep -q '^prog ' out
grep -q '^libcode.so ' out
! nm prog | grep never >/dev/null || exit 1
nm -D libcode.so | grep -c ' T ' | cmp - exported

echo "links that are not ours to change stay as they are"
make -s clean
ORDO_LINKED=1 ORDO_BUDGET=0 make -s CC="$bin/ordo-cc" AR=llvm-ar-22 prog 2>said
./prog | cmp - wanted
[[ ! -s said ]] || { cat said; exit 1; }
"$bin/ordo-cc" -Oz -c main.c -o native.o
ORDO_LINKED=1 "$bin/ordo-cc" native.o -o mixed -L. -lcode
./mixed | cmp - wanted
ORDO_LINKED=1 "$bin/ordo-cc" -fuse-ld=bfd native.o code.c -o other
./other | cmp - wanted
"$ORDO" stats --json | grep '"fallback": 0' >/dev/null || { cat "$ORDO_CACHE/builds.jsonl"; exit 1; }
tune main.c --linked
[[ $code -eq 64 ]]
