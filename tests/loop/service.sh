#!/usr/bin/env bash
# Faults in front of a real HAProxy and a real Prometheus (docs/loop.md, groups 1, 8 and 9, and what the runbook
# says): a canary that crashes, one that fails, HAProxy that is restarted, Prometheus that goes away, a controller
# that is killed. Whatever happens, no client sees an error that the canary did not answer itself, and the canary
# has no traffic in the end.
set -euo pipefail
for program in /usr/sbin/haproxy /usr/bin/prometheus clang++-22 curl; do
  command -v "$program" >/dev/null || { echo "skipped: needs $program"; exit 77; }
done
: "${ORDO:?}" "${ORDO_SOURCE_DIR:?}"
examples=$ORDO_SOURCE_DIR/examples/service
dir=$(mktemp -d)
export DEMO_DIR=$dir SERVICE_PORT=18180 SERVICE_RUN=$dir SERVICE_OBJECT=$dir/service.o DEMO_STAGE_S=0 DEMO_SOURCED=1
# shellcheck source=/dev/null
source "$examples/demo.sh"

weight() { echo "get weight app/canary" | "$dir/ask" | cut -d' ' -f1; }
cat >"$dir/ask" <<'ASK'
#!/usr/bin/env python3
import os, socket, sys
s = socket.socket(socket.AF_UNIX)
s.connect(os.environ["SERVICE_RUN"] + "/admin.sock")
s.sendall(sys.stdin.buffer.read())
while part := s.recv(65536):
    sys.stdout.buffer.write(part)
ASK
chmod +x "$dir/ask"
trap 'finish; rm -rf "$dir"' EXIT

prepare
serve
fails=0
check() { # check NAME EXPECTED FOUND
  if [[ $3 == "$2" ]]; then echo "ok: $1"; else echo "FAILED: $1: '$3', not '$2'"; fails=$((fails + 1)); fi
}
outcome() { "$ORDO" loop history --file "$dir/loop.toml" | tail -n 1 | awk '{print ($3 == "rolled") ? "rolled back" : $3}'; }
# one FAULT: an experiment whose canary misbehaves so.
one() {
  rm -f "$dir"/loop.sqlite*
  SERVICE_FAULT_CANARY=$1 timeout 100 "$ORDO" loop run -q --file "$dir/loop.toml" --experiments 1 >"$dir/run.log" 2>&1 || true
}
one crash:50
check "1: a canary that crashes" "rolled back" "$(outcome)"
check "1: it has no traffic" 0 "$(weight)"
one error
check "9: a canary that fails" "rolled back" "$(outcome)"
one hang:20
check "1: a canary that hangs" "rolled back" "$(outcome)"
check "1: it has no traffic" 0 "$(weight)"

# In the middle of an experiment, when the canary has traffic.
begin() {
  rm -f "$dir"/loop.sqlite*
  "$ORDO" loop run -q --file "$dir/loop.toml" --experiments 1 >"$dir/run.log" 2>&1 &
  run=$!
  for _ in $(seq 300); do [[ $(weight) == 0 ]] || return 0; sleep 0.1; done
  echo "FAILED: no canary came"; cat "$dir/run.log"; exit 1
}
begin
kill -9 "$run"; wait "$run" 2>/dev/null || true
for _ in $(seq 50); do [[ $(weight) != 0 ]] || break; sleep 0.1; done
check "6: the watchdog of a killed controller" 0 "$(weight)"

begin
kill -INT "$run"; wait "$run" || true
check "an interrupt withdraws it" 0 "$(weight)"

begin
kill -KILL "$prometheus_pid"
timeout 40 tail --pid="$run" -f /dev/null || true
check "4: without Prometheus nothing is learned" "void" "$(outcome)"
check "4: it has no traffic" 0 "$(weight)"

kill -TERM "$load"; wait "$load" || true
cat "$dir/load.log"
exit $((fails > 0))
