"""Dialogues with tools: how they end, whatever the model says, and what they are judged by."""
# ruff: noqa: E402 (what may be missing is looked for first)

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import pytest
from agent_parts import SERVER, call, example, said, table

torch = pytest.importorskip("torch", reason="PyTorch is not installed (extra 'agent')")
pytest.importorskip("transformers", reason="transformers is not installed (extra 'agent')")
pytest.importorskip("peft", reason="peft is not installed (extra 'agent')")

from ordo.agent import generate, model, play
from ordo.agent.generate import Sampling
from ordo.agent.grammar import write_turn
from ordo.agent.play import Episode, Limits
from ordo.agent.tasks import task_of
from ordo.agent.tools import Server

torch.set_num_threads(1)  # of small matrices, which threads only wait for each other with


@pytest.fixture(scope="module")
def agent() -> model.Agent:
    return model.load("random:1")


@pytest.fixture
def server() -> Iterator[Server]:
    with Server(SERVER) as one:
        yield one


@pytest.fixture
def scripted(agent, monkeypatch) -> Callable[..., Episode]:
    """Plays the example's task with a model that says what it is told to, the last turn for ever."""

    def run(server: Server, *turns: Any, limits: Limits | None = None, **changes: Any) -> Episode:
        script = iter(turns)
        last = [turns[-1]]

        def say(self, sampling, seeds, walks, history):
            last[0] = next(script, last[0])
            ids = last[0] if isinstance(last[0], list) else write_turn(table(), last[0])
            self.add([ids] * len(seeds))
            return [generate.Said(list(ids), [-1.0] * len(ids), ids[-1] == table().frame("end"))] * len(seeds)

        monkeypatch.setattr(generate.Continuation, "say", say)
        own = model.Agent("scripted", agent.model, model.CompactForm(table()))
        task = task_of(example() | changes)
        (episode,) = play.play(own, [task], [server], Sampling(), [1], limits or Limits())
        return episode

    return run


def test_a_demonstration_plays_and_is_judged(scripted, server):
    turns = [m for m in example()["messages"] if m["role"] == "assistant"]
    outcome = (episode := scripted(server, turns[0], turns[1], turns[3] | turns[3])).outcome
    assert episode.end == "submitted" and outcome.submitted and outcome.failure == ""
    assert (outcome.turns, outcome.good_turns, outcome.loose_text) == (3, 3, 0)
    assert outcome.gain == 0.09 and not outcome.measured
    assert (outcome.compiles, outcome.budget_compiles) == (1, 100)
    assert outcome.tools == {"get_features": 1, "measure_sequence": 1, "submit_sequence": 1}
    spoken = [token for token, mine in zip(episode.ids, episode.said) if mine]
    assert spoken == [t for turn in (turns[0], turns[1], turns[3]) for t in write_turn(table(), turn)]
    assert len(episode.logprobs) == len(episode.said) == len(episode.ids)


def test_what_was_measured_is_known_when_it_is_submitted(scripted, server):
    bad = ["adce", "bdce"]
    episode = scripted(
        server,
        said("", call("measure_sequence", sequence=bad)),
        said("", call("submit_sequence", sequence=bad)),
    )
    assert episode.outcome.measured and episode.outcome.gain == -0.02


def test_the_baseline_is_measured_when_the_program_is_opened(scripted, server):
    episode = scripted(server, said("", call("submit_sequence", sequence=["clang-Oz"])))
    assert episode.outcome.measured and episode.outcome.gain == 0


@pytest.mark.parametrize("ids", [[3], [999] * 20, [table().frame("call"), table().frame("end")]])
def test_nonsense_ends_in_silence(scripted, server, ids):
    episode = scripted(server, ids)
    assert episode.end == "silent" and episode.outcome.good_turns == 0
    assert episode.messages[-2]["content"] == table().render(ids)
    assert not episode.outcome.submitted


def test_endless_calls_end_at_the_limit_of_turns(scripted, server):
    episode = scripted(server, said("", call("get_features")), limits=Limits(turns=4))
    assert (episode.end, episode.outcome.turns) == ("turns", 4)


def test_many_calls_in_a_turn_are_not_all_made(scripted, server):
    episode = scripted(
        server, said("", *[call("measure_sequence", sequence=[])] * 50), limits=Limits(turns=2)
    )
    assert episode.outcome.tools == {"measure_sequence": 8}


def test_long_dialogues_end_at_the_limit_of_tokens(scripted, server):
    episode = scripted(server, said("", call("get_features")), limits=Limits(tokens=300))
    assert episode.end == "tokens"
    assert len(episode.prompt_ids) + len(episode.ids) < 300


def test_a_used_up_budget_is_an_answer(scripted, server):
    measure = said("", call("measure_sequence", sequence=["gvn"]))
    episode = scripted(server, measure, limits=Limits(turns=4), source={"compiles": 2})
    assert "budget used up" in episode.messages[-1]["content"]
    assert episode.outcome.compiles == 2 and episode.outcome.good_turns == 4


def test_more_dialogues_than_a_server_keeps_open_are_refused(agent, server):
    with pytest.raises(ValueError, match="1 tool servers can have 16 dialogues at once, not 17"):
        play.play(agent, [task_of(example())] * 17, [server], Sampling(), range(17))


@pytest.mark.parametrize(
    ("made", "code"),
    [
        (call("open_program", file="suite/crc32", compiles=10**6), "invalid argument"),
        (call("measure_sequence", program="p7", sequence=[]), "not found"),
        (call("measure_sequence", sequence=["rm -rf"]), "not found"),
        (call("measure_sequence", sequence=3), "invalid argument"),
    ],
)
def test_what_is_not_allowed_is_refused_and_counts_against_it(scripted, server, made, code):
    episode = scripted(server, said("", made), limits=Limits(turns=1))
    assert f'"code":"{code}"' in episode.messages[-1]["content"]
    assert episode.outcome.good_turns == 0


def test_a_tool_that_is_not_offered_is_refused(scripted, server):
    episode = scripted(
        server, said("", call("get_features")), limits=Limits(turns=1), tools=["submit_sequence"]
    )
    assert "there is no tool" in episode.messages[-1]["content"]


def test_a_model_that_opens_its_program_gets_the_tasks_budget(scripted, server):
    line = example()
    opening = said("", call("open_program", file="suite/crc32", compiles=10**6))
    line["messages"].insert(2, opening)
    episode = scripted(
        server,
        opening,
        said("", call("measure_sequence", sequence=["gvn"])),
        limits=Limits(turns=2),
        messages=line["messages"],
        source={"compiles": 7, "file": "suite/crc32"},
    )
    assert '"left":{"compiles":6' in episode.messages[-1]["content"]


def test_tools_that_die_are_a_failure_and_are_started_anew(scripted):
    with Server([*SERVER, "dies"]) as server:
        episode = scripted(server, said("", call("get_features")))
        assert episode.end == "tools died" and "exit code 1" in episode.outcome.failure
        again = scripted(server, said("", call("submit_sequence", sequence=[])))
        assert again.end == "submitted"


def test_a_program_that_cannot_be_opened_is_a_failure(scripted, server):
    episode = scripted(server, said("", call("get_features")), program="missing.c")
    assert episode.end == "tools died" and "missing.c" in episode.outcome.failure


def test_a_constrained_model_of_chance_makes_good_calls(agent, server):
    tasks = [task_of(example())] * 6
    episodes = play.play(agent, tasks, [server], Sampling(max_tokens=200), range(6), Limits(turns=3))
    assert all(episode.end in ("turns", "submitted", "tokens", "silent") for episode in episodes)
    assert sum(e.outcome.good_turns for e in episodes) > 0.5 * sum(e.outcome.turns for e in episodes)
    again = play.play(agent, tasks[:2], [server], Sampling(max_tokens=200), range(2), Limits(turns=3))
    assert [e.ids for e in again] == [e.ids for e in episodes[:2]]


def test_rows_are_computed_as_if_alone(agent):
    form = agent.form
    prompts = [form.encode(example()["messages"][:k], ask=True).ids for k in (2, 4, 6)]
    greedy = Sampling(temperature=1, max_tokens=8)
    batch = generate.Continuation(agent.model, 3, form.end)
    batch.add(prompts)
    together = batch.say(greedy, [1, 2, 3])
    batch.keep([0, 2])
    batch.add([prompts[0], prompts[1][:5]])
    later = batch.say(greedy, [7, 8])
    for k, first in ((0, together[0]), (2, together[2])):
        alone = generate.Continuation(agent.model, 1, form.end)
        alone.add([prompts[k]])
        (only,) = alone.say(greedy, [k + 1])
        assert only.ids == first.ids and only.logprobs == pytest.approx(first.logprobs, abs=1e-4)
        alone.add([prompts[0] if k == 0 else prompts[1][:5]])
        (only,) = alone.say(greedy, [7 if k == 0 else 8])
        assert only.ids == later[k // 2].ids
    assert batch.flops > 0


def test_a_penalty_on_repetition_takes_what_was_not_said(agent):
    prompt = agent.form.encode(example()["messages"][:2], ask=True).ids
    for penalty, few in ((1.0, True), (50.0, False)):
        batch = generate.Continuation(agent.model, 1, agent.form.end)
        batch.add([prompt])
        (one,) = batch.say(Sampling(temperature=0, repetition_penalty=penalty, max_tokens=10), [1])
        assert (len(set(one.ids)) < 5) == few
