"""Wrong names and types: what is said of them."""

from __future__ import annotations

import pathlib

import numpy as np
import pytest

import ordo

ROOT = pathlib.Path(__file__).resolve().parents[2]


def complaint(error: type[Exception], **options) -> str:
    with pytest.raises(error) as raised:
        ordo.LlvmEnv(**({"program": "suite/crc32"} | options))
    return str(raised.value)


def test_an_unknown_name_lists_what_there_is():
    said = complaint(ValueError, reward="ir_instruction/clang-Oz")
    assert "did you mean 'ir_instructions'" in said and "METRIC/gap:BASELINE" in said
    assert "text_bytes" in said and "bare-Oz" in said
    said = complaint(ValueError, observation=["autophase", "autophaze"])
    assert "did you mean 'autophase'" in said
    assert "program_graph" in said and "action_histogram" in said


def test_names_of_compilergym_point_to_ours():
    assert "ir_instructions/gap:bare-Oz" in complaint(ValueError, reward="IrInstructionCountOz")
    assert "autophase" in complaint(ValueError, observation="Autophase")
    assert "inst_count" in complaint(ValueError, observation=["InstCount"])


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"reward": 5}, "reward is a str, not int 5"),
        ({"observation": ["autophase", 3]}, r"observation\[1\] is a str"),
        ({"observation": None}, "observation is a str or a list"),
        ({"max_steps": "45"}, "max_steps is an int, not str '45'"),
        ({"max_steps": 4.5}, "max_steps is an int"),
        ({"max_uses": True}, "max_uses is an int"),
        ({"verify": 1}, "verify is True or False"),
        ({"space": 7}, "space is a str"),
        ({"program": 7}, "program is a str or a list"),
        ({"program": ["suite/crc32", b"x"]}, r"program\[1\] is a str"),
        ({"rewards": "x"}, "there is no option rewards; did you mean reward?"),
    ],
    ids=lambda value: next(iter(value)) if isinstance(value, dict) else None,
)
def test_a_wrong_type_is_said_with_its_name(options, said):
    with pytest.raises(TypeError, match=said):
        ordo.LlvmEnv(**({"program": "suite/crc32"} | options))
    with pytest.raises(TypeError, match=said):
        ordo.LlvmVectorEnv(2, **({"program": "suite/crc32"} | options))


def test_numbers_of_numpy_and_paths_are_fine(make):
    env = make(ROOT / "suite" / "crc32", max_steps=np.int64(3), verify=np.True_)
    env.reset()
    assert env.step(np.array([20]))[4]["status"] == "ok"
    assert env.step(np.int32(21))[4]["status"] == "ok"


def test_wrong_calls_are_said(make, make_vector):
    env = make()
    env.reset()
    for wrong in ("a", 1.5, None):
        with pytest.raises(TypeError, match="action is an int"):
            env.step(wrong)
    with pytest.raises(ValueError, match="action -1 is not in"):
        env.step(-1)
    with pytest.raises(TypeError, match="steps is an int"):
        env.undo("two")
    with pytest.raises(TypeError, match="name is a str"):
        env.observe(3)
    with pytest.raises(TypeError, match="metric is a str"):
        env.measure(None)
    with pytest.raises(TypeError, match=r"options\[\"program\"\] is a str"):
        env.reset(options={"program": 3})
    vector = make_vector(2)
    vector.reset()
    with pytest.raises(TypeError, match="actions are integers, not float64"):
        vector.step(np.array([20.0, 21.0]))
    with pytest.raises(ValueError, match="one-dimensional"):
        vector.step(np.array([[20], [21]]))
    with pytest.raises(ValueError, match="seed is 0 to"):
        vector.reset(seed=-1)
    for wrong in ("2", 2.0):
        with pytest.raises(TypeError, match="num_envs is an int"):
            ordo.LlvmVectorEnv(wrong)
    with pytest.raises(ValueError, match="batch_size is 1 to 2"):
        make_vector(2, batch_size=3)


def test_the_default_is_quick_and_the_suite_is_a_word_away():
    env = ordo.LlvmEnv()
    assert set(env.programs) < set(ordo.programs("suite"))
    env.reset(seed=0)
    env.close()
