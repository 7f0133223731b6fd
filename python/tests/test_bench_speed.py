"""What `./ordo bench speed` takes for an outcome."""

import pathlib
import sys

import pytest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "bench"))

import speed  # noqa: E402


@pytest.mark.parametrize("end", ["exit 130", "kill -INT $$"])
def test_ctrl_c_is_no_outcome_of_a_program(end):
    with pytest.raises(KeyboardInterrupt):
        speed.run(["sh", "-c", end])


def test_what_fails_is_one():
    with pytest.raises(speed.Unusable, match="sh: no"):
        speed.run(["sh", "-c", "echo no >&2; exit 1"])
