"""Both stages in small: a model of chance, demonstrations, the fake server; and going on where it stopped."""
# ruff: noqa: E402 (what may be missing is looked for first)

from __future__ import annotations

import dataclasses
import json
import pathlib
import shutil

import pytest
from agent_parts import SERVER, example

torch = pytest.importorskip("torch", reason="PyTorch is not installed (extra 'agent')")
for package in ("transformers", "peft", "trl", "datasets"):
    pytest.importorskip(package, reason=f"{package} is not installed (extra 'agent')")

from ordo.agent import model, rl, runs, sft, tasks, train, trainee
from ordo.agent.rewards import Outcome, Weights
from ordo.agent.tools import Server

torch.set_num_threads(1)  # of small matrices, which threads only wait for each other with

# Others' packages of the same month warn of each other's names, and bitsandbytes of what it lacks.
pytestmark = pytest.mark.filterwarnings("ignore")

SEQUENCES = (["sroa", "gvn", "simplifycfg"], ["sroa", "adce", "gvn"], ["gvn", "dse", "sroa"], ["licm", "gvn"])
LINES = [example(sequence=sequence) | {"program": f"suite/{k}"} for k, sequence in enumerate(SEQUENCES)]
SFT = sft.SftSettings(
    steps=5, batch=4, micro_batch=2, save_steps=3, log_steps=1, bf16="off", learning_rate=1e-2
)
RL = rl.RlSettings(
    steps=5, tasks=2, group=4, micro_batch=4, save_steps=3, turns=3, turn_tokens=24, constrained=True
)


def events(run: pathlib.Path) -> list[dict]:
    return [json.loads(line) for line in (run / "events.jsonl").read_text().splitlines()]


def run_sft(run: pathlib.Path, rank: int, settings: sft.SftSettings = SFT) -> trainee.Trainee:
    trained = trainee.prepare("random:1", LINES, rank=rank)
    checkpoint = runs.begin(run, {"rank": rank})
    sft.train_sft(trained, LINES, run, settings, half=False, checkpoint=checkpoint)
    return trained


@pytest.fixture(scope="module")
def taught(tmp_path_factory) -> pathlib.Path:
    """A folder with a run of five steps of the first stage, with LoRA."""
    run = tmp_path_factory.mktemp("sft")
    run_sft(run, 4).write(run / "model", {"stage": "sft"})
    return run


def run_rl(run: pathlib.Path, taught: pathlib.Path, settings: rl.RlSettings = RL) -> trainee.Trainee:
    trained = trainee.prepare(f"hf:{taught / 'model'}", rank=4)
    checkpoint = runs.begin(run, {})
    with Server(SERVER) as server:
        rl.train_rl(trained, [*map(tasks.task_of, LINES)], [server], run, settings, checkpoint=checkpoint)
    return trained


def weights_of(trained: trainee.Trainee) -> dict[str, torch.Tensor]:
    return {name: value for name, value in trained.agent.model.state_dict().items()}


def assert_same(one: trainee.Trainee, two: trainee.Trainee) -> None:
    ours, theirs = weights_of(one), weights_of(two)
    assert ours.keys() == theirs.keys()
    for name in ours:
        assert torch.equal(ours[name], theirs[name]), name


def test_five_steps_of_demonstrations_lower_the_loss(taught):
    losses = [event["loss"] for event in events(taught) if "loss" in event]
    assert len(losses) == 5 and losses[-1] < losses[0] - 0.5
    assert all(event["num_tokens"] > 0 for event in events(taught) if "loss" in event)
    assert any("tokens_per_second" in event for event in events(taught))


def test_what_is_shipped_is_small_and_says_what_it_is_for(taught):
    from safetensors import safe_open

    folder = taught / "model"
    assert sorted(path.name for path in folder.iterdir()) == ["agent.safetensors", "tokens.json"]
    with safe_open(folder / "agent.safetensors", "pt") as file:
        header = {key: json.loads(value) for key, value in file.metadata().items()}
    assert header["base"] == header["base_name"] == "random:1"
    assert header["tokens_version"] == 1 and header["spaces"] == ["ir_instructions", "text_bytes"]
    agent = model.load(f"hf:{folder}")
    assert header["tokens"] == agent.form.table.digest and header["stage"] == "sft"


@pytest.mark.parametrize("rank", [0, 4])
def test_what_was_written_says_the_same_as_what_was_trained(tmp_path, rank):
    trained = run_sft(tmp_path, rank)
    trained.write(tmp_path / "model", {})
    agent = model.load(f"hf:{tmp_path / 'model'}")
    ids = torch.tensor([agent.form.encode(LINES[0]["messages"]).ids])
    with torch.inference_mode():
        theirs = trained.agent.model.eval()(ids).logits
        assert torch.allclose(agent.model(ids).logits, theirs, atol=2e-2)  # it is written in half precision


def test_a_table_of_another_model_is_refused(taught, tmp_path):
    folder = shutil.copytree(taught / "model", tmp_path / "model")
    table = json.loads((folder / "tokens.json").read_text())
    table["names"][-1] = "piece:other"
    (folder / "tokens.json").write_text(json.dumps(table))
    with pytest.raises(ValueError, match="not the table"):
        model.load(f"hf:{folder}")


@pytest.mark.parametrize("rank", [0, 4])
def test_supervised_training_goes_on_as_if_it_had_not_stopped(tmp_path, rank):
    whole = run_sft(tmp_path / "whole", rank)
    run_sft(tmp_path / "stopped", rank)
    shutil.rmtree(tmp_path / "stopped" / "checkpoint-5")
    recorded = len(events(tmp_path / "stopped"))
    again = run_sft(tmp_path / "stopped", rank)
    assert_same(whole, again)
    assert len(events(tmp_path / "stopped")) == recorded  # what came after the checkpoint was forgotten
    losses = [[e["loss"] for e in events(tmp_path / run) if "loss" in e] for run in ("whole", "stopped")]
    assert losses[0] == losses[1]


def test_five_steps_of_rewards_change_the_model_and_are_recorded(taught, tmp_path):
    before = weights_of(trainee.prepare(f"hf:{taught / 'model'}", rank=4))
    after = weights_of(run_rl(tmp_path, taught))
    assert any(not torch.equal(before[name], after[name]) for name in before)
    recorded = [event for event in events(tmp_path) if "reward" in event]
    assert len(recorded) == 5
    for event in recorded:
        parts = [event[f"rewards/{part}/mean"] for part in ("format", "answer", "price")]
        assert event["reward"] == pytest.approx(sum(parts), abs=1e-5)
        assert event["completions/mean_length"] > 0 and event["agent/turns"] >= 1


def test_training_with_rewards_goes_on_as_if_it_had_not_stopped(taught, tmp_path):
    whole = run_rl(tmp_path / "whole", taught)
    run_rl(tmp_path / "stopped", taught)
    shutil.rmtree(tmp_path / "stopped" / "checkpoint-5")
    assert_same(whole, run_rl(tmp_path / "stopped", taught))


@pytest.mark.parametrize("estimator", ["rloo", "reinforce++", "dr_grpo"])
def test_other_estimators_train(taught, tmp_path, estimator):
    run_rl(tmp_path, taught, dataclasses.replace(RL, steps=1, estimator=estimator))
    assert [event["step"] for event in events(tmp_path) if "reward" in event] == [1]


@pytest.mark.parametrize(
    ("estimator", "expected"),
    [
        ("dr_grpo", [-1.0, 0.0, 1.0, 0.0, 0.0, 0.0]),
        ("grpo", [-1.0, 0.0, 1.0, 0.0, 0.0, 0.0]),
        ("rloo", [-1.5, 0.0, 1.5, 0.0, 0.0, 0.0]),
        ("reinforce++", [-1.5811, 0.0, 1.5811, 0.0, 0.0, 0.0]),
    ],
)
def test_estimators_are_as_documented(estimator, expected):
    found = rl.advantages(torch.tensor([1.0, 2.0, 3.0, 5.0, 5.0, 5.0]), 3, estimator)
    assert found.tolist() == pytest.approx(expected, abs=1e-3)


def test_what_cannot_be_judged_counts_nowhere():
    values = torch.tensor([1.0, float("nan"), 3.0])
    assert rl.advantages(values, 3, "dr_grpo").tolist() == [-1.0, 0.0, 1.0]
    assert rl.advantages(values * float("nan"), 3, "grpo").tolist() == [0.0] * 3
    with pytest.raises(ValueError, match="no estimator"):
        rl.advantages(values, 3, "ppo")


def test_tools_that_die_all_the_time_train_nothing_and_end(taught, tmp_path):
    trained = trainee.prepare(f"hf:{taught / 'model'}", rank=4)
    before = {name: value.clone() for name, value in weights_of(trained).items()}
    with Server([*SERVER, "noise"]) as server:
        settings = dataclasses.replace(RL, steps=1)
        runs.begin(tmp_path, {})
        rl.train_rl(trained, [*map(tasks.task_of, LINES)], [server], tmp_path, settings)
    assert events(tmp_path)[0]["agent/failures"] == 8
    assert all(torch.equal(before[name], value) for name, value in weights_of(trained).items())


def test_a_reward_is_of_its_parts():
    from ordo.agent.play import Episode

    good = Episode(tasks.task_of(LINES[0]), [], [1], [2, 3], [True, False], [-1.0, 0.0], Outcome(1, 1))
    dead = Episode(tasks.task_of(LINES[0]), [], [1], outcome=Outcome(failure="gone"))
    made = rl._as_rollout([good, dead], Weights(), 9)
    assert made["completion_ids"] == [[2, 3], [9]] and made["env_mask"] == [[1, 0], [0]]
    assert made["reward"][0] == pytest.approx(0.25) and made["reward"][1] != made["reward"][1]


def test_the_command_trains_both_stages_and_goes_on(tmp_path, capsys):
    file = tmp_path / "lines.jsonl"
    file.write_text("".join(json.dumps(line) + "\n" for line in LINES))
    command = [
        "all",
        "--run",
        str(tmp_path / "run"),
        "--lines",
        str(file),
        "--model",
        "random:1",
        "--rank",
        "4",
    ]
    command += ["--server", *SERVER]
    command += "--sft-steps 2 --sft-batch 2 --sft-bf16 off --rl-steps 2 --rl-tasks 1 --rl-group 2".split()
    command += "--rl-micro-batch 2 --rl-turns 2 --rl-turn-tokens 16 --reward-alpha 10".split()
    train.main(command)
    assert "reward" in json.loads(capsys.readouterr().out)
    assert model.load(f"hf:{tmp_path / 'run' / 'rl' / 'model'}").form.name == "compact"
    train.main(command)  # there is nothing left to do
    with pytest.raises(SystemExit, match="RlSettings.turns was 2 and is 3"):
        train.main([*command, "--rl-turns", "3"])


@pytest.mark.parametrize(
    ("content", "complaint", "code"),
    [
        ("{", "lines.jsonl:1 is no JSON", 65),
        ('{"version": 7}', "no dialogue of version 1 or 2", 65),
        ('{"version": 1, "program": "x"}', "lacks messages, tools", 65),
        ("", "no dialogue to learn from", 64),
        (None, "No such file", 66),
    ],
)
def test_what_is_wrong_with_demonstrations_is_said(tmp_path, content, complaint, code):
    if content is not None:
        (tmp_path / "lines.jsonl").write_text(content)
    with pytest.raises(SystemExit, match=complaint) as ended:
        train.main(
            [
                "sft",
                "--run",
                str(tmp_path / "r"),
                "--lines",
                str(tmp_path / "lines.jsonl"),
                "--model",
                "random:1",
            ]
        )
    assert ended.value.code == code


def test_an_odd_step_is_refused(taught, tmp_path):
    for changes in ({"group": 1}, {"micro_batch": 3}):
        with pytest.raises(ValueError, match="group|micro-batches"):
            rl.train_rl(None, [], [], tmp_path, dataclasses.replace(RL, **changes))
