"""Dialogues of a model with real tools, many at once.

The budget is the task's, whatever the model asks for: it cannot open its program anew with a larger one, look
at another dialogue's program, or write files. A dialogue ends when a sequence is submitted, or at a limit: of
turns, of tokens, of turns that call nothing, and when its tools are gone.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from typing import Any

from ordo.agent.demonstrations import first_messages
from ordo.agent.dialogue import with_call_ids
from ordo.agent.generate import Continuation, Said, Sampling
from ordo.agent.model import Agent
from ordo.agent.rewards import MISCALLED, Outcome
from ordo.agent.tasks import Task
from ordo.agent.tools import Server, ServerError

__all__ = ["Dialogue", "DialogueTools", "Episode", "Limits", "play", "tool_message"]

_ASK = "Call a tool, or end with submit_sequence; text alone does nothing."  # as `ordo agent` says it
_HANDLE = "p1"  # what the model knows its program as, whatever the server calls it
_MOST_OPEN = 16  # programs that a server has open at once; it closes the oldest then (src/agent/host.h)
_MOST_PROGRAMS = 100  # that a server has opened before it is started anew: it keeps each of them


@dataclass(frozen=True)
class Limits:
    """Where a dialogue is ended."""

    turns: int = 16  #: of the model
    tokens: int = 768  #: of the whole dialogue
    silent: int = 2  #: turns that call no tool
    calls: int = 4  #: in one turn; those beyond are not made


@dataclass
class Episode:
    """A dialogue as it went."""

    task: Task
    messages: list[dict[str, Any]]
    prompt_ids: list[int] = field(default_factory=list)
    ids: list[int] = field(default_factory=list)  #: after the prompt
    said: list[bool] = field(default_factory=list)  #: for each of them: whether the model said it
    logprobs: list[float] = field(default_factory=list)  #: likewise; 0 for what it did not say
    outcome: Outcome = field(default_factory=Outcome)
    end: str = ""  #: "submitted", "turns", "tokens", "silent" or "tools died"
    flops: float = 0.0  #: of the model

    def add(self, ids: Sequence[int], logprobs: Sequence[float] | None = None) -> None:
        """Adds what the model said, with its logarithms of probabilities, or what others did."""
        self.ids += ids
        self.said += [logprobs is not None] * len(ids)
        self.logprobs += [0.0] * len(ids) if logprobs is None else logprobs


def tool_message(call_id: str, name: str, answer: dict[str, Any]) -> dict[str, Any]:
    """The message that tells a model what a tool answered to a call."""
    text = json.dumps(answer, separators=(",", ":"), ensure_ascii=False)
    return {"role": "tool", "tool_call_id": call_id, "name": name, "content": text}


def _key(sequence: Any) -> str:
    """A sequence as what it is known by; it may be any JSON."""
    return json.dumps(sequence)


def _refused(code: str, message: str) -> dict[str, Any]:
    return {"error": {"code": code, "message": message}}


class DialogueTools:
    """The tools of one dialogue: its program, and what is known of it.

    Args:
        server: That has the tools; others may use it too.
        task: The program and its budget.
        outcome: Gets what happens.
    """

    def __init__(self, server: Server, task: Task, outcome: Outcome) -> None:
        self._server = server
        self._task = task
        self._outcome = outcome
        self._handle: str | None = None
        self._gains: dict[str, float] = {}  # of what was measured
        self.best: Any = []  #: the sequence that gained most
        self.best_gain = 0.0
        self.opened: dict[str, Any] = {}  #: as the program was when it was opened
        self.trace: list[tuple[str, float | None]] = []  #: calls that were answered, with the gains they told
        outcome.budget_compiles, outcome.budget_seconds = task.compiles, task.seconds

    def open(self) -> dict[str, Any]:
        """Opens the program, with the task's budget."""
        task = self._task
        answer = self._server.call(
            "open_program",
            file=task.program,
            objective=task.objective,
            compiles=task.compiles,
            seconds=task.seconds,
            seed=task.seed,
            **({"flags": list(task.flags)} if task.flags else {}),
        )
        if "error" not in answer:
            self._handle = str(answer.get("program"))
            self.opened = answer
            baseline = answer.get("baseline")
            if isinstance(baseline, dict):  # its value is told: who submits it submits what was measured
                self._gains[_key([baseline.get("name")])] = 0.0
        return self._shown(answer)

    def call(self, name: str, arguments: dict[str, Any]) -> dict[str, Any]:
        """What a tool answers the model."""
        if name not in self._task.tools:
            return _refused("not found", f"there is no tool '{name}'")
        if name == "open_program":
            if self._handle is not None:
                return _refused("invalid argument", "the program is open already")
            if arguments.get("file") != self._task.program:
                return _refused("not found", "there is no such program")
            return self.open()
        if self._handle is None:
            return _refused("invalid argument", "no program is open")
        if arguments.get("program", _HANDLE) not in (_HANDLE, ""):
            return _refused("not found", f"there is no program '{arguments['program']}'")
        kept = {key: value for key, value in arguments.items() if key != "folder"}
        answer = self._server.call_with(name, kept | {"program": self._handle})
        self._note(name, arguments, answer)
        return self._shown(answer)

    def _shown(self, answer: dict[str, Any]) -> dict[str, Any]:
        return answer | ({"program": _HANDLE} if "program" in answer else {})

    def _note(self, name: str, arguments: dict[str, Any], answer: dict[str, Any]) -> None:
        outcome, left = self._outcome, answer.get("left")
        if isinstance(left, dict):
            outcome.compiles = outcome.budget_compiles - float(left.get("compiles", outcome.budget_compiles))
            outcome.seconds = outcome.budget_seconds - float(left.get("seconds", outcome.budget_seconds))
        if "error" in answer:
            return
        asked = arguments.get("sequence", self.best)
        gain = answer.get("gain")
        gain = float(gain) if isinstance(gain, (int, float)) else None
        self.trace.append((name, gain))
        if name == "submit_sequence":
            outcome.submitted = True
            outcome.measured = _key(asked) in self._gains
            # The tool's gain is the baseline's where the sequence was no better, and where the checks refused
            # it: what was measured then is no merit.
            written = gain or 0.0
            outcome.gain = self._gains.get(_key(asked), written)
            if answer.get("accepted") is False:
                outcome.gain = min(outcome.gain, written)
        elif gain is not None:
            sequence = answer.get("sequence", asked)
            self._gains[_key(sequence)] = gain
            if gain > self.best_gain:
                self.best, self.best_gain = sequence, gain


class Dialogue:
    """One dialogue, as it goes on. What derives from it can change what the model is told, or take over.

    Args:
        agent: The model.
        task: Its program.
        server: Of tools.
        limits: Where it is ended.
    """

    def __init__(self, agent: Agent, task: Task, server: Server, limits: Limits) -> None:
        self.episode = Episode(task, [dict(message) for message in task.messages])
        self.definitions = server.definitions(task.tools)
        self.told: list[int] = []  # what the model is told next
        self._form = agent.form
        self._limits = limits
        self.tools = DialogueTools(server, task, self.episode.outcome)
        self._silent = 0

    def begin(self) -> None:
        """Opens the program, and makes the prompt."""
        if not self.episode.task.model_opens:
            answer = self.tools.open()
            if "error" in answer:
                self.fail(f"open_program: {answer['error']}")
            elif not self.episode.task.messages:
                task = self.episode.task
                prompt = first_messages(self.tools.opened, task.compiles, task.seconds)
                self.episode.messages[:0] = prompt
        self.told = self._form.encode(self.episode.messages, self.definitions, ask=True).ids
        self.episode.prompt_ids = self.told

    def fail(self, why: str) -> None:
        """Its tools are gone: it cannot be judged."""
        self.episode.outcome.failure = why
        self.episode.end = "tools died"

    def hear(self, said: Said) -> None:
        """Takes what the model said, lets the tools answer, and ends the dialogue or goes on."""
        episode, outcome = self.episode, self.episode.outcome
        message = with_call_ids(self._form.decode(said.ids, episode.messages), outcome.turns)
        episode.add(said.ids, said.logprobs)
        episode.messages.append(message)
        outcome.turns += 1
        spoken = len(episode.messages)
        calls = message.get("tool_calls") or []
        content = message["content"]
        loose = content.partition("</think>")[2] if content.startswith("<think>") else content
        outcome.loose_text += bool(loose.strip())
        good = bool(calls)
        for call in calls[: self._limits.calls]:
            name, arguments = call["function"]["name"], call["function"]["arguments"]
            outcome.tools[name] = outcome.tools.get(name, 0) + 1
            answer = self.answer(name, arguments)
            error = answer.get("error")
            good &= not isinstance(error, dict) or error.get("code") not in MISCALLED
            episode.messages.append(tool_message(call["id"], name, answer))
            if outcome.submitted:
                break
        outcome.good_turns += good
        if not calls:
            self._silent += 1
            episode.messages.append({"role": "user", "content": _ASK})
        episode.end = self._ending()
        if not episode.end:
            self._tell(spoken, said.ended)

    def answer(self, name: str, arguments: dict[str, Any]) -> dict[str, Any]:
        """What the model is told that a tool answered."""
        return self.tools.call(name, arguments)

    def _ending(self) -> str:
        outcome, limits = self.episode.outcome, self._limits
        if outcome.submitted:
            return "submitted"
        if self._silent >= limits.silent:
            return "silent"
        return "turns" if outcome.turns >= limits.turns else ""

    def _tell(self, spoken: int, ended: bool) -> None:
        """Adds to the ids what the model is told. What it said stays as it said it."""
        episode, form = self.episode, self._form
        known = form.encode(episode.messages[:spoken], self.definitions)
        whole = form.encode(episode.messages, self.definitions, ask=True)
        self.told = ([] if ended else [form.end]) + whole.ids[len(known.ids) :]
        if len(episode.prompt_ids) + len(episode.ids) + len(self.told) >= self._limits.tokens:
            episode.end = "tokens"
        else:
            episode.add(self.told)


def _in_parallel(servers: Sequence[Server], count: int, act: Callable[[int], None]) -> None:
    """Calls ``act`` for each of ``count`` dialogues, those of one server in turn, and the servers at once."""

    def share(first: int) -> None:
        for index in range(first, count, len(servers)):
            act(index)

    with ThreadPoolExecutor(len(servers)) as pool:
        list(pool.map(share, range(len(servers))))


def play(
    agent: Agent,
    tasks: Sequence[Task],
    servers: Sequence[Server],
    sampling: Sampling,
    seeds: Sequence[int],
    limits: Limits = Limits(),  # noqa: B008 (immutable)
    constrained: bool = True,
    make: Callable[[Agent, Task, Server, Limits], Dialogue] = Dialogue,
) -> list[Episode]:
    """Plays each task to its end.

    Args:
        agent: The model.
        tasks: One dialogue each.
        servers: Of tools; dialogues are shared out among them. One that died is started anew, and what was
            played with it has ended with a failure.
        sampling: How the model chooses.
        seeds: Of chance, for each task.
        limits: Where a dialogue is ended.
        constrained: Whether only what the grammar allows is said, where the form has one.
        make: Makes each dialogue.

    Returns:
        Episodes, in the order of the tasks.

    Raises:
        ValueError: There are too few servers for so many dialogues.
    """
    if len(tasks) > _MOST_OPEN * len(servers):
        most = _MOST_OPEN * len(servers)
        raise ValueError(f"{len(servers)} tool servers can have {most} dialogues at once, not {len(tasks)}")
    for k, server in enumerate(servers):
        if not server.running or server.opened + len(tasks[k :: len(servers)]) > _MOST_PROGRAMS:
            server.start()
    dialogues = [make(agent, task, servers[i % len(servers)], limits) for i, task in enumerate(tasks)]

    def safely(index: int, act: Callable[[], None]) -> None:
        try:
            act()
        except ServerError as error:
            dialogues[index].fail(str(error))

    _in_parallel(servers, len(tasks), lambda index: safely(index, dialogues[index].begin))
    active = [index for index, dialogue in enumerate(dialogues) if not dialogue.episode.end]
    batch = Continuation(agent.model, len(active), agent.form.end)
    turn = 0
    while active:
        speakers = [dialogues[index] for index in active]
        batch.add([dialogue.told for dialogue in speakers])
        walks = [
            agent.form.grammar(dialogue.episode.messages, dialogue.definitions) if constrained else None
            for dialogue in speakers
        ]
        before = batch.flops
        heard = batch.say(
            sampling,
            [seeds[index] * 1009 + turn for index in active],
            [None if walk is None else walk.turn() for walk in walks],
            [[t for t, mine in zip(d.episode.ids, d.episode.said) if mine] for d in speakers],
        )
        answers = dict(zip(active, heard))
        for dialogue in speakers:
            dialogue.episode.flops += (batch.flops - before) / len(active)

        def act(index: int, answers: dict[int, Said] = answers) -> None:
            if index in answers:
                safely(index, lambda: dialogues[index].hear(answers[index]))

        _in_parallel(servers, len(tasks), act)
        goes_on = [k for k, index in enumerate(active) if not dialogues[index].episode.end]
        active = [active[k] for k in goes_on]
        if active:
            batch.keep(goes_on)
        turn += 1
    return [dialogue.episode for dialogue in dialogues]
