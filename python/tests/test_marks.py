"""bench/marks.py: the parts of pages that benchmarks write."""

import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "bench"))

import marks


def test_only_the_marked_part_of_a_page_is_written(tmp_path):
    page = tmp_path / "page.md"
    page.write_text("before\n<!-- reach -->\nold\n<!-- end of reach -->\nafter\n")
    marks.insert(page, "reach", "new\n")
    assert page.read_text() == "before\n<!-- reach -->\nnew\n<!-- end of reach -->\nafter\n"
    marks.insert(page, "reach", "many words " * 20 + "\n")
    assert max(map(len, page.read_text().splitlines())) <= 110
    with pytest.raises(SystemExit):
        marks.insert(page, "reach test", "new\n")
