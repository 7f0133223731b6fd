#!/usr/bin/env bash
# A race makes objects, of less code. Whatever else a command writes or says is clang's, and so are its files' bytes then.
set -euo pipefail
ordo=${ORDO:?}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
plugin=$(readlink -f "$(dirname "$ordo")/../lib/libordo-plugin.so")
cc=$(dirname "$(readlink -f "$ordo")")/ordo-cc
unset ORDO_ADVISORS ORDO_RECIPE ORDO_LOCK
export TMPDIR=$work/tmp
mkdir "$TMPDIR"
fail() { echo "FAILED: $1" >&2; exit 1; }
code() { llvm-size-22 -A "$1" | awk '/^\.text/ { sum += $2 } END { print sum }'; }
suite=$ORDO_SOURCE_DIR/suite

# Runs COMMAND on a copy of SOURCE in a folder of the same name each time, which is then kept as FOLDER: all files, what
# was said and the exit code.
keep() { # FOLDER SOURCE COMMAND…
  rm -rf "$work/here" "${work:?}/$1"
  mkdir "$work/here"
  cp "$2" "$work/here"
  (cd "$work/here"; code=0; "${@:3}" "${2##*/}" >out 2>err || code=$?; echo $code >code)
  mv "$work/here" "$work/$1"
}
both() { # SOURCE FLAG…: clang-22 without and with a race
  keep clang "$1" clang-22 -Oz "${@:2}"
  keep ours "$1" env ORDO_ADVISORS=inline-size,evict,race clang-22 -Oz -fpass-plugin="$plugin" "${@:2}"
}
alike() { diff -r "$work/clang" "$work/ours" || fail "$1"; }

echo "an object alone has less code, wherever it goes"
cd "$work"
clang-22 -Oz -c "$suite/chess/chess.c" -o plain.o
raced=(env ORDO_ADVISORS=inline-size,race clang-22 -Oz -fpass-plugin="$plugin" -c "$suite/chess/chess.c")
"${raced[@]}" -o raced.o
[[ $(code raced.o) -lt $(code plain.o) ]] || fail "no race"
"${raced[@]}" -o - >standard.o
cmp standard.o raced.o
"${raced[@]}" -o /dev/null
mkfifo pipe
cat pipe >piped.o &
"${raced[@]}" -o pipe
wait $!
cmp piped.o raced.o
echo target >linked.o
ln -s linked.o link.o
"${raced[@]}" -o link.o
cmp link.o raced.o
"${raced[@]}" -MD -o beside.o
cmp beside.o raced.o
[[ -s beside.d ]] || fail "no dependencies"
"${raced[@]}" -Wall --serialize-diagnostics beside.dia -o beside.o
cmp beside.o raced.o
clang-22 -Oz -Wall --serialize-diagnostics clang.dia -c "$suite/chess/chess.c" -o /dev/null
cmp beside.dia clang.dia
"${raced[@]}" -g -o debug.o
clang-22 -Oz -g -c "$suite/chess/chess.c" -o plain.o
[[ $(code debug.o) -lt $(code plain.o) ]] || fail "no race of what can be debugged"

echo "for everything else a compilation leaves what clang's leaves, and says the same"
# Remarks of one pass: LLVM has others in an order that depends on addresses.
while read -r flags; do
  read -ra words <<<"$flags"
  both "$suite/chess/chess.c" "${words[@]}"
  alike "$flags"
done <<END
-c -flto
-c -flto=thin
-c -emit-llvm
-S -emit-llvm
-c -flto -ffat-lto-objects
-c -flto=thin -ffat-lto-objects
-S
-S -o -
-c -save-temps
-c -save-temps=obj -o o.o
-c -g -gsplit-dwarf
-c -g -gsplit-dwarf=single
-c -fstack-usage
-c -fsave-optimization-record -foptimization-record-passes=inline
-c -fsave-optimization-record=bitstream -foptimization-record-passes=inline
-c --coverage
-c -Rpass=inline
-c -Wframe-larger-than=16
-c -Wframe-larger-than=16 -Werror
-c -fsyntax-only
-E
-c -Xclang -emit-llvm-bc
-c -Xclang -emit-codegen-only
-c -mllvm -inline-threshold=50
-c -mllvm -print-after=globalopt
END

echo "the same many times over: no two processes write one file"
for _ in 1 2 3 4 5 6; do
  both "$suite/sorts/sorts.c" -c -w -emit-llvm
  alike "bitcode"
done

echo "figures of LLVM's are those of one compilation"
both "$suite/chess/chess.c" -c -save-stats=obj
diff <(grep -v '"time\.' "$work/clang/chess.stats") <(grep -v '"time\.' "$work/ours/chess.stats") || fail "statistics"
both "$suite/chess/chess.c" -c -ftime-trace
cmp "$work/clang/chess.o" "$work/ours/chess.o"
[[ -s $work/ours/chess.json ]] || fail "no trace of time"

echo "nobody is advised in what cannot be raced: opt, links, compiles at which another plugin looks"
cd "$work"
clang-22 -Oz -Xclang -disable-llvm-passes -emit-llvm -c "$suite/chess/chess.c" -o chess.bc
opt-22 -passes='default<Oz>' chess.bc -o clang.bc
ORDO_ADVISORS=random:1,race opt-22 -passes='default<Oz>' -load-pass-plugin="$plugin" chess.bc -o ours.bc
cmp clang.bc ours.bc
cat >another.c <<'END'
struct Info { unsigned api; const char *name, *version; void (*add)(void*); _Bool (*code)(void*, void*, int, void*); };
static void add(void* builder) { (void)builder; }
struct Info llvmGetPassPluginInfo(void) { return (struct Info){2, "another", "1", add, 0}; }
END
clang-22 -shared -fPIC another.c -o another.so
clang-22 -Oz -c "$suite/chess/chess.c" -o plain.o
ORDO_ADVISORS=inline-size,race clang-22 -Oz -fpass-plugin="$plugin" -fpass-plugin="$PWD/another.so" -c "$suite/chess/chess.c" -o ours.o
cmp plain.o ours.o
clang-22 -Oz -flto -c "$suite/chess/chess.c" -o chess.o
link=(clang-22 -flto -fuse-ld=lld chess.o -Wl,--build-id=none)
"${link[@]}" -o plain
ORDO_ADVISORS=random:1,race "${link[@]}" -Wl,--load-pass-plugin="$plugin" -o ours.exe
cmp plain ours.exe

echo "a build with the drop-in compiler is clang's in these, too"
export ORDO_CACHE=$work/cache ORDO_BUDGET=0
for flags in -emit-llvm -flto -flto=thin "-g -gsplit-dwarf" -fstack-usage; do
  read -ra words <<<"$flags"
  keep clang "$suite/chess/chess.c" clang-22 -Oz -c "${words[@]}"
  keep ours "$suite/chess/chess.c" env ORDO_ADVISORS=inline-size,evict,race "$cc" -Oz -c "${words[@]}"
  alike "ordo-cc $flags"
done
unset ORDO_CACHE ORDO_BUDGET

echo "nobody waits for a copy that is stopped, nor leaves it behind"
cd "$work"
copy=
while [[ -z $copy ]]; do # until one was caught: a copy does not live long
  "${raced[@]}" -o stopped.o &
  compiler=$!
  while [[ -z $copy && -e /proc/$compiler/task/$compiler/children ]]; do
    read -r copy <"/proc/$compiler/task/$compiler/children" 2>/dev/null || true
  done
  [[ -z $copy ]] || kill -STOP "$copy" 2>/dev/null || copy=
  wait $compiler
done
if kill -0 "$copy" 2>/dev/null; then fail "the copy was left"; fi
[[ $(code stopped.o) -le $(code plain.o) ]] || fail "larger"

leftover=$(ls "$TMPDIR")
[[ -z $leftover ]] || fail "left in the folder for temporary files: $leftover"
