#!/usr/bin/env bash
# ordo train ir2vec: a vocabulary that stock llvm-ir2vec-22 takes, the same for the same seed, and progress
# nowhere but on standard error.
set -euo pipefail

dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
fail() { echo "FAILED: $1" >&2; exit 1; }

train() { "$ORDO" train ir2vec "$ORDO_SOURCE_DIR/suite/wc" --dim 8 --epochs 20 "$@"; }

train -o "$dir/a.json" --json >"$dir/report.json"
train -o "$dir/b.json" >"$dir/report.txt"
train --seed 2 -o - >"$dir/c.json"
cmp "$dir/a.json" "$dir/b.json" || fail "the same seed gave another vocabulary"
! cmp -s "$dir/a.json" "$dir/c.json" || fail "another seed gave the same vocabulary"
grep -q '"mean_rank"' "$dir/report.json" || fail "no ranking in the report"
grep -q '^held out: mean rank' "$dir/report.txt" || fail "no ranking in the text"

echo 'define i32 @f(i32 %x) { ret i32 %x }' >"$dir/f.ll"
llvm-ir2vec-22 embeddings --ir2vec-vocab-path="$dir/c.json" "$dir/f.ll" >"$dir/out"
[[ $(sed -n 's/^ \[\(.*\)\]$/\1/p' "$dir/out" | wc -w) == 8 ]] || fail "stock LLVM does not take the vocabulary"

code=0
"$ORDO" train ir2vec "$dir/none.bc" -o "$dir/d.json" 2>"$dir/error" || code=$?
[[ $code == 66 ]] || fail "a missing file exits with $code"
[[ ! -e $dir/d.json ]] || fail "a failed run wrote a vocabulary"
