#!/usr/bin/env bash
# Canaries that fail in front of a real HAProxy with its default settings, without redispatch, one kind after the
# other: each is faster than production when it does answer, and none may be promoted. And what `ordo loop check` says
# of a HAProxy that does not fit. Figures come from HAProxy's log. Nobody's verdict is how long it took.
set -euo pipefail
for program in /usr/sbin/haproxy python3; do
  command -v "$program" >/dev/null || { echo "skipped: needs $program"; exit 77; }
done
: "${ORDO:?}" "${ORDO_SOURCE_DIR:?}"
dir=$(mktemp -d)
port=${SERVICE_PORT:-18380}
running=()
stop() {
  for pid in "${running[@]}"; do kill -TERM "$pid" 2>/dev/null || true; done
  wait 2>/dev/null || true
  running=()
}
finish() {
  stop
  rm -rf "$dir"
}
trap finish EXIT
cd "$dir"

fails=0
check() { # check NAME EXPECTED FOUND
  if [[ $3 == "$2" ]]; then
    echo "ok: $1"
  else
    echo "FAILED: $1: '$3', not '$2'"
    tail -n 20 run.log || true
    ((++fails))
  fi
}

# haproxy_up LEVEL BALANCE [LINE]
haproxy_up() {
  cat >haproxy.cfg <<CONFIG
global
    stats socket $dir/admin.sock mode 600 level $1
    log stdout format raw local0 info
defaults
    mode http
    timeout connect 1s
    timeout client 5s
    timeout server 1s
frontend fe
    bind 127.0.0.1:$port
    log global
    http-request set-var(txn.ordo) date(0,us)
    log-format "ordo %b/%s us=%[date(0,us),sub(txn.ordo)] %ST %ts"
    default_backend app
backend app
    balance $2
    option httpchk GET /healthz
    # What the canary refuses now and then its checks must not see, for they are not what is tried here: the first that
    # fails takes a server down, whatever 'fall' says. So production answers them for all.
    default-server check inter 500ms port $((port + 1))
    ${3:-}
    server production 127.0.0.1:$((port + 1)) weight 256
    server control 127.0.0.1:$((port + 2)) weight 0
    server canary 127.0.0.1:$((port + 3)) weight ${CANARY_WEIGHT:-0}
CONFIG
  : >haproxy.log
  /usr/sbin/haproxy -f haproxy.cfg > >(exec cat >>haproxy.log) 2>&1 &
  running+=($!)
  until [[ -S admin.sock ]] && (exec 3<>"/dev/tcp/127.0.0.1/$port") 2>/dev/null; do sleep 0.1; done
}
# service FAULT SHARE
service() {
  : >ready
  python3 "$ORDO_SOURCE_DIR/tests/loop/faulty.py" "$port" "$1" "$2" >ready 2>service.log &
  running+=($!)
  until grep -q ready ready; do sleep 0.1; done
}
# Some hundred requests a second, from eight clients that wait for their answers.
load() {
  python3 - "$port" >/dev/null 2>&1 <<'PYTHON' &
import http.client, random, sys, threading, time
def ask():
    while True:
        try:
            one = http.client.HTTPConnection("127.0.0.1", int(sys.argv[1]), timeout=8)
            one.request("GET", f"/sum/{random.randrange(1000)}")
            one.getresponse().read()
            one.close()
        except (OSError, http.client.HTTPException):
            pass
        time.sleep(0.015)
for _ in range(8): threading.Thread(target=ask, daemon=True).start()
threading.Event().wait()
PYTHON
  running+=($!)
}

printf '#!/bin/sh\nprintf "#!/bin/sh\\n# %%s\\necho same\\n" "$1" >"$2"\nchmod +x "$2"\n' >build.sh
printf '#!/bin/sh\nexit 0\n' >ok.sh
chmod +x build.sh ok.sh
seq 0 999 | sed 's|^|GET /sum/|' >requests.txt
cat >loop.toml <<CONFIG
format = 1
store = "loop.sqlite"
[build]
command = ["./build.sh", "{candidate}", "{output}"]
production = "O3"
candidates = ["O2"]
[stage]
runs = [["--once"]]
budget_s = 0
[pools]
deploy = ["./ok.sh", "{pool}", "{artifact}"]
stop = ["./ok.sh", "{pool}"]
[haproxy]
socket = "admin.sock"
backend = "app"
[log]
file = "haproxy.log"
[pace]
tick_s = 0.25
lease_s = 10
window_s = 0.6
warmup_s = 1
ramp_hold_s = 0.5
ramp = [0.3]
[reward]
slo_s = 0.5
fewest_requests = 20
horizon = 100
[budget]
objective = 0.5
most_share = 0.3
careful_share = 0.1
[guard]
most_unseen = 100
CONFIG
outcome() { "$ORDO" loop history | tail -n 1 | awk '{print ($3 == "rolled") ? "rolled back" : $3}'; }
# try FAULT SHARE: its outcome
try() {
  rm -f loop.sqlite*
  service "$1" "$2"
  haproxy_up admin random
  load
  timeout 300 "$ORDO" loop run -q --experiments 1 >run.log 2>&1 || true
  "$ORDO" loop history >>run.log
  tail -n 1 run.log >last
  awk '{print ($3 == "rolled") ? "rolled back" : $3}' last >outcome
  stop
}

for fault in ${FAULTS:-refuse reset cut empty hang error nonsense}; do
  try "$fault" 0.3
  check "a canary with three failures of ten: $fault" "rolled back" "$(cat outcome)"
done

# What it answers wrongly, with the right status, it is asked for again. Nothing else tells of it.
cat >>loop.toml <<CONFIG
[answers]
requests = "requests.txt"
production = "127.0.0.1:$((port + 1))"
control = "127.0.0.1:$((port + 2))"
canary = "127.0.0.1:$((port + 3))"
rate = 100
again_s = 0.2
most_wrong = 0.1
CONFIG
try wrong 0.01
check "a canary that answers one of a hundred wrongly" "rejected" "$(cat outcome)"
check "and why" yes "$(grep -q 'answers wrongly' run.log && echo yes)"
check "it is said that answers are compared" yes "$("$ORDO" loop status >status && grep -q '^answers *answers are compared' status && echo yes)"

service none 0
# says CODE WORDS: of `ordo loop check`
says() {
  local code=0
  "$ORDO" loop check >run.log 2>&1 || code=$?
  check "check: $2" "$1 yes" "$code $(grep -qF -- "$2" run.log && echo yes)"
}
haproxy_up operator random
says 78 "level admin"
stop
service none 0
haproxy_up admin static-rr
says 78 "balance roundrobin"
stop
service none 0
CANARY_WEIGHT=7 haproxy_up admin random
says 78 "weight 0"
stop
service none 0
haproxy_up admin random "option redispatch 1"
says 0 "good      redispatch: it is on"
stop
service none 0
haproxy_up admin random
says 0 "doubtful  redispatch"
stop
says 69 "is HAProxy up"
"$ORDO" loop check --json >check.json || true
check "check: for programs" False "$(python3 -c 'import json; print(json.load(open("check.json"))["good"])')"
exit $((fails > 0))
