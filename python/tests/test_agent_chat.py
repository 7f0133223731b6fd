"""Dialogues as plain text, with a tokenizer that is trained here."""
# ruff: noqa: E402 (what may be missing is looked for first)

from __future__ import annotations

import random
from typing import Any

import pytest
from agent_parts import DEFINITIONS, call, example, random_turn, said

pytest.importorskip("transformers", reason="transformers is not installed (extra 'agent')")

from tokenizers import ByteLevelBPETokenizer
from transformers import PreTrainedTokenizerFast

from ordo.agent.chat import ChatForm, read_calls, write_calls

MESSAGES = example()["messages"]
KNOWING = (
    "{% if tools %}TOOLS {{ tools | length }}\n{% endif %}"
    "{% for m in messages %}[{{ m.role }}] {{ m.content }}"
    "{% for c in m.tool_calls or [] %}<tool_call>{{ c.function | tojson }}</tool_call>{% endfor %}<|im_end|>"
    "{% endfor %}{% if add_generation_prompt %}[assistant] {% endif %}"
)


@pytest.fixture(scope="module")
def tokenizer() -> Any:
    bpe = ByteLevelBPETokenizer()
    bpe.train_from_iterator(
        [write_calls(m) for m in MESSAGES], 400, special_tokens=["<|im_end|>", "<|im_start|>"]
    )
    return PreTrainedTokenizerFast(tokenizer_object=bpe._tokenizer, eos_token="<|im_end|>")


@pytest.mark.parametrize("seed", range(50))
def test_calls_come_back_from_text(seed):
    message = random_turn(random.Random(seed))
    message["content"] = message["content"].strip()
    if "tool_calls" in message:
        assert read_calls(write_calls(message)) == message


@pytest.mark.parametrize(
    "text",
    [
        "<tool_call>{</tool_call>",
        "<tool_call>[1]</tool_call>",
        '<tool_call>{"name": 3}</tool_call>',
        '<tool_call>{"name": "x", "arguments": "y"}</tool_call>',
        "<tool_call>" + "[" * 100000 + "</tool_call>",
        "no call",
    ],
)
def test_what_is_no_call_stays_in_the_content(text):
    assert read_calls(text) == {"role": "assistant", "content": text}


def test_the_tools_stand_in_the_system_message(tokenizer):
    form = ChatForm(tokenizer)
    text = tokenizer.decode(form.encode(MESSAGES[:2], DEFINITIONS, ask=True).ids)
    assert text.startswith(
        "<|im_start|>system\nYou make programs smaller with tools.\n\nYou have these tools"
    )
    assert text.count('"type": "function"') == len(DEFINITIONS)
    assert text.endswith("<|im_start|>assistant\n")
    alone = tokenizer.decode(form.encode(MESSAGES[1:2], DEFINITIONS).ids)
    assert alone.startswith("<|im_start|>system\nYou have these tools")


@pytest.mark.parametrize("template", [None, KNOWING])
def test_what_the_model_said_is_marked_and_read_back(tokenizer, template):
    tokenizer.chat_template = template
    form = ChatForm(tokenizer)
    encoded = form.encode(MESSAGES, DEFINITIONS)
    turns, turn = [], []
    for token, mine in zip([*encoded.ids, 0], [*encoded.said, False]):
        if mine:
            turn.append(token)
        elif turn:
            turns.append(turn)
            turn = []
    read = [form.decode(ids, []) for ids in turns]
    wanted = [m for m in MESSAGES if m["role"] == "assistant"]
    assert [m["tool_calls"] for m in read] == [m["tool_calls"] for m in wanted]
    asked = form.encode(MESSAGES[:4], DEFINITIONS, ask=True)
    assert encoded.ids[: len(asked.ids)] == asked.ids


def test_a_template_that_rewrites_the_past_is_refused(tokenizer):
    tokenizer.chat_template = "{{ messages | length }}{{ tools }}{{ messages[0].content }}"
    with pytest.raises(ValueError, match="rewrites"):
        ChatForm(tokenizer).encode(MESSAGES)
    tokenizer.chat_template = None


def test_thoughts_can_be_left_out(tokenizer):
    form = ChatForm(tokenizer, thoughts=False)
    text = tokenizer.decode(form.encode([said("<think>why</think>", call("get_features"))]).ids)
    assert "why" not in text and "get_features" in text
