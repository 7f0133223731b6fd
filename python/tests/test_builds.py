"""What `./ordo bench builds` lists and says: the projects, and the tables that it writes."""

import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "bench"))

import builds
import builds_advised
import builds_page
from builds_projects import PROJECTS, Project

ONE, TWO = (
    Project(name, name, "1.0", "make", "make clean", "make test", "all", ("a",)) for name in ("one", "two")
)


def row(text, **changed):
    stats = {"tuned": 3, "cached": 0, "plain": 1, "fallback": 0}
    times = {"cpu_s": 4.0, "plain_cpu_s": 2.0, "warm_wall_s": 1.0, "plain_wall_s": 2.0, "warm_cpu_s": 1.0}
    return {"text": text, "code": text - 120, "tests": True, "stats": stats, "revision": "abc", **times, **changed}


def entry(rows, tests=True):
    return {"version": "1.0", "plain": {"text": 1000, "code": 800, "tests": tests}, "ordo": rows}


def cells(text, *first):
    """Of the row of a table that begins with these."""
    [line] = [line for line in text.splitlines() if line.startswith("| " + " | ".join(first) + " |")]
    return [cell.strip() for cell in line.strip("|").split("|")]


def test_a_failure_stays_in_the_table_and_in_the_mean():
    results = {
        "one": entry({"0": row(900)}),
        "two": entry({"0": {"failure": "two-0.log", "revision": "abc"}}),
    }
    page = builds_page.page([ONE, TWO], results)
    assert cells(page, "0")[1:5] == ["2 of 2", "-5.00 %", "-1.25 %", "0"]
    assert cells(page, "0")[-1] == "1"
    assert cells(page, "two", "0")[-1] == "**does not build**: two-0.log"
    assert cells(page, "one", "0")[3:] == ["900", "-10.00 %", "-2.50 %", "2.0", "0.50", "0.50", "3, 1, 0", "pass"]


def test_what_was_not_measured_is_said_and_not_counted():
    page = builds_page.page([ONE, TWO], {"one": entry({"200ms": row(980)})})
    assert cells(page, "200ms")[1:3] == ["1 of 2", "-2.00 % (wanted -3 %)"]
    assert cells(page, "5s")[1:3] == ["0 of 2", "(wanted -5 %)"]
    assert cells(page, "two", "200ms")[-1] == "not measured"


def test_what_clang_does_not_build_is_named(monkeypatch, tmp_path):
    def fails(*_):
        raise builds.subprocess.CalledProcessError(2, "make")

    monkeypatch.setattr(builds, "RESULTS", tmp_path / "builds.json")
    monkeypatch.setattr(builds, "fetch", lambda _: None)
    monkeypatch.setattr(builds, "Build", fails)
    results = {}
    builds.measure(ONE, ["0"], "", 1, results)
    page = builds_page.page([ONE], results)
    assert cells(page, "one", "0")[-1] == "**does not build with clang**: one-plain.log"
    assert cells(page, "0")[1] == "0 of 1"


def test_bigger_ones_and_failing_tests_are_counted():
    results = {
        "one": entry({"0": row(1001, tests=False)}),
        "two": entry({"0": row(1000, tests=False)}, tests=False),
    }
    page = builds_page.page([ONE, TWO], results)
    assert cells(page, "0")[4] == "1" and cells(page, "0")[-1] == "2"
    assert cells(page, "one", "0")[-1] == "**fail**"
    assert cells(page, "two", "0")[-1] == "fail, with clang too"


def test_links_are_compared_with_links():
    sizes = {"text": 800, "code": 600, "tests": True, "cpu_s": 2.0}
    better = {"text": 760, "code": 606, "tests": True, "cpu_s": 9.0}
    results = {
        "one": {**entry({}), "links": {"lto": sizes, "linked": better, "budget": "30s"}},
        "two": {**entry({}), "links": {"failure": "two-linked.log", "budget": "30s"}},
    }
    table = builds_page.links([ONE, TWO], results)
    assert "Mean change -2.50 % (wanted -2 %), 2 of 2" in table
    assert cells(table, "one")[1:] == ["800", "760", "-5.00 %", "+1.00 %", "-24.00 %", "4.5", "pass"]
    assert cells(table, "two")[-1] == "**does not build**: two-linked.log"
    assert cells(builds_page.links([ONE], {}), "one")[-1] == "not measured"


def test_the_entries_can_be_told_apart_and_say_what_they_need():
    assert len({project.name for project in PROJECTS}) == len(PROJECTS) == 10
    for project in PROJECTS:
        assert project.installed and project.tests and "-Oz" in project.configure + project.build
        assert "-O2" not in project.configure + project.build
        assert ("autoreconf" in project.configure) <= ("autoconf" in project.needs)


def test_packages_that_are_not_there_are_named(monkeypatch):
    class Listed:
        stdout = "installed make\ninstalled autoconf\nconfig-files tcl\n"

    monkeypatch.setattr(builds.subprocess, "run", lambda *_, **__: Listed)
    project = Project("one", "one", "1", "", "", "", "", (), needs=("autoconf", "tcl"))
    assert builds.missing_packages([project]) == ["debian-archive-keyring", "tcl"]


def test_what_is_known_is_not_measured_again_and_what_failed_is(monkeypatch, tmp_path):
    monkeypatch.setattr(builds, "RESULTS", tmp_path / "builds.json")
    monkeypatch.setattr(builds, "fetch", lambda _: None)
    monkeypatch.setattr(builds, "Build", lambda *_: None)
    made = []
    monkeypatch.setattr(builds, "measure_plain", lambda _: pytest.fail("known"))
    monkeypatch.setattr(builds, "measure_ordo", lambda _, budget, *__: made.append(budget) or row(900))
    results = {"one": entry({"0": row(900), "200ms": {"failure": "x"}})}
    builds.measure(ONE, ["0", "200ms", "5s"], "", 1, results)
    builds.measure(ONE, ["0", "200ms", "5s"], "", 1, results)
    assert made == ["200ms", "5s"]
    assert results == builds.json.loads((tmp_path / "builds.json").read_text())
    # Another version is another project.
    results["one"]["version"] = "0.9"
    monkeypatch.setattr(builds, "measure_plain", lambda _: {"text": 1000, "tests": True})
    builds.measure(ONE, ["0"], "", 1, results)
    assert made == ["200ms", "5s", "0"]


class FakeBuild:
    """Code falls by a byte for each word of advice, and by 100 with ordo-cc; clang's tests fail with two advisors."""

    def __init__(self, project, label, compilers, environment):
        self.label, self.words = label, environment.get("ORDO_ADVISORS", "")
        self.code = 1000 - len(self.words.split(",")) * bool(self.words) - 100 * (compilers[0] == "ordo-cc")
        self.made = 0

    def make(self):
        self.made += 1
        return 0.0, 4.0 + bool(self.words) - self.made

    def sizes(self):
        return {"text": 2 * self.code, "code": self.code}

    def passes(self, _):
        return self.words != "inline-size,evict" or self.code < 950


def test_what_advice_changes_is_of_the_same_run(monkeypatch, tmp_path):
    monkeypatch.setattr(builds, "RESULTS", tmp_path / "builds.json")
    monkeypatch.setattr(builds, "fetch", lambda _: None)
    monkeypatch.setattr(builds, "WORK", tmp_path)
    monkeypatch.setattr(builds, "Build", FakeBuild)
    results = {"two": {**entry({}), "advised": {"failure": "make", "budget": "200ms", "revision": "abc"}}}
    builds.measure_advised(ONE, "200ms", results)
    page = builds_advised.page([ONE, TWO], results)
    # The least of two turns of clang alone, 2 s, and of clang with both advisors, 3 s.
    assert cells(page, "one")[1:-2] == ["1,000", "-0.20 %", "-0.20 %", "-0.30 %", "-10.00 %", "-10.20 %", "-0.22 %"]
    assert cells(page, "one")[-2:] == ["1.50", "**fail**: both"]
    assert cells(page, "two")[-1] == "**does not build**: make"
    assert cells(page, "all, 2")[3:7] == ["-0.15 %", "-5.00 %", "-5.10 %", "-0.11 %"]
    monkeypatch.setattr(builds, "Build", lambda *_: pytest.fail("known"))
    builds.measure_advised(ONE, "200ms", results)
    assert builds_advised.page([ONE], {"one": entry({})}) == ""
