"""The part of docs/results.md that `./ordo bench speed` writes."""

import math
import random

RESAMPLES = 10_000
SPLITS = {"validation": "for choices", "test": "reported once"}


def speed(outcome):
    """Of what Ordo returns: the baseline itself, unless a faster program was shown in two trials."""
    ordo = outcome["ordo"]
    return ordo["speedup"] if ordo["verdict"] == "faster" else 1.0


def rival_speed(outcome):
    """With a profile, faster or slower; nothing to go by counts as unchanged."""
    profile = outcome["profile"]
    return 1.0 if profile["verdict"] in ("void", "failed") else profile["speedup"]


def geometric_mean(values):
    """With a 95 % percentile bootstrap interval over programs."""
    logs = [math.log(value) for value in values]
    chance = random.Random(1)
    means = sorted(sum(chance.choices(logs, k=len(logs))) / len(logs) for _ in range(RESAMPLES))
    low, high = means[int(0.025 * RESAMPLES)], means[int(0.975 * RESAMPLES) - 1]
    return math.exp(sum(logs) / len(logs)), math.exp(low), math.exp(high)


def _mean(values):
    return "{:.3f} [{:.3f}, {:.3f}]".format(*geometric_mean(values))


def _trial(trial):
    if trial["verdict"] in ("void", "failed"):
        return trial["verdict"]
    return f"{trial['speedup']:.3f} [{trial['low']:.3f}, {trial['high']:.3f}]"


def one_line(outcome):
    """What came of one program."""
    ordo, profile = outcome["ordo"], outcome["profile"]
    return f"{outcome['program']}: {ordo['verdict']}, {_trial(ordo)}; with a profile {_trial(profile)}"


def _summary(outcomes):
    rows = [
        "| programs | | faster | unchanged | void or failed | geometric mean of speed | with a profile instead |",
        "|---|---:|---:|---:|---:|---:|---:|",
    ]
    for split, use in SPLITS.items():
        part = [outcome for outcome in outcomes if outcome["split"] == split]
        if not part:
            continue
        verdicts = [outcome["ordo"]["verdict"] for outcome in part]
        faster = verdicts.count("faster")
        nothing = verdicts.count("void") + verdicts.count("failed")
        rows.append(
            f"| {split} ({use}) | {len(part)} | {faster} | {len(part) - faster} | {nothing} "
            f"| {_mean([speed(o) for o in part])} | {_mean([rival_speed(o) for o in part])} |"
        )
    return rows


def _table(outcomes):
    rows = [
        "| program | clang -O3 | verdict | result | its last trial | clang -O3 with a profile |",
        "|---|---:|---|---:|---:|---:|",
    ]
    for outcome in sorted(outcomes, key=lambda outcome: -speed(outcome)):
        ordo = outcome["ordo"]
        seconds = f"{1000 * ordo['seconds']:.1f} ms" if "seconds" in ordo else ""
        rows.append(
            f"| {outcome['program']} | {seconds} | {ordo['verdict']} | {speed(outcome):.3f} | {_trial(ordo)} "
            f"| {_trial(outcome['profile'])} |"
        )
    return rows


def _why(outcomes):
    """Of what counts as unchanged because nothing could be said."""
    rows = []
    for outcome in outcomes:
        for who, trial in (("Ordo", outcome["ordo"]), ("with a profile", outcome["profile"])):
            if trial["verdict"] in ("void", "failed"):
                why = " ".join(trial["why"].split()).replace("|", "\\|")
                rows.append(f"- {outcome['program']}, {who}: {trial['verdict']}: {why}")
    return rows


def page(outcomes, left, budget):
    """The text; `left` are programs without an outcome, with their split."""
    if not outcomes:
        return "Nothing has been measured yet.\n"
    dates = sorted({outcome["date"] for outcome in outcomes})
    loads = sorted(outcome["load"] for outcome in outcomes)
    lines = [
        f"{budget:g} s for each program, {' to '.join(sorted({dates[0], dates[-1]}))}, on a machine with a load of "
        f"{loads[0]:g} to {loads[-1]:g}. Speed is the time of `clang -O3 -march=native` over that of the result.",
        "",
        *_summary(outcomes),
    ]
    for split in SPLITS:
        if part := [outcome for outcome in outcomes if outcome["split"] == split]:
            lines += ["", f"### {split}", *_table(part)]
        missing = [name for name, of in left.items() if of == split]
        if missing and part:
            lines += ["", f"Not measured yet: {', '.join(missing)}."]
    if why := _why(outcomes):
        lines += ["", "### Nothing to go by", *why]
    return "\n".join(lines) + "\n"
