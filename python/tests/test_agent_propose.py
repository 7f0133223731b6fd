"""What a model would measure first."""
# ruff: noqa: E402 (what may be missing is looked for first)

from __future__ import annotations

import io
import json
import math
from typing import Any

import pytest
from agent_parts import DEFINITIONS, example, table

torch = pytest.importorskip("torch", reason="PyTorch is not installed (extra 'agent')")
for package in ("transformers", "peft"):
    pytest.importorskip(package, reason=f"{package} is not installed (extra 'agent')")

from ordo.agent import model
from ordo.agent.generate import Continuation, Sampling
from ordo.agent.propose import propose
from ordo.agent.serve import Speaker, serve

torch.set_num_threads(1)  # of small matrices, which threads only wait for each other with

MESSAGES = example()["messages"][:2]
(MEASURE,) = [tool for tool in DEFINITIONS if tool["function"]["name"] == "measure_sequence"]
REQUEST = {"messages": MESSAGES, "tools": [MEASURE], "seed": 3, "propose": 6, "max_tokens": 200}


@pytest.fixture(scope="module")
def agent() -> model.Agent:
    return model.load("random:1")


def ask(agent: model.Agent, request: Any) -> dict[str, Any]:
    writer = io.StringIO()
    serve(Speaker(agent), "chance", io.StringIO(json.dumps(request) + "\n"), writer)
    return json.loads(writer.getvalue().splitlines()[1])


def test_they_are_distinct_sequences_of_the_objective_the_likeliest_first(agent):
    answer = ask(agent, REQUEST)
    proposals = answer["proposals"]
    sequences = [tuple(proposal["sequence"]) for proposal in proposals]
    assert len(sequences) == len(set(sequences)) == 6
    assert all(set(sequence) <= set(table().spaces["ir_instructions"]) for sequence in sequences)
    likely = [proposal["log_probability"] for proposal in proposals]
    assert likely == sorted(likely, reverse=True) and all(value <= 0 for value in likely)
    assert answer["usage"]["flops"] > 0
    assert answer["usage"]["completion_tokens"] > sum(map(len, sequences))


def test_the_same_seed_proposes_the_same(agent):
    one, two, other = ask(agent, REQUEST), ask(agent, REQUEST), ask(agent, REQUEST | {"seed": 4})
    assert one == two
    assert one["proposals"] != other["proposals"]


def test_without_chance_there_is_one(agent):
    assert len(ask(agent, REQUEST | {"temperature": 0})["proposals"]) == 1


def test_its_probability_is_that_of_its_actions_and_what_follows(agent):
    (proposal,) = propose(agent, MESSAGES, MEASURE, 1, Sampling(0.0, 1.0, 200), 3).proposals
    form = agent.form
    told = form.encode(MESSAGES, [MEASURE], ask=True).ids
    batch = Continuation(agent.model, 1, form.end)
    batch.add([told])
    needing = json.loads(json.dumps(MEASURE))
    needing["function"]["parameters"]["required"] = ["sequence"]
    walk = form.grammar(MESSAGES, [needing]).turn()
    (turn,) = batch.say(Sampling(0.0, 1.0, 200), [1], [walk])
    assert tuple(walk.message["tool_calls"][0]["function"]["arguments"]["sequence"]) == proposal.sequence
    (ids,) = batch.ids
    with torch.inference_mode():
        logits = agent.model(input_ids=torch.tensor([ids])).logits[0].double().log_softmax(-1)
    first = len(told) + turn.ids.index(form.table.frame("list")) + 1
    whole = sum(logits[place - 1, ids[place]].item() for place in range(first, len(ids)))
    assert math.isclose(proposal.log_probability, whole, rel_tol=1e-4)


def test_copies_of_a_row_go_on_as_if_alone(agent):
    ids = agent.form.encode(MESSAGES, [MEASURE], ask=True).ids
    grammar = agent.form.grammar(MESSAGES, [MEASURE])

    def say(seeds: list[int]) -> list[list[int]]:
        batch = Continuation(agent.model, 1, agent.form.end)
        batch.add([ids])
        batch.copy(len(seeds))
        said = batch.say(Sampling(max_tokens=40), seeds, [grammar.turn() for _ in seeds])
        assert [row[: len(ids)] for row in batch.ids] == [ids] * len(seeds)
        return [one.ids for one in said]

    together = say([1, 2, 3])
    assert together == [say([seed])[0] for seed in (1, 2, 3)]


@pytest.mark.parametrize(
    ("change", "complaint"),
    [
        ({"propose": 257}, "'propose' is a whole number from 0 to 256"),
        ({"propose": "all"}, "'propose'"),
        ({"tools": []}, "one tool"),
        ({"tools": DEFINITIONS}, "one tool"),
        ({"source": 3}, "'source' is a text"),
        ({"messages": [{"role": "user", "content": "gvn " * 50}] * 200}, "the dialogue has"),
    ],
)
def test_what_is_wrong_with_a_request_is_its_answer(agent, change, complaint):
    assert complaint in ask(agent, REQUEST | change)["error"]
