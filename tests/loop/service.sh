#!/usr/bin/env bash
# Faults in front of a real HAProxy and a real Prometheus (docs/loop.md, groups 1, 4, 6, 8, 9 and 10, and what the
# runbook says). Each test waits for a state and judges that; how long it took is nobody's verdict. Whatever happens,
# no request is lost: every error that a client sees is the canary's own answer, or that it hung.
set -euo pipefail
for program in /usr/sbin/haproxy /usr/bin/prometheus clang++-22 curl; do
  command -v "$program" >/dev/null || { echo "skipped: needs $program"; exit 77; }
done
: "${ORDO:?}" "${ORDO_SOURCE_DIR:?}"
dir=$(mktemp -d)
export SERVICE_PORT=18180
# shellcheck source=examples/service/stand.sh
source "$ORDO_SOURCE_DIR/examples/service/stand.sh"
readonly long_s=150 # what takes longer hangs
run=''

finish() {
  [[ -z $run ]] || kill -TERM "$run" 2>/dev/null || true
  stand_down
  rm -rf "$dir"
}
trap finish EXIT

# ask COMMAND: of HAProxy's socket.
ask() {
  python3 - "$dir/admin.sock" "$1" <<'PYTHON'
import socket, sys
with socket.socket(socket.AF_UNIX) as s:
    s.connect(sys.argv[1])
    s.sendall(sys.argv[2].encode() + b"\n")
    while part := s.recv(65536):
        sys.stdout.buffer.write(part)
PYTHON
}
weight() { ask "get weight app/canary" | cut -d' ' -f1; }
serves() { [[ $(weight) != 0 ]]; }
withdrawn() { [[ $(weight) == 0 ]]; }
loop() { "$ORDO" loop "$1" --file "$dir/loop.toml" "${@:2}"; }

fails=0
check() { # check NAME EXPECTED FOUND
  if [[ $3 == "$2" ]]; then
    echo "ok: $1"
  else
    echo "FAILED: $1: '$3', not '$2'"
    tail -n 30 "$dir/run.log"
    loop history || true
    ((++fails))
  fi
}
outcome() { loop history | tail -n 1 | awk '{print ($3 == "rolled") ? "rolled back" : $3}'; }

begin() { # a loop of one experiment, in the background
  rm -f "$dir"/loop.sqlite*
  "$ORDO" loop run -q --file "$dir/loop.toml" --experiments 1 >"$dir/run.log" 2>&1 &
  run=$!
}
ended() { # until it has ended by itself, as it should
  stand_wait $long_s "the loop to end" eval "! kill -0 $run 2>/dev/null" || check "it ends" yes no
  wait "$run" || true
  run=''
}
served() { # until its canary has traffic
  stand_wait $long_s "a canary" serves || { cat "$dir/run.log"; exit 1; }
}
# unloaded NAME PATTERN: what came of all requests since the last time.
unloaded() {
  stand_unload >"$dir/came" || true
  check "$1" yes "$(grep -qE "$2" "$dir/came" && echo yes || cat "$dir/came")"
}

stand_build "$dir"
# Built once, so that tests do not wait for compilers.
mkdir "$dir/built"
for name in scalar full; do "$stand_here/build.sh" $name "$dir/built/$name"; done
printf '#!/bin/sh\ncp "%s/$1" "$2"\n' "$dir/built" >"$dir/build.sh"
chmod +x "$dir/build.sh"
BUILD=$dir/build.sh STAGE_S=0 stand_loop_toml "$dir/loop.toml" '"full"'
STAND_LOG=yes stand_up "$dir/built/scalar"

stand_load 250 3,1,2
export SERVICE_FAULT_CANARY=absent
begin
ended
check "1: a canary that does not start" "void" "$(outcome)"
export SERVICE_FAULT_CANARY=crash:50
begin
ended
check "1: a canary that crashes" "rolled back" "$(outcome)"
check "1: it has no traffic" 0 "$(weight)"
unloaded "1: nobody noticed" " 0 lost, 0 answered with an error, 0 not in time"

stand_load 250 3,1,2
export SERVICE_FAULT_CANARY=error
begin
ended
check "9: a canary that fails" "rolled back" "$(outcome)"
"$ORDO" loop serve --file "$dir/loop.toml" --port $((SERVICE_PORT + 8)) >"$dir/serve.log" 2>&1 &
stand_pids+=($!)
url=http://127.0.0.1:$((SERVICE_PORT + 8))
stand_wait $long_s "the loop's own metrics" curl -fs "$url/metrics"
check "its metrics are as Prometheus wants them" "" "$(curl -fs "$url/metrics" | promtool check metrics 2>&1 || echo no)"
check "alerts for them are rules" yes "$(promtool check rules "$ORDO_SOURCE_DIR/examples/loop/alerts.yml" >/dev/null && echo yes)"
check "who asks for its verdict gets it" yes "$(curl -fs "$url/verdict" | grep '"verdict": *"reject"' >/dev/null && echo yes)"
check "a gate for Flagger" "409 200" "$(for gate in promote rollback; do
  curl -s -o /dev/null -w '%{http_code} ' -d '{}' "$url/flagger/$gate"; done | sed 's/ $//')"
unloaded "9: nobody saw but its own errors" " 0 lost, [0-9]+ answered with an error, 0 not in time"

stand_load 250 3,1,2
export SERVICE_FAULT_CANARY=hang:20
begin
ended
check "1: a canary that hangs" "rolled back" "$(outcome)"
check "1: it has no traffic" 0 "$(weight)"
unloaded "1: nobody waited but for it" " 0 lost, 0 answered with an error, [0-9]+ not in time"

stand_load 250 3,1,2
export SERVICE_FAULT_CANARY=
begin
served
second=$(loop run -q 2>&1 || true)
check "10: a second controller" yes "$([[ $second == *"has this loop"* ]] && echo yes || echo "$second")"
check "10: it leaves the first one's canary" yes "$(serves && echo yes)"
"$haproxy" -f "$dir/haproxy.cfg" -x "$dir/admin.sock" -sf "$stand_haproxy" > >(stand_append) 2>&1 &
stand_haproxy=$!
stand_pids+=("$stand_haproxy")
stand_wait $long_s "HAProxy to begin anew" eval '[[ $(ask "show info" | sed -n "s/^Pid: //p") == "$stand_haproxy" ]]'
stand_wait $long_s "the canary's share to come back" serves || true
check "8: a HAProxy that was reloaded is told again" yes "$(serves && echo yes)"
kill -INT "$run"
ended
check "an interrupt withdraws the canary" 0 "$(weight)"
unloaded "8: nobody noticed" " 0 lost, 0 answered with an error, 0 not in time"

stand_load 250 3,1,2
begin
served
kill -9 "$run"
wait "$run" 2>/dev/null || true
stand_wait $long_s "the watchdog" withdrawn || true
check "6: the watchdog of a killed controller" 0 "$(weight)"

begin
served
kill -KILL "$stand_prometheus"
ended
check "4: without Prometheus nothing is learned" "void" "$(outcome)"
check "4: it has no traffic" 0 "$(weight)"
unloaded "6: nobody noticed" " 0 lost, 0 answered with an error, 0 not in time"

# Without Prometheus, by HAProxy's log.
sed -i -e '/^\[prometheus\]/,/^selector/d' "$dir/loop.toml"
printf '[log]\nfile = "haproxy.log"\n' >>"$dir/loop.toml"
windows() { # windows CONDITION: of the store, at least three; in Python, with `control` and `canary`
  python3 - "$dir/loop.sqlite" "$1" <<'PYTHON'
import json, sqlite3, sys
seen = [json.loads(text) for text, in sqlite3.connect(f"file:{sys.argv[1]}?mode=ro", uri=True).execute("SELECT seen FROM window")]
count = lambda arm: sum(cell[2] for cell in arm["latency"])
fits = [one for one in seen if not one["gap"] and eval(sys.argv[2], {"count": count, **one})]
sys.exit(len(fits) < 3)
PYTHON
}
stand_load 250 3,1,2
begin
stand_wait $long_s "windows" windows "count(control) > 20 and count(canary) > 20 and not control['reset']" || true
check "4: figures come from HAProxy's log" yes "$(windows "count(canary) > 20 and not canary['reset']" && echo yes)"
for _ in 1 2 3; do
  sleep 2
  : >"$dir/haproxy.log"
done
stand_wait $long_s "a gap" windows "control['reset'] and canary['reset']" || true
check "4: a log that is cut is no evidence" yes "$(windows "control['reset'] and canary['reset']" && echo yes)"
check "4: and nobody's harm" yes "$(serves && echo yes)"
kill -INT "$run"
ended
export SERVICE_FAULT_CANARY=hang:20
begin
ended
check "1: a canary that hangs, by the log" "rolled back" "$(outcome)"
unloaded "4: nobody waited but for it" " 0 lost, 0 answered with an error, [0-9]+ not in time"
exit $((fails > 0))
