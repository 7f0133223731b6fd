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

# never GREP_ARG…: fails if grep finds it; '!' alone would not end the script
never() {
  if grep "$@"; then
    echo "found what should not be there: grep $*"
    exit 1
  fi
}

tune policy ''
cp wc.ordo.json first.json
tune policy ''
# The recipe tells how long it took, which its checksum counts; all else repeats.
diff <(grep -vE 'seconds|checksum' first.json) <(grep -vE 'seconds|checksum' wc.ordo.json)
never 'without a policy' err.txt
tune policy '' --policy "$shipped"
tune evolutionary '' --no-policy
never 'without a policy' err.txt
tune evolutionary '' --policy none
tune random '' --searcher random

# A policy that somebody named is what they want, or an error, also of those who want to hear nothing.
refused() {  # refused CODE MESSAGE POLICY
  local code=0
  "$ORDO" tune "$wc" --budget 30evals --jobs 1 -q -o refused.o --policy "$3" >out.txt 2>err.txt || code=$?
  [[ $code -eq $1 && ! -e refused.o ]] || { echo "--policy $3: exit $code"; exit 1; }
  grep -qF -- "$2" err.txt
}
refused 66 'cannot read missing.safetensors' missing.safetensors
head -c 100000 "$shipped" >torn.safetensors
refused 65 'torn.safetensors: ' torn.safetensors
sed 's/22\.1\.[0-9]*/21.1.0/' "$shipped" >old.safetensors
refused 78 'trained with llvm 21.1.0' old.safetensors
printf 'not weights' >text.safetensors
refused 65 'text.safetensors: ' text.safetensors

echo "whoever found the passes, what the policy makes of them is said, within 100 columns"
for searcher in policy random; do
  tune "$searcher" '' --searcher "$searcher"
  never '^        policy' out.txt
  "$ORDO" explain wc.ordo.json --odds >explained.txt 2>err.txt
  [[ ! -s err.txt ]]
  grep -qE '^        policy   (1st choice|among its choices: .*|would not have: .*) of 105, ' explained.txt
  sed -n '/^Passes in order/,/^Found by/p' explained.txt >passes.txt
  for text in '(the program as it is)' '^   1  ' '^        policy   ' '^        for      ' '(the end)'; do
    grep -q -- "$text" passes.txt
  done
  never -E '.{101}' passes.txt
  # Of what was printed while tuning, each line is there again.
  sed -n '/(the program as it is)/,/^$/p' out.txt | never -vxFf passes.txt
done
"$ORDO" explain wc.ordo.json --json >explained.json
for text in '"file": "size.safetensors"' '"instructions": ' '"rank": ' '"of": 105' '"log_odds": ' '"words": "'; do
  grep -qF "$text" explained.json
done
"$ORDO" tune "$wc" --budget 30evals --jobs 1 -q --json -o wc.o >tuned.json
grep -qF '"opinion": {' tuned.json

echo "without it there is less, which is said once"
quiet() {  # quiet NOTES ARG…: ordo explain with that many notes and no opinion
  "$ORDO" explain "${@:2}" >explained.txt 2>err.txt
  grep -q '^Passes in order' explained.txt
  never '^        policy' explained.txt
  [[ $(wc -l <err.txt) -eq $1 ]]
}
quiet 0 wc.ordo.json --policy none
status=0
"$ORDO" explain wc.ordo.json --policy torn.safetensors >explained.txt 2>err.txt || status=$?
[[ $status -eq 65 ]]
grep -q 'torn.safetensors' err.txt
quiet 1 wc.ordo.json nowhere.c
grep -q 'what each pass leaves.*nowhere.c' err.txt
"$ORDO" explain wc.ordo.json --policy none --json >explained.json
grep -q '"policy": null' explained.json
tune evolutionary '' --no-policy
never '^        policy' out.txt

# Where numbers are compared, another method under the same name would be a lie.
status=0
"$ORDO" eval "$wc" --methods policy --compiles 10 --seeds 1 --policy torn.safetensors --study s.sqlite >out.txt 2>&1 || status=$?
[[ $status -ne 0 ]]
grep -q 'torn.safetensors' out.txt
"$ORDO" eval "$wc" --methods policy --compiles 10 --seeds 1 --study s.sqlite -q
"$ORDO" report s.sqlite | grep policy >/dev/null
