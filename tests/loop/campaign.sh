#!/usr/bin/env bash
# A tenth of `./ordo campaign loop`: each kind of fault once, in front of a real HAProxy and a real Prometheus.
set -euo pipefail
: "${ORDO:?}" "${ORDO_SOURCE_DIR:?}"
exec python3 "$ORDO_SOURCE_DIR/bench/campaign_loop.py" 20 --jobs 4
