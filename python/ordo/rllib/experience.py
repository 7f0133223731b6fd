"""Experience (docs/formats/experience.md) for RLlib: which actions and programs it has, and Parquet of it.

Sequences are replayed in the environment that RLlib's runners step, so that what is learned from files and
what is learned from practice look and pay alike, and the states that a slim file lacks are not missed.
"""

from __future__ import annotations

import json
import pathlib
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from ordo import _core
from ordo._engine import info
from ordo.rllib.sight import PolicyVectorEnv

#: Rows of one file: some megabytes.
_ROWS = 4096
#: Before the name of a candidate of production, in the searcher of its runs.
_CANDIDATE = "loop/"


@dataclass
class Trial:
    """What production said of a candidate (``ordo loop export``)."""

    id: str
    candidate: str
    reward: float


@dataclass
class Experience:
    """What a file of ``ordo collect`` says, as far as RLlib's training needs it."""

    actions: list[str]
    space: str
    space_hash: str
    max_length: int
    sizes: dict[str, float] = field(default_factory=dict)  # instructions of each program as given
    best: dict[tuple[str, str], list[list[str]]] = field(default_factory=dict)  # by program and objective
    baseline: str = "clang-Oz"
    trials: list[Trial] = field(default_factory=list)  # of production, oldest first
    made_by: dict[str, dict[str, list[str]]] = field(default_factory=dict)  # of candidates: by program

    def about(self) -> dict[str, Any]:
        """What a file of weights has to say (:func:`ordo.rllib.export.write`)."""
        return {
            "actions": self.actions,
            "space": self.space,
            "space_hash": self.space_hash,
            "backend_version": info()["version"],
            "provenance": "",
        }


def read(path: pathlib.Path) -> Experience:
    """Reads a file. ``ValueError``, with file and line, if it is none."""
    number = 1
    try:
        with path.open(encoding="utf-8") as file:
            header = json.loads(next(file))
            if header["format"] != 1:
                raise ValueError(f"{path} is experience of format {header['format']}, and this Ordo reads 1")
            found = Experience(
                [str(name) for name in header["actions"]],
                str(header["space"]),
                str(header["space_hash"]),
                int(header["max_length"]),
                baseline=str(header["baseline"]),
            )
            for line in file:
                number += 1
                if not line.endswith("\n"):
                    break  # torn: whoever goes on with the file makes it again
                run = json.loads(line)
                if "trial" in run:
                    found.trials.append(_trial(run))
                elif "best" in run:
                    _add(found, run)
    except (KeyError, TypeError, IndexError, StopIteration, json.JSONDecodeError) as error:
        raise ValueError(f"{path}:{number} is no experience of 'ordo collect': {error!r}") from error
    return found


def _trial(line: dict[str, Any]) -> Trial:
    reward = line["reward"]
    if not isinstance(reward, (int, float)) or not abs(reward) <= 10:
        raise TypeError("a reward that is none")
    return Trial(str(line["trial"]), str(line["candidate"]), float(reward))


def _add(found: Experience, run: dict[str, Any]) -> None:
    size = run["references"].get("initial", {}).get("ir_instructions")
    if size is not None and run["best"]:
        found.sizes[run["uri"]] = float(size)
    sequences = found.best.setdefault((run["uri"], run["objective"]), [])
    for one in run["best"]:
        if any(index < 0 for index in one["actions"]):
            raise IndexError("an action below 0")
        sequences.append([found.actions[index] for index in one["actions"]])
    searcher = run.get("searcher", "")
    if searcher.startswith(_CANDIDATE) and sequences:
        found.made_by.setdefault(searcher.removeprefix(_CANDIDATE), {})[run["uri"]] = sequences[-1]


def episodes(
    experience: Experience, objective: str, programs: list[str], each: int, reward: str
) -> Iterator[dict[str, list[Any]]]:
    """Replays the ``each`` best sequences of each program: columns of RLlib, one episode at a time."""
    for program in programs:
        sequences = [one for one in experience.best.get((program, objective), []) if one][:each]
        if not sequences:
            continue
        try:
            # Sequences end where they end, and say so: with stop.
            env = PolicyVectorEnv(
                actions=experience.actions,
                objective=objective,
                reward=reward,
                max_length=experience.max_length,
                only=False,
                max_steps=experience.max_length,
                program=program,
                space=experience.space,
            )
        except _core.Error:
            continue  # its baseline cannot be measured here
        for sequence in sequences:
            yield _replay(env, program, [experience.actions.index(name) for name in sequence])
        env.close()


def trial_episodes(experience: Experience) -> Iterator[dict[str, list[Any]]]:
    """Replays what was tried in production: an episode for each module of each trial.

    It earns nothing until its end, and there the trial's reward: log of the baseline's over its latency.
    """
    objective = "runtime"
    for program in sorted({uri for sequences in experience.made_by.values() for uri in sequences}):
        try:
            env = PolicyVectorEnv(
                actions=experience.actions,
                objective=objective,
                measured="ir_instructions",
                level=experience.baseline.removeprefix("clang-"),
                max_length=experience.max_length,
                only=False,
                max_steps=experience.max_length,
                program=program,
                space=experience.space,
            )
        except _core.Error:
            continue  # it is not here
        for trial in experience.trials:
            sequence = experience.made_by.get(trial.candidate, {}).get(program)
            if sequence is None:
                continue
            rows = _replay(env, program, [experience.actions.index(name) for name in sequence])
            rows["eps_id"] = [f"{trial.id}/{program}"] * len(rows["t"])
            rows["rewards"] = [np.float32(0)] * (len(rows["t"]) - 1) + [np.float32(trial.reward)]
            yield rows
        env.close()


def _replay(env: PolicyVectorEnv, program: str, sequence: list[int]) -> dict[str, list[Any]]:
    stop = int(env.single_action_space.n) - 1
    observation, _ = env.reset()
    rows: dict[str, list[Any]] = {
        name: []
        for name in ("eps_id", "t", "obs", "new_obs", "actions", "rewards", "terminateds", "truncateds")
    }
    for action in [*sequence, stop]:
        if not observation[0, env.features + action]:
            action = stop  # it fails or does nothing now: what was learned ends before it
        after, rewards, terminated, _, _ = env.step(np.array([action]))
        values = (
            "/".join([program, *map(str, sequence)]),
            len(rows["t"]),
            observation[0],
            after[0],
            action,
            np.float32(rewards[0]),
            bool(terminated[0]),
            False,
        )
        for column, value in zip(rows.values(), values):
            column.append(value)
        observation = after
        if terminated[0]:
            break
    return rows


def write_parquet(
    experience: Experience, folder: pathlib.Path, objective: str, programs: list[str], each: int, reward: str
) -> int:
    """Writes episodes as Parquet, in RLlib's columns; how many rows. The folder appears once it is whole.

    Of what was tried in production, where the experience has trials, and then with their rewards.
    """
    import pyarrow
    import pyarrow.parquet

    beside = folder.with_name(folder.name + ".new")
    beside.mkdir(parents=True)
    total = 0
    waiting: dict[str, list[Any]] = {}

    def flush() -> None:
        table = pyarrow.table({name: pyarrow.array(column) for name, column in waiting.items()})
        pyarrow.parquet.write_table(table, beside / f"{total:09}.parquet")

    all_rows = (
        trial_episodes(experience)
        if experience.trials
        else episodes(experience, objective, programs, each, reward)
    )
    for rows in all_rows:
        for name, column in rows.items():
            waiting.setdefault(name, []).extend(column)
        if len(waiting["t"]) >= _ROWS:
            total += len(waiting["t"])
            flush()
            waiting = {}
    if waiting:
        total += len(waiting["t"])
        flush()
    if not total:
        raise ValueError(f"no sequence for {objective} of these programs could be replayed")
    beside.rename(folder)
    return total
