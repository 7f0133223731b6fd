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
MODULE_BUDGET = "10s"  # for one of the modules that follow
MODULES = "data/studies/modules.txt"
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


def experience_packages():
    """Whose programs the shipped experience is of."""
    packages = set()
    with open(EXPERIENCE, encoding="utf-8") as file:
        for line in file:
            uri = json.loads(line).get("uri", "")
            if uri.startswith("debian/"):
                packages.add(uri.split("/")[1])
    return sorted(packages)


def rollouts(binaries, weights, count):
    """Seconds that practice takes for so many rollouts on two cores, with the settings of docs/learned.md.

    Practice goes on from `weights`: rollouts of a trained policy cost what most of a training does.
    """
    harvest(binaries / "ordo", experience_packages())
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
    store = next((s for s in stores(folder) if (s / f"debian/packages/{package}.json").exists()), None)
    if store is None:
        store = stores(folder)[1]
        harvest(binaries / "ordo", [package], "--store", store)
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


def stores(folder):
    """Where harvested packages may be: the user's store, and one of our own."""
    standard = os.environ.get("ORDO_DATASETS") or Path.home() / ".cache/ordo/datasets"
    return Path(standard), folder / "store"


def tuned(binaries, weights, program, objective, budget, folder, *options):
    """What `ordo tune` makes of a program."""
    began = time.monotonic()
    command = [binaries / "ordo", "tune", program, "--objective", objective, "--budget", budget, "--policy", weights]
    command += ["--json", "--quiet", "-o", folder / "tuned.o", "--recipe", folder / "tuned.ordo.json", *options]
    result = json.loads(run(*command, stdout=subprocess.PIPE).stdout)["results"][0]
    figure = result["recipe"]["figures"][0]
    return {
        "baseline": figure["baseline"],
        "tuned": figure["tuned"],
        "compiles": result["statistics"]["evaluations"],
        "seconds": time.monotonic() - began,
    }


def instructions(binaries, program):
    counted = run(binaries / "ordo", "features", "--json", program, stdout=subprocess.PIPE)
    return json.loads(counted.stdout)["autophase"][TOTAL_INSTRUCTIONS]


def modules(binaries, weights, folder):
    """What `ordo tune` makes of the modules of MODULES, one worker each."""
    uris = [line for line in Path(MODULES).read_text(encoding="utf-8").split("\n") if line and line[0] != "#"]
    harvest(binaries / "ordo", sorted({uri.split("/")[1] for uri in uris}))
    result = []
    for uri in uris:
        _, package, name = uri.split("/", 2)
        store = stores(folder)[0] / "debian"
        record = json.loads((store / f"packages/{package}.json").read_text(encoding="utf-8"))
        content = next(module["hash"] for module in record["modules"] if module["name"] == name)
        module = store / f"modules/{content[:2]}/{content}.bc"
        found = {"uri": uri, "instructions": instructions(binaries, module)}
        for objective in ("ir_instructions", "text_bytes"):
            found[objective] = tuned(binaries, weights, module, objective, MODULE_BUDGET, folder, "--jobs", "1")
        result.append(found)
    return result


def training(binaries):
    """The recipe of the shipped weights, from the shipped experience, on what has been harvested."""
    harvest(binaries / "ordo", experience_packages())
    with tempfile.TemporaryDirectory() as folder:
        began = time.monotonic()
        done = run(
            *(binaries / "ordo-train", EXPERIENCE, "--json", "--quiet", "-o", f"{folder}/weights"),
            stdout=subprocess.PIPE,
        )
        seconds = time.monotonic() - began
    what = json.loads(done.stdout)["provenance"].split("; ")[-1].split(" (")[0]
    return {"seconds": seconds, "what": what}


def large(binaries, weights, package, folder):
    """What `ordo tune` makes of a program linked whole, for both objectives."""
    whole, name = linked(binaries, package, folder)
    result = {"program": name, "instructions": instructions(binaries, whole)}
    for objective in ("ir_instructions", "text_bytes"):
        result[objective] = tuned(binaries, weights, whole, objective, BUDGET, folder)
    return result
