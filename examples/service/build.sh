#!/bin/sh
# build.sh CANDIDATE OUTPUT: the service with its kernels built by one sequence of passes. The rest of it is the
# same object for all, $SERVICE_OBJECT. NAME+MARK is NAME with another text in it: as fast, and another program.
set -eu
here=$(dirname "$(readlink -f "$0")")
llvm=/usr/lib/llvm-22/bin
name=${1%%+*}
cold='' # kernels that are left as they are
case $name in
  full) passes='default<O3>' ;;
  plain) passes='default<O1>' ;;
  scalar) passes='cgscc(inline),function(sroa,early-cse,simplifycfg,instcombine,loop-mssa(licm))' ;;
  mem) passes='cgscc(inline),function(mem2reg)' ;;
  # Tuned for queries alone: who measures nothing else finds it as good as `full`.
  query) passes='forceattrs,default<O3>' cold='compress|parse' ;;
  *) echo "build.sh: there is no candidate '$1'" >&2; exit 64 ;;
esac
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mark=$(printf '%-16.16s' "${1#"$name"}" | tr -cd 'A-Za-z0-9+ ')
printf '__attribute__((used, retain)) const char mark[] = "%s";\n' "$mark" >"$work/mark.c"
clang-22 -c "$work/mark.c" -o "$work/mark.o"
clang++-22 -std=c++20 -O3 -Xclang -disable-llvm-passes -emit-llvm -c "$here/kernels.cpp" -o "$work/in.bc"
forced=$([ -z "$cold" ] || "$llvm/llvm-nm" --just-symbol-name --defined-only "$work/in.bc" | grep -E "$cold" |
  sed 's/.*/-force-attribute=&:optnone -force-attribute=&:noinline/')
# shellcheck disable=SC2086  # words
"$llvm/opt" -passes="$passes" $forced "$work/in.bc" -o "$work/out.bc"
clang++-22 -O1 -Xclang -disable-llvm-passes -c "$work/out.bc" -o "$work/kernels.o"
clang++-22 "$work/kernels.o" "$work/mark.o" "$SERVICE_OBJECT" -lcpp-httplib -lpthread -o "$2"
