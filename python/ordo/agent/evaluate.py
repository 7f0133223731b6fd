"""``python -m ordo.agent.evaluate``: what a model is worth on programs, under conditions.

::

    ordo agent evaluate -o rows.jsonl --programs data/studies/agent.txt --seeds 3
    ordo agent evaluate -o rows.jsonl --programs list.txt --model hf:RUN/model --conditions greedy

A row is a dialogue: program, seed, model and condition (:mod:`ordo.agent.conditions`), how it ended, its
gain over the baseline, and what it cost. Dialogues are played many at once: what they cost in processor time
one by one is what ``ordo eval --methods agent`` measures. What is in the file is not played again, so that a
run that was stopped goes on. :mod:`ordo.agent.verdicts` makes tables of it.
"""

from __future__ import annotations

import argparse
import contextlib
import json
import pathlib
import sys
import time
import zlib
from collections.abc import Iterator, Sequence
from typing import Any

import torch

from ordo.agent import exits, model, play, vocabulary
from ordo.agent.conditions import Condition, condition
from ordo.agent.generate import Sampling
from ordo.agent.observe import parse_result
from ordo.agent.tasks import Task, read_lines
from ordo.agent.tools import Server

__all__ = ["main", "read_programs"]

_LEFT_OUT = ("open_program", "time_sequence", "list_actions", "get_remarks", "diff_ir", "check_sequence")


def read_programs(file: pathlib.Path) -> list[str]:
    """The programs in a list, one a line; what follows ``#`` is no program.

    Raises:
        ValueError: There are none.
    """
    words = (line.partition("#")[0].strip() for line in file.read_text(encoding="utf-8").splitlines())
    programs = [word for word in words if word]
    if not programs:
        raise ValueError(f"{file} names no programs")
    return programs


def _task(program: str, seed: int, options: argparse.Namespace, tools: Sequence[str]) -> Task:
    return Task(
        program=program,
        objective=options.objective,
        messages=(),
        tools=tuple(tools),
        compiles=options.compiles,
        seconds=options.seconds,
        seed=seed,
    )


def gains_in(files: Sequence[str]) -> list[float]:
    """The gains that tools told in demonstrations."""
    found: list[float] = []
    for line in read_lines(files):
        for message in line["messages"]:
            result = parse_result(message.get("content")) if message.get("role") == "tool" else None
            gain = result.get("gain") if result is not None else None
            found += [float(gain)] if isinstance(gain, (int, float)) else []
    return found


def _row(dialogue: play.Dialogue, about: dict[str, Any], seconds: float) -> dict[str, Any]:
    episode, outcome, tools = dialogue.episode, dialogue.episode.outcome, dialogue.tools
    # As `ordo agent` ends: with what was submitted, else with the best that was measured, else the baseline.
    gain = outcome.gain if outcome.submitted else tools.best_gain
    return about | {
        "end": episode.end,
        "failure": outcome.failure,
        "submitted": outcome.submitted,
        "measured": outcome.measured,
        "gain": round(max(0.0, gain), 6),
        "chosen": round(outcome.gain, 6) if outcome.submitted else None,
        "best": round(tools.best_gain, 6),
        "trace": [[name, gain] for name, gain in tools.trace],
        "turns": outcome.turns,
        "good_turns": outcome.good_turns,
        "compiles": outcome.compiles,
        "tool_seconds": round(outcome.seconds, 4),
        "tokens": len(episode.prompt_ids) + len(episode.ids),
        "said": sum(episode.said),
        "flops": episode.flops,
        "batch_seconds": round(seconds, 4),
    }


def _play(
    agent: model.Agent,
    one: Condition,
    tasks: Sequence[Task],
    servers: Sequence[Server],
    options: argparse.Namespace,
) -> Iterator[dict[str, Any]]:
    """Plays a batch; a row for each task, in order."""
    made: list[play.Dialogue] = []

    def make(*arguments: Any) -> play.Dialogue:
        made.append(one.make(*arguments))
        return made[-1]

    begun = time.monotonic()
    play.play(
        agent,
        [one.task(task) for task in tasks],
        servers,
        Sampling(one.temperature, one.penalty, options.turn_tokens),
        # Chance is the dialogue's own: with one for all they would all begin in the same way.
        [zlib.crc32(f"{task.program}/{task.seed}".encode()) for task in tasks],
        play.Limits(options.turns, options.tokens),
        not options.unconstrained,
        make,
    )
    seconds = (time.monotonic() - begun) / len(tasks)
    for dialogue, task in zip(made, tasks, strict=True):
        about = {
            "model": options.name or options.model,
            "condition": one.name,
            "program": task.program,
            "objective": task.objective,
            "seed": task.seed,
            "budget": task.compiles,
        }
        yield _row(dialogue, about, seconds)


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        "python -m ordo.agent.evaluate", description=(__doc__ or "").partition("\n")[0]
    )
    parser.add_argument("-o", "--output", required=True, type=pathlib.Path, metavar="FILE.jsonl")
    parser.add_argument("--programs", required=True, type=pathlib.Path, help="a list, one a line")
    parser.add_argument("--model", default="shipped", help="shipped, hf:FOLDER, gguf:FILE, random:N")
    parser.add_argument("--name", help="what the rows call it (--model)")
    parser.add_argument("--conditions", default="plain", help="(plain)")
    parser.add_argument("--objective", choices=tuple(vocabulary.SPACES), default="ir_instructions")
    parser.add_argument("--compiles", type=int, default=100, help="of a dialogue (100)")
    parser.add_argument("--seconds", type=float, default=60, help="of a dialogue's tools (60)")
    parser.add_argument("--seeds", type=int, default=1, help="dialogues with each program (1)")
    parser.add_argument("--batch", type=int, default=30, help="at once, 16 for each server at most (30)")
    parser.add_argument("--turns", type=int, default=16, help="of the model (16)")
    parser.add_argument("--turn-tokens", type=int, default=128)
    parser.add_argument("--tokens", type=int, default=1024, help="of a dialogue (1024)")
    parser.add_argument(
        "--unconstrained", action="store_true", help="what breaks the grammar can be said too"
    )
    parser.add_argument("--lines", nargs="*", default=[], help="demonstrations, whose gains are shuffled")
    parser.add_argument("--device", default="cpu", help="cpu or cuda (cpu)")
    parser.add_argument("--threads", type=int, default=0, help="of PyTorch (all)")
    parser.add_argument("--ordo", help="the program ordo ($ORDO, else the one found)")
    parser.add_argument("--server", nargs="+", help="another command that starts a tool server")
    parser.add_argument("--servers", type=int, default=2, help="tool servers at once (2)")
    return parser


def _key(row: dict[str, Any]) -> tuple[Any, ...]:
    return tuple(row[name] for name in ("model", "condition", "program", "objective", "seed", "budget"))


def _finished(file: pathlib.Path) -> set[tuple[Any, ...]]:
    """What is in the file. A last line that was cut off is removed."""
    if not file.exists():
        return set()
    whole = file.read_bytes()
    end = whole.rfind(b"\n") + 1
    if end != len(whole):
        with file.open("r+b") as stream:
            stream.truncate(end)
    return {_key(json.loads(line)) for line in whole[:end].splitlines()}


def _run(options: argparse.Namespace) -> int:
    programs = read_programs(options.programs)
    gains = gains_in(options.lines) if options.lines else []
    conditions = [condition(name, gains) for name in options.conditions.split(",")]
    done = _finished(options.output)
    agent = model.load(options.model, options.device)
    with contextlib.ExitStack() as stack, options.output.open("a", encoding="utf-8") as output:
        command = options.server or options.ordo
        servers = [stack.enter_context(Server(command)) for _ in range(options.servers)]
        offered = [
            name
            for definition in servers[0].definitions()
            if (name := definition["function"]["name"]) not in _LEFT_OUT
        ]
        for one in conditions:
            wanted = [
                _task(program, seed, options, offered)
                for seed in range(1, options.seeds + 1)
                for program in programs
                if (
                    options.name or options.model,
                    one.name,
                    program,
                    options.objective,
                    seed,
                    options.compiles,
                )
                not in done
            ]
            for first in range(0, len(wanted), options.batch):
                batch = wanted[first : first + options.batch]
                rows = list(_play(agent, one, batch, servers, options))
                output.writelines(json.dumps(row) + "\n" for row in rows)
                output.flush()
                mean = sum(row["gain"] for row in rows) / len(rows)
                told = f"{one.name}: {first + len(batch)}/{len(wanted)} dialogues, {100 * mean:.2f} % here"
                print(told, file=sys.stderr, flush=True)
    return 0


def main(arguments: Sequence[str] | None = None) -> None:
    """The command line."""
    options = _parser().parse_args(arguments)
    if options.threads:
        torch.set_num_threads(options.threads)
    try:
        with exits.telling("evaluate"):
            _run(options)
    except KeyboardInterrupt:
        print("interrupted: the same command goes on", file=sys.stderr)
        raise SystemExit(exits.INTERRUPTED) from None


if __name__ == "__main__":
    main()
