"""What `bench/join_experience.py` makes of files of experience."""

import json
import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "bench"))

import join_experience


def experience(path, actions, records, **header):
    fields = {"format": 1, "version": "22", "baseline": "clang-Oz", "max_length": 9, "observations": []}
    lines = [{**fields, "actions": actions, **header}, *records]
    path.write_text("".join(json.dumps(line) + "\n" for line in lines))
    return str(path)


def test_runs_of_other_objectives_are_taken_and_nothing_comes_twice(tmp_path):
    wide = experience(
        tmp_path / "wide", ["a", "b"], [{"uri": "p", "objective": "text"}, {"uri": "q", "left_out": "big"}]
    )
    runs = [{"uri": "p", "objective": "text"}, {"uri": "p", "objective": "ir"}, {"uri": "q", "left_out": "big"}]
    small = experience(tmp_path / "small", ["a"], runs)
    joined = [json.loads(line) for line in join_experience.join([wide, small])]
    assert joined[0]["actions"] == ["a", "b"]
    assert joined[1:] == [
        {"uri": "p", "objective": "text"},
        {"uri": "q", "left_out": "big"},
        {"uri": "p", "objective": "ir"},
    ]


@pytest.mark.parametrize("actions, header", [(["b"], {}), (["a"], {"max_length": 3})])
def test_what_does_not_continue_is_refused(tmp_path, actions, header):
    wide = experience(tmp_path / "wide", ["a", "b"], [])
    other = experience(tmp_path / "other", actions, [], **header)
    with pytest.raises(SystemExit):
        list(join_experience.join([wide, other]))
