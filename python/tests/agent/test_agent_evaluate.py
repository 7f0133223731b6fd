"""What a model is judged by: conditions, rows that are not played twice, tables."""
# ruff: noqa: E402 (what may be missing is looked for first)

from __future__ import annotations

import json

import pytest
from agent_parts import SERVER, example

torch = pytest.importorskip("torch", reason="PyTorch is not installed (extra 'agent')")
pytest.importorskip("transformers", reason="transformers is not installed (extra 'agent')")
pytest.importorskip("peft", reason="peft is not installed (extra 'agent')")

from ordo.agent import evaluate, verdicts
from ordo.agent.conditions import condition

torch.set_num_threads(1)  # of small matrices, which threads only wait for each other with


@pytest.fixture
def run(tmp_path):
    programs = tmp_path / "programs.txt"
    programs.write_text("# two\nsuite/crc32\nsuite/wc # small\n", encoding="utf-8")
    lines = tmp_path / "lines.jsonl"
    lines.write_text(json.dumps(example()) + "\n", encoding="utf-8")
    rows = tmp_path / "rows.jsonl"

    def play(*options: str) -> list[dict]:
        common = ["-o", str(rows), "--programs", str(programs), "--model", "random:1", "--turns", "4"]
        evaluate.main([*common, "--lines", str(lines), "--server", *SERVER, "--servers", "1", *options])
        return [json.loads(line) for line in rows.read_text(encoding="utf-8").splitlines()]

    return play


def test_rows_are_written_once_and_a_cut_line_is_played_again(run, tmp_path, capsys):
    rows = run("--seeds", "2")
    assert [(row["program"], row["seed"]) for row in rows] == [
        (program, seed) for seed in (1, 2) for program in ("suite/crc32", "suite/wc")
    ]
    assert run("--seeds", "2") == rows
    file = tmp_path / "rows.jsonl"
    file.write_bytes(file.read_bytes()[:-20])
    again = run("--seeds", "2")
    for one, other in zip(again, rows, strict=True):
        timed = {"batch_seconds": 0, "tool_seconds": 0, "flops": 0}  # padding is of the batch
        assert one | timed == other | timed


def test_dialogues_of_a_seed_do_not_share_their_chance(run):
    one, other, *_ = run("--seeds", "1", "--turn-tokens", "20")
    assert (one["said"], one["trace"]) != (other["said"], other["trace"])


def test_a_tree_measures_once_and_submits(run):
    for row in run("--conditions", "search-only,tree-0"):
        tools = [name for name, _ in row["trace"]]
        if row["condition"] == "search-only":
            assert tools == ["search_sequences", "submit_sequence"] and row["turns"] == 0
        elif row["end"] == "submitted" and "measure_sequence" in tools:
            assert tools[-1] == "submit_sequence"


def test_a_tool_that_is_left_out_is_not_called(run):
    rows = run("--conditions", "without-search_sequences,search-given,shuffled,penalty-1.1,greedy")
    left_out = [row for row in rows if row["condition"] == "without-search_sequences"]
    assert left_out and all("search_sequences" not in dict(row["trace"]) for row in left_out)
    given = [row for row in rows if row["condition"] == "search-given"]
    assert given and all(row["trace"][0][0] == "search_sequences" for row in given)


@pytest.mark.parametrize("name", ["", "tree-", "tree-x", "penalty", "shuffled", "without-", "plain-1"])
def test_what_is_no_condition_is_refused(name):
    with pytest.raises(ValueError):
        condition(name)


def test_intervals_hold_the_mean_and_a_constant_has_none():
    mean, low, high = verdicts.interval([0.0, 0.1, 0.2, 0.5])
    assert low < mean < high and mean == pytest.approx(0.2)
    assert verdicts.interval([0.3] * 5) == pytest.approx((0.3, 0.3, 0.3))


def test_a_table_pairs_by_program_and_says_where_gains_come_from():
    common = {
        "submitted": True,
        "measured": True,
        "compiles": 1,
        "tool_seconds": 0,
        "tokens": 1,
        "flops": 1e9,
    }
    rows = [
        common | {"model": f"m/{k}", "condition": name, "program": program, "gain": gain, "trace": trace}
        for k in (1, 2)
        for program in "ab"
        for name, gain, trace in (
            ("plain", 0.1, [["measure_sequence", 0.02], ["edit_sequence", 0.1]]),
            ("tree-0", 0.3, [["measure_sequence", -0.1], ["search_sequences", 0.3]]),
        )
    ]
    lines = verdicts.table(rows).splitlines()
    assert "| m | plain | 4 | 100.0 % | 10.00 [10.00, 10.00] |  | 0 / 100 / 0 / 0 |" in lines[2]
    assert (
        "| m | tree-0 | 4 | 100.0 % | 30.00 [30.00, 30.00] | 20.00 [20.00, 20.00] | 0 / 0 / 100 / 0 |"
        in lines[3]
    )
