"""The table of compact tokens: what it has, and that texts and numbers come back."""

from __future__ import annotations

import json
import pathlib
import random
import re

import pytest
from agent_parts import random_text, table

from ordo.agent import tokens, vocabulary
from ordo.agent.tokens import TokenTable

ROOT = pathlib.Path(__file__).resolve().parents[2]


def test_each_action_of_the_spaces_is_one_token():
    for objective, space in vocabulary.SPACES.items():
        actions = vocabulary.read_space(space)
        assert table().spaces[objective] == actions and len(actions) > 80
        assert all(table().find("action", action) is not None for action in actions)
    assert table().frame("pad") == 0


def test_features_are_those_that_ordo_counts():
    source = (ROOT / "src" / "policy" / "attribution.cpp").read_text()
    counts = source[source.index("kCounts{{") : source.index("}};")]
    assert re.findall(r'\{"(\w+)", "', counts) == list(vocabulary.FEATURES)


@pytest.mark.parametrize("seed", range(300))
def test_text_comes_back_from_its_tokens(seed):
    rng = random.Random(seed)
    text = random_text(rng)
    spelled = table().spell(text)
    assert table().unspell(spelled) == text
    assert table().parse(table().render(spelled)) == spelled


@pytest.mark.parametrize("text", ["", " ", "gvn", " gvn", "gvn gvn", "x.gvn", "gvn.ll", "\ud800", "-minsize"])
def test_odd_text_comes_back(text):
    assert table().unspell(table().spell(text)) == text


def test_a_name_in_a_sentence_is_one_token():
    name = "instcombine<max-iterations=4;no-verify-fixpoint>"
    assert table().render(table().spell(f"{name} saves the instructions")) == (
        f"frame:glue action:{name} piece:Ġsaves piece:Ġthe piece:Ġinstructions"
    )


def test_any_ids_render_and_parse():
    rng = random.Random(1)
    ids = [rng.randrange(len(table())) for _ in range(2000)]
    assert table().parse(table().render(ids)) == ids


@pytest.mark.parametrize(
    ("kind", "number", "value"),
    [
        ("gain", 0, "0"),
        ("gain", 0.0004, "0"),
        ("gain", -0.001, "-0.0005"),
        ("gain", 0.06, "0.05"),
        ("gain", 7, "1"),
        ("gain", -7, "-1"),
        ("left", 0, "0"),
        ("left", 99, "96"),
        ("left", 10**9, "512"),
        ("saves", -4, "-3"),
        ("size", 0, "0"),
        ("chance", 1, "0.9"),
    ],
)
def test_a_number_is_in_its_bin(kind, number, value):
    assert table().value(table().binned(kind, number)) == value


def test_every_bin_has_its_own_token_and_bounds_are_their_own_bin():
    for kind in ("gain", "saves", "size", "left", "count", "chance"):
        assert [
            float(table().value(table().binned(kind, least))) for least in tokens.bins(kind)
        ] == tokens.bins(kind)
    least = tokens.bins("feature")
    assert [table().feature("TotalInsts", n) for n in least] == [
        table().ids[f"feature:TotalInsts={n}"] for n in least
    ]
    assert table().feature("TotalInsts", 0) is None and table().feature("NoSuch", 5) is None


def test_it_is_saved_and_loaded(tmp_path):
    file = tmp_path / "tokens.json"
    table().save(file)
    again = TokenTable.load(file)
    assert again.names == table().names and again.spaces == table().spaces and again.digest == table().digest
    assert [path.name for path in tmp_path.iterdir()] == ["tokens.json"]


@pytest.mark.parametrize("content", [[], {"ordo_tokens": 99, "names": [], "spaces": {}}, "x"])
def test_what_is_no_table_is_refused(tmp_path, content):
    file = tmp_path / "tokens.json"
    file.write_text(json.dumps(content))
    with pytest.raises(ValueError, match="no table of tokens"):
        TokenTable.load(file)


@pytest.mark.parametrize("names", [["frame:pad", "frame:pad"], ["pad"], ["piece:a b"]])
def test_a_table_with_odd_names_is_refused(names):
    with pytest.raises(ValueError):
        TokenTable(names, {})


def test_pieces_are_learnt_from_use():
    class Words:
        def tokenize(self, text: str) -> list[str]:
            return [tokens.to_letters(part) for part in re.findall(r" ?\w+|\W", text)]

    texts = ["it saves much", "it saves", "that saves naught", "it"]
    assert tokens.learn_pieces(texts, Words(), least_uses=3) == ["it", "Ġsaves"]
