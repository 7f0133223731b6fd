#!/usr/bin/env bash
# wing: long
# A study made anew, on whatever machine, says what docs/leaderboard-small.md says.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
export ORDO ORDO_CACHE=$folder/cache

"$ORDO_SOURCE_DIR/bench/study.sh" small "$folder" >"$folder/out.txt" 2>&1 || {
  cat "$folder/out.txt"
  exit 1
}
# All but where and when it was made.
findings() { grep -v -e '^- study file' -e '^- made by' -e '^- machine' -e '^- began' -e '^- command' "$1"; }
diff <(findings "$ORDO_SOURCE_DIR/docs/leaderboard-small.md") <(findings "$folder/leaderboard-small.md") || {
  echo "docs/leaderboard-small.md is not what this Ordo finds. If that is meant: ./ordo bench study small"
  exit 1
}
[[ -s $folder/small.html && -s $folder/small.md ]]
