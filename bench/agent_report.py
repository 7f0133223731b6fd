"""Tables and answers of docs/agent.md, out of dialogues' rows (data/agent/README.md) and a study of `ordo eval`.

Rows hold one objective, `ir_instructions`, and 100 compiles. A figure is the mean over programs of the mean
over seeds and trainings; a difference is paired by program and of the same training; brackets are 95 % over
programs by a bootstrap. A condition that not every program was played under is not shown.
"""

import importlib.util
import json
import re
import sqlite3
from collections import defaultdict
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent


def _module(name):
    """A module of python/ordo/agent that needs nothing of the compiled package."""
    spec = importlib.util.spec_from_file_location(name, ROOT / f"python/ordo/agent/{name}.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


verdicts = _module("verdicts")

TITLES = {
    "both": "both stages",
    "supervised": "first stage only",
    "supervised-640": "first stage, 640 dialogues",
    "reinforced": "rewards only, 5 steps",
}
_ABOUT = {
    "plain": "as it is",
    "shuffled": "the gains that it is told are other dialogues'",
    "search-only": "no model: a search with 50 compiles",
    "search-always": "its first guess, then always the search",
    "search-given": "the search's result is in the dialogue before its first word",
    "without": "without `{}`",
    "tree": "a tree in its place: first guess, search if it gains at most {} %",
    "penalty": "repetition penalty {}",
}
_PROGRAMS = 60
_WATTS = 10  # of a core under load: a guess, and said to be one


def read(path):
    """The rows of a file of `ordo agent evaluate`; a line that was cut off is left out."""
    lines = path.read_text(encoding="utf-8").splitlines(keepends=True)
    return [json.loads(line) for line in lines if line.endswith("\n")]


def _about(condition):
    if condition in _ABOUT:
        return _ABOUT[condition]
    kind, _, value = condition.partition("-")
    return _ABOUT[kind].format(value)


def _percent(triple):
    mean, low, high = (f"{100 * value:.2f}".replace("-0.00", "0.00") for value in triple)
    return mean, f"[{low}, {high}]"


class Dialogues:
    """The dialogues, by model and condition."""

    def __init__(self, rows):
        groups = defaultdict(list)
        for row in rows:
            groups[row["model"].partition("/")[0], row["condition"]].append(row)
        self.groups = {
            key: these for key, these in groups.items() if len({row["program"] for row in these}) >= _PROGRAMS
        }

    def rows(self, model, condition="plain"):
        return self.groups.get((model, condition), [])

    def gain(self, model, condition="plain"):
        """ "3.59 % [2.02, 5.67]" """
        rows = self.rows(model, condition)
        if not rows:
            return "not measured"
        mean, bounds = _percent(verdicts.interval(list(verdicts.by_program(rows).values())))
        return f"{mean} % {bounds}"

    def apart(self, one, other):
        """The difference of two (model, condition), in points, of the trainings that both have."""

        def of(key, trainings):
            rows = self.rows(*key)
            return verdicts.by_program(row for row in rows if row["model"].partition("/")[2] in trainings)

        trainings = set.intersection(
            *({row["model"].partition("/")[2] for row in self.rows(*key)} for key in (one, other))
        )
        first, second = of(one, trainings), of(other, trainings)
        shared = [first[program] - second[program] for program in first if program in second]
        return " ".join(_percent(verdicts.interval(shared))) if shared else "not measured"

    def valid(self, model, condition="plain"):
        rows = self.rows(model, condition)
        return f"{100 * sum(row['submitted'] and row['measured'] for row in rows) / len(rows):.0f} %"

    def mean(self, model, condition, field):
        rows = self.rows(model, condition)
        return sum(row[field] for row in rows) / len(rows)

    def shares(self, model):
        """In how many of 100 dialogues the gain came from the first guess, edits, a search, nowhere."""
        sources = [verdicts.source(row) for row in self.rows(model)]
        return {kind: f"{100 * sources.count(kind) / len(sources):.0f}" for kind in ("guess", "steps", "search", "none")}

    def table(self):
        lines = [
            "| model | condition | gain over `clang-Oz`, % | against \"as it is\", points | valid and measured "
            "| compiles | tokens | GFLOP |",
            "|---|---|---|---|---:|---:|---:|---:|",
        ]
        for model, condition in sorted(self.groups, key=_place):
            trainings = len({row["model"] for row in self.rows(model, condition)})
            seeds = len({row["seed"] for row in self.rows(model, condition)})
            who = TITLES[model] + (f", {trainings} trainings" if trainings > 1 else "")
            who += f", {seeds} seeds" if seeds > 1 else ""
            gain = self.gain(model, condition).replace(" %", "")
            apart = "" if condition == "plain" else self.apart((model, condition), (model, "plain"))
            lines.append(
                f"| {who} | {_about(condition)} | {gain} | {apart} | {self.valid(model, condition)} "
                f"| {self.mean(model, condition, 'compiles'):.0f} | {self.mean(model, condition, 'tokens'):.0f} "
                f"| {self.mean(model, condition, 'flops') / 1e9:.0f} |"
            )
        return "\n".join(lines)


def _place(key):
    """Where a (model, condition) stands in the table."""
    model, condition = key
    kind, _, value = condition.partition("-") if condition not in _ABOUT else (condition, "", "")
    number = float(value) if value.replace(".", "").isdigit() else 0.0
    return [*TITLES].index(model), [*_ABOUT].index(kind), number, value


class Study:
    """One seed of each method on the small validation programs, with 100 compiles.

    Gains are those of `ordo report`, which weighs packages alike; what it took are means over programs.
    """

    def __init__(self, path, report):
        with sqlite3.connect(f"file:{path}?mode=ro", uri=True) as study:
            study.row_factory = sqlite3.Row
            self.notes = dict(study.execute("select key, value from meta").fetchall())
            self.methods = defaultdict(list)
            for run in study.execute("select * from run where objective = 'ir_instructions'"):
                self.methods[run["method"]].append(run)
            self.talks = study.execute("select * from talk").fetchall()
        if not self.talks:
            raise SystemExit(f"{path}: no dialogue is in it; finish the study first")
        lines = report.splitlines()
        gains = lines[lines.index("### ir_instructions over clang-Oz") :]
        self.gains = {name: _cells(gains, name)[2].replace(" %", "").replace("+", "") for name in self.methods}
        self.answers = _cells(lines[lines.index("### Dialogues") :], self.agent)[3].replace("+", "")

    @property
    def agent(self):
        return next(name for name in self.methods if name.startswith("agent:"))

    def seconds(self, method):
        rows = self.methods[method]
        return sum(row["worker_cpu_s"] + row["method_cpu_s"] + row["harness_cpu_s"] for row in rows) / len(rows)

    def talk(self, field):
        return sum(row[field] for row in self.talks) / len(self.talks)

    def table(self):
        lines = ["| method | gain at 100 compiles, % | compiles used | processor s |", "|---|---|---:|---:|"]
        for name in sorted(self.methods, key=lambda name: -float(self.gains[name].split()[0])):
            rows = self.methods[name]
            shown = "**`agent:shipped`**, temperature 1" if name == self.agent else f"`{name}`"
            used = sum(row["evaluations"] for row in rows) / len(rows)
            lines.append(f"| {shown} | {self.gains[name]} | {used:.0f} | {self.seconds(name):.2f} |")
        return "\n".join(lines)


def _cells(lines, first):
    """The cells of the first row whose first one is that."""
    return next(cells for cells in (re.split(r"\s*\|\s*", line.strip("| ")) for line in lines) if cells[0] == first)


def figures(study, dialogues):
    """The tables, with what has to be said of them."""
    failed = sum(bool(row["failure"]) for row in study.methods[study.agent])
    made = f"begun {study.notes['note.began']}, {study.notes['note.machine']}"
    tokens = study.talk("prompt_tokens") + study.talk("completion_tokens")
    about = (
        f"{len(study.talks)} small validation programs, `ir_instructions`, 100 compiles, one seed of sampling, "
        f"`ordo eval` in one run ({made}). A dialogue needs {tokens:.0f} tokens, {study.talk('flops') / 1e9:.0f} GFLOP "
        f"and {study.talk('model_cpu_s'):.2f} processor seconds of the model; its start, "
        f"{study.talk('start_cpu_s'):.1f} s, is not in the table. {failed} of {len(study.talks)} failed."
    )
    return f"""
{about}

{study.table()}

Its own answers, which it submits, are worth {study.answers}. At equal processor time it would fall
further: each search above is done before it has said its first word.

The same model on all {_PROGRAMS} validation programs, dialogues played in batches (`ordo agent evaluate`),
temperature 1, one seed unless more are named. A difference is paired by program, and is of the same training;
brackets are 95 % over programs. Where there are several trainings, the figure is their mean. Except in the
rows "as it is", an answer that is the baseline, which nobody measures twice, counts as not measured.

{dialogues.table()}
"""


def answers(study, dialogues):
    """What reviewers asked, answered with the figures of the tables."""
    gain, apart = dialogues.gain, dialogues.apart
    shares = dialogues.shares("both")
    plain = ("both", "plain")

    def joules(method):
        return f"{_WATTS * study.seconds(method):.1f} J"

    trees = "; ".join(f"{level} % {gain('both', f'tree-{level}')}" for level in (0, 1, 2, 5, 10))
    penalties = "; ".join(f"{level}: {gain('both', f'penalty-{level}')}" for level in ("1.1", "1.3"))
    without = "; ".join(
        f"{what}: {gain('both', f'without-{tool}')}"
        for tool, what in (
            ("suggest_actions", "the policy"),
            ("get_features", "features"),
            ("edit_sequence", "edits"),
        )
    )
    rewarded = "not evaluated; in training 16 % of its dialogues submitted anything (events `rlonly-1`)"
    if dialogues.rows("reinforced"):
        rewarded = f"{gain('reinforced')}, {dialogues.valid('reinforced')} of its dialogues end in a measured answer"
    table = {
        "R3: supervised against reinforced, at the same number of samples": f"first stage on 1,624 dialogues "
        f"{gain('supervised')}; on 640 {gain('supervised-640')}; with eight steps of rewards behind the first "
        f"{gain('both')}, {apart(plain, ('supervised', 'plain'))} points against the first alone. What they taught is "
        "to search more often (compiles in the table); the search does the rest",
        "R4: time, compiles and energy beside every ablation": "compiles, tokens and GFLOP are in the table above; "
        f"processor seconds in the first. At {_WATTS} W a core, which is a guess, a dialogue is {joules(study.agent)}, "
        f"`policy` {joules('policy')}, `coreset` {joules('coreset')}",
        "R5: against the decision tree itself": f"the model's first guess, then the tree, searching where that gains "
        f"at most {trees}; the model deciding: first rows of the table. `tree_0` and `tree_features`, which have no "
        "language model, are in the first table",
        "R6: the simplest models": "`coreset` and `nearest_neighbour` gain more with a tenth of its processor time "
        "(first table)",
        "R7: one stage, the other, both; estimators; size": f"rewards alone, from the base, five steps: {rewarded}. "
        "GRPO only; `rloo` and `reinforce++` are there and were not run for this. One size: no other weights can be "
        "had here",
        "R10: energy, several objectives": "energy: see R4. A dialogue has one objective; `ordo tune --pareto` has "
        "several",
        "R18: where the gain comes from": f"of 100 dialogues the result is the first guess's in {shares['guess']}, an "
        f"edit's in {shares['steps']}, a search's in {shares['search']}, and the baseline in {shares['none']}. Without "
        f"the search {gain('both', 'without-search_sequences')}; the search without the model "
        f"{gain('both', 'search-only')}",
        "R19: does it adapt to what is measured": f"with other dialogues' gains in what it is told: "
        f"{gain('both', 'shuffled')}, {apart(('both', 'shuffled'), plain)} points. It looks at the gain to choose "
        "between the search and the end, and hardly for more",
        "R20: more tools than two": f"thirteen; six are taught. Without {without}",
        "R21: reasons": "demonstrations give reasons from measured contributions and the policy's attributions; the "
        "shipped model was taught without them, for its numbers are bins and it could only imitate. Its transcripts "
        "are calls ([four](trajectories/agent.md))",
        "R23: the reward for format": f"the grammar does what it is for: {dialogues.valid('both')} of dialogues end in "
        "a measured answer with it. Weights of the reward tenfold and ±20 % are options (`--reward-format-weight`, "
        "`--reward-alpha`) and were not trained",
        "R24: hyper-parameters, curves, repetition penalty": "in [data/agent/runs](../data/agent/runs). Penalty in "
        f"place of 1.0: {penalties}",
        "R25: errors of tools": "an error says why and has no number; a dialogue whose tools died is judged by nobody "
        "and counts in no group; a model that dies is a failed run with the baseline's value. Tests: "
        "`test_agent_play.py`, `test_agent_rewards.py`, `tests/unit/agent_method`",
        "R26: search always or on demand, its price in the reward": f"always {gain('both', 'search-always')}; on "
        f"demand {gain('both')} with {dialogues.mean('both', 'plain', 'compiles'):.0f} compiles of 100; never "
        f"{gain('both', 'without-search_sequences')}. Price: 0.1 for the whole budget, so that a search of 50 pays "
        "from 0.3 % on",
        "R27: why is its result not in the prompt": f"it can be: {gain('both', 'search-given')}, "
        f"{apart(('both', 'search-given'), plain)} points against asking for it",
        "R28: without a GPU": f"yes: {study.talk('model_cpu_s'):.2f} s a program on one core. The small policy answers "
        "in milliseconds ([learned](learned.md)), and is better",
    }
    lines = "\n".join(f"| {asked} | {answer} |" for asked, answer in table.items())
    return f"| asked | answer |\n|---|---|\n{lines}\n"
