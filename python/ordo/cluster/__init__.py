"""Packets of work for the machines of a Ray cluster: what ``--ray`` of ``ordo eval`` and others starts.

``src/cluster`` says what a packet is. :mod:`ordo.cluster.__main__` takes them from ``ordo`` and gives them to
Ray; :mod:`ordo.cluster.node` is what runs on the machines, which need Ray and what ``ordo`` links, but not
this package.
"""

import os
import pathlib
import sys

# Ray reads these when it is imported, and would go by halves by what is set later. It reports to nobody,
# and where there is a token, clusters are shown it and asked for it (docs/cluster.md).
if "ray" not in sys.modules:
    os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")
    if (
        pathlib.Path("~/.ray/auth_token").expanduser().is_file()
        or {"RAY_AUTH_TOKEN", "RAY_AUTH_TOKEN_PATH"} & os.environ.keys()
    ):
        os.environ.setdefault("RAY_AUTH_MODE", "token")
