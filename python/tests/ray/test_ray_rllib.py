"""RLlib: our network and environment in its hands, and what it trained as the compiler loads it."""

from __future__ import annotations

import json
import pathlib
import sqlite3
import subprocess

import numpy as np
import pytest
from conftest import ROOT, SMALL

import ordo
from ordo import _core

pytest.importorskip("ray", reason="Ray is not installed: ./ordo python --with rllib")
torch = pytest.importorskip("torch")
pytestmark = pytest.mark.filterwarnings("default")

from gymnasium import spaces  # noqa: E402
from gymnasium.utils.env_checker import check_env  # noqa: E402

import ordo.rllib  # noqa: E402
from ordo.rllib import experience, export, sight, train  # noqa: E402
from ordo.rllib.module import ILLEGAL, PolicyModule  # noqa: E402

SHIPPED = ROOT / "data/experience/debian.jsonl"
#: As small as a training gets.
LITTLE = [
    "--hidden",
    "16",
    "--blocks",
    "1",
    "--programs",
    "2",
    "--group",
    "2",
    "--rollouts",
    "4",
    "-j",
    "2",
    "-q",
]


@pytest.fixture(scope="module")
def known() -> experience.Experience:
    return experience.read(SHIPPED)


@pytest.fixture(scope="module")
def little(tmp_path_factory: pytest.TempPathFactory, known: experience.Experience) -> pathlib.Path:
    """Experience with small programs of the suite."""
    path = tmp_path_factory.mktemp("experience") / "little.jsonl"
    with SHIPPED.open(encoding="utf-8") as file:
        header = file.readline()
    sequences = [["sroa", "early-cse", "simplifycfg"], ["mem2reg", "instcombine<no-verify-fixpoint>"]]
    best = [{"actions": [known.actions.index(name) for name in one]} for one in sequences]
    runs = [
        {
            "uri": uri,
            "objective": "ir_instructions",
            "best": best,
            "references": {"initial": {"ir_instructions": 100}},
        }
        for uri in SMALL
    ]
    path.write_text(header + "".join(json.dumps(run) + "\n" for run in runs), encoding="utf-8")
    return path


@pytest.fixture(scope="module")
def trained(tmp_path_factory: pytest.TempPathFactory, little: pathlib.Path) -> pathlib.Path:
    """The folder of a PPO of one iteration: ``checkpoint`` and ``ppo.safetensors``."""
    folder = tmp_path_factory.mktemp("ppo")
    arguments = [str(little), *LITTLE, "--checkpoint", str(folder / "checkpoint")]
    assert train.main([*arguments, "-o", str(folder / "ppo.safetensors")]) == 0
    return folder


def walk(known: experience.Experience, states: int) -> np.ndarray:
    """Rows of states on random ways through small programs."""
    env = sight.PolicyVectorEnv(4, actions=known.actions, space=known.space, program=SMALL, seed=3)
    chance = np.random.default_rng(3)
    rows, _ = env.reset()
    seen = [rows]
    while len(seen) * 4 < states:
        actions = [chance.choice(np.flatnonzero(row[env.features :])) for row in rows]
        rows = env.step(np.array(actions))[0]
        seen.append(rows)
    env.close()
    return np.concatenate(seen)[:states]


def module_of(known: experience.Experience, rows: np.ndarray, **options: object) -> PolicyModule:
    actions = len(known.actions) + 1
    config = {"architecture": "residual", "hidden": 16, "blocks": 2, "features": rows.shape[1] - actions}
    return PolicyModule(
        observation_space=spaces.Box(-1e6, 1e6, rows.shape[1:]),
        action_space=spaces.Discrete(actions),
        model_config=config | options,
    )


def test_a_single_environment_passes_the_check(make):
    check_env(ordo.rllib.create({"program": "suite/crc32", "mask": True}).unwrapped, skip_render_check=True)


def test_a_single_environment_passes_rllibs_own_check():
    # RLlib has one for many agents only, and a wrapper that makes one agent many.
    from ray.rllib.env.multi_agent_env import make_multi_agent
    from ray.rllib.utils.pre_checks.env import check_multiagent_environments

    several = make_multi_agent(ordo.rllib.create)
    env = several({"num_agents": 2, "program": "suite/crc32", "mask": True})
    check_multiagent_environments(env)
    env.close()


def test_the_vector_shows_what_a_policy_sees(known):
    env = sight.PolicyVectorEnv(
        2, actions=[*known.actions, "no-such-pass"], space=known.space, program=SMALL, seed=1
    )
    first, _ = env.reset()
    assert all(env.single_observation_space.contains(row) for row in first)
    assert not first[:, env.features + len(known.actions)].any()  # what the space lacks is never legal
    assert not first[:, -1].any()  # nor is to stop, before the last step
    ends = []
    for _ in range(2 * sight.ONLY_STEPS + 2):
        legal = first[:, env.features :]
        first, rewards, terminated, truncated, _ = env.step(legal.argmax(axis=1))
        ends.append(terminated.all())
        assert not truncated.any()
    # The step after an end is a reset, which earns nothing.
    assert [i for i, end in enumerate(ends) if end] == [23, 48]
    env.close()
    with pytest.raises(ValueError, match="knows none of the actions"):
        sight.PolicyVectorEnv(1, actions=["no-such-pass"], program=SMALL)


def test_the_mask_reaches_the_logits_and_nothing_else(known):
    rows = torch.from_numpy(walk(known, 8))
    module = module_of(known, rows.numpy())
    torch.nn.init.normal_(module.network.logits.weight)
    torch.nn.init.normal_(module.network.value.weight)
    batch = {"obs": rows.clone()}
    out = module.forward_train(batch)
    illegal = rows[:, module._features :] == 0
    assert illegal.any() and torch.equal(out["action_dist_inputs"] == ILLEGAL, illegal)
    values = module.compute_values(batch)
    assert torch.equal(values, module.compute_values(batch, embeddings=out["embeddings"]))
    assert list(batch) == ["obs"] and torch.equal(batch["obs"], rows)
    other = rows.clone()
    other[:, module._features :] = 1
    assert torch.equal(values, module.compute_values({"obs": other}))
    # Learners pad with zeros.
    assert module.forward_train({"obs": torch.zeros_like(rows)})["action_dist_inputs"].min() > ILLEGAL


@pytest.mark.parametrize("architecture", ["residual", "linear"])
def test_what_is_exported_is_what_was_there(known, tmp_path, architecture):
    rows = walk(known, 1000)
    module = module_of(known, rows, architecture=architecture, about=known.about())
    for parameter in module.network.parameters():
        torch.nn.init.normal_(parameter, std=0.2)
    assert_equal(known, module, rows, tmp_path / "policy.safetensors")


def assert_equal(
    known: experience.Experience, module: PolicyModule, rows: np.ndarray, path: pathlib.Path
) -> None:
    """Exports, and compares what RLlib and the compiler say of the same states."""
    export.write(module, path)
    out = module.forward_inference({"obs": torch.from_numpy(rows)})["action_dist_inputs"].numpy()
    policy = _core.Policy.load(str(path))
    assert policy.info["actions"] == [*known.actions, "stop"]
    features = np.ascontiguousarray(rows[:, : module._features])
    logits = np.empty((len(rows), len(known.actions) + 1), np.float32)
    values = np.empty(len(rows), np.float32)
    policy.evaluate(features, logits, values)
    legal = rows[:, module._features :] > 0
    np.testing.assert_allclose(np.where(legal, logits, ILLEGAL), out, rtol=1e-5, atol=1e-5)
    assert (np.where(legal, logits, -np.inf).argmax(axis=1) == out.argmax(axis=1)).all()
    theirs = module.compute_values({"obs": torch.from_numpy(rows)}).detach().numpy()
    np.testing.assert_allclose(values, theirs, rtol=1e-5, atol=1e-5)


def test_ppo_leaves_a_checkpoint_and_weights(known, trained, tmp_path):
    module = export.load(trained / "checkpoint")
    assert any(parameter.any() for parameter in module.network.logits.parameters())  # it has learned
    assert_equal(known, module, walk(known, 1000), tmp_path / "policy.safetensors")
    assert (
        _core.Policy.load(str(trained / "ppo.safetensors"))
        .info["provenance"]
        .startswith("4 rollouts of RLlib's PPO")
    )


def test_training_goes_on_from_a_checkpoint_and_from_weights(trained, little, tmp_path, capsys):
    arguments = [str(little), *LITTLE, "--from", str(trained / "ppo.safetensors"), "--json"]
    arguments[arguments.index("--rollouts") + 1] = "6"
    arguments += ["--checkpoint", str(trained / "checkpoint"), "-o", str(tmp_path / "on.safetensors")]
    assert train.main(arguments) == 0
    assert [json.loads(line)["iteration"] for line in capsys.readouterr().out.splitlines()[:-1]] == [2]


def test_appo_trains_the_same_network(little, tmp_path):
    out = tmp_path / "appo.safetensors"
    assert train.main([str(little), *LITTLE, "--algorithm", "appo", "-o", str(out)]) == 0
    assert _core.Policy.load(str(out)).info["hidden"] == 16


def test_experience_becomes_parquet_in_rllibs_columns(known, little, tmp_path):
    import pyarrow.parquet

    rows = experience.write_parquet(
        experience.read(little), tmp_path / "offline", "ir_instructions", ["suite/crc32"], 2, "immediate"
    )
    table = pyarrow.parquet.read_table(tmp_path / "offline").to_pydict()
    assert rows == len(table["t"]) == 7  # three actions, two, and a stop behind each
    assert table["terminateds"] == [False, False, False, True, False, False, True]
    assert table["t"] == [0, 1, 2, 3, 0, 1, 2]
    assert table["actions"][3] == len(known.actions)
    assert table["new_obs"][0] == table["obs"][1] != table["obs"][0]
    assert sum(table["rewards"][:4]) > 0


@pytest.mark.parametrize("algorithm", ["bc", "marwil"])
def test_offline_algorithms_learn_from_it(little, tmp_path, algorithm):
    out = tmp_path / "learned.safetensors"
    arguments = [str(little), *LITTLE, "--algorithm", algorithm, "--iterations", "2", "-o", str(out)]
    assert train.main([*arguments, "--offline", str(tmp_path / "offline")]) == 0
    policy = _core.Policy.load(str(out))
    assert policy.info["provenance"].startswith(f"2 iterations of RLlib's {algorithm.upper()}")
    weights = _core.policy_weights(str(out))
    assert weights["logits.weight"].any() and (algorithm == "bc" or weights["value.weight"].any())


#: A loop whose candidates are one program: each experiment is over without a request, with a reward of 0.
LOOP = """
format = 1
store = "loop.sqlite"
[build]
command = ["/bin/cp", "/bin/true", "{output}"]
production = "O3"
candidates = ["short", "long"]
[recipes]
short = ["short.ordo.json"]
long = ["long.ordo.json"]
[stage]
runs = [[]]
budget_s = 0
[pools]
deploy = ["/bin/true"]
stop = ["/bin/true"]
[balancer]
set = ["/bin/true"]
look = ["/bin/echo", "-e", "production 256 up 0 0\\ncontrol 0 up 0 0\\ncanary 0 up 0 0"]
[prometheus]
port = 1
histogram = "none"
[pace]
tick_s = 0.05
lease_s = 30
"""


@pytest.fixture(scope="module")
def exported(tmp_path_factory: pytest.TempPathFactory) -> pathlib.Path:
    """What `ordo loop export` writes of a store with six experiments."""
    folder = tmp_path_factory.mktemp("loop")
    binary = pathlib.Path(ordo.__file__).parent / "_native" / "bin" / "ordo"

    def run(*words: str) -> None:
        done = subprocess.run([binary, *words], cwd=folder, capture_output=True, text=True)
        assert done.returncode == 0, done.stderr

    for name, budget in (("short", "10evals"), ("long", "40evals")):
        tune = ["tune", "suite/crc32", "--objective", "ir_instructions", "--searcher", "random", "--jobs", "1"]
        run(*tune, "--budget", budget, "-o", f"{name}.o", "--recipe", f"{name}.ordo.json")
    (folder / "loop.toml").write_text(LOOP, encoding="utf-8")
    run("loop", "run", "-q", "--experiments", "6")
    store = sqlite3.connect(folder / "loop.sqlite")
    store.execute(
        "UPDATE reward SET error = 0.01, value = (SELECT CASE candidate WHEN 'long' THEN 0.1 ELSE -0.1 END"
        " FROM experiment WHERE id = reward.experiment)"
    )
    store.commit()
    store.close()
    run("loop", "export", "-o", "experience.jsonl")
    return folder / "experience.jsonl"


def test_what_production_said_becomes_parquet(exported, tmp_path):
    import pyarrow.parquet

    known = experience.read(exported)
    assert len(known.trials) == 6 and set(known.made_by) == {"short", "long"}
    experience.write_parquet(known, tmp_path / "offline", "runtime", ["suite/crc32"], 1, "final")
    table = pyarrow.parquet.read_table(tmp_path / "offline").to_pydict()
    ends = [place for place, end in enumerate(table["terminateds"]) if end]
    assert len(ends) == 6 == len(set(table["eps_id"]))
    rewards = np.array(table["rewards"])
    assert sorted(rewards[ends]) == pytest.approx(sorted(trial.reward for trial in known.trials))
    assert not np.delete(rewards, ends).any()


def test_marwil_learns_from_a_store(exported, tmp_path):
    out = tmp_path / "learned.safetensors"
    arguments = [str(exported), *LITTLE, "--algorithm", "marwil", "--iterations", "1", "-o", str(out)]
    assert train.main([*arguments, "--offline", str(tmp_path / "offline")]) == 0
    policy = _core.Policy.load(str(out))
    assert policy.info["provenance"].startswith("1 iterations of RLlib's MARWIL")
    assert _core.policy_weights(str(out))["logits.weight"].any()


def test_only_offline_algorithms_learn_from_a_store(exported, capsys):
    assert train.main([str(exported), *LITTLE]) == 1
    assert "bc and marwil learn from it" in capsys.readouterr().err


def test_what_is_no_checkpoint_or_experience_is_said(tmp_path, capsys):
    assert export.main([str(tmp_path)]) == 1
    assert "is no checkpoint of RLlib" in capsys.readouterr().err
    (tmp_path / "x.jsonl").write_text("{}\n", encoding="utf-8")
    assert train.main([str(tmp_path / "x.jsonl")]) == 1
    assert "x.jsonl:1 is no experience of 'ordo collect'" in capsys.readouterr().err


def test_a_checkpoint_is_whole_whenever_training_is_killed(tmp_path):
    class Algorithm:
        """Is killed while it writes, unless told otherwise."""

        def __init__(self, ends: bool):
            self.ends = ends

        def save_to_path(self, path: str) -> None:
            (pathlib.Path(path)).mkdir()
            if not self.ends:
                raise KeyboardInterrupt
            (pathlib.Path(path) / "rllib_checkpoint.json").write_text(str(self.ends))

    folder = tmp_path / "run"
    assert train._last(folder) is None
    train._save(Algorithm(True), folder)
    train._save(Algorithm(True), folder)  # in the place of the last
    for _ in range(2):
        with pytest.raises(KeyboardInterrupt):
            train._save(Algorithm(False), folder)
        assert train._last(folder) == folder
    folder.rename(tmp_path / "run.old")  # killed before the next had its place
    assert train._last(folder) == tmp_path / "run.old"
    train._save(Algorithm(True), folder)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["run"]
