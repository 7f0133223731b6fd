"""What `./ordo bench reach` says of runs: comparisons of samples, and the page."""

import json
import sqlite3
import sys
from pathlib import Path

import numpy
import pytest

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "bench"))

import counts
import reach
import reach_page
import reach_report
import reach_rows


def study(path, values, method="policy"):
    """A study file of one objective: values[program][seed] = [(evaluation, value)], baselines are 100.

    An evaluation takes 0.1 s, and runs end after their last improvement.
    """
    with sqlite3.connect(path) as file:
        file.executescript(
            "create table meta (key text, value text);"
            "insert into meta values ('max_length', '60'), ('note.began', 'now');"
            "create table program (id integer primary key, uri text, failure text);"
            "create table baseline (program, baseline, metric, value);"
            "create table run (id integer primary key, method, program, objective, seed, failure);"
            "create table improvement (run, evaluation, cpu_s, value);"
            "create table checkpoint (run, compiles, evaluations, cpu_s);"
        )
        for number, (uri, seeds) in enumerate(values.items()):
            file.execute("insert into program values (?, ?, '')", (number, uri))
            file.execute("insert into baseline values (?, 'clang-Oz', 'text_bytes', 100)", (number,))
            for seed, steps in seeds.items():
                run = file.execute(
                    "insert into run values (null, ?, ?, 'text_bytes', ?, '')", (method, number, seed)
                ).lastrowid
                file.executemany(
                    "insert into improvement values (?, ?, ?, ?)",
                    [(run, number, 0.1 * number, value) for number, value in steps],
                )
                file.executemany(
                    "insert into checkpoint values (?, ?, ?, ?)",
                    [(run, number, number, 0.1 * number) for number, _ in steps],
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
    table = {row[0]: row for row in reach_rows.ratio_rows(comparisons, "test")}
    own = table["own answer, of the gain of evolutionary with 1,000 compiles"]
    assert own[1] == "43 / 40 %"
    assert own[3] == "not measured" and not own[4].startswith("**short:**")
    assert table["100 compiles, more than evolutionary with 1,000, points"][4].startswith("**short:**")
    header = ("what", "before", "wanted")
    curves = reach_page.curves(runs, baselines)
    page = reach_page.page("Reach", "", [(header, [own])], comparisons, curves, ["a `fact`"])
    assert page.count("<svg") == page.count("</svg>") == 2
    assert "nan" not in page and "<code>fact</code>" in page


def test_processor_time_is_compared_by_compile_and_by_program(tmp_path):
    times = reach.no_times()
    reach.read_times(study(tmp_path / "p", {"a": {1: [(50, 90.0), (300, 80.0)]}}), times)
    reach.read_times(study(tmp_path / "e", {"a": {1: [(100, 90.0)]}}, "evolutionary"), times)
    assert reach_rows.seconds_per_compile(times, "text_bytes", "policy", 100) == pytest.approx({"a": 0.1})
    for row in reach_rows.time_rows(times):
        assert row[3:] == ("not measured", "1.00 [1.00, 1.00]")
    times["text_bytes"]["policy"]["a"] = [[(100, 100, 20.0)]]
    assert next(reach_rows.time_rows(times))[4] == "**short:** 2.00 [2.00, 2.00]"
    assert reach.mean_ratio([1, 4])[0] == pytest.approx(2)


def test_a_network_is_compared_with_counts_at_the_time_of_the_shorter_run(tmp_path):
    def side(name, steps):
        found = (*reach.empty(), reach.no_times())
        path = study(tmp_path / name, {"a": {1: steps}, "b": {1: steps}})
        reach.read(path, *found[:2])
        reach.read_times(path, found[2])
        return found

    network = side("network", [(10, 90.0), (300, 50.0)])
    row = reach.at_equal_time(network, side("counts", [(20, 95.0)]), "text_bytes")
    assert row["gain"] == pytest.approx(10) and row["rival"] == pytest.approx(5)
    cells = next(reach_rows.network_rows({"time": {"text_bytes": row}, "compiles": {}}))
    assert cells[3] == "not measured" and cells[4].startswith("+5.41 [+5.41, +5.41], 51 %")
    same = reach.at_equal_time(network, network, "text_bytes")
    assert reach_rows.network_cell(same).startswith("**short:** +0.00")


def test_modules_reach_twice_what_was_before_at_both_ends():
    def cell(*tuned):
        return reach_rows.modules_cell([{"baseline": 100, "tuned": value} for value in tuned])

    assert cell(99, 93).startswith("1.0 to 7.0 %, mean 4.0 %")
    assert cell(99.5, 93).startswith("**short:**") and cell(99, 95).startswith("**short:**")


def test_counts_are_weights_of_what_follows_what():
    run = (
        '{"objective": "text_bytes", "references": {"clang-Oz": {"text_bytes": 100}},'
        ' "best": [{"actions": [1, 0], "values": {"text_bytes": 90}}]}'
    )
    found = list(counts.sequences([run, '{"left_out": "too large"}']))
    assert found == [("text_bytes", pytest.approx(1.1), [1, 0])]
    follows, belongs = counts.counted(found, 2)
    assert follows[2, 1] == follows[1, 0] == follows[0, 2] == pytest.approx(1.1 / 3)
    features = counts.HISTORY_AT + 3 * 2 + 3
    weights, bias = counts.network(1000 * follows, belongs, features)
    first, after = numpy.zeros(features), numpy.zeros(features)
    after[counts.HISTORY_AT + 2 + 1] = 1  # the last was action 1
    assert (weights @ first + bias).argmax() == 1
    assert (weights @ after + bias).argmax() == 0


def test_counts_of_the_shipped_experience_are_a_policy_of_its_features(tmp_path):
    def read(path):
        data = path.read_bytes()
        length = int.from_bytes(data[:8], "little")
        return data, length, json.loads(data[8 : 8 + length])

    counts.write(tmp_path / "counts.safetensors")
    data, length, header = read(tmp_path / "counts.safetensors")
    # They see what the shipped network sees, and answer with an action of the shipped experience, or none.
    root = Path(__file__).resolve().parents[2]
    shipped = read(root / "data/policy/size.safetensors")[2]
    with open(root / "data/experience/debian.jsonl", encoding="utf-8") as lines:
        actions = json.loads(lines.readline())["actions"]
    assert header["logits.weight"]["shape"] == [len(actions) + 1, shipped["input.weight"]["shape"][1]]
    assert header["logits.weight"]["shape"][0] == shipped["logits.weight"]["shape"][0]
    assert header["__metadata__"]["architecture"] == "linear"
    assert max(end for name in header if "." in name for end in [header[name]["data_offsets"][1]]) == len(
        data
    ) - (8 + length)


def test_a_sample_is_spread_over_the_list(tmp_path):
    programs = tmp_path / "ten.txt"
    programs.write_text("# by size\n" + "".join(f"debian/p/{n}.c\n" for n in range(10)), encoding="utf-8")
    line = ["--list", str(programs), "--methods", "policy", "--objectives", "text_bytes", "--space", "text"]
    folder = tmp_path / "sample"
    folder.mkdir()
    [sampled] = reach_report.sampled([line], 2, folder)
    assert reach_report.programs_of(sampled) == ["debian/p/2.c", "debian/p/7.c"]
    assert sampled[2:] == line[2:]
    assert reach_report.programs_of(reach_report.sampled([line], 10, folder)[0]) == reach_report.programs_of(line)
    with pytest.raises(SystemExit, match="ten.txt has 10 programs"):
        reach_report.sampled([line], 11, folder)
