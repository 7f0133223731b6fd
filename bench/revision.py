"""Which Ordo a measurement is of."""

import pathlib
import subprocess

ROOT = pathlib.Path(__file__).resolve().parent.parent
PROGRAMS = ("bin", "cli", "cmake", "data/actions", "data/knowledge", "data/policy", "data/spaces", "plugin", "src")


def revision():
    """The last commit that changed the programs or what they have learned; with "+" if there are changes since."""
    def git(*words):
        return subprocess.run(["git", *words, "--", *PROGRAMS], cwd=ROOT, capture_output=True, text=True, check=False).stdout

    commit = git("log", "-1", "--format=%h").strip()
    return commit + ("+" if git("status", "--porcelain") else "")


def machine():
    """The processor's name."""
    for line in pathlib.Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines():
        if line.startswith("model name"):
            return line.partition(":")[2].strip()
    return "a processor without a name"
