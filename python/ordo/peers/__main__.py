"""``python -m ordo.peers NAME`` is a method for ``ordo eval``; ``--list`` names those there are."""

import sys

from ordo import peers
from ordo.methods import serve

if len(sys.argv) != 2:
    raise SystemExit("usage: python -m ordo.peers NAME (as 'ordo eval' does), or --list")
if sys.argv[1] == "--list":
    print("\n".join(peers.names()))
else:
    serve(lambda: peers.load(sys.argv[1]))
