"""OpenTuner, Optuna and Nevergrad as methods, and that ours of their kind are as good as they are."""

from __future__ import annotations

import importlib.util
import json
import math
import os
import pathlib
import random
import subprocess
import sys
from statistics import mean

import pytest
from conftest import ROOT
from conversation import Conversation

import ordo
from ordo import peers

ORDO = pathlib.Path(ordo.__file__).parent / "_native" / "bin" / "ordo"
LIBRARIES = {
    "nevergrad": "nevergrad",
    "opentuner": "opentuner",
    "optuna_cmaes": "cmaes",
    "optuna_tpe": "optuna",
}


def needs(*names: str) -> None:
    for name in names:
        if importlib.util.find_spec(LIBRARIES[name]) is None:
            pytest.skip(f"{LIBRARIES[name]} is not installed; ./ordo peers does")


def cost(sequence: list[int]) -> float | None:
    """A toy: 3 should be there once and early, 5 often; 7 breaks everything."""
    if 7 in sequence:
        return None
    return 60 - 3 * min(sequence.count(5), 8) - (12 - sequence.index(3) if 3 in sequence else 0)


def play(name: str, seed: int, budget: int = 100) -> list[list[int]]:
    """What a peer asks for, in order, until the budget is used up."""
    talk = Conversation("ordo.peers", name)
    assert talk.hear() == {"ordo_method": 1}
    seeds = [{"sequence": [0], "value": 60}, {"sequence": [], "value": 70}]
    task = {"ordo_method": 1, "program": "toy", "objective": "count", "actions": [f"a{i}" for i in range(10)]}
    talk.say(task | {"seeds": seeds, "max_length": 12, "budget": budget, "seed": seed})
    asked: list[list[int]] = []
    while len(asked) < budget:
        asked += (sequences := talk.hear()["sequences"])
        talk.say({"values": [cost(s) for s in sequences], "done": len(asked) >= budget})
    code, errors = talk.end()
    assert code == 0, errors
    return asked


def test_each_peer_is_tested():
    assert set(peers.names()) == set(LIBRARIES)


def test_one_that_is_not_there_is_named():
    with pytest.raises(SystemExit, match="no peer 'opentuna'; known: nevergrad, opentuner"):
        peers.load("opentuna")


@pytest.mark.parametrize("name", LIBRARIES)
def test_a_peer_learns_and_repeats_itself(name):
    needs(name)
    # One seed may be unlucky, and which one is depends on the processor: NumPy's sums differ between them.
    plays = [play(name, seed) for seed in (1, 2, 3, 4)]
    first, last = [], []
    for asked in plays:
        assert all(len(sequence) <= 12 for sequence in asked)
        values = [value if (value := cost(sequence)) is not None else 100 for sequence in asked]
        assert min(values) < 60  # the better of the seeds
        first += values[:30]
        last += values[-30:]
    assert mean(last) < mean(first)
    assert play(name, seed=1) == plays[0]
    assert plays[0] != plays[1]


# Programs on which 100 compiles take a second or two.
PROGRAMS = ["suite/base64", "suite/crc32", "suite/editdist"]
SEEDS = 4

Values = dict[str, list[float]]  # of each program, by seed


def at(runs: list[dict], method: str, compiles: int) -> Values:
    """What a method made of each program with a budget, relative to the better seed: 1 if nothing."""
    values: Values = {}
    for run in runs:
        if run["method"] == method:
            assert "failure" not in run, run["failure"]
            [budget] = [budget for budget in run["budgets"] if budget["compiles"] == compiles]
            own = budget.get("ir_instructions", math.inf)
            values.setdefault(run["program"], []).append(min(own / run["seed_value"], 1))
    return values


def difference(one: Values, other: Values) -> float:
    """Mean over programs of the difference of means over seeds."""
    return mean(mean(one[program]) - mean(other[program]) for program in one)


def chance(one: Values, other: Values, draws: int = 4000) -> float:
    """How often a difference would be as large if it did not matter which method a run was of.

    A permutation test: within each program the runs of both are dealt out anew, which assumes nothing of how
    results are distributed and leaves out how programs differ.
    """
    rng = random.Random(1)
    seen = abs(difference(one, other)) - 1e-12
    as_large = 0
    for _ in range(draws):
        dealt: tuple[Values, Values] = ({}, {})
        for program in one:
            both = one[program] + other[program]
            rng.shuffle(both)
            dealt[0][program], dealt[1][program] = both[: len(one[program])], both[len(one[program]) :]
        as_large += abs(difference(*dealt)) >= seen
    return (as_large + 1) / (draws + 1)


@pytest.fixture(scope="module")
def runs(tmp_path_factory) -> list[dict]:
    """Ours and theirs on the same programs with the same budget, in one study."""
    needs("opentuner", "optuna_tpe")
    folder = tmp_path_factory.mktemp("peers")
    command = [ORDO, "eval", *PROGRAMS, "--methods", "bandit,peer/opentuner,tpe,peer/optuna_tpe", "--json"]
    command += ["--objectives", "ir_instructions", "--compiles", "100", "--seeds", str(SEEDS), "--quiet"]
    environment = os.environ | {"ORDO_PYTHON": sys.executable, "ORDO_CACHE": str(folder)}
    result = subprocess.run(
        [*command, "--study", folder / "s.sqlite"], cwd=ROOT, env=environment, capture_output=True, text=True
    )
    assert result.returncode == 0, result.stderr
    return [json.loads(line) for line in result.stdout.splitlines()]


@pytest.mark.parametrize(("ours", "theirs"), [("bandit", "peer/opentuner"), ("tpe", "peer/optuna_tpe")])
def test_ours_and_theirs_differ_by_chance(runs, ours, theirs):
    assert chance(at(runs, ours, 100), at(runs, theirs, 100)) > 0.01


@pytest.mark.parametrize("method", ["bandit", "peer/opentuner", "tpe", "peer/optuna_tpe"])
def test_what_is_no_chance_is_seen(runs, method):
    """The test above could fail: with a tenth of the budget each method is worse, and that is seen."""
    assert chance(at(runs, method, 10), at(runs, method, 100)) < 0.01
