"""What of the reach is no study: how long an answer and a training take, what programs linked whole gain."""

import json
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

TOTAL_INSTRUCTIONS = 51  # of autophase
BUDGET = "60s"  # of `ordo tune` for a program linked whole
EXPERIENCE = "data/experience/debian.jsonl"

# Programs linked whole: the Debian package, and whether a module belongs to it. Of the test split is lua5.4;
# sqlite3 is in no part, and is SQLite's amalgamation, all of the library in one file.
LARGE = {"lua5.4": lambda module: module != "src/luac.c", "sqlite3": lambda module: module == "sqlite3.c"}


def run(*command, **options):
    """Runs a command; what fails ends us."""
    command = [str(word) for word in command]
    done = subprocess.run(command, text=True, check=False, **options)
    if done.returncode != 0:
        print(f"reach: failed ({done.returncode}): {' '.join(command)}", file=sys.stderr)
        raise SystemExit(70)
    return done


def harvest(ordo, packages, *options):
    """Packages that are there are left alone."""
    if packages:
        run(ordo, "dataset", "harvest", *options, *packages, stdout=sys.stderr)


def answer(binaries):
    """Processor time in ms of the policy's greedy answer without the passes, and of loading the policy."""
    done = run(
        binaries / "bench_policy",
        "--benchmark_filter=^(answer|load)/shipped$",
        "--benchmark_repetitions=9",
        "--benchmark_format=json",
        stdout=subprocess.PIPE,
    )
    found = {}
    for line in json.loads(done.stdout)["benchmarks"]:
        if line.get("aggregate_name") == "median":
            found[line["run_name"]] = line
    return {
        "answer_ms": found["answer/shipped"]["cpu_time"] / 1000,
        "instructions": int(found["answer/shipped"]["instructions"]),
        "steps": int(found["answer/shipped"]["steps"]),
        "load_ms": found["load/shipped"]["cpu_time"] / 1000,
    }


def rollouts(binaries, weights, count):
    """Seconds that practice takes for so many rollouts on two cores, with the settings of docs/learned.md.

    Practice goes on from `weights`: rollouts of a trained policy cost what most of a training does.
    """
    packages = set()
    with open(EXPERIENCE, encoding="utf-8") as file:
        for line in file:
            uri = json.loads(line).get("uri", "")
            if uri.startswith("debian/"):
                packages.add(uri.split("/")[1])
    harvest(binaries / "ordo", sorted(packages))
    with tempfile.TemporaryDirectory() as folder:
        options = (
            "--algorithm reinforce++ --quantile 0.75 --rate 5e-4 --entropy 0.003 --kl 0.002 "
            "--programs 32 --group 16 --no-curriculum --max-instructions 2000 --more-programs 500 "
            "--judges 0 --threads 1 --jobs 2 --json --quiet"
        ).split()
        began = time.monotonic()
        done = run(
            *(binaries / "ordo-train", EXPERIENCE, "--from", weights, "--rollouts", count, *options),
            *("--events", f"{folder}/events", "-o", f"{folder}/weights"),
            stdout=subprocess.PIPE,
        )
        wall = time.monotonic() - began
        with open(f"{folder}/events", encoding="utf-8") as file:
            last = [line for line in map(json.loads, file) if line["stage"] == "practise"][-1]
    return {
        "rollouts": last["rollouts"],
        "seconds": last["seconds"],
        "seconds_with_preparation": wall,
        "what": json.loads(done.stdout)["provenance"].split("; ")[-1].split(" (")[0],
    }


def linked(binaries, package, folder):
    """The bitcode of a package linked whole; harvested into a store of our own where it is not there yet."""
    standard = os.environ.get("ORDO_DATASETS") or Path.home() / ".cache/ordo/datasets"
    own = folder / "store"
    store = next((s for s in (Path(standard), own) if (s / f"debian/packages/{package}.json").exists()), None)
    if store is None:
        harvest(binaries / "ordo", [package], "--store", own)
        store = own
    record = json.loads((store / f"debian/packages/{package}.json").read_text(encoding="utf-8"))
    modules = [
        store / f"debian/modules/{module['hash'][:2]}/{module['hash']}.bc"
        for module in record["modules"]
        if LARGE[package](module["name"])
    ]
    if not modules:
        raise SystemExit(f"reach: {package} was harvested without the modules that are wanted")
    whole = folder / f"{package}.bc"
    run("llvm-link-22", "-o", whole, *modules)
    return whole, f"{package} {record['version']}"


def large(binaries, weights, package, folder):
    """What `ordo tune` makes of a program linked whole, for both objectives."""
    whole, name = linked(binaries, package, folder)
    counted = run(binaries / "ordo", "features", "--json", whole, stdout=subprocess.PIPE)
    result = {"program": name, "instructions": json.loads(counted.stdout)["autophase"][TOTAL_INSTRUCTIONS]}
    for objective in ("ir_instructions", "text_bytes"):
        began = time.monotonic()
        done = run(
            *(
                binaries / "ordo",
                "tune",
                whole,
                "--objective",
                objective,
                "--budget",
                BUDGET,
                "--json",
                "--quiet",
            ),
            *("--policy", weights, "-o", folder / "tuned.o", "--recipe", folder / "tuned.ordo.json"),
            stdout=subprocess.PIPE,
        )
        tuned = json.loads(done.stdout)["results"][0]
        figure = tuned["recipe"]["figures"][0]
        result[objective] = {
            "baseline": figure["baseline"],
            "tuned": figure["tuned"],
            "compiles": tuned["statistics"]["evaluations"],
            "seconds": time.monotonic() - began,
        }
    return result
