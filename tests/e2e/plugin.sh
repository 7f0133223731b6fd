#!/usr/bin/env bash
# One recipe, one object: byte for byte the same from ordo tune, the drop-in compiler, the plugin in stock clang,
# opt with the plugin and clang's code generator, and, of the module of a link, from lld with the plugin. For C and
# for C++ with exceptions, templates and virtual functions.
set -euo pipefail
command -v ld.lld-22 >/dev/null || { echo "no ld.lld-22"; exit 77; }
cd "$(mktemp -d)"
trap 'rm -rf "$PWD"' EXIT
bin=$(dirname "$ORDO")
plugin=$(readlink -f "$bin/../lib/libordo-plugin.so")
export PATH=$bin:$PATH ORDO_CACHE=$PWD/cache ORDO_BUDGET=0
unset ORDO_LOCK ORDO_RECIPE ORDO_DISABLE ORDO_OBJECTIVE ORDO_LOG
tune() { ordo tune --budget 8evals --jobs 1 -q "$@" >/dev/null; }
# Adds a choice of the code generator to a recipe, and an option of passes before all of them.
choose() {
  python3 - "$@" <<'PY'
import json, sys
recipe = json.load(open(sys.argv[1]))
choice = "-disable-block-placement"
recipe["actions"].append({"name": f"codegen<{choice[1:]}>", "kind": "codegen", "text": choice})
option = f"-inline-threshold={sys.argv[2]}"
recipe["actions"].insert(0, {"name": f"option<{option[1:]}>", "kind": "option", "text": option})
recipe["format"] = 1  # which has no checksum
del recipe["checksum"]
json.dump(recipe, open(sys.argv[1], "w"))
PY
}
# Puts a recipe in the place of the only one in a lock file.
put_into() {
  python3 - "$@" <<'PY'
import json, sys
recipe, lock = (json.load(open(name)) for name in sys.argv[1:])
lock["files"][0]["actions"] = recipe["prepare"] + recipe["actions"]
lock["format"] = 1  # which has no checksums
for file in lock["files"]:
    del file["checksum"]
json.dump(lock, open(sys.argv[2], "w"))
PY
}

cp -r "$ORDO_SOURCE_DIR/examples/make" c
cp -r "$ORDO_SOURCE_DIR/tests/e2e/shapes" c++
one_object() {  # LANGUAGE CLANG SOURCE FLAG...
  local language=$1 clang=$2 source=$3 name=${3%.*} wrapper=ordo-cc
  [[ $language == c ]] || wrapper=ordo-c++
  shift 3
  echo "$language: the plugin in clang makes what ordo tune makes"
  cd "$language"
  tune $source -- "$@"
  ORDO_RECIPE=$name.ordo.json $clang-22 -Oz "$@" -fpass-plugin="$plugin" -c $source -o alone.o
  cmp alone.o $name.o
  cp $name.ordo.json other.ordo.json
  ORDO_RECIPE=$name.ordo.json:other.ordo.json $clang-22 -Oz "$@" -DNDEBUG=2 -g -fpass-plugin="$plugin" -c $source \
    -o other.o 2>&1 | grep 'not the program' >/dev/null

  echo "$language: so do the drop-in compiler and opt, choices of the code generator included"
  $wrapper -Oz "$@" -c $source -o wrapper.o
  ordo lock ordo.lock >/dev/null
  choose $name.ordo.json "$([[ $language == c ]] && echo -25 || echo 5)"  # C++ grows with less
  put_into $name.ordo.json ordo.lock
  ORDO_LOCK=ordo.lock $wrapper -Oz "$@" -c $source -o wrapper.o
  ORDO_LOCK=ordo.lock $clang-22 -Oz "$@" -fpass-plugin="$plugin" -c $source -o locked.o
  ORDO_RECIPE=$name.ordo.json $clang-22 -Oz "$@" -fpass-plugin="$plugin" -c $source -o alone.o
  $clang-22 -Oz "$@" -Xclang -disable-llvm-passes -emit-llvm -c $source -o start.bc
  ORDO_RECIPE=$name.ordo.json opt-22 -load-pass-plugin="$plugin" -passes='default<Oz>' start.bc -o tuned.bc 2>note
  choices=$(sed -n 's/^ordo: .* goes on where code is made: //p' note)
  [[ $choices == *'-mllvm -disable-block-placement'* ]]
  $clang-22 -Oz "$@" -Qunused-arguments -Xclang -disable-llvm-passes $choices -c tuned.bc -o opt.o
  for object in locked alone opt; do cmp $object.o wrapper.o; done
  cd ..
}

# What lld with the plugin makes of each module of a link is the object that ordo tune, and that is stock opt and
# clang, make of the module as --save-temps keeps it.
one_link() {  # LANGUAGE CLANG KIND SOURCE...
  local language=$1 clang=$2 kind=$3 recipes=() objects=() modules=program.0.2.internalize source module linked
  shift 3
  echo "$language: lld with the plugin makes what ordo tune makes, $kind LTO"
  mkdir $language/$kind
  cd $language/$kind
  for source; do
    $clang-22 -Oz -flto=$kind -c ../$source
    objects+=(${source%.*}.o)
  done
  local link="$clang-22 -Oz -flto=$kind -fuse-ld=lld -Wl,--save-temps ${objects[*]} -o program"
  $link
  [[ $kind == full ]] || modules=$(ls ./*.3.import.bc | sed 's/\.bc$//')
  for module in $modules; do
    tune $module.bc --space size --baseline clang-O2 -o $module.tuned -- -ffunction-sections -fdata-sections
    recipes+=($module.ordo.json)
  done
  ORDO_RECIPE=$(IFS=: && echo "${recipes[*]}") $link -Wl,--load-pass-plugin="$plugin" 2>errors
  [[ ! -s errors ]]
  for module in $modules; do
    linked=program.lto.o
    [[ $kind == full ]] || linked=program.lto.$(basename $module .3.import)
    cmp $module.tuned $linked
  done
  cd ../..
}
calculates() { [[ $(printf '1 + 2 * 3\n(1 - 4) / -2\n' | $1 | tr '\n' ' ') == '7 1.5 ' ]]; }
measures() { $1 | cmp - c++/output; }

one_object c clang parser.c
one_object c++ clang++ shapes.cpp -std=c++20
clang++-22 c++/main.cpp c++/shapes.cpp -o c++/plain
c++/plain >c++/output
clang++-22 -Oz c++/main.cpp c++/wrapper.o -o c++/program
measures c++/program
for kind in full thin; do
  one_link c clang $kind main.c lexer.c parser.c
  calculates c/$kind/program
  one_link c++ clang++ $kind main.cpp shapes.cpp
  measures c++/$kind/program
done

echo "in a link, choices of the code generator are the linker's"
cd c/full
choose program.0.2.internalize.ordo.json -25
fails() { if "$@" 2>errors; then exit 1; fi; }
link=(clang-22 -Oz -flto=full -fuse-ld=lld -Wl,--load-pass-plugin="$plugin" main.o lexer.o parser.o -o program)
ORDO_RECIPE=program.0.2.internalize.ordo.json fails "${link[@]}"
grep -q 'give them to the linker (-mllvm -disable-block-placement)' errors
cd ../..

echo "control flow integrity is not lost to a recipe: there is none"
mkdir cfi
cd cfi
clang++-22 -Oz -flto=full -fvisibility=hidden -fsanitize=cfi -fuse-ld=lld -Wl,--save-temps \
  "$ORDO_SOURCE_DIR/tests/e2e/shapes/wrong_call.cpp" -o program
status=0 && "$ORDO" tune program.0.2.internalize.bc --space size --baseline clang-O2 --budget 1evals 2>errors || status=$?
[[ $status -ne 0 ]]
grep -q 'put in checks of types (-fsanitize=cfi' errors
status=0 && ./program 2>/dev/null || status=$?
[[ $status -eq $((128 + 4)) ]]  # an illegal instruction, as clang has it
