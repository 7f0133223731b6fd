"""The rows of the table of `./ordo bench reach`: what was there before, what is wanted, what there is now.

A row is what it tells of, what was before, what is wanted, and a cell for each objective, or one cell. Short
falls say so. What was before is of the tables that were here until 27 November 2026: 60 validation modules on the
25th, 30 test modules on the 23rd, and what the issue that asked for more said of the rest.
"""

import math

import reach
import reach_measure

OBJECTIVES = ("ir_instructions", "text_bytes")
NOT_MEASURED = "not measured"
ROLLOUTS = 12_800  # of Compiler-R1
EQUAL = 100  # compiles of both, where processor time is compared
BEFORE = {
    "validation": {
        "own": "71 / 50 %",
        "evolutionary": "-0.12 / -0.60",
        "graph_genetic": "+0.34 / +2.62",
        "second": "88 / 87 %",
    },
    "test": {
        "own": "43 / 40 %",
        "evolutionary": "+0.18 / -0.62",
        "graph_genetic": "+0.23 / +0.78",
        "second": "68 / 75 %",
    },
}
OWN = dict(zip(OBJECTIVES, (0.75, 0.70)))
SECOND = dict(zip(OBJECTIVES, (0.92, 0.90)))
PER_COMPILE = 1.3  # processor time, the policy's over evolutionary's
NETWORK_SHARE = 0.1  # of the gain
MODULES = (0.6, 6.0)  # percent, the least and the most of the modules: twice what was before
TRAINING_S = 2 * 3600


def verdict(text, reached):
    return text if reached else f"**short:** {text}"


# --- rows of studies ----------------------------------------------------------------------------------------


def ratio_cell(row, wanted):
    low, high = row["ratio_interval"]
    text = f"{100 * row['ratio']:.0f} % [{100 * low:.0f}, {100 * high:.0f}]"
    return verdict(text, row["ratio"] >= wanted)


def difference_cell(row):
    low, high = row["difference_interval"]
    return verdict(f"{row['difference']:+.2f} [{low:+.2f}, {high:+.2f}]", low > 0)


def ratio_rows(comparisons, split):
    """What the policy's budgets are worth."""
    before = BEFORE[split]

    def cells(cell, budget, against):
        found = {
            row["objective"]: row
            for row in comparisons
            if row["policy"] == budget and row["against"].startswith(against)
        }
        return [
            cell(found[objective], objective) if objective in found else NOT_MEASURED
            for objective in OBJECTIVES
        ]

    yield (
        "own answer, of the gain of evolutionary with 1,000 compiles",
        before["own"],
        "at least 75 / 70 %",
        *cells(lambda row, objective: ratio_cell(row, OWN[objective]), "own answer", "evolutionary"),
    )
    for rival in reach.RIVALS:
        yield (
            f"100 compiles, more than {rival} with 1,000, points",
            before[rival],
            "interval above 0",
            *cells(lambda row, _: difference_cell(row), "100 compiles", rival),
        )
    yield (
        "1 s of one core, of the best known of any method and budget",
        before["second"],
        "at least 92 / 90 %",
        *cells(
            lambda row, objective: ratio_cell(row, SECOND[objective]), "1 s of one core", "the best known"
        ),
    )


def seconds_per_compile(times, objective, method, compiles=math.inf):
    """By program: processor seconds for each evaluation of the first so many compiles, the mean of all runs."""
    result = {}
    for program, runs in times[objective].get(method, {}).items():
        spent = [max((point for point in points if point[0] <= compiles), default=None) for points in runs]
        found = [cpu_s / evaluations for _, evaluations, cpu_s in filter(None, spent) if evaluations]
        if found:
            result[program] = sum(found) / len(found)
    return result


def cost_cell(ours, theirs):
    common = sorted(set(ours) & set(theirs))
    if not common:
        return NOT_MEASURED
    mean, (low, high) = reach.mean_ratio([ours[program] / theirs[program] for program in common])
    return verdict(f"{mean:.2f} [{low:.2f}, {high:.2f}]", mean <= PER_COMPILE)


def time_rows(times):
    """What a compile of the policy costs, beside one of evolutionary; `times` are of reach.read_times()."""
    for name, compiles, before in (
        (f"the first {EQUAL} compiles of each", EQUAL, "3.6"),
        ("whole runs", math.inf, NOT_MEASURED),
    ):
        yield (
            f"processor time for each compile, policy over evolutionary, {name}",
            before,
            "at most 1.3",
            *(
                cost_cell(
                    *(
                        seconds_per_compile(times, objective, method, compiles)
                        for method in ("policy", "evolutionary")
                    )
                )
                for objective in OBJECTIVES
            ),
        )


def network_cell(row):
    low, high = row["difference_interval"]
    share = 1 - 1 / row["ratio"] if row["ratio"] > 0 else -math.inf
    text = f"{row['difference']:+.2f} [{low:+.2f}, {high:+.2f}], {100 * share:.0f} % of the gain, {row['programs']} programs"
    return verdict(text, low > 0 and share >= NETWORK_SHARE)


def network_rows(comparisons):
    """The policy against counts in its place: at equal "time" and at equal "compiles", by objective."""
    for budget, name in (("time", "processor time"), ("compiles", "compiles")):
        yield (
            f"gain with the network over that with counts in its place, equal {name}, points",
            "not shown",
            "interval above 0, at least 10 % of the gain",
            *(
                network_cell(comparisons[budget][objective])
                if objective in comparisons[budget]
                else NOT_MEASURED
                for objective in OBJECTIVES
            ),
        )


# --- rows of what is no study -------------------------------------------------------------------------------


def modules_cell(found):
    """Of several modules of 10,000 to 100,000 instructions."""
    gains = [100 * (1 - module["tuned"] / module["baseline"]) for module in found]
    mean = 100 * (1 - math.exp(sum(math.log(m["tuned"] / m["baseline"]) for m in found) / len(found)))
    text = f"{min(gains):.1f} to {max(gains):.1f} %, mean {mean:.1f} % ({len(gains)} modules)"
    return verdict(text, min(gains) >= MODULES[0] and max(gains) >= MODULES[1])


def large_cell(measured):
    base, tuned = measured["baseline"], measured["tuned"]
    text = f"{100 * (tuned / base - 1):+.2f} % ({base:,.0f} to {tuned:,.0f}, {measured['compiles']} compiles)"
    return verdict(text, tuned < base)


def large_rows(measured):
    """Modules, and programs linked whole."""
    found = measured.get("modules")
    yield (
        f"modules of 10,000 to 100,000 instructions, {reach_measure.MODULE_BUDGET}, one worker",
        "0.3 to 3 %",
        "twice that",
        *(
            modules_cell([module[objective] for module in found]) if found else NOT_MEASURED
            for objective in OBJECTIVES
        ),
    )
    before = {"lua5.4": "-4.98 / -5.49 %", "sqlite3": "-3.29 / -3.61 %"}
    for package in reach_measure.LARGE:
        found = measured.get(f"large {package}")
        size = f", {found['instructions']:,} instructions" if found else ""
        yield (
            f"{found['program'] if found else package} linked whole{size}, {reach_measure.BUDGET}",
            before[package],
            "never worse, a gain",
            *(large_cell(found[objective]) if found else NOT_MEASURED for objective in OBJECTIVES),
        )


def cost_rows(measured):
    """Rows with one cell: training, answers, rollouts."""
    if found := measured.get("training"):
        cell = verdict(f"{found['seconds'] / 60:.0f} min ({found['what']})", found["seconds"] <= TRAINING_S)
    else:
        cell = NOT_MEASURED
    yield "whole training from the shipped experience, 2 cores", "14 min", "at most 2 h", cell
    if found := measured.get("answer"):
        yield (
            f"answer: features and network for {found['steps']} passes and stop, {found['instructions']:,} instructions",
            "3.1 ms",
            "at most 10 ms",
            verdict(f"{found['answer_ms']:.1f} ms", found["answer_ms"] <= 10),
        )
        yield (
            "load the policy from its file",
            "0.6 ms",
            "at most 5 ms",
            verdict(f"{found['load_ms']:.1f} ms", found["load_ms"] <= 5),
        )
    else:
        yield "answer and load times", "3.1 and 0.6 ms", "at most 10 and 5 ms", NOT_MEASURED
    name = f"{ROLLOUTS:,} rollouts on 2 cores, programs below 2,000 instructions"
    if found := measured.get("rollouts"):
        yield (
            f"{name} ({found['what']})",
            "452 s",
            "at most 600 s",
            verdict(
                f"{found['seconds']:.0f} s; {found['seconds_with_preparation']:.0f} s with preparation",
                found["seconds_with_preparation"] <= 600,
            ),
        )
    else:
        yield name, "452 s", "at most 600 s", NOT_MEASURED
