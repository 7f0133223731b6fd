"""bench/shell_checks.py: checks in shell scripts that cannot fail, and that the tests here have none."""

import subprocess
import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "bench"))

import shell_checks

ROOT = Path(__file__).resolve().parents[2]

# What `set -e` does not see. A is the command that fails.
UNSEEN = [
    "false && true",
    "false && cmp a b",
    "[[ x == y ]] && true",
    "((0)) && true",
    "false &&\n  true",
    "false && true | cat",
    "false && true 2>&1",
    "false || false && true",
    "! true",
    "! true && true",
    "{ false && true; }",
    "for x in 1 2; do false && true; done",
    "case x in x) false && true ;; esac",
    "if true; then false && true; fi",
    "f() { false && true; true; }\nf",
    "(false && true; true)",
    "x=$(false && true; true)",
    "false <<END && true\nfalse && true\nEND",
    "true & false && wait",
]
# What it sees, or somebody looks at, or is no command.
SEEN = [
    "false || exit 1",
    "false && true || exit 1",
    "(false && true)",
    "f() { false && true; }\nf",
    "f() {\n  true\n  [[ x == y ]] && ! true\n}\nf",
    "function f { false && true; }\nf",
    "x=$(false && true)",
    "! true || exit 1",
]
NO_CHECK = [
    "if false && true; then true; fi",
    "if true; then true; elif false && true; then true; fi",
    "while false && true; do true; done",
    "if ! true; then true; fi",
    "if true && { false && true; }; then true; fi",
    "true && exit 0",
    "false && { echo no; exit 1; }",
    "false && fail 'it is there'",
    "for _ in 1 2; do true && break; done",
    "[[ a == a && b == b ]]",
    "echo 'false && true' \"false && true\" # false && true",
    'echo "it\'s"\nif false && true; then true; fi',
    "cat >/dev/null <<END\nfalse && true\nEND",
    "cat >/dev/null <<-'A B'\n\tfalse && true\n\tA B",
    'echo "$(false && echo yes)"',
    "echo $((1 && 1)) ${x:-a && b}",
    "case ! in '!') true ;; *) exit 1 ;; esac",
    "[[ $(grep -c '&&' /dev/null || true) == 0 ]]",
]


def said(script):
    return shell_checks.unseen(f"#!/bin/bash\nset -eu\n{script}\n")


@pytest.mark.parametrize("script", UNSEEN)
def test_what_fails_unseen_is_found(script):
    assert len(said(script)) == 1
    line = said(script)[0]
    assert {"&&", "!"} & set(script.split("\n")[line - 3].split())


@pytest.mark.parametrize("script", UNSEEN + SEEN)
def test_bash_agrees(script):
    ended = subprocess.run(["bash", "-ec", f"{script}\necho reached"], capture_output=True, text=True)
    assert ("reached" in ended.stdout) == (script in UNSEEN)


@pytest.mark.parametrize("script", SEEN + NO_CHECK)
def test_what_is_seen_or_asked_for_is_left_alone(script):
    assert said(script) == []


def test_a_script_that_goes_on_whatever_fails_is_none_of_its_business():
    assert shell_checks.unseen("#!/bin/bash\nfalse && true\n") == []
    assert shell_checks.unseen("false && true\n") == [1], "but what others read in is"


def test_no_test_here_has_such_a_check():
    listing = ["git", "-C", str(ROOT), "ls-files", "tests/*.sh", "tests/*.bash"]
    scripts = subprocess.run(listing, capture_output=True, text=True, check=True).stdout.split()
    assert len(scripts) > 40
    found = [f"{name}:{line}" for name in scripts for line in shell_checks.unseen((ROOT / name).read_text())]
    assert not found
