#!/usr/bin/env bash
# wing: learn
# What the pages tell people to type begins, with the data that is shipped (tests/pages.py).
set -euo pipefail
command -v python3 >/dev/null || { echo "there is no python3"; exit 77; }
python3 "$ORDO_SOURCE_DIR/tests/pages.py" "$ORDO"
