#!/usr/bin/env bash
# Known ways out of a client's roots, and the first of the fuzzed requests, always the same; './ordo campaign mcp' has
# more of them.
set -euo pipefail
python3 "$ORDO_SOURCE_DIR/bench/campaign_mcp.py" 2000 --seed 28 --rounds 200
