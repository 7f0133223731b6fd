"""The single environment: Gymnasium's contract, and what goes beyond it."""

from __future__ import annotations

import os
import pickle
import signal
import threading

import gymnasium
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env

import ordo
from ordo.config import VariableArray, VariableBytes


def test_a_reward_of_run_time_is_paid_at_the_end_and_once_measured_stays(tmp_path):
    with pytest.raises(ValueError, match="runtime/BASELINE@end"):
        ordo.LlvmEnv(program="suite/crc32", reward="runtime/clang-O3")
    with pytest.raises(ValueError, match="trial_seconds is more than 0"):
        ordo.LlvmEnv(program="suite/crc32", reward="runtime/clang-O3@end", trial_seconds=0)
    env = ordo.LlvmEnv(
        program="suite/crc32", reward="runtime/clang-O3@end", level="O3", max_steps=2, trial_seconds=0.1
    )
    returns = []
    for _ in range(2):
        env.reset(seed=1)
        _, between, *_ = env.step(env.actions.index("globaldce"))
        _, paid, terminated, _, info = env.step(len(env.actions) - 1)
        assert between == 0 and terminated and info["status"] == "ok"
        assert paid == pytest.approx(1 - info["metric"])
        returns.append(paid)
    assert returns[0] == returns[1]
    (tmp_path / "f.c").write_text("int f(int x) { return x + 1; }\n")
    with pytest.raises(ordo.Error, match="nothing says how this one is"):
        ordo.LlvmEnv(program=str(tmp_path / "f.c"), reward="runtime/clang-O3@end").reset()
    env.close()


@pytest.mark.parametrize(
    "options",
    [
        {"render_mode": "ansi"},
        {"observation": ["autophase", "action_histogram", "ir_instructions/clang-Oz"], "max_steps": 5},
        {"observation": "autophase_norm", "reward": "ir_instructions@end", "verify": True},
        {"observation": "action_history", "max_steps": 7, "stop_action": False, "report_hash": True},
        {"program": ["suite/crc32", "suite/wc"], "reward": "ir_instructions/initial", "max_uses": 1},
    ],
    ids=["default", "dict", "end", "history", "programs"],
)
def test_gymnasium_finds_nothing_to_criticise(options):
    env = gymnasium.make("ordo:ordo/Llvm-v0", **({"program": "suite/crc32"} | options))
    check_env(env.unwrapped)
    env.close()


def test_the_sum_of_rewards_is_what_the_definition_says(make):
    env = make(reward="ir_instructions", max_steps=10)
    _, info = env.reset(seed=3)
    first, total, done = info["metric"], 0.0, False
    while not done:
        _, reward, terminated, truncated, info = env.step(env.action_space.sample(info["action_mask"]))
        total += reward
        done = terminated or truncated
    assert total == first - info["metric"]
    assert "C(" in env.reward_definition


def test_a_reward_at_the_end_comes_at_the_end(make):
    rewards = {}
    for name in ("ir_instructions", "ir_instructions@end"):
        env = make(reward=name, max_steps=6)
        env.reset(seed=0)
        rewards[name] = [env.step(action)[1] for action in (20, 21, 22, 23, env.actions.index("stop"))]
    assert rewards["ir_instructions@end"][:-1] == [0, 0, 0, 0]
    assert rewards["ir_instructions@end"][-1] == sum(rewards["ir_instructions"])


def test_masks_are_obeyed_and_never_empty(make):
    env = make(max_uses=1, max_steps=30)
    _, info = env.reset(seed=0)
    stop = env.actions.index("stop")
    used = set()
    for _ in range(30):
        mask = info["action_mask"]
        assert mask[stop] == 1 and mask.dtype == np.int8
        assert np.array_equal(env.action_masks(), mask.astype(bool))
        assert not used & set(np.flatnonzero(mask))
        choices = np.flatnonzero(mask[:stop])
        if not len(choices):
            break
        action = int(choices[0])
        *_, info = env.step(action)
        used.add(action)


def test_the_step_limit_truncates_and_stop_terminates(make):
    env = make(max_steps=2)
    env.reset()
    env.step(20)
    _, _, terminated, truncated, info = env.step(21)
    assert (terminated, truncated, info["ending"]) == (False, True, "step limit")
    env.reset()
    _, _, terminated, truncated, info = env.step(env.actions.index("stop"))
    assert (terminated, truncated, info["ending"]) == (True, False, "stopped")


def test_gymnasiums_own_time_limit_works_too():
    env = gymnasium.make("ordo:ordo/Llvm-v0", program="suite/crc32", max_episode_steps=2)
    env.reset(seed=0)
    assert env.step(20)[2:4] == (False, False)
    assert env.step(21)[2:4] == (False, True)
    env.close()


def test_fork_undo_and_replay_lead_to_the_same_state(make):
    env = make(max_steps=0, report_hash=True)
    _, info = env.reset(seed=5)
    actions, hashes = [], [env.ir_hash()]
    for _ in range(12):
        action = int(env.action_space.sample(info["action_mask"]))
        if env.actions[action] == "stop":
            continue
        *_, info = env.step(action)
        if info["status"] == "ok":
            actions.append(action)
            hashes.append(info["ir_hash"])
    copy = env.fork()
    assert copy.ir_hash() == env.ir_hash() == hashes[-1]
    copy.step(env.actions.index("mem2reg") if "mem2reg" in env.actions else 0)
    assert env.ir_hash() == hashes[-1], "a fork is independent"
    env.undo(3)
    assert env.ir_hash() == hashes[-4]
    replay = make(max_steps=0)
    replay.reset()
    for action in actions:
        replay.step(action)
    assert replay.ir_hash() == hashes[-1]
    assert replay.state()["actions"] == [env.actions[action] for action in actions]
    copy.close()


def test_a_fork_continues_as_the_original_does(make):
    env = make(observation=["autophase", "action_history"], max_steps=20)
    env.reset(seed=0)
    for action in (14, 15, 16):
        env.step(action)
    copy = env.fork()
    for action in (20, 30, 40):
        (one, *left), (other, *right) = env.step(action), copy.step(action)
        assert left[:3] == right[:3]
        assert all(np.array_equal(one[name], other[name]) for name in one)
    copy.close()


def test_the_program_can_be_named_at_reset(make):
    env = make(["suite/crc32", "suite/wc"])
    assert env.reset(options={"program": "suite/base64"})[1]["program"] == "suite/base64"
    drawn = [env.reset(seed=seed)[1]["program"] for seed in range(8)]
    assert set(drawn) == {"suite/crc32", "suite/wc"}
    assert drawn == [env.reset(seed=seed)[1]["program"] for seed in range(8)]


def test_observations_of_any_size(make):
    env = make(observation=["ir", "bitcode", "program_graph", "ir2vec_functions", "autophase"])
    observation, _ = env.reset(seed=0)
    assert isinstance(env.observation_space["ir"], VariableBytes)
    assert isinstance(env.observation_space["ir2vec_functions"], VariableArray)
    assert env.observation_space.contains(observation)
    assert b"define" in observation["ir"] and observation["bitcode"][:2] == b"BC"
    assert observation["ir"] == env.observe("ir")
    assert np.array_equal(observation["ir2vec_functions"], env.observe("ir2vec_functions"))
    assert env.observation_space.contains(env.observation_space.sample())


def test_an_episode_may_be_a_function(make):
    functions = ordo.functions("suite/chess")
    assert "suite/chess#play" in functions and len(set(functions)) == len(functions)
    env = make("suite/chess#*", reward="ir_instructions/clang-Oz")
    assert env.programs == functions
    seen = set()
    for seed in range(4):
        _, info = env.reset(seed=seed)
        seen.add(info["program"])
        assert env.step(env.actions.index("simplifycfg"))[4]["status"] == "ok"
    assert len(seen) > 1 and seen <= set(functions)
    assert make("suite/chess#play").reset(seed=1)[0] is not None
    with pytest.raises(ordo.Error, match="there is no function 'nobody'"):
        make("suite/chess#nobody").reset()
    with pytest.raises(ordo.Error, match="does not run by itself"):
        make("suite/chess#play", reward="runtime/clang-O3@end", level="O3").reset()


def test_a_file_of_ones_own_is_a_program(make, tmp_path):
    source = tmp_path / "twice.c"
    source.write_text("int twice(int x) { int y = x; return y + x; }\n")
    env = make(str(source), reward="ir_instructions")
    env.reset()
    assert env.measure("ir_instructions") > 0


def test_rendering_shows_what_was_done(make):
    env = make(render_mode="ansi")
    env.reset(seed=0)
    assert "ir_instructions" in env.render()
    env.step(20)
    assert env.actions[20] in env.render()
    picture = make(render_mode="rgb_array")
    picture.reset(seed=0)
    assert picture.render().shape == (240, 480, 3)


def test_human_rendering_prints(make, capsys):
    env = make(render_mode="human")
    env.reset(seed=0)
    env.step(20)
    assert env.actions[20] in capsys.readouterr().out


def test_groups_are_a_partition_of_the_actions(make):
    env = make()
    members = sorted(action for group in env.groups for action in group["actions"])
    assert members == list(range(len(env.actions) - 1))
    by_name = {group["pass"]: group for group in env.groups}
    assert by_name["function-simplification"]["parameters"][:2] == ["Oz", "O1"]


# -- What goes wrong ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("options", "error"),
    [
        ({"observation": "autophse"}, "autophase"),
        ({"reward": "ir_instructoins"}, "ir_instructions"),
        ({"reward": "ir_instructions/clang-Oy"}, "clang-O"),
        ({"space": "sizes"}, "size"),
        ({"level": "O7"}, "O"),
    ],
)
def test_misspelt_names_are_corrected(options, error):
    with pytest.raises((ValueError, ordo.Error), match=error):
        ordo.LlvmEnv("suite/crc32", **options)


def test_unknown_options_are_errors():
    with pytest.raises(TypeError, match="rewards"):
        ordo.LlvmEnv("suite/crc32", rewards="ir_instructions")


def test_misuse_is_an_error_that_says_so(make):
    env = make(max_steps=1)
    with pytest.raises(ValueError, match="reset"):
        env.step(0)
    env.reset()
    with pytest.raises(ValueError, match="action 1000 is not in"):
        env.step(1000)
    env.step(20)
    with pytest.raises(ValueError, match="the episode has ended"):
        env.step(20)
    env.reset()
    env.close()
    env.close()
    with pytest.raises(ordo.Error, match="closed"):
        env.step(0)
    with pytest.raises(ordo.Error, match="closed"):
        env.reset()


def test_programs_that_are_not_there_are_errors(make):
    with pytest.raises((ValueError, ordo.Error), match="crc32"):
        make("suite/crc23").reset()
    with pytest.raises((ValueError, ordo.Error)):
        make("/nowhere/at/all.c").reset()


def test_pickling_copies_how_an_environment_was_made(make):
    env = make("suite/wc", observation="inst_count", max_steps=3)
    env.reset()
    env.step(20)
    copy = pickle.loads(pickle.dumps(env))
    assert copy.config == env.config and copy.programs == ["suite/wc"]
    with pytest.raises(ValueError, match="reset"):
        copy.step(0)
    assert np.array_equal(copy.reset()[0], env.reset()[0])
    copy.close()


def test_ctrl_c_ends_a_step_and_the_environment_survives(make):
    # The slowest of what the suite has: whole pipelines on its largest program.
    env = make("suite/minivm", max_steps=0)
    env.reset(seed=0)
    slow = env.actions.index("clang-Oz")
    # A shell has background jobs ignore SIGINT, and Python keeps to that.
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    timer = threading.Timer(0.3, os.kill, (os.getpid(), signal.SIGINT))
    timer.start()
    try:
        with pytest.raises(KeyboardInterrupt):
            for _ in range(1000):
                env.step(slow)
    finally:
        timer.join()
        signal.signal(signal.SIGINT, before)
    _, info = env.reset(seed=0)
    assert info["status"] == "ok"
    *_, info = env.step(20)
    assert info["status"] == "ok"


def test_the_registry_knows_both_entry_points():
    spec = gymnasium.spec("ordo/Llvm-v0")
    assert spec.entry_point and spec.vector_entry_point


def test_the_package_says_what_there_is():
    assert ordo.info()["version"].startswith("22.")
    assert {"suite", "csmith"} <= {dataset["name"] for dataset in ordo.datasets()}
    assert "suite/crc32" in ordo.programs("suite")
    assert ordo.programs("suite", 3, seed=1) == ordo.programs("suite", 3, seed=1)
    assert ordo.stats()["workers_started"] >= 0


@pytest.mark.parametrize(
    ("name", "text", "reason"),
    [
        ("old", "@a = global i8 0\n@b = global i64 or (i64 ptrtoint (ptr @a to i64), i64 1)\n", "old.ll:2:"),
        (
            "asm",
            'target triple = "x86_64-pc-linux-gnu"\nmodule asm ".bogus"\ndefine void @f() {\n  ret void\n}\n',
            "makes no code of it",
        ),
    ],
    ids=lambda value: value if value.isalpha() else "",
)
def test_ir_that_is_not_for_this_llvm_is_refused_in_words(make, tmp_path, name, text, reason):
    file = tmp_path / f"{name}.ll"
    file.write_text(text)
    with pytest.raises(ordo.Error, match=reason):
        make(str(file), reward="text_bytes").reset(seed=0)


@pytest.mark.parametrize("triple", ["x86_64-pc-windows-msvc", "x86_64-apple-macosx10.15.0", "x86_64-apple-ios11.2.0", ""])
def test_ir_says_its_own_machine(make, tmp_path, triple):
    file = tmp_path / "f.ll"
    file.write_text((f'target triple = "{triple}"\n' if triple else "") + "define i32 @f(i32 %x) {\n  ret i32 %x\n}\n")
    env = make(str(file), reward="text_bytes")
    _, info = env.reset(seed=0)
    assert info["metric"] > 0
    *_, info = env.step(env.unwrapped.actions.index("sroa"))
    assert info["metric"] > 0


def test_a_name_of_a_program_may_be_any_that_a_file_can_have(make, tmp_path):
    text = 'target triple = "x86_64-pc-linux-gnu"\ndefine i32 @f(i32 %x) {\n  ret i32 %x\n}\n'
    for name in ("a b'c.ll", "two\nlines.ll", "ü.ll", "-dash.ll"):
        file = tmp_path / name
        file.write_text(text)
        _, info = make(str(file)).reset(seed=0)
        assert info["metric"] > 0
