#!/usr/bin/env bash
# The first of the generated command lines, damages and random decisions, always with the same seeds; ./ordo campaign has more of them.
set -euo pipefail
export ORDO_CC=${ORDO%/*}/ordo-cc
python3 "$ORDO_SOURCE_DIR/bench/campaign_commands.py" 40 --seed 26
python3 "$ORDO_SOURCE_DIR/bench/campaign_damage.py" 15 --seed 26
python3 "$ORDO_SOURCE_DIR/bench/campaign_decisions.py" 0 --programs 2 --seed 26
