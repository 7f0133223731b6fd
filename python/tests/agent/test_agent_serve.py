"""A model that is asked in lines of JSON."""
# ruff: noqa: E402 (what may be missing is looked for first)

from __future__ import annotations

import io
import json
from typing import Any

import pytest
from agent_parts import DEFINITIONS, example, table
from conversation import Conversation

torch = pytest.importorskip("torch", reason="PyTorch is not installed (extra 'agent')")
for package in ("transformers", "peft"):
    pytest.importorskip(package, reason=f"{package} is not installed (extra 'agent')")

from ordo.agent import model
from ordo.agent.generate import Continuation
from ordo.agent.serve import Speaker, serve

torch.set_num_threads(1)  # of small matrices, which threads only wait for each other with

MESSAGES = example()["messages"]
REQUEST = {"messages": MESSAGES[:2], "tools": DEFINITIONS, "seed": 3, "temperature": 1.0, "max_tokens": 200}


@pytest.fixture(scope="module")
def agent() -> model.Agent:
    return model.load("random:1")


def ask(agent: model.Agent, *requests: Any) -> list[dict[str, Any]]:
    lines = "".join((r if isinstance(r, str) else json.dumps(r)) + "\n" for r in requests)
    writer = io.StringIO()
    serve(Speaker(agent), "chance", io.StringIO(lines), writer)
    hello, *answers = [json.loads(line) for line in writer.getvalue().splitlines()]
    assert hello == {"ordo_model": 1, "name": "chance"}
    return answers


def test_it_calls_a_tool_as_openai_has_it(agent):
    (answer,) = ask(agent, REQUEST)
    (made,) = answer["message"]["tool_calls"]
    assert made["type"] == "function" and made["id"] == "call_0_0"
    assert isinstance(json.loads(made["function"]["arguments"]), dict)
    usage = answer["usage"]
    assert usage["prompt_tokens"] < 20 and usage["completion_tokens"] >= 3 and usage["flops"] > 0


def test_the_same_seed_says_the_same(agent):
    one, two, other = ask(agent, REQUEST, REQUEST, REQUEST | {"seed": 4})
    assert one["message"] == two["message"] != other["message"]


def test_a_dialogue_that_goes_on_is_not_computed_again(agent):
    # The likeliest, which chance has no odd spelling in: what is spelled otherwise is computed again.
    (first,) = ask(agent, request := REQUEST | {"temperature": 0})
    goes_on = request | {"messages": [*MESSAGES[:2], first["message"], MESSAGES[3]], "max_tokens": 1}
    (cold,) = ask(agent, goes_on)
    _, warm = ask(agent, request, goes_on)
    assert warm["message"] == cold["message"]
    assert warm["usage"]["flops"] < cold["usage"]["flops"]
    assert warm["usage"]["prompt_tokens"] == cold["usage"]["prompt_tokens"]


def test_a_penalty_is_on_all_that_was_said_in_the_dialogue(agent, monkeypatch):
    heard, say = [], Continuation.say
    monkeypatch.setattr(
        Continuation, "say", lambda self, *given: heard.append(given[3][0]) or say(self, *given)
    )
    ask(agent, REQUEST, REQUEST | {"messages": MESSAGES[:4]})
    said = agent.form.encode(MESSAGES[2:3], DEFINITIONS)
    assert heard == [[], [token for token, mine in zip(said.ids, said.said, strict=True) if mine]]


def test_nonsense_is_passed_on_as_content(agent):
    (answer,) = ask(agent, REQUEST | {"constrained": False, "max_tokens": 12})
    message = answer["message"]
    assert "tool_calls" not in message and message["content"]
    assert all(name in table().ids for name in message["content"].split(" "))


@pytest.mark.parametrize(
    ("request_", "complaint"),
    [
        ("{", "no JSON"),
        ([], "a request is an object"),
        ({}, "'messages' is a list"),
        ({"messages": [3]}, "'messages' is a list of objects"),
        ({"messages": [], "tools": {}}, "'tools' is a list"),
        ({"messages": [], "tools": [{}]}, "KeyError"),
        ({"messages": [{"role": "king"}]}, "no role 'king'"),
        ({"messages": [{"role": "user", "content": ["x"]}]}, "TypeError"),
        ({"messages": [], "max_tokens": 0}, "'max_tokens' is a whole number from 1"),
        ({"messages": [], "seed": True}, "'seed'"),
        ({"messages": [], "temperature": float("nan")}, "'temperature'"),
        ({"messages": [{"role": "user", "content": "gvn " * 50}] * 200}, "the dialogue has"),
        ("[" * 100000, "no JSON"),
    ],
)
def test_what_is_wrong_with_a_request_is_an_answer(agent, request_, complaint):
    wrong, right = ask(agent, request_, REQUEST)
    assert complaint in wrong["error"]
    assert "message" in right


def test_the_command_speaks_the_protocol_alone():
    talk = Conversation("ordo.agent.serve", "random:1")
    assert talk.hear() == {"ordo_model": 1, "name": "random:1"}
    talk.say(REQUEST)
    assert "message" in talk.hear()
    code, _ = talk.end()
    assert code == 0


@pytest.mark.parametrize(
    ("name", "complaint", "ends"),
    [("gpt", "is no model", 64), ("hf:/no/such", "there is no model in /no/such", 66)],
)
def test_a_model_that_is_not_there_is_said(name, complaint, ends):
    talk = Conversation("ordo.agent.serve", name)
    assert talk.hear() is None
    code, errors = talk.end()
    assert code == ends and complaint in errors and "Traceback" not in errors
