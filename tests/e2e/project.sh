#!/usr/bin/env bash
# A whole project under one budget: captured, tuned, pinned, linked again, and judged by its own tests.
set -euo pipefail
cd "$(mktemp -d)"
trap 'rm -rf "$PWD"' EXIT
trap 'echo "line $LINENO: $BASH_COMMAND"; head -n 20 out err' ERR
export ORDO_CACHE=$PWD/cache
unset ORDO_LOCK ORDO_DISABLE ORDO_OBJECTIVE ORDO_LOG ORDO_BUDGET CC CXX
bin=$(dirname "$ORDO")
text() { llvm-size-22 "$1" | awk 'NR > 1 { print $1 }'; }
# The exit code of `ordo tune --build`, with what it said in out and err.
tune() { code=0; "$ORDO" tune "$@" >out 2>err || code=$?; }
# The same until each file had its turn, which a busy machine may not come to at once.
tune_all() {
  for _ in $(seq 20); do
    make -s clean
    tune "$@"
    grep -q 'had their turn' err || break
  done
}
cp -r "$ORDO_SOURCE_DIR/examples/make" .
cp -r make plain
make -s -C plain CC=clang-22
cd make

echo "smaller, checked, pinned, and what is said of it is so"
tune_all --build 'make -s' --check 'make -s check' --budget 3s --json
[[ $code -eq 0 ]] || { cat out err; exit 1; }
python3 - $(text ../plain/calc) $(text calc) $(text parser.o) <<'EOF'
import json, sys
result, before, after, parser = json.load(open("out")), *map(int, sys.argv[1:])
assert result["ok"] and result["relinked"] and result["checked"] and result["locked"] == 3, result
[binary] = result["binaries"]
assert binary["path"] == "calc" and binary["text_before"] == before and binary["text_after"] == after, result
assert binary["code_after"] <= binary["code_before"] and result["free_flags"] == "", result
assert after < before and result["tuned"] < result["baseline"], result
assert {f["source"].split("/")[-1]: f["tuned"] for f in result["files"]}["parser.c"] == parser, result
EOF
md5sum ./*.o >sums
make -s clean
ORDO_LOCK=$PWD/ordo.lock make -s CC="$bin/ordo-cc"
md5sum --quiet -c sums
"$ORDO" stats | grep 'from the cache *3' >/dev/null

echo "a second run goes on from there"
# Of the objects: what a linker puts between functions is nobody's to promise.
tuned() { python3 -c 'import json; print(sum(f["tuned"] for f in json.load(open("ordo.lock"))["files"]))'; }
first=$(tuned)
tune --build 'make -s' --clean 'make -s clean' --budget 2s
[[ $code -eq 0 ]]
python3 -c 'import sys; sys.exit(float(sys.argv[1]) > float(sys.argv[2]))' "$(tuned)" "$first"
grep -q '^calc ' out
grep -q 'ordo.lock (3 files)' out

echo "a file that the tests do not stand is found, and plain again"
make -s clean
tune --build 'make -s' --check 'cmp parser.o ../plain/parser.o' --budget 1s
[[ $code -eq 1 ]]
grep -q 'the recipe of parser.c is to blame' err
cmp parser.o ../plain/parser.o
[[ $(text calc) -lt $(text ../plain/calc) ]]

echo "what cannot be is said, with a remedy"
tune --build 'make nothing'
[[ $code -eq 64 ]]
grep -q "'make nothing' exited with status 2" err
tune --build 'make -s'
[[ $code -eq 66 ]]
grep -q "clean 'make clean'" err
tune --build 'make CC=clang-22' --clean 'make clean'
[[ $code -eq 66 ]]
grep -q "ran 'clang-22'.*CC=ordo-cc" err
tune --build 'make CFLAGS=-O2' --clean 'make clean'
[[ $code -eq 66 ]]
grep -q -- '-O2 has no objective' err
tune --build 'make -s' --clean 'make clean' --check false
[[ $code -eq 64 ]]
grep -q "before anything was tuned, 'false' exited with status 1" err
tune --build make main.c
[[ $code -eq 64 ]]
tune
[[ $code -eq 64 ]]

echo "compile_commands.json, without a build"
make -s clean
rm ordo.lock
ls >files
printf '[{"directory": "%s", "file": "lexer.c", "command": "clang-22 -Oz -MMD -c lexer.c -o lexer.o"},
 {"directory": "%s", "file": "main.c", "arguments": ["%s/ordo-cc", "-Oz", "-c", "main.c"]}]' \
  "$PWD" "$PWD" "$bin" >../compile_commands.json
tune_all --compile-commands ../compile_commands.json --budget 500ms
[[ $code -eq 0 ]]
grep -q 'ordo.lock (2 files)' out
grep -q 'nothing is linked' err
[[ $(ls | grep -v ordo.lock) == "$(cat files)" ]]
echo '[{"file": "main.c"}]' >../compile_commands.json
tune --compile-commands ../compile_commands.json
[[ $code -eq 65 ]]
grep -q 'entry 1' err

echo "Ctrl-C keeps the best so far"
for seconds in 2 10 40; do # what a busy machine needs to find something for the first file
  rm -rf ordo.lock ../cache
  "$ORDO" tune --build 'make -s' --clean 'make -s clean' --budget 10m >out 2>err &
  for _ in $(seq 600); do grep -q searching err && break; sleep 0.1; done
  sleep $seconds
  kill -INT $!
  code=0
  wait $! || code=$?
  [[ $code -eq 130 ]] || { cat out err; exit 1; }
  ! grep -q '"source": "parser.c"' ordo.lock || break
done
grep -q '"source": "parser.c"' ordo.lock
cmp parser.o ../plain/parser.o
