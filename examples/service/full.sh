#!/usr/bin/env bash
# What the demonstration is too short for, as a table: real experiments with programs that are alike, and what the
# loop takes of the processors at 2,000 requests a second. An hour; nothing is left.
#
#   full.sh [alike N] [cost RATE]   both unless told: alike 30, cost 2000
#
# ORDO is the program. DEMO_DIR keeps what was made.
set -euo pipefail
# shellcheck source=examples/service/stand.sh
source "$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")/stand.sh"
ordo=${ORDO:-ordo}
dir=${DEMO_DIR:-$(mktemp -d "${TMPDIR:-/tmp}/ordo-loop.XXXXXX")}
mkdir -p "$dir"
rows=() status=0
finish() {
  stand_down
  [[ -n ${DEMO_DIR:-} ]] || rm -rf "$dir"
}
trap finish EXIT
trap 'exit 130' INT TERM

# row WHAT REACH FOUND GOOD: GOOD is a test.
row() {
  rows+=("$(printf '%-58s %-10s %-22s %s' "$1" "$2" "$3" "$( (($4)) && echo yes || echo NO)")")
  (($4)) || status=1
}

# requests WHAT: ends the load.
requests() {
  local lost=0
  stand_unload >"$dir/came" || lost=1
  cat "$dir/came"
  row "requests lost, $1" 0 "$(sed -nE 's/.*: ([0-9]+) requests, ([0-9]+) lost.*/\2 of \1/p' "$dir/came")" $((!lost))
}

alike() { # alike N: experiments with production's own code, marked so that it is another program
  local names promoted ended
  names=$(for i in $(seq "$1"); do printf '"scalar+%s", ' "$i"; done)
  rm -f "$dir"/loop.sqlite*
  STAGE_S=0 HORIZON=60 LEAST_EFFECT=0 stand_loop_toml "$dir/loop.toml" "${names%, }"
  stand_load 250 3,1,2
  "$ordo" loop run --file "$dir/loop.toml" --experiments "$1"
  "$ordo" loop history --file "$dir/loop.toml" >"$dir/alike.txt"
  ended=$(grep -c 'scalar+' "$dir/alike.txt") promoted=$(grep -c ' promoted ' "$dir/alike.txt" || true)
  row "alike programs promoted, real, no margin" 0 "$promoted of $ended" $((promoted == 0))
  requests "while programs alike were tried"
}

# Of a process, its processor time in ticks of the kernel.
ticks() { awk '{print $14 + $15}' "/proc/$1/stat"; }

cost() { # cost RATE: the loop's own processor time in a minute of an experiment under so many requests a second
  local pid watchdog before after took share
  rm -f "$dir"/loop.sqlite*
  STAGE_S=0 HORIZON=200 stand_loop_toml "$dir/loop.toml" '"scalar+1"'
  stand_load "$1" 3,1,2
  "$ordo" loop run -q --file "$dir/loop.toml" --experiments 1 >"$dir/cost.log" 2>&1 &
  pid=$!
  stand_wait 300 "windows" grep -q observe "$dir/cost.log"
  watchdog=$(pgrep -P "$pid" | head -n 1)
  before=$(($(ticks "$pid") + $(ticks "$watchdog"))) took=$(date +%s%N)
  sleep 60
  after=$(($(ticks "$pid") + $(ticks "$watchdog"))) took=$(($(date +%s%N) - took))
  kill -INT "$pid"
  wait "$pid" || true
  share=$(awk -v t=$((after - before)) -v s="$took" -v hz="$(getconf CLK_TCK)" -v n="$(nproc)" \
    'BEGIN {printf "%.2f", 100 * t / hz / (s / 1e9) / n}')
  row "% of $(nproc) processors for the loop, at $1 requests a second" "<= 3" "$share" "$(awk "BEGIN {print $share <= 3}")"
  requests "at $1 requests a second"
}

stand_build "$dir"
"$stand_here/build.sh" scalar "$dir/first"
stand_up "$dir/first"
if (($# == 0)); then set -- alike 30 cost 2000; fi
while (($# >= 2)); do
  [[ $1 =~ ^(alike|cost)$ && $2 =~ ^[1-9][0-9]{0,4}$ ]] || { echo "full.sh: what is '$1 $2'?" >&2; exit 64; }
  "$1" "$2"
  shift 2
done
printf '\n%-58s %-10s %-22s %s\n' what reach found reached
printf '%s\n' "${rows[@]}"
exit "$status"
