#!/usr/bin/env bash
# bench/study.sh NAME [FOLDER]: makes the study of data/studies/NAME.plan, whose lines are commands of
# `ordo eval` into one file, and its reports: FOLDER/NAME.{sqlite,html,md} and FOLDER/leaderboard-NAME.md. Goes
# on where an earlier run of it ended. FOLDER is build/studies unless given.
set -euo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
ordo=${ORDO:-$root/build/release/bin/ordo}
name=$1 folder=${2:-$root/build/studies}
plan=$root/data/studies/$name.plan
[[ -f $plan ]] || {
  echo "study: there is no $plan; there are: $(cd "$root/data/studies" && echo *.plan)" >&2
  exit 66
}
mkdir -p "$folder"
cd "$root" # plans name files of the repository, and a study should not name this machine's
study=${folder#"$root/"}/$name
while read -ra options; do
  [[ ${options[0]:-#} == '#'* ]] || "$ordo" eval "${options[@]}" --study "$study.sqlite"
done <"$plan"
"$ordo" report "$study.sqlite" --html "$study.html" --markdown "$study.md"
"$ordo" report "$study.sqlite" --leaderboard >"${study%/*}/leaderboard-$name.md"
