"""The part of docs/results.md that `./ordo bench speed` writes."""

import math
import random

RESAMPLES = 10_000
SPLITS = {"validation": "for choices", "test": "for the report"}
NOTHING = ("void", "failed")  # verdicts that say nothing
# What else was tried at the same budget, against final rewards.
OTHERS = {"immediate": "Immediate rewards", "policy": "Half of the drafts by a policy"}


def speed(arm, outcome):
    """Of what Ordo returns: the baseline itself, unless a faster program was shown in two trials. A rival's is what
    was measured, faster or slower; nothing to go by counts as unchanged."""
    if arm == "profile":
        return 1.0 if outcome["verdict"] in NOTHING else outcome["speedup"]
    return outcome["speedup"] if outcome["verdict"] == "faster" else 1.0


def geometric_mean(values):
    """With a 95 % percentile bootstrap interval over programs."""
    logs = [math.log(value) for value in values]
    chance = random.Random(1)
    means = sorted(sum(chance.choices(logs, k=len(logs))) / len(logs) for _ in range(RESAMPLES))
    low, high = means[int(0.025 * RESAMPLES)], means[int(0.975 * RESAMPLES) - 1]
    return math.exp(sum(logs) / len(logs)), math.exp(low), math.exp(high)


def _mean(values):
    return "{:.3f} [{:.3f}, {:.3f}]".format(*geometric_mean(values)) if values else ""


def _trial(outcome):
    if outcome is None:
        return ""
    if outcome["verdict"] in NOTHING:
        return outcome["verdict"]
    if "low" not in outcome or outcome["low"] == outcome["high"]:
        return "no trial"
    return f"{outcome['speedup']:.3f} [{outcome['low']:.3f}, {outcome['high']:.3f}]"


def one_line(arm, outcome):
    """What came of one program."""
    return f"{outcome['program']}, {arm}: {outcome['verdict']}, {_trial(outcome)}"


def _of(outcomes, split):
    return {name: outcome for name, outcome in outcomes.items() if outcome["split"] == split}


def _count(outcomes, *verdicts):
    return sum(outcome["verdict"] in verdicts for outcome in outcomes.values())


def _summary(final, profile):
    rows = [
        "| programs | | faster | unchanged | void or failed | geometric mean of speed | with a profile instead |",
        "|---|---:|---:|---:|---:|---:|---:|",
    ]
    parts = {f"{split} ({use})": _of(final, split) for split, use in SPLITS.items()} | {"all": final}
    for title, part in parts.items():
        if not part:
            continue
        faster = _count(part, "faster")
        rivals = [speed("profile", outcome) for name, outcome in profile.items() if name in part]
        rows.append(
            f"| {title} | {len(part)} | {faster} | {len(part) - faster} | {_count(part, *NOTHING)} "
            f"| {_mean([speed('final', outcome) for outcome in part.values()])} | {_mean(rivals)} |"
        )
    return rows


def _table(final, profile):
    rows = [
        "| program | clang -O3 | verdict | result | its last trial | clang -O3 with a profile |",
        "|---|---:|---|---:|---:|---:|",
    ]
    for name, outcome in sorted(final.items(), key=lambda item: -speed("final", item[1])):
        seconds = f"{1000 * outcome['seconds']:.1f} ms" if "seconds" in outcome else ""
        rows.append(
            f"| {name} | {seconds} | {outcome['verdict']} | {speed('final', outcome):.3f} | {_trial(outcome)} "
            f"| {_trial(profile.get(name))} |"
        )
    return rows


def _against_final(arm, outcomes, final):
    """What another way came to, on the programs that both had."""
    both = [name for name in outcomes if name in final]
    if not both:
        return []
    pairs = [(speed(arm, outcomes[name]), speed("final", final[name])) for name in both]
    ahead = sum(other > own for other, own in pairs)
    behind = sum(other < own for other, own in pairs)
    verdicts = {name: part for name, part in ((arm, outcomes), ("final", {name: final[name] for name in both}))}
    rows = [
        "",
        f"### {OTHERS[arm]}",
        "| programs | arm | faster | void or failed | geometric mean of speed |",
        "|---:|---|---:|---:|---:|",
    ]
    for which, part in verdicts.items():
        speeds = [speed(which, part[name]) for name in both]
        rows.append(f"| {len(both)} | {which} | {_count(part, 'faster')} | {_count(part, *NOTHING)} | {_mean(speeds)} |")
    rows += [
        "",
        f"{arm} over final, paired: {_mean([other / own for other, own in pairs])}; ahead on {ahead}, behind on {behind} "
        f"programs. Both are what is returned, whose speeds were measured each in trials of its own.",
    ]
    return rows


def _why(arms):
    """Of what counts as unchanged because nothing could be said."""
    rows = []
    for arm, outcomes in arms.items():
        for name, outcome in outcomes.items():
            if outcome["verdict"] in NOTHING:
                why = " ".join(outcome["why"].split()).replace("|", "\\|")
                rows.append(f"- {name}, {arm}: {outcome['verdict']}: {why}")
    return rows


def page(arms, others, left, budget):
    """The text. `arms` are outcomes by arm and program, `others` those of which arms are compared; `left` are
    programs without one, with their split."""
    final, profile = arms["final"], arms["profile"]
    if not final:
        return "Nothing has been measured yet.\n"
    everything = [outcome for outcomes in arms.values() for outcome in outcomes.values()]
    dates = sorted({outcome["date"] for outcome in everything})
    loads = sorted(outcome["load"] for outcome in everything)
    lines = [
        f"{budget:g} s for each program, {' to '.join(sorted({dates[0], dates[-1]}))}, on a machine with a load of "
        f"{loads[0]:g} to {loads[-1]:g}. Speed is the time of `clang -O3 -march=native` over that of the result.",
        "",
        *_summary(final, profile),
    ]
    for arm in OTHERS:
        lines += _against_final(arm, others[arm], others["final"])
    for split in SPLITS:
        if part := _of(final, split):
            lines += ["", f"### {split}", *_table(part, profile)]
        missing = [name for name, of in left.items() if of == split]
        if missing and part:
            lines += ["", f"Not measured yet: {', '.join(missing)}."]
    if why := _why(arms | {arm: others[arm] for arm in OTHERS}):
        lines += ["", "### Nothing to go by", *why]
    return "\n".join(lines) + "\n"
