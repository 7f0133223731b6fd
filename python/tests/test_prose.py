"""bench/prose.py: lines of prose, and that the pages here keep to their length."""

import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "bench"))

import prose

LONG = "a sentence of words " * 8


@pytest.mark.parametrize("before", ["", "- ", "  12. ", "   "])
def test_paragraphs_and_items_are_filled(before):
    page = f"# Title\n\n{before}{LONG}\nand one more line.\n"
    filled = prose.fill(page)
    assert prose.too_long(page) == [3] and not prose.too_long(filled)
    assert filled.split() == page.split()
    first, second = filled.split("\n")[2:4]
    assert first.startswith(before) and second.startswith(" " * len(before))
    assert prose.fill(filled) == filled


def test_tables_and_code_may_be_longer():
    page = f"| {LONG} |\n|---|\n\n```\n{LONG}\n# {LONG}\n```\n\n    {LONG}\n"
    assert prose.fill(page) == page and not prose.too_long(page)


def test_what_has_no_space_to_break_at_may_be_longer():
    url = "https://example.org/" + "a" * 100
    assert not prose.too_long(f"- {url}\n") and prose.too_long(f"- see {url}\n") == [1]
    assert prose.fill(f"- see {url}\n") == f"- see\n  {url}\n"


def test_a_heading_that_is_too_long_is_named():
    assert prose.too_long(f"# {LONG}\n") == [1]


def test_no_line_begins_with_what_would_be_markup():
    for mark in ("-", "+", "1.", "#", ">", "*"):
        filled = prose.fill(f"{'x' * 50} {'y' * 57} {mark} and {'z' * 20}\n")
        assert len(filled.split("\n")) == 3 and not filled.split("\n")[1].startswith(mark)


@pytest.mark.parametrize("whole", ["`ordo tune suite/sha256`", "<!-- end of reach -->"])
def test_code_and_marks_stay_whole(whole):
    assert whole in prose.fill(f"{LONG[:100]}{whole} and so on\n")


@pytest.mark.parametrize("page", prose.pages(), ids=lambda page: str(page.relative_to(prose.ROOT)))
def test_prose_keeps_to_its_length(page):
    assert prose.too_long(page.read_text(encoding="utf-8")) == []
