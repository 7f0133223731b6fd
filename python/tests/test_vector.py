"""The vector environment: autoreset, seeds, asynchronous batches."""

from __future__ import annotations

import gymnasium
import numpy as np
import pytest
from conftest import SMALL
from gymnasium.vector import AutoresetMode

import ordo


def policy(mask: np.ndarray, step: int, env: int) -> int:
    """A legal action that depends on nothing but its arguments."""
    legal = np.flatnonzero(mask)
    return int(legal[(7 * step + 13 * env) % len(legal)])


def test_make_vec_makes_the_native_vector():
    env = gymnasium.make_vec("ordo:ordo/Llvm-v0", num_envs=2, program="suite/crc32")
    assert isinstance(env.unwrapped, ordo.LlvmVectorEnv)
    assert env.metadata["autoreset_mode"] == AutoresetMode.NEXT_STEP
    observation, info = env.reset(seed=1)
    assert env.observation_space.contains(observation)
    assert info["action_mask"].shape == (2, env.single_action_space.n)
    observation, reward, terminated, truncated, info = env.step(np.array([20, 21]))
    assert env.observation_space.contains(observation)
    assert reward.shape == terminated.shape == truncated.shape == (2,)
    assert terminated.dtype == truncated.dtype == np.bool_
    assert all(info["_status"]) and list(info["status"]) == ["ok", "ok"]
    env.close()


def test_next_step_ignores_the_action_after_an_end(make_vector):
    env = make_vector(2, max_steps=2)
    env.reset(seed=0)
    env.step(np.array([20, 21]))
    last, _, _, truncated, info = env.step(np.array([22, 23]))
    assert truncated.all() and list(info["steps"]) == [2, 2]
    first, reward, terminated, truncated, info = env.step(np.array([24, 25]))
    assert not reward.any() and not terminated.any() and not truncated.any()
    assert list(info["steps"]) == [0, 0] and not np.array_equal(first, last)


def test_same_step_brings_the_end_and_the_next_beginning_at_once(make_vector):
    env = make_vector(2, max_steps=2, autoreset_mode="SameStep", program="suite/crc32")
    first, _ = env.reset(seed=0)
    stop = env.actions.index("stop")
    observation, _, terminated, truncated, info = env.step(np.array([20, stop]))
    assert list(terminated) == [False, True]
    assert np.array_equal(observation[1], first[1]) and np.array_equal(info["final_obs"][1], first[1])
    assert info["final_obs"][0] is None and list(info["_final_obs"]) == [False, True]
    assert info["final_info"]["ending"][1] == "stopped"
    observation, _, terminated, truncated, info = env.step(np.array([21, 20]))
    assert list(truncated) == [True, False]
    assert np.array_equal(observation[0], first[0]) and info["final_info"]["steps"][0] == 2


def test_disabled_leaves_resets_to_the_caller(make_vector):
    env = make_vector(3, max_steps=2, autoreset_mode=AutoresetMode.DISABLED)
    env.reset(seed=0)
    stop = env.actions.index("stop")
    env.step(np.array([20, stop, 20]))
    with pytest.raises(ValueError):
        env.step(np.array([20, 20, 20]))
    mask = np.array([False, True, False])
    observation, info = env.reset(options={"reset_mask": mask})
    assert list(info["_steps"]) == list(mask) and observation[1].any()
    *_, truncated, info = env.step(np.array([21, 21, 21]))
    assert list(info["steps"]) == [2, 1, 2] and list(truncated) == [True, False, True]
    for wrong in (np.zeros(3, bool), np.array([1, 0, 0]), [True, False, False]):
        with pytest.raises(ValueError, match="reset_mask"):
            env.reset(options={"reset_mask": wrong})


def test_a_first_reset_of_some_shows_zeros_of_the_others(make_vector):
    env = make_vector(200, observation=["autophase", "ir_instructions"], program="suite/wc")
    mask = np.zeros(200, bool)
    mask[3] = True
    observation, info = env.reset(options={"reset_mask": mask})
    for part in observation.values():
        assert part[3].any() and not part[~mask].any()
    assert list(info["_steps"]) == list(mask)


def episodes(env: ordo.LlvmVectorEnv, which: int, steps: int) -> list[tuple]:
    """What environment `which` goes through when all are stepped together."""
    observation, info = env.reset(seed=11)
    result = []
    for step in range(steps):
        result.append((observation[which].tobytes(), int(info["program"][which])))
        masks = info["action_mask"]
        actions = np.array([policy(masks[i], step, i) for i in range(env.num_envs)])
        observation, reward, _, _, info = env.step(actions)
        result.append((float(reward[which]), str(info["ending"][which])))
    return result


def test_episodes_do_not_depend_on_how_many_environments_there_are(make_vector):
    one, two, five = (make_vector(n, max_steps=6) for n in (1, 2, 5))
    assert episodes(one, 0, 20) == episodes(two, 0, 20) == episodes(five, 0, 20)
    assert episodes(two, 1, 20) == episodes(five, 1, 20)
    assert episodes(two, 1, 20) == episodes(two, 1, 20)


def test_episodes_do_not_depend_on_who_is_ready_first(make_vector):
    def run(batch_size: int) -> dict[int, list[tuple]]:
        env = make_vector(4, batch_size=batch_size, max_steps=5)
        env.async_reset(seed=2)
        result: dict[int, list[tuple]] = {i: [] for i in range(4)}
        while min(map(len, result.values())) < 15:
            observation, reward, _, _, info = env.recv()
            ids = info["env_id"]
            assert len(ids) == batch_size and len(set(ids)) == batch_size
            for row, i in enumerate(ids):
                result[i].append((observation[row].tobytes(), float(reward[row]), int(info["program"][row])))
            masks = info["action_mask"]
            env.send(np.array([policy(masks[r], len(result[i]), i) for r, i in enumerate(ids)]), ids)
        return {i: steps[:15] for i, steps in result.items()}

    assert run(1) == run(3) == run(4)


def test_a_vector_says_what_single_environments_say(make, make_vector):
    single = make(max_steps=5)
    vector = make_vector(1, program="suite/crc32", max_steps=5)
    one, info_one = single.reset(seed=0)
    many, info = vector.reset(seed=0)
    for step in range(5):
        assert np.array_equal(one, many[0])
        assert np.array_equal(info_one["action_mask"], info["action_mask"][0])
        action = policy(info_one["action_mask"], step, 0)
        one, reward, terminated, truncated, info_one = single.step(action)
        many, rewards, *ends, info = vector.step(np.array([action]))
        assert reward == rewards[0] and [terminated, truncated] == [end[0] for end in ends]


def test_masks_of_all_rows_keep_a_choice(make_vector):
    env = make_vector(3, max_steps=8, max_uses=1)
    _, info = env.reset(seed=4)
    for step in range(30):
        masks = info["action_mask"]
        assert masks[:, -1].all() and np.array_equal(env.action_masks(), masks.astype(bool))
        *_, info = env.step(np.array([policy(masks[i], step, i) for i in range(3)]))


def test_dict_observations_are_batched(make_vector):
    env = make_vector(2, observation=["autophase", "action_histogram"])
    observation, _ = env.reset(seed=0)
    assert env.observation_space.contains(observation)
    observation, *_ = env.step(np.array([20, 21]))
    assert observation["action_histogram"][0, 20] == 1 == observation["action_histogram"][1, 21]


def test_programs_come_in_order_if_asked(make_vector):
    env = make_vector(1, order="cycle", max_steps=1)
    seen = [env.reset()[1]["program"][0] for _ in range(4)]
    assert [env.programs[i] for i in seen] == [*SMALL, SMALL[0]]


def test_programs_that_cannot_be_used_are_left_out_and_named(make_vector, tmp_path):
    broken = tmp_path / "broken.c"
    broken.write_text("this is no C\n")
    env = make_vector(1, program=[str(broken), "suite/crc32"], order="cycle")
    _, info = env.reset(seed=0)
    assert env.programs[info["program"][0]] == "suite/crc32"
    assert env.skipped[0][0] == str(broken)


def test_misuse_is_an_error_that_says_so(make_vector):
    with pytest.raises(ValueError, match="random or cycle"):
        make_vector(1, order="random order")
    with pytest.raises((ValueError, ordo.Error), match="size"):
        make_vector(1, observation="ir")
    env = make_vector(2)
    env.reset()
    with pytest.raises(ValueError, match="999"):
        env.step(np.array([0, 999]))
    with pytest.raises(ValueError, match="share one seed"):
        env.reset(seed=[1, 2])
    asynchronous = make_vector(2, batch_size=1)
    with pytest.raises(ValueError, match="async_reset"):
        asynchronous.reset()
    env.close()
    env.close()
    with pytest.raises(ordo.Error, match="closed"):
        env.step(np.array([0, 0]))
