"""Every wrapper does what its documentation says, and leaves Gymnasium's contract whole."""

from __future__ import annotations

import json
import multiprocessing
import sqlite3

import gymnasium
import numpy as np
import pytest
from conftest import SMALL
from gymnasium.utils.env_checker import check_env

import ordo
from ordo import wrappers

PASSES = ["sroa", "simplifycfg", "gvn", "inline"]


WRAPPERS = pytest.mark.parametrize(
    "wrap",
    [
        lambda env: wrappers.ActionHistory(env),
        lambda env: wrappers.ActionHistory(env, "last", length=3, normalize=True),
        lambda env: wrappers.ClampReward(env),
        lambda env: wrappers.ConstrainActions(env, PASSES),
        lambda env: wrappers.DictMask(env),
        lambda env: wrappers.HierarchicalActions(env),
        lambda env: wrappers.RandomProgram(env, SMALL),
        lambda env: wrappers.CyclePrograms(env, SMALL),
    ],
    ids=["histogram", "last", "clamp", "constrain", "mask", "hierarchical", "random", "cycle"],
)


# The checker would rather see an environment without wrappers, but here they are what is checked.
@pytest.mark.filterwarnings("ignore:.*is different from the unwrapped version")
@WRAPPERS
def test_gymnasium_finds_nothing_to_criticise(make, wrap):
    check_env(wrap(make(max_steps=4)), skip_render_check=True)


@pytest.mark.filterwarnings("ignore:.*is different from the unwrapped version")
@WRAPPERS
def test_the_spec_makes_an_environment_with_its_wrappers_again(wrap):
    env = wrap(gymnasium.make("ordo:ordo/Llvm-v0", program="suite/crc32", max_steps=4))
    again = gymnasium.make(env.spec)
    assert type(again) is type(env) and again.spec.additional_wrappers == env.spec.additional_wrappers
    assert again.action_space == env.action_space and again.observation_space == env.observation_space
    again.close()
    check_env(env)  # with rendering, for which it makes others


def test_records_are_made_again_with_their_files(tmp_path):
    for wrapper in (wrappers.LogToJsonl, wrappers.LogToSqlite):
        env = wrapper(
            gymnasium.make("ordo:ordo/Llvm-v0", program="suite/crc32"), tmp_path / "log", steps=False
        )
        saved = env.spec.additional_wrappers[-1].kwargs
        assert saved["path"] == tmp_path / "log" and saved["steps"] is False
        env.close()
        (tmp_path / "log").unlink(missing_ok=True)


def test_wrappers_work_inside_gymnasiums_make():
    env = gymnasium.make("ordo:ordo/Llvm-v0", program="suite/crc32")
    env = wrappers.DictMask(wrappers.ConstrainActions(env, PASSES))
    observation, info = env.reset(seed=0)
    assert env.actions == [*PASSES, "stop"] and env.action_space.n == 5
    assert observation["action_mask"].dtype == np.float32 and observation["action_mask"].shape == (5,)
    assert np.array_equal(env.action_masks(), info["action_mask"].astype(bool))
    env.close()


def test_constrained_actions_are_the_named_ones(make):
    env = wrappers.ConstrainActions(make(report_hash=True), PASSES)
    plain = make(report_hash=True)
    env.reset(seed=0)
    plain.reset(seed=0)
    for index, name in enumerate(PASSES):
        assert env.step(index)[4]["ir_hash"] == plain.step(plain.actions.index(name))[4]["ir_hash"]
    assert env.step(4)[4]["ending"] == "stopped"
    with pytest.raises(ValueError, match="no gnv; did you mean gvn"):
        wrappers.ConstrainActions(make(), ["gvn", "gnv"])


def test_action_history_counts_and_remembers(make):
    env = wrappers.ActionHistory(make(observation="inst_count"), normalize=True)
    observation, _ = env.reset(seed=0)
    assert observation.shape == env.observation_space.shape and not observation[-env.action_space.n :].any()
    env.step(20)
    env.step(20)
    copy = env.fork()
    observation = env.step(21)[0][-env.action_space.n :]
    assert observation[20] == np.float32(2 / 3) and observation[21] == np.float32(1 / 3)
    assert copy.step(20)[0][-env.action_space.n :][20] == 1
    last = wrappers.ActionHistory(make(), "last", length=3)
    last.reset()
    for action in (20, 21, 22, 23):
        observation = last.step(action)[0]
    assert list(observation[-3:]) == [23, 22, 21]
    with pytest.raises(ValueError, match="Box"):
        wrappers.ActionHistory(make(observation="ir"))
    copy.close()


def test_clamped_rewards_leak(make):
    env = wrappers.ClampReward(make())
    assert [env.reward(r) for r in (-3.0, -1.0, 0.5, 1.0, 11.0)] == pytest.approx(
        [-1.002, -1.0, 0.5, 1.0, 1.01]
    )
    with pytest.raises(ValueError, match="between"):
        wrappers.ClampReward(make(), low=1, high=0)


def test_programs_cycle_and_are_drawn_by_the_seed(make):
    env = wrappers.CyclePrograms(make(), SMALL, passes=1)
    assert [env.reset()[1]["program"] for _ in SMALL] == SMALL
    with pytest.raises(StopIteration):
        env.reset()
    assert env.reset(seed=0)[1]["program"] == SMALL[0]
    random = wrappers.RandomProgram(make(), SMALL)
    drawn = [[random.reset(seed=7 if i == 0 else None)[1]["program"] for i in range(12)] for _ in range(2)]
    assert drawn[0] == drawn[1] and set(drawn[0]) == set(SMALL)
    assert random.reset(options={"program": "suite/life"})[1]["program"] == "suite/life"


def test_hierarchical_actions_are_pairs(make):
    env = wrappers.HierarchicalActions(make())
    plain = make(report_hash=False)
    _, info = env.reset(seed=0)
    plain.reset(seed=0)
    passes, variants = env.action_space.nvec
    assert info["action_mask"].shape == (passes, variants)
    pairs = {(int(r), int(c)) for r, c in np.argwhere(env.flat >= 0)}
    assert len(pairs) == plain.action_space.n
    row = env.passes.index("function-simplification")
    assert env.parameters[row] == ["Oz", "O1"]
    env.step((row, 1))
    plain.step(plain.actions.index("function-simplification<O1>"))
    assert env.unwrapped.ir_hash() == plain.ir_hash()
    assert env.pass_mask().shape == (passes,) and env.variant_mask(row).shape == (variants,)
    assert env.action_masks().shape == (passes + variants,)
    # A pair that does not exist is replaced by one that does.
    assert env.step((env.passes.index("gvn"), variants - 1))[4]["replaced"]
    assert env.step((env.passes.index("stop"), 0))[4]["ending"] == "stopped"


def play(env: gymnasium.Env, episodes: int) -> None:
    for _ in range(episodes):
        _, info = env.reset(seed=0)
        done = False
        while not done:
            action = int(np.flatnonzero(info["action_mask"])[0])
            *_, terminated, truncated, info = env.step(action)
            done = terminated or truncated
    env.close()


def test_jsonl_has_a_line_for_each_step_and_episode(make, tmp_path):
    path = tmp_path / "deep" / "log.jsonl"
    play(wrappers.LogToJsonl(make(max_steps=3), path), 2)
    rows = [json.loads(line) for line in path.read_text().splitlines()]
    assert [row["kind"] for row in rows] == ["step", "step", "step", "episode"] * 2
    steps = [row for row in rows if row["kind"] == "step" and row["episode"] == 0]
    episode = rows[3]
    assert episode["return"] == pytest.approx(sum(row["reward"] for row in steps))
    assert episode["actions"] == [row["action"] for row in steps]
    assert episode["ending"] == "step limit" and episode["program"] == "suite/crc32"


def test_unfinished_episodes_are_recorded_as_such(make, tmp_path):
    env = wrappers.LogToJsonl(make(), tmp_path / "log", steps=False)
    env.reset()
    env.step(20)
    env.reset()
    env.step(21)
    env.close()
    rows = [json.loads(line) for line in (tmp_path / "log").read_text().splitlines()]
    assert [(row["ending"], row["steps"]) for row in rows] == [("abandoned", 1)] * 2


def write_some(path: str, episodes: int) -> None:
    play(wrappers.LogToSqlite(ordo.LlvmEnv("suite/crc32", max_steps=2), path), episodes)


def test_sqlite_takes_several_writers(tmp_path):
    path = str(tmp_path / "log.sqlite")
    context = multiprocessing.get_context("spawn")
    writers = [context.Process(target=write_some, args=(path, 10)) for _ in range(2)]
    for writer in writers:
        writer.start()
    for writer in writers:
        writer.join()
        assert writer.exitcode == 0
    database = sqlite3.connect(path)
    assert database.execute("PRAGMA journal_mode").fetchone() == ("wal",)
    assert database.execute("SELECT count(*), count(DISTINCT run) FROM episodes").fetchone() == (20, 2)
    assert database.execute("SELECT count(*) FROM steps").fetchone() == (40,)
    (difference,) = database.execute(
        "SELECT max(abs(e.return - (SELECT sum(reward) FROM steps s WHERE s.run = e.run"
        " AND s.episode = e.episode))) FROM episodes e"
    ).fetchone()
    assert difference < 1e-12
    database.close()


def test_records_can_be_forked(make, tmp_path):
    env = wrappers.LogToSqlite(make(max_steps=4), tmp_path / "log.sqlite")
    env.reset()
    env.step(20)
    copy = env.fork()
    for one in (env, copy):
        one.step(21)
        one.close()
    database = sqlite3.connect(tmp_path / "log.sqlite")
    assert database.execute("SELECT steps, ending FROM episodes").fetchall() == [(2, "abandoned")] * 2
    database.close()
