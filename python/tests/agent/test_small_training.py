"""The whole in small, with Ordo's own tools: both stages, a dialogue of what came out, its recipe's proof."""

from __future__ import annotations

import json
import os
import pathlib
import subprocess
import sys

import pytest
from agent_parts import example

import ordo

for package in ("torch", "transformers", "peft", "trl", "datasets"):
    pytest.importorskip(package, reason=f"{package} is not installed (extra 'agent')")

ORDO = pathlib.Path(ordo.__file__).parent / "_native" / "bin" / "ordo"


def test_a_model_of_chance_is_taught_with_real_tools_and_what_it_submits_is_proved(tmp_path):
    env = os.environ | {"ORDO_PYTHON": sys.executable}

    def run(*words: str | pathlib.Path) -> str:
        done = subprocess.run(words, capture_output=True, text=True, cwd=tmp_path, env=env)
        assert done.returncode == 0, done.stderr
        return done.stdout

    sequences = ["sroa", "gvn", "simplifycfg"], ["sroa", "adce", "gvn"]
    lines = [
        example(sequence=each) | {"program": name}
        for each in sequences
        for name in ("suite/wc", "suite/crc32")
    ]
    (tmp_path / "lines.jsonl").write_text("".join(json.dumps(line) + "\n" for line in lines))
    run(
        *(sys.executable, "-m", "ordo.agent.train", "all", "--run", "run", "--lines", "lines.jsonl"),
        *("--model", "random:1", "--rank", "4", "--ordo", ORDO),
        # After so many steps two dialogues in three measure something: that one of 20 does is not left to chance.
        *"--sft-steps 40 --sft-batch 4 --sft-bf16 off --sft-learning-rate 1e-2".split(),
        *"--rl-steps 5 --rl-tasks 1 --rl-group 4 --rl-micro-batch 4".split(),
        *"--rl-turns 4 --rl-turn-tokens 24 --rl-constrained".split(),
    )
    events = [
        json.loads(line) for line in (tmp_path / "run" / "rl" / "events.jsonl").read_text().splitlines()
    ]
    assert len([event for event in events if "reward" in event]) == 5
    # Tools that answered have measured something.
    assert any(event["agent/compiles"] > 0 for event in events if "reward" in event), events[-1]
    said = run(ORDO, "agent", "suite/wc", "--model", f"hf:{tmp_path / 'run' / 'rl' / 'model'}", "--objective",
               "ir_instructions", "--budget", "60s,20evals", "--replies", "5", "-q", "--json")  # fmt: skip
    assert json.loads(said)["improvement"] >= 0
    run(ORDO, "verify", "wc.ordo.json", "suite/wc")
