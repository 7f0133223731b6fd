"""`./ordo bench reach`: measures all of the table `Reach` of the learned policy, and writes it down.

1. The study: the policy, and the searches it is compared with, on the programs of data/studies/policy.plan
   (--split test: policy-test.plan). Runs of rivals that a study given with --against has are not made again,
   and all its methods count for what is the best known.
   Then the same search with counts in the network's place (bench/counts.py), unless `--without counts`.
2. Whatever is no study (reach_measure.py), for the validation split only.
3. The tables between `<!-- reach -->` and `<!-- end of reach -->` of docs/results.md (`reach test` for the
   test split), and a page, build/studies/reach.html (reach-test.html).

It goes on where it was stopped: all is kept in build/studies/reach, the policy's runs and the measurements by
the hash of the weights. What a change of the code, not of the weights, makes obsolete has to be deleted there.
One program of `large`, lua, is of the test split: --without large leaves both out.

All of it takes hours. `--sample N` is the same with N of the programs, evenly over the list, which goes by
size: all rows of both splits on one commit in about an hour, with wide intervals. It is kept in a folder of
its own, and has parts of its own in docs/results.md (`reach sample`, `reach test sample`).
"""

import argparse
import datetime
import hashlib
import json
import os
import platform
import shlex
import sqlite3
import sys
from pathlib import Path

import counts
import marks
import reach
import reach_measure
import reach_page
import reach_rows
import revision
from reach_rows import OBJECTIVES

ROOT = Path(__file__).resolve().parent.parent
BINARIES = ROOT / "build/release/bin"
SHIPPED = Path("data/policy/size.safetensors")
PARTS = ("counts", "modules", "answer", "rollouts", "large", "training")


def say(text):
    print(f"reach: {text}", file=sys.stderr)


def digest(weights):
    return hashlib.sha256(weights.read_bytes()).hexdigest()[:8]


# --- the study ----------------------------------------------------------------------------------------------


def plan_lines(name):
    """The commands of a plan, as lists of words."""
    lines = Path(f"data/studies/{name}.plan").read_text(encoding="utf-8").splitlines()
    return [shlex.split(line) for line in lines if line and not line.startswith("#")]


def words_after(line, option):
    return line[line.index(option) + 1] if option in line else None


def programs_of(line):
    """The URIs of the plan's list of programs."""
    text = Path(words_after(line, "--list")).read_text(encoding="utf-8")
    return [uri for uri in text.split("\n") if uri and not uri.startswith("#")]


def sampled(plan, count, folder):
    """The plan with so many of each list's programs: the middle of as many equal parts of it."""
    lines = []
    for line in plan:
        uris = programs_of(line)
        if count > len(uris):
            raise SystemExit(f"reach: --sample {count}, and {words_after(line, '--list')} has {len(uris)} programs")
        chosen = [uris[(2 * place + 1) * len(uris) // (2 * count)] for place in range(count)]
        file = folder / Path(words_after(line, "--list")).name
        file.write_text("\n".join(chosen) + "\n", encoding="utf-8")
        lines.append([str(file) if word == words_after(line, "--list") else word for word in line])
    return lines


def lacks(files, method, objective, line):
    """Whether a run of a rival that the plan asks for is in none of these studies."""
    wanted = {
        (uri, seed) for uri in programs_of(line) for seed in range(1, int(words_after(line, "--seeds")) + 1)
    }
    for path in files:
        with sqlite3.connect(f"file:{path}?mode=ro", uri=True) as study:
            wanted -= set(
                study.execute(
                    "select uri, seed from run join program on program.id = run.program "
                    "where method = ? and objective = ?",
                    (method, objective),
                )
            )
    return bool(wanted)


def settings(path):
    """What must be the same for runs to be compared, beside the baselines."""
    with sqlite3.connect(f"file:{path}?mode=ro", uri=True) as study:
        names = "'backend', 'max_length', 'space_hash', 'target'"
        return dict(study.execute(f"select key, value from meta where key in ({names})"))


def agreeing(against, study):
    """Those of the files whose settings and baselines are the study's."""
    for path in against:
        if settings(path) != settings(study):
            say(f"{path}: made with other settings than {study}: its runs are not used")
            continue
        try:
            known = reach.empty()
            reach.read(study, *known)
            reach.read(path, *known)
            yield path
        except SystemExit as difference:
            say(f"{difference}: its runs are not used")


def space_of(line):
    return words_after(line, "--space")


def policy_study(folder, space, weights):
    """Another policy has other runs, and a study of its own; so has another space."""
    return folder / f"policy-{digest(weights)}-{space}.sqlite"


def rival_study(folder, space):
    return folder / f"rivals-{space}.sqlite"


def counts_study(folder, space):
    return folder / f"counts-{space}.sqlite"


def beside(folder, plan, weights, against):
    """Of each space, which of the files may be read beside the policy's study."""
    studies = {space_of(line): policy_study(folder, space_of(line), weights[0]) for line in plan}
    return {space: list(agreeing(against, study)) for space, study in studies.items() if study.exists()}


def make_study(folder, plan, weights, against, jobs):
    """Makes the runs that are missing, so many at a time."""
    packages = {uri.split("/")[1] for line in plan for uri in programs_of(line) if uri.startswith("debian/")}
    reach_measure.harvest(BINARIES / "ordo", sorted(packages))
    ours = [line for line in plan if words_after(line, "--methods") not in reach.RIVALS]
    for line in ours:
        for path in weights:
            study = policy_study(folder, space_of(line), path)
            reach_measure.run(BINARIES / "ordo", "eval", *line, "--jobs", jobs, "--policy", path, "--study", study)
    others = beside(folder, plan, weights, against)
    for line in plan:
        objective, space = words_after(line, "--objectives"), space_of(line)
        if line not in ours and lacks(others[space], words_after(line, "--methods"), objective, line):
            reach_measure.run(
                BINARIES / "ordo", "eval", *line, "--jobs", jobs, "--study", rival_study(folder, space)
            )


def make_counts(folder, plan, jobs):
    """Makes the runs of the policy's search with counts in the network's place."""
    weights = Path("build/studies/counts.safetensors")
    counts.write(weights.resolve())
    for line in plan:
        methods = words_after(line, "--methods").split(",")
        if "policy" in methods:
            line = [*line, "--jobs", jobs, "--policy", weights, "--study", counts_study(folder, space_of(line))]
            line[line.index("--methods") + 1] = "policy"
            reach_measure.run(BINARIES / "ordo", "eval", *line)


def read_network(folder, plan, weights):
    """The policy and counts in the network's place, at equal processor time and at equal compiles, by objective."""
    found = {"time": {}, "compiles": {}}
    for objective, space in sorted({(words_after(line, "--objectives"), space_of(line)) for line in plan}):
        sides = []
        for paths in ([policy_study(folder, space, path) for path in weights], [counts_study(folder, space)]):
            side = (*reach.empty(), reach.no_times())
            for training, path in enumerate(paths):
                if path.exists():
                    reach.read(path, *side[:2], training, objectives={objective})
                    reach.read_times(path, side[2], objectives={objective})
            sides.append(side)
        if all("policy" in runs[objective] for runs, _, _ in sides):
            found["time"][objective] = reach.at_equal_time(*sides, objective)
            gains = [reach.samples(runs, baselines, objective, "policy") for runs, baselines, _ in sides]
            found["compiles"][objective] = reach.compare(*gains)
    return found


def read_study(folder, plan, weights, against):
    """Runs, baselines and times: of each objective, those in its space."""
    runs, baselines = reach.empty()
    times = reach.no_times()
    for objective, space in sorted({(words_after(line, "--objectives"), space_of(line)) for line in plan}):
        for path in [*against.get(space, []), rival_study(folder, space)]:
            if path.exists():
                reach.read(path, runs, baselines, objectives={objective})
                reach.read_times(path, times, objectives={objective})
        for training, path in enumerate(weights):
            if (study := policy_study(folder, space, path)).exists():
                reach.read(study, runs, baselines, training, objectives={objective})
                reach.read_times(study, times, objectives={objective})
    return runs, baselines, times


# --- what is no study ---------------------------------------------------------------------------------------


def measure(folder, weights, skipped):
    """The measurements of PARTS; those made before for the same weights are taken from a file."""
    file = folder / "measured.json"
    known = json.loads(file.read_text(encoding="utf-8")) if file.exists() else {}
    mine = known.setdefault(digest(weights), {})

    def part(name, make):
        if name in mine or name.split()[0] in skipped:
            return
        say(f"measuring: {name}")
        mine[name] = make()
        file.write_text(json.dumps(known, indent=1) + "\n", encoding="utf-8")

    part("answer", lambda: reach_measure.answer(BINARIES))
    part("modules", lambda: reach_measure.modules(BINARIES, weights, folder))
    part("rollouts", lambda: reach_measure.rollouts(BINARIES, weights, reach_rows.ROLLOUTS))
    part("training", lambda: reach_measure.training(BINARIES))
    for package in reach_measure.LARGE:
        part(
            f"large {package}",
            lambda package=package: reach_measure.large(BINARIES, weights, package, folder),
        )
    return mine


# --- the page ------------------------------------------------------------------------------------------------


def provenance(runs, weights, against):
    """Lines that say what the tables are of."""
    yield "policies: " + ", ".join(f"`{path}`, SHA-256 `{digest(path)}…`" for path in weights)
    for objective in OBJECTIVES:
        methods = []
        for method in ("policy", reach.ANSWER, *reach.RIVALS):
            seeds = [len(seeds) for seeds in runs[objective].get(method, {}).values()] or [0]
            methods.append(
                f"{method} {min(seeds)}" + ("" if min(seeds) == max(seeds) else f" to {max(seeds)}")
            )
        yield f"{objective}: runs a program, {', '.join(methods)}; {len(runs[objective])} methods for the best known"
    if others := sorted({path.name for paths in against.values() for path in paths}):
        yield "rivals also from: " + ", ".join(f"`{name}`" for name in others)
    yield f"written: {datetime.datetime.now(datetime.timezone.utc):%Y-%m-%d %H:%M} UTC, programs of {revision.revision()}"
    yield f"machine: {os.cpu_count()} x {revision.machine()}, {platform.system()} {platform.release()}"


def markdown_table(header, rows):
    lines = [f"| {' | '.join(header)} |", f"|{'---|' * len(header)}"]
    return [*lines, *(f"| {' | '.join(row)} |" for row in rows)]


def main():
    parser = argparse.ArgumentParser(
        prog="./ordo bench reach", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--split", choices=("validation", "test"), default="validation")
    parser.add_argument(
        "--against",
        metavar="STUDY",
        type=Path,
        action="append",
        default=[],
        help="a study file with rivals' runs",
    )
    parser.add_argument(
        "--weights", type=Path, action="append", help=f"of the policy, once for each training [{SHIPPED}]"
    )
    parser.add_argument("--without", default="", help=f"leave out measurements: {','.join(PARTS)}")
    parser.add_argument("--sample", metavar="N", type=int, help="so many of the programs only")
    parser.add_argument("--jobs", type=int, default=1, help="runs at a time (%(default)s)")
    parser.add_argument("--as-is", action="store_true", help="make nothing, write what there is")
    options = parser.parse_args()
    skipped = PARTS if options.as_is else [part for part in options.without.split(",") if part]
    if unknown := set(skipped) - set(PARTS):
        parser.error(f"--without knows {', '.join(PARTS)}, not {', '.join(sorted(unknown))}")
    weights = [path.resolve() for path in options.weights or [ROOT / SHIPPED]]
    weights = [path.relative_to(ROOT) if path.is_relative_to(ROOT) else path for path in weights]
    if options.sample is not None and options.sample < 2:
        parser.error("--sample needs 2 programs or more")
    against = [path.resolve(strict=True) for path in options.against]
    os.chdir(ROOT)  # plans name files of the repository, and a study should not name this machine's

    test = options.split == "test"
    name = ("reach-test" if test else "reach") + (f"-{options.sample}" if options.sample else "")
    folder = Path(f"build/studies/{name}")
    folder.mkdir(parents=True, exist_ok=True)
    plan = plan_lines("policy-test" if test else "policy")
    plan = sampled(plan, options.sample, folder) if options.sample else plan
    if not options.as_is:
        make_study(folder, plan, weights, against, options.jobs)
        if "counts" not in skipped:
            make_counts(folder, plan, options.jobs)
    against = beside(folder, plan, weights, against)
    measured = {} if test else measure(folder, weights[0], skipped)
    runs, baselines, times = read_study(folder, plan, weights, against)
    comparisons = reach.table(runs, baselines)

    # What is no study is the same for both splits, and told once.
    rows = [*reach_rows.ratio_rows(comparisons, options.split), *reach_rows.time_rows(times)]
    rows += reach_rows.network_rows(read_network(folder, plan, weights))
    rows += [] if test else reach_rows.large_rows(measured)
    first = (("what", "before", "wanted", *(f"`{objective}`" for objective in OBJECTIVES)), rows)
    second = (("what", "before", "wanted", "measured"), [] if test else list(reach_rows.cost_rows(measured)))
    facts = list(provenance(runs, weights, against))
    blocks = [[INTERVALS], markdown_table(*first)]
    if second[1]:
        blocks.append(markdown_table(*second))
    commands = [f"ordo eval {shlex.join(line)} --study {name}.sqlite" for line in plan]
    blocks += [["All comparisons:"], reach.markdown(comparisons), [f"- {fact}" for fact in facts]]
    blocks += [["```", *commands, "```"]]
    text = "\n\n".join("\n".join(lines) for lines in blocks) + "\n"
    place = ("reach test" if test else "reach") + (" sample" if options.sample else "")
    marks.insert(Path("docs/results.md"), place, text)
    page = Path(f"build/studies/{name}.html")
    title = f"What the learned policy reaches: {options.split} programs"
    page.write_text(
        reach_page.page(
            title,
            INTERVALS,
            [first, second],
            comparisons,
            reach_page.curves(runs, baselines),
            [*facts, *(f"`{command}`" for command in commands)],
        ),
        encoding="utf-8",
    )
    (folder / "table.json").write_text(json.dumps(comparisons, indent=1) + "\n", encoding="utf-8")
    print(text)
    say(f"wrote docs/results.md and {page}")


if __name__ == "__main__":
    main()
