#!/usr/bin/env bash
# A front as a person asks for it: results that replay, none of which betters another, and a drawing.
set -euo pipefail
cd "$(mktemp -d)"
trap 'rm -rf "$PWD"' EXIT
export ORDO_CACHE=$PWD/cache
suite=$ORDO_SOURCE_DIR/suite

"$ORDO" tune "$suite/sha256" --pareto ir_instructions,text_bytes --budget 100evals --jobs 1 --json -q -o front >out.json
python3 - <<'PY'
import json, xml.dom.minidom
front = json.load(open("out.json"))["results"][0]["pareto"]
points = [point["values"] for point in front["points"]]
assert points and points == sorted(points), points
assert all(a == b or any(x < y for x, y in zip(a, b)) for a in points for b in points), points
assert all(any(x <= y for x, y in zip(a, front["baseline"])) for a in points), points
assert all(point["recipe"]["verified"].startswith("stock opt-22 makes the same IR") for point in front["points"])
assert xml.dom.minidom.parse("front/sha256.pareto.svg").documentElement.tagName == "svg"
PY

echo "each point verifies, replays, and is as large as it says"
for recipe in front/sha256.pareto-*.ordo.json; do
  "$ORDO" verify "$recipe" "$suite/sha256" | grep 'stock opt-22 makes the same IR' >/dev/null
  "$ORDO" replay "$recipe" "$suite/sha256" -o again.o
  cmp again.o "${recipe%.ordo.json}.o"
  said=$(python3 -c 'import json, sys; print(int(json.load(open(sys.argv[1]))["figures"][1]["tuned"]))' "$recipe")
  [[ $said == $(llvm-size-22 again.o | awk 'NR == 2 { print $1 }') ]]
done

echo "the same seed, one worker and a budget in sequences give the same front"
"$ORDO" tune "$suite/sha256" --pareto ir_instructions,text_bytes --budget 100evals --jobs 1 -q -o two >table
for recipe in front/*.ordo.json; do
  diff <(grep -vE '"(seconds|checksum)"' "$recipe") <(grep -vE '"(seconds|checksum)"' "two/${recipe#front/}")
done
grep -q '^  front  ' table
grep -q 'R: clang-Oz' table

echo "what makes no front"
refused() {  # refused WORDS OPTIONS...
  local words=$1 code=0
  shift
  "$ORDO" tune "$suite/sha256" --budget 10evals -q "$@" >out 2>err || code=$?
  [[ $code == 64 ]] && grep -q -- "$words" err || { echo "exit code $code: $*"; cat out err; exit 1; }
}
refused 'two metrics or more' --pareto text_bytes
refused 'did you mean' --pareto ir_instructions,text_byts
refused 'instead of --objective' --pareto ir_instructions,text_bytes --objective text_bytes
refused 'known only after many runs' --pareto runtime,text_bytes
refused 'name a folder' --pareto ir_instructions,text_bytes -o -
refused 'is the objective' --pareto ir_instructions,text_bytes --limit text_bytes=+5%
