#!/usr/bin/env bash
# The first of the generated command lines and damages, always with the same seeds; './ordo campaign' has more of them.
set -euo pipefail
export ORDO_CC=${ORDO%/*}/ordo-cc
python3 "$ORDO_SOURCE_DIR/bench/campaign_commands.py" 40 --seed 26
python3 "$ORDO_SOURCE_DIR/bench/campaign_damage.py" 15 --seed 26
