#!/usr/bin/env bash
# bench/study.sh NAME [FOLDER]: makes the study of data/studies/NAME.plan, whose lines are commands of
# `ordo eval` into one file, and its reports: FOLDER/NAME.{sqlite,html,md} and FOLDER/leaderboard-NAME.md. Goes
# on where an earlier run of it ended, and first harvests the packages of the lists of programs, unless they are there.
# FOLDER is build/studies unless given.
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
mapfile -t lists < <(sed -n 's/^--list \([^ ]*\).*/\1/p' "$plan" | sort -u)
if ((${#lists[@]})); then
  mapfile -t packages < <(sed -n 's|^debian/\([^/]*\)/.*|\1|p' "${lists[@]}" | sort -u)
  ((${#packages[@]} == 0)) || "$ordo" dataset harvest "${packages[@]}"
fi
while read -ra options; do
  [[ ${options[0]:-#} == '#'* ]] || "$ordo" eval "${options[@]}" --study "$study.sqlite"
done <"$plan"
"$ordo" report "$study.sqlite" --html "$study.html" --markdown "$study.md"
"$ordo" report "$study.sqlite" --leaderboard >"${study%/*}/leaderboard-$name.md"
