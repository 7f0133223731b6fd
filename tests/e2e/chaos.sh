#!/usr/bin/env bash
# One round of each kind of work under chaos, always with the same seed; './ordo chaos' does it for longer.
set -euo pipefail
exec python3 "$ORDO_SOURCE_DIR/bench/chaos.py" --seed 26 --rounds 4 --keep
