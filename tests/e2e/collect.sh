#!/usr/bin/env bash
# Experience that was killed again and again ends up as one that was left alone; what may not be learned from
# and other settings are refused.
set -euo pipefail
cd "$(mktemp -d)"
trap 'rm -rf "$PWD"' EXIT
export ORDO_CACHE=$PWD/cache

wc=$ORDO_SOURCE_DIR/suite/wc
collect=(collect "$wc" --searchers random,evolutionary --seeds 2)
small=(--budget 40evals)

# expect CODE TEXT ARG…: runs ordo and compares what it says.
expect() {
  local code=$1 text=$2 status=0
  "$ORDO" "${@:3}" >out.txt 2>&1 || status=$?
  if [[ $status -ne $code ]] || ! grep -qF -- "$text" out.txt; then
    echo "ordo ${*:3}: exit $status, wanted $code with '$text'; said:"
    cat out.txt
    exit 1
  fi
}
# What was found, in some order and without what it took.
findings() { sed 's/"cpu_s":[^,]*,//' "$1" | sort; }

# In one go: a header and a line for each run.
expect 0 '8 of 8 runs are in whole.jsonl; 8 made now' "${collect[@]}" "${small[@]}" -o whole.jsonl --jobs 2
[[ $(wc -l <whole.jsonl) -eq 9 ]]
expect 0 '"done":8,"made":0' "${collect[@]}" "${small[@]}" -o whole.jsonl --json -q

# Killed after each second run, wherever it is by then; and once as if in the middle of a line.
touch killed.jsonl
for round in $(seq 20); do
  lines=$(wc -l <killed.jsonl)
  "$ORDO" "${collect[@]}" "${small[@]}" -o killed.jsonl --jobs 1 >out.txt 2>&1 &
  pid=$!
  while kill -0 $pid 2>/dev/null && (($(wc -l <killed.jsonl) < lines + 2)); do sleep 0.02; done
  kill -KILL $pid 2>/dev/null || true
  wait $pid 2>/dev/null && break
  [[ $round -ne 2 ]] || head -c -20 killed.jsonl >torn.jsonl
done
expect 0 '8 of 8 runs are in killed.jsonl; 0 made now' "${collect[@]}" "${small[@]}" -o killed.jsonl
diff <(findings whole.jsonl) <(findings killed.jsonl)
expect 0 'is dropped' "${collect[@]}" "${small[@]}" -o torn.jsonl
diff <(findings whole.jsonl) <(findings torn.jsonl)

# Ctrl-C keeps what is done.
"$ORDO" "${collect[@]}" --budget 100000evals -o stopped.jsonl --jobs 1 >out.txt 2>&1 &
sleep 1
kill -INT $!
status=0
wait $! || status=$?
[[ $status -eq 130 ]] || { cat out.txt; exit 1; }
expect 66 'no file' collect -o nothing.jsonl --slim slim.jsonl

# A slim form: the same runs, small, without states.
expect 0 'slim.jsonl is the slim form of whole.jsonl' collect -o whole.jsonl --slim slim.jsonl
[[ $(wc -l <slim.jsonl) -eq 9 && $(wc -c <slim.jsonl) -lt $((9 * 5000)) ]]
if grep -q '"states"' slim.jsonl; then exit 1; fi
grep -q '"states"' whole.jsonl
expect 64 'another observations' "${collect[@]}" "${small[@]}" -o slim.jsonl

# What is too large, or no program, is left out and not tried again.
echo 'int main( {' >broken.c
expect 0 'broken.c is left out' collect broken.c --budget 40evals -o left.jsonl
expect 0 '0 of 4 runs are in left.jsonl; 0 made now in 0 s, 4 left out' collect broken.c --budget 40evals -o left.jsonl
expect 0 'more than 5' collect "$wc" --max-instructions 5 -o large.jsonl

# Other settings do not belong into the same file, and neither does another file's content.
expect 64 'another budget "40evals" than this command has "50evals"' "${collect[@]}" --budget 50evals -o whole.jsonl
expect 64 'another max_instructions' "${collect[@]}" "${small[@]}" --max-instructions 7 -o whole.jsonl
echo notes >notes.txt
expect 65 'notes.txt:1 is not JSON' "${collect[@]}" "${small[@]}" -o notes.txt
[[ $(cat notes.txt) == notes ]]

# Only training programs, and a budget that repeats; said before there is a file.
mkdir -p harvest/debian/packages
export ORDO_DATASETS=$PWD/harvest
package=$(awk -F'"' '/^name = /{name = $2} /^split = "validation"/{print name; exit}' "$ORDO_SOURCE_DIR/data/datasets/debian.toml")
hash=$(printf '0%.0s' {1..32})
mkdir -p harvest/debian/modules/00
printf 'BC\xc0\xde' >"harvest/debian/modules/00/$hash.bc"
cat >"harvest/debian/packages/$package.json" <<END
{"format": 1, "package": "$package", "version": "1", "recipe": "", "licence": "", "builder": "make", "problem": "",
 "notes": [], "modules": [{"name": "a.c", "hash": "$hash", "language": "c", "flags": []}], "failures": [], "seconds": 0}
END
expect 64 "is in the part for validation of debian" collect "$wc" "debian/$package/a.c" -o x.jsonl
expect 64 'is in the part for validation' collect --dataset debian --split validation -o x.jsonl
expect 64 'a budget in seconds' "${collect[@]}" --budget 3s -o x.jsonl
expect 64 "did you mean 'evolutionary'" collect "$wc" --searchers evolutionery -o x.jsonl
expect 64 'there is no program' collect -o x.jsonl
[[ ! -e x.jsonl ]]
