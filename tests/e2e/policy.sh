#!/usr/bin/env bash
# Tuning uses the shipped policy by default, does without on request, and says why when it must.
set -euo pipefail
cd "$(mktemp -d)"
trap 'rm -rf "$PWD"' EXIT
export ORDO_CACHE=$PWD/cache

wc=$ORDO_SOURCE_DIR/suite/wc
shipped=$ORDO_SOURCE_DIR/data/policy/size.safetensors

# tune SEARCHER TEXT ARG…: tunes a small program; the recipe names the searcher, and standard error has TEXT.
tune() {
  if ! "$ORDO" tune "$wc" --budget 30evals --jobs 1 -o wc.o "${@:3}" >out.txt 2>err.txt; then
    echo "ordo tune ${*:3} failed:"
    cat err.txt
    exit 1
  fi
  if ! grep -qF "\"searcher\": \"$1\"" wc.ordo.json || ! grep -qF -- "$2" err.txt; then
    echo "ordo tune ${*:3}: wanted a search by $1 and '$2'; said:"
    cat err.txt
    grep searcher wc.ordo.json
    exit 1
  fi
}

tune policy ''
cp wc.ordo.json first.json
tune policy ''
# The recipe tells how long it took; all else repeats.
diff <(grep -v seconds first.json) <(grep -v seconds wc.ordo.json)
! grep -q 'without a policy' err.txt
tune policy '' --policy "$shipped"
tune evolutionary '' --no-policy
! grep -q 'without a policy' err.txt
tune evolutionary '' --policy none
tune random '' --searcher random

tune evolutionary 'searching without a policy, by evolutionary: cannot read missing.safetensors' --policy missing.safetensors
head -c 100000 "$shipped" >torn.safetensors
tune evolutionary 'torn.safetensors: ' --policy torn.safetensors
sed 's/22\.1\.[0-9]*/21.1.0/' "$shipped" >old.safetensors
tune evolutionary 'trained with llvm 21.1.0' --policy old.safetensors
printf 'not weights' >text.safetensors
tune evolutionary 'text.safetensors: ' --policy text.safetensors

# Where numbers are compared, another method under the same name would be a lie.
status=0
"$ORDO" eval "$wc" --methods policy --compiles 10 --seeds 1 --policy torn.safetensors --study s.sqlite >out.txt 2>&1 || status=$?
[[ $status -ne 0 ]] && grep -q 'torn.safetensors' out.txt
"$ORDO" eval "$wc" --methods policy --compiles 10 --seeds 1 --study s.sqlite -q
"$ORDO" report s.sqlite | grep -q policy
