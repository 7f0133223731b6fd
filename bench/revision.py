"""Which Ordo a measurement is of."""

import pathlib
import subprocess

ROOT = pathlib.Path(__file__).resolve().parent.parent
PROGRAMS = ("cli", "cmake", "compiler", "data/actions", "data/knowledge", "data/policy", "data/spaces", "differ",
            "plugin", "src", "worker")


def revision():
    """The last commit that changed the programs or what they have learned; with "+" if there are changes since."""
    def git(*words):
        return subprocess.run(["git", *words, "--", *PROGRAMS], cwd=ROOT, capture_output=True, text=True, check=False).stdout

    commit = git("log", "-1", "--format=%h").strip()
    return commit + ("+" if git("status", "--porcelain") else "")
