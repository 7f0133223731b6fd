"""What is wanted of run time, in one table: `./ordo bench runtime [--lanes N] [--as-is]`.

Makes, or goes on with, all measurements behind it, each as its own benchmark does: verdicts (bench/timing.py),
decisions about loops (bench/loops.py), what tuning gains, with final and immediate rewards, a profile and a policy
(bench/speed.py), and deliberate miscompiles (tests/conformance/teeth_test.cpp). That is most of a day in one lane; a run
that is cut off goes on where it was. Each writes its part of docs/results.md, and the table is a part of its own.
--as-is measures nothing and writes what there is. What is measured lies in data/measured, and is for git; a line of the table for
which nothing lies there stays as it was.
"""

import argparse
import json
import pathlib
import re
import subprocess
import sys

import lanes
import loops
import marks
import speed
import speed_page
import timing

ROOT = pathlib.Path(__file__).resolve().parent.parent
TEETH = ROOT / "build/release/bin/conformance_teeth_test"
CAUGHT = ROOT / "data/measured/teeth.json"
PAGE = ROOT / "docs/results.md"
PROGRAMS, GAIN = 40, 1.05  # at least so many, and their geometric mean
NEAR_BEST = 0.95  # of what trying everything gives
MOST_FALSE, POWER = 0.025, 0.9
HEAD = ("| what | wanted | measured | reached |", "|---|---|---|---|")
MINIMUM = {"equal": 400, "gain": 50}  # trials


def measure(lanes_wanted):
    """All of it, in turn; ends the program with the first benchmark that fails."""
    everything = ["--split", "all", "--arms", *speed.ARMS]
    for name, arguments in {"timing": ["--write"], "loops": [], "speed": everything}.items():
        command = [sys.executable, ROOT / f"bench/{name}.py", "--lanes", str(lanes_wanted), *arguments]
        if code := subprocess.run(command, check=False).returncode:
            raise SystemExit(code)
    # A miss is an outcome; a crash leaves no file.
    CAUGHT.unlink(missing_ok=True)
    found = ["--gtest_filter=TeethTest.FindsMiscompiles", f"--gtest_output=json:{CAUGHT}"]
    subprocess.run([TEETH, *found], check=False)


def row(what, wanted, measured, reached):
    """`reached` is None for what has too few measurements to say."""
    verdict = {True: "yes", False: "**no**", None: "not enough measured"}[reached]
    return f"| {what} | {wanted} | {measured} | {verdict} |"


def verdicts(trials):
    """Of pairs that are equal and of those that are not."""
    equal, gain = ([trial for trial in trials if trial["kind"] == kind] for kind in ("equal", "gain"))
    if equal:
        claims = sum(trial["verdict"] in ("faster", "slower") for trial in equal)
        void = sum(trial["verdict"] == "void" for trial in equal)
        measured = f"{claims} of {len(equal)}, {void} void"
        enough = len(equal) >= MINIMUM["equal"]
        yield row("false claims on A/A pairs, another process loading the machine", f"≤ {100 * MOST_FALSE:g} % of {MINIMUM['equal']}",
                  measured, claims / len(equal) <= MOST_FALSE if enough else None)
    if gain:
        found = sum(map(timing.is_found, gain))
        enough = len(gain) >= MINIMUM["gain"]
        yield row(f"a true {100 * timing.TRUE_GAIN:g} % found within 60 s, a program of 100 ms", f"≥ {100 * POWER:g} %",
                  f"{found} of {len(gain)}", found / len(gain) >= POWER if enough else None)


def gains(outcomes):
    """Over `clang -O3 -march=native`, for choices and for the report, as speed.outcomes_in() has them."""
    for split, programs in (("validation", PROGRAMS), ("test", 1)):
        final, profile = (
            [outcome for outcome in outcomes[arm].values() if outcome["split"] == split] for arm in ("final", "profile")
        )
        if not final:
            continue
        speeds = [speed_page.speed("final", outcome) for outcome in final]
        mean, low, high = speed_page.geometric_mean(speeds)
        void = sum(outcome["verdict"] in speed_page.NOTHING for outcome in final)
        measured = (f"{mean:.3f} [{low:.3f}, {high:.3f}], {sum(value > 1 for value in speeds)} faster, "
                    f"{sum(value < 1 for value in speeds)} slower, {void} void or failed")
        if profile:
            measured += "; with a profile instead {:.3f}".format(
                speed_page.geometric_mean([speed_page.speed("profile", outcome) for outcome in profile])[0])
        yield row(f"geometric mean over `clang -O3 -march=native`, 90 s each, {len(final)} programs, {split} split",
                  f"≥ {GAIN:g}, none slower", measured,
                  mean >= GAIN and min(speeds) >= 1 if len(final) >= programs else None)


def vectorization(rows):
    """Of single loops, beside all ways tried."""
    for target, (title, _, _) in loops.TARGETS.items():
        mine = [kernel for kernel in rows if kernel["target"] == target]
        if not mine:
            continue
        ordo = loops.geometric([kernel["ordo_speedup"] for kernel in mine])
        share = loops.geometric([kernel["ordo_speedup"] / kernel["best_speedup"] for kernel in mine])
        far = sum(kernel["ordo_speedup"] < NEAR_BEST * kernel["best_speedup"] for kernel in mine)
        yield row(f"decisions about loops alone, {len(mine)} kernels, {title}",
                  f"≥ {loops.REACH[target]:.2f}, and ≥ {NEAR_BEST:g} of trying everything",
                  "{:.3f} [{:.3f}, {:.3f}]".format(*ordo) + f", {share[0]:.3f} of that; {far} of them below {NEAR_BEST:g}",
                  ordo[0] >= loops.REACH[target] and share[0] >= NEAR_BEST if len(mine) == len(loops.kernels()) else None)


def teeth(said):
    """Of miscompiles made on purpose, as GoogleTest says it."""
    test = said["testsuites"][0]["testsuite"][0]
    caught, tried = int(test["caught"]), int(test["tried"])
    yield row("deliberate miscompiles caught", "20 of 20", f"{caught} of {tried}", caught == tried == 20)


def merged(before, rows):
    """The rows of the table `before`, with `rows` in the place of those about the same; new ones last."""
    about = lambda line: re.sub(r"\d+ (programs|kernels)", "", line.split("|")[1])
    known = {about(line): line for line in before if line.startswith("|") and line not in HEAD}
    return (known | {about(line): line for line in rows}).values()


def main():
    parser = argparse.ArgumentParser(
        prog="./ordo bench runtime", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    lanes.add_option(parser, "measurements")
    parser.add_argument("--as-is", action="store_true", help="measure nothing, write what there is")
    options = parser.parse_args()
    if not options.as_is:
        measure(options.lanes)
    rows = [
        *verdicts(timing.read(timing.KEPT)),
        *gains(speed.outcomes_in(speed.FOLDER / "90s")),
        *vectorization(loops.read()),
        *(teeth(json.loads(CAUGHT.read_text())) if CAUGHT.exists() else []),
    ]
    text = "\n".join([*HEAD, *merged(marks.part(PAGE, "runtime").splitlines(), rows)]) + "\n"
    marks.insert(PAGE, "runtime", text)
    print(text, end="")


if __name__ == "__main__":
    main()
