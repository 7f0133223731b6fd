"""What `./ordo bench reach` says of runs: comparisons of samples, and the page."""

import sqlite3
import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "bench"))

import reach
import reach_page
import reach_report


def study(path, values, method="policy"):
    """A study file of one objective: values[program][seed] = [(evaluation, value)], baselines are 100."""
    with sqlite3.connect(path) as file:
        file.executescript(
            "create table meta (key text, value text);"
            "insert into meta values ('max_length', '60'), ('note.began', 'now');"
            "create table program (id integer primary key, uri text, failure text);"
            "create table baseline (program, baseline, metric, value);"
            "create table run (id integer primary key, method, program, objective, seed);"
            "create table improvement (run, evaluation, cpu_s, value);"
        )
        for number, (uri, seeds) in enumerate(values.items()):
            file.execute("insert into program values (?, ?, '')", (number, uri))
            file.execute("insert into baseline values (?, 'clang-Oz', 'text_bytes', 100)", (number,))
            for seed, steps in seeds.items():
                run = file.execute(
                    "insert into run values (null, ?, ?, 'text_bytes', ?)", (method, number, seed)
                ).lastrowid
                file.executemany(
                    "insert into improvement values (?, ?, 0.1, ?)", [(run, *step) for step in steps]
                )
    return path


def test_gains_are_those_at_the_budget_and_never_negative(tmp_path):
    values = {"a": {1: [(3, 120.0), (50, 80.0)], 2: [(3, 90.0)]}, "b": {1: [], 2: [(1000, 50.0)]}}
    runs, baselines = reach.empty()
    reach.read(study(tmp_path / "s.sqlite", values), runs, baselines)
    early = reach.gains(runs, baselines, "text_bytes", "policy", evaluations=3)
    assert early == pytest.approx({"a": 0.10536 / 2, "b": 0}, abs=1e-4)
    assert reach.best_known(runs, baselines, "text_bytes")["b"] == pytest.approx(0.6931, abs=1e-4)
    assert reach.summarise(reach.samples(runs, baselines, "text_bytes", "policy"))[0] > 0


def test_a_comparison_pairs_programs_and_draws_trainings_and_seeds():
    plain = reach.compare({"a": 0.1, "b": 0.3, "c": 9.0}, {"a": 0.1, "b": 0.2})
    assert plain["programs"] == 2 and plain["ratio"] == pytest.approx(4 / 3)
    assert plain["difference_interval"] == pytest.approx([0, 10])
    same = {program: {0: [0.2, 0.2], 1: [0.2, 0.2]} for program in "ab"}
    assert reach.compare(same, {"a": 0.1, "b": 0.1})["ratio_interval"] == pytest.approx([2, 2])
    # Equal means, but by training or by seed they are uncertain.
    trainings = {program: {0: [0.1, 0.1], 1: [0.3, 0.3]} for program in "ab"}
    seeds = {program: {0: [0.1, 0.3], 1: [0.1, 0.3]} for program in "ab"}
    for uncertain in (trainings, seeds):
        found = reach.compare(uncertain, {"a": 0.1, "b": 0.1})
        assert found["ratio"] == pytest.approx(2)
        low, high = found["ratio_interval"]
        assert low < 1.5 and high > 2.5


def test_studies_with_other_baselines_or_settings_are_not_read_together(tmp_path):
    one = study(tmp_path / "one.sqlite", {"a": {1: [(3, 90.0)]}})
    other = study(tmp_path / "other.sqlite", {"a": {1: [(3, 90.0)]}}, "evolutionary")
    with sqlite3.connect(other) as file:
        file.execute("update baseline set value = 101")
    assert list(reach_report.agreeing([other], one)) == []
    assert list(reach_report.agreeing([one], one)) == [one]
    shorter = study(tmp_path / "shorter.sqlite", {"a": {1: [(3, 90.0)]}})
    with sqlite3.connect(shorter) as file:
        file.execute("update meta set value = '30' where key = 'max_length'")
    assert list(reach_report.agreeing([shorter], one)) == []


def test_runs_of_rivals_are_missing_until_all_are_there(tmp_path):
    (tmp_path / "list.txt").write_text("# two programs\na\nb\n")
    line = ["--list", str(tmp_path / "list.txt"), "--seeds", "2"]
    some = study(tmp_path / "some.sqlite", {"a": {1: [], 2: []}, "b": {1: []}}, "evolutionary")
    rest = study(tmp_path / "rest.sqlite", {"b": {2: []}}, "evolutionary")
    assert reach_report.lacks([some], "evolutionary", "text_bytes", line)
    assert not reach_report.lacks([some, rest], "evolutionary", "text_bytes", line)
    assert reach_report.lacks([some, rest], "evolutionary", "ir_instructions", line)


def test_the_table_says_what_falls_short_and_the_page_is_whole(tmp_path):
    runs, baselines = reach.empty()
    reach.read(study(tmp_path / "p", {"a": {1: [(3, 90.0)]}, "b": {1: [(3, 80.0)]}}), runs, baselines)
    rival = {"a": {1: [(9, 85.0)]}, "b": {1: [(9, 85.0)]}}
    reach.read(study(tmp_path / "e", rival, "evolutionary"), runs, baselines)
    comparisons = reach.table(runs, baselines)
    table = {row[0]: row for row in reach_report.ratio_rows(comparisons)}
    own = table["own answer, of the gain of evolutionary with 1,000 compiles"]
    assert own[2] == "not measured" and not own[3].startswith("**short:**")
    assert table["100 compiles, more than evolutionary with 1,000, points"][3].startswith("**short:**")
    header = ("what", "wanted")
    curves = reach_page.curves(runs, baselines)
    page = reach_page.page("Reach", "", [(header, [own])], comparisons, curves, ["a `fact`"])
    assert page.count("<svg") == page.count("</svg>") == 2
    assert "nan" not in page and "<code>fact</code>" in page
