#!/usr/bin/env bash
# One cycle of the demonstration, as a stranger would run it: what is better becomes production, no request is
# lost, and nothing is left of it.
set -euo pipefail
for program in /usr/sbin/haproxy /usr/bin/prometheus clang++-22 curl; do
  command -v "$program" >/dev/null || { echo "skipped: needs $program"; exit 77; }
done
: "${ORDO:?}" "${ORDO_SOURCE_DIR:?}"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
export SERVICE_PORT=18280
# So much slower that no noise of this machine hides it: what is held here is the cycle, and not a machine's quiet.
export DEMO_PRODUCTION=mem
TMPDIR=$work "$ORDO_SOURCE_DIR/examples/service/demo.sh" 1 2>&1 | tee "$work/said"
says() { grep -qE -- "$1" "$work/said" || { echo "FAILED: not said: $1"; exit 1; }; }
says 'full +promoted +\+[0-9]'
says '^production +full$'
says ' 0 lost, 0 answered with an error'
for port in $(seq $SERVICE_PORT $((SERVICE_PORT + 9))); do
  ! (exec 3<>"/dev/tcp/127.0.0.1/$port") 2>/dev/null || { echo "FAILED: port $port is still served"; exit 1; }
done
! pgrep -f "$work/" || { echo "FAILED: these still run"; exit 1; }
[[ $(ls "$work") == said ]] || { echo "FAILED: files are left: $(ls "$work")"; exit 1; }
