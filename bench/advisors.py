"""What advice is worth on whole projects: `./ordo bench advisors [--weights FILE] [--searched]`.

For each package of a part of the dataset debian, the bytes of code (no tables for unwinding) of its modules
behind clang's -Oz pipeline, beside what the weights make of them, what the smaller of the two is for each
(`race`), and with --searched what decisions tried one at a time save (`ordo-advise search`), which is the
bound. The mean is over packages, with a 95 % interval of resampled packages. Lines of modules are kept in
--folder and not measured again for the same weights; `--split test` is for the final table, once.
"""

import argparse
import concurrent.futures
import hashlib
import json
import math
import os
import pathlib
import random
import subprocess

ROOT = pathlib.Path(__file__).resolve().parent.parent
ADVISE = ROOT / "build/release/bin/ordo-advise"
LARGEST = 150_000  # bytes of bitcode


def modules_of(split: str, packages: int, each: int) -> dict[str, list[pathlib.Path]]:
    """Up to `each` modules of `packages` packages: those with most modules, since the others say little."""
    listed = subprocess.run(
        [ROOT / "build/release/bin/ordo", "list", "programs", "debian", "--split", split],
        check=True,
        capture_output=True,
        text=True,
    ).stdout.split()
    store = (
        pathlib.Path(os.environ.get("ORDO_DATASETS", pathlib.Path.home() / ".cache/ordo/datasets")) / "debian"
    )
    files: dict[str, list[pathlib.Path]] = {}
    records: dict[str, dict[str, str]] = {}
    for uri in sorted(line for line in listed if line.startswith("debian/")):
        _, package, name = uri.split("/", 2)
        if package not in records:
            record = json.loads((store / "packages" / f"{package}.json").read_text(encoding="utf-8"))
            records[package] = {module["name"]: module["hash"] for module in record["modules"]}
        digest = records[package][name]
        file = store / "modules" / digest[:2] / f"{digest}.bc"
        if file.stat().st_size <= LARGEST:
            files.setdefault(package, []).append(file)
    chosen = sorted(files, key=lambda package: (-len(files[package]), package))[:packages]
    return {
        package: random.Random(1).sample(files[package], min(each, len(files[package]))) for package in chosen
    }


def lines_of(
    words: list[str], modules: list[pathlib.Path], cache: pathlib.Path, jobs: int
) -> dict[str, dict]:
    """What ordo-advise says of each module; what is in `cache` is not asked again."""
    known = {}
    if cache.exists():
        for line in cache.read_text(encoding="utf-8").splitlines():
            if line.endswith("}"):  # one that was cut off does not
                known[json.loads(line)["module"]] = json.loads(line)
    missing = [module for module in modules if str(module) not in known]

    def ask(some: list[pathlib.Path]) -> str:
        return subprocess.run([ADVISE, *words, *some], check=True, capture_output=True, text=True).stdout

    pieces = [missing[i : i + 4] for i in range(0, len(missing), 4)]
    with concurrent.futures.ThreadPoolExecutor(jobs) as team, cache.open("a", encoding="utf-8") as out:
        for said in team.map(ask, pieces):
            out.write(said)
            out.flush()
            known |= {json.loads(line)["module"]: json.loads(line) for line in said.splitlines()}
    return known


def interval(ratios: list[float]) -> tuple[float, float]:
    """Of the mean of logarithms, over resampled packages."""
    chance = random.Random(1)
    means = sorted(sum(chance.choices(ratios, k=len(ratios))) / len(ratios) for _ in range(10_000))
    return means[250], means[9750]


def main() -> None:
    """Prints the table and the means."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--weights", type=pathlib.Path, help="of an advisor; without it only --searched")
    parser.add_argument(
        "--searched", action="store_true", help="also what decisions tried one at a time save"
    )
    parser.add_argument("--split", default="validation", choices=["validation", "test"])
    parser.add_argument("--packages", type=int, default=10)
    parser.add_argument("--modules", type=int, default=40, help="of each package")
    parser.add_argument("--tries", type=int, default=64, help="compiles of each module for --searched")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1)
    parser.add_argument("--folder", type=pathlib.Path, default=ROOT / "build/advisors")
    options = parser.parse_args()
    if not options.weights and not options.searched:
        parser.error("nothing to measure: give --weights, --searched or both")
    options.folder.mkdir(parents=True, exist_ok=True)
    packages = modules_of(options.split, options.packages, options.modules)
    every = [module for modules in packages.values() for module in modules]
    measured: dict[str, dict[str, dict]] = {}
    if options.weights:
        name = hashlib.sha256(options.weights.read_bytes()).hexdigest()[:16]
        words = ["measure", "--weights", str(options.weights), "--"]
        measured["advised"] = lines_of(words, every, options.folder / f"advised-{name}.jsonl", options.jobs)
    if options.searched:
        words = ["search", "--tries", str(options.tries)]
        measured["searched"] = lines_of(
            words, every, options.folder / f"searched-{options.tries}.jsonl", options.jobs
        )

    columns = [
        *(["advised", "in a race"] if options.weights else []),
        *(["searched"] if options.searched else []),
    ]
    ratios: dict[str, list[float]] = {column: [] for column in columns}
    print("| package | modules | bytes of code | " + " | ".join(columns) + " | larger |")
    print("|---|---|---|" + "---|" * len(columns) + "---|")
    for package, modules in packages.items():
        lines = {kind: [said.get(str(module), {}) for module in modules] for kind, said in measured.items()}
        whole = [i for i in range(len(modules)) if all(kind[i].get("usual") for kind in lines.values())]
        if not whole:
            continue
        usual = sum(next(iter(lines.values()))[i]["usual"] for i in whole)
        sums = {}
        larger = 0
        if options.weights:
            pairs = [(lines["advised"][i]["usual"], lines["advised"][i]["advised"][0]) for i in whole]
            sums["advised"] = sum(advised for _, advised in pairs)
            sums["in a race"] = sum(map(min, pairs))
            larger = sum(advised > plain for plain, advised in pairs)
        if options.searched:
            sums["searched"] = sum(lines["searched"][i]["best"] for i in whole)
        for column in columns:
            ratios[column].append(math.log(sums[column] / usual))
        cells = " | ".join(f"{100 * (sums[column] / usual - 1):+.2f} %" for column in columns)
        print(f"| {package} | {len(whole)} | {usual} | {cells} | {larger} |")
    for column in columns:
        mean = sum(ratios[column]) / len(ratios[column])
        low, high = interval(ratios[column])
        print(
            f"\n{column}: {100 * math.expm1(mean):+.2f} % of code on the mean of "
            f"{len(ratios[column])} packages "
            f"({100 * math.expm1(low):+.2f} to {100 * math.expm1(high):+.2f} %)"
        )


if __name__ == "__main__":
    main()
