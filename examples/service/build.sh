#!/bin/sh
# build.sh CANDIDATE OUTPUT: the service with its kernels built by one sequence of passes. The rest of it is the
# same object for all, $SERVICE_OBJECT.
set -eu
here=$(dirname "$(readlink -f "$0")")
case $1 in
  plain) passes='default<O1>' ;;
  full) passes='default<O3>' ;;
  same) passes='default<O3>' ;;                    # another name for the same program
  scalar) passes='cgscc(inline),function(sroa,early-cse,simplifycfg,instcombine,loop-mssa(licm))' ;;
  mem) passes='cgscc(inline),function(mem2reg)' ;;
  none) passes='cgscc(inline),function(simplifycfg)' ;;          # nothing is kept in registers
  *) echo "build.sh: there is no candidate '$1'" >&2; exit 64 ;;
esac
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
clang++-22 -std=c++20 -O3 -Xclang -disable-llvm-passes -emit-llvm -c "$here/kernels.cpp" -o "$work/in.bc"
opt-22 -passes="$passes" "$work/in.bc" -o "$work/out.bc" 2>/dev/null ||
  /usr/lib/llvm-22/bin/opt -passes="$passes" "$work/in.bc" -o "$work/out.bc"
clang++-22 -O1 -Xclang -disable-llvm-passes -c "$work/out.bc" -o "$work/kernels.o"
clang++-22 "$work/kernels.o" "$SERVICE_OBJECT" -lcpp-httplib -lpthread -o "$2"
