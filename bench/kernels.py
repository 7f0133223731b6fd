"""Tunes kernels and says how they stand beside OpenBLAS, oneDNN, PyTorch, torch.compile and IREE.

./ordo bench kernels [KERNEL…] [--write]. Without kernels: products and windows that libraries are best at, and all
of the dataset's for testing, which nothing was chosen by. Each gets the same budget (--budget, 64evals); what is
measured beside it is measured in turn with the result. Goes on where it was stopped: results are kept in
build/kernels/, one file of JSON for each kernel and budget. The table goes to standard output, or with --write to
docs/results/kernels.md. With --threads 2 kernels and libraries have two, and the table is one of its own.

./ordo bench kernels --answers [KERNEL…] [--write] says instead what is known without measuring: how much of the
logarithm of what the search finds over the fair baseline the policy's own schedule has, and beside it that of the step
`greedy` and of what the model of costs would try first.
"""

import argparse
import dataclasses
import json
import math
import os
import pathlib
import subprocess
import sys
from datetime import date

import marks
from revision import machine, revision

ROOT = pathlib.Path(__file__).resolve().parents[1]
ORDO = ROOT / "build" / "release" / "bin" / "ordo"
PAGE = ROOT / "docs" / "results" / "kernels.md"
PEERS = ("fair", "openblas", "onednn", "pytorch", "torch.compile", "iree")
ABOUT = {"strong": "products and windows", "unseen": "kernels for testing", "models": "models"}

#: Products of 256 to 1024, and 3x3 windows of ResNet-50.
STRONG = [
    "mlir/matmul/256x256x256",
    "mlir/matmul/384x384x384",
    "mlir/matmul/512x512x512",
    "mlir/matmul/768x768x768",
    "mlir/matmul/1024x1024x1024",
    "mlir/conv_nhwc/58x58x64x64x3x1",
    "mlir/conv_nhwc/30x30x128x128x3x1",
    "mlir/conv_nhwc/16x16x256x256x3x1",
    "mlir/conv_nhwc/9x9x512x512x3x1",
]


#: A perceptron of two layers, three blocks of residual networks, and two layers of transformers.
MODELS = [
    "mlir/mlp/128x768x3072x768",
    "mlir/residual/56x56x256x64",
    "mlir/residual/28x28x512x128",
    "mlir/residual/14x14x96x24",
    "mlir/transformer/64x256x4x1024",
    "mlir/transformer/128x768x12x3072",
]

#: Of which it is said how many candidates a second a search compiles, compares and times.
PACED = "mlir/matmul/512x512x512"


@dataclasses.dataclass(frozen=True)
class Search:
    """How each kernel is searched."""

    budget: str
    threads: int = 1
    compilers: bool = True  # torch.compile and IREE are measured beside it


def kept_as(kernel: str, search: Search, space: str = "", answers: bool = False) -> pathlib.Path:
    """Where what is said of one kernel is kept: this with .json, and what `ordo tune` wrote in the folder of this name."""
    name = kernel.replace("/", "_") + "." + search.budget + (f".{space}" if space else "") + (".answers" if answers else "")
    if search.threads > 1:
        name += f".{search.threads}threads"
    return ROOT / "build" / "kernels" / name


def measured(kernel: str, search: Search, space: str = "", answers: bool = False) -> dict:
    """What `ordo tune` says of one kernel, from the file where it was said before."""
    folder = kept_as(kernel, search, space, answers)
    kept = folder.with_name(folder.name + ".json")
    if not kept.exists():
        kept.parent.mkdir(parents=True, exist_ok=True)
        more = ["--no-peers", "--space", space] if space else ["--more-peers"] if search.compilers else []
        if answers:
            more = ["--no-peers", "--answers"]
        more += ["--threads", str(search.threads)]
        command = [ORDO, "tune", kernel, "--budget", search.budget, "--json", "-q", *more, "-o", folder]
        run = subprocess.run(command, capture_output=True, text=True, check=False)
        if run.returncode != 0:
            return {"error": run.stderr.strip().splitlines()[-1] if run.stderr.strip() else f"exit {run.returncode}"}
        said = json.loads(run.stdout) | {"load": os.getloadavg()[0]}
        kept.write_text(json.dumps(said))
    said = json.loads(kept.read_text())
    return said["results"][0] | {"load": said["load"]}


def pace(search: Search) -> float | None:
    """Candidates a second of the search of `PACED`, or None where it was not run."""
    files = sorted(kept_as(PACED, search).glob("*.candidates.json"))
    if not files:
        return None
    tried = json.loads(files[0].read_text())["candidates"]
    return (len(tried) - 1) / (tried[-1]["seconds"] - tried[0]["seconds"])


def beside_mlir_rl(kernel: str, search: Search) -> float | None:
    """How many times as fast as what the same search finds with MLIR-RL's steps: both in turn with the fair baseline,
    for seconds of two runs cannot be compared on a machine that does other things."""
    ours, theirs = measured(kernel, search), measured(kernel, search, "mlir-rl")
    return None if "error" in ours or "error" in theirs else ratios(ours)["fair"] / ratios(theirs)["fair"]


def ratios(result: dict) -> dict[str, float]:
    """How many times as fast the result is as each peer, and as the fair baseline."""
    fair = result["speedup"][0] if "speedup" in result else 1.0
    return {"fair": fair} | {one["name"]: one["speedup"][0] for one in result.get("beside", []) if "speedup" in one}


def strongest(by: dict[str, float]) -> float | None:
    """Beside the better of the two libraries."""
    return min((by[name] for name in ("openblas", "onednn") if name in by), default=None)


def mean(values: list[float]) -> float:
    return math.exp(sum(map(math.log, values)) / len(values))


def cell(value: float | None) -> str:
    return "-" if value is None else f"{value:.2f}"


#: What is wanted of which kernels: geometric mean, and of the worst.
WANTED = [
    ("strong", "the better of OpenBLAS and oneDNN", strongest, 0.97, 0.85),
    ("unseen", "PyTorch", lambda by: by.get("pytorch"), 1.2, None),
    ("unseen", "`torch.compile`", lambda by: by.get("torch.compile"), 1.1, None),
    ("unseen", "IREE", lambda by: by.get("iree"), 1.3, None),
    ("models", "PyTorch", lambda by: by.get("pytorch"), 1.0, None),
    ("strong", "the same search with MLIR-RL's steps", lambda by: by.get("mlir-rl"), 1.5, None),
    ("strong", "the fair baseline", lambda by: by["fair"], 4.0, None),
]


def table(sets: dict[str, list[str]], search: Search) -> list[str]:
    """Lines of Markdown: a table of what is wanted, and one of all kernels."""
    rows, found, versions, loads = [], {}, {}, []
    for kind, kernels in sets.items():
        for kernel in kernels:
            result = measured(kernel, search)
            if "error" in result:
                rows.append(f"| `{kernel}` | {result['error']} |" + " |" * 8)
                print(rows[-1], file=sys.stderr)
                continue
            by = ratios(result)
            loads.append(result["load"])
            if kind == "strong" and search.threads == 1 and (ratio := beside_mlir_rl(kernel, search)):
                by["mlir-rl"] = ratio
            found[kind, kernel] = by
            versions |= {one["name"]: one["version"] for one in result.get("beside", []) if one["version"]}
            rate = result["flops"] / result["time_ns"]
            share = 100 * rate / result["peak_gflops"]
            figures = [f"{result['time_ns'] / 1e6:.3f}", f"{rate:.1f}", f"{share:.0f} %"]
            figures += [cell(by.get(name)) for name in PEERS]
            rows.append(f"| `{kernel}` | {' | '.join(figures)} |")
            print(rows[-1], file=sys.stderr)
    lines = [
        "| kernels | times as fast as | wanted | geometric mean | worst | slower than it |",
        "|---|---|---:|---:|---|---|",
    ]
    for kind, what, ratio, goal, floor in WANTED:
        values = {kernel: ratio(by) for (of, kernel), by in found.items() if of == kind and ratio(by) is not None}
        if not values:
            continue
        worst = min(values, key=values.get)
        wanted = f"{goal}, worst {floor}" if floor else f"{goal}"
        slower = sum(value < 1 for value in values.values())
        lines.append(
            f"| {len(values)} {ABOUT[kind]} | {what} | {wanted} | {mean(list(values.values())):.2f} "
            f"| {values[worst]:.2f} (`{worst}`) | {slower} |"
        )
    if found and (speed := pace(search)):
        lines.append(f"| `{PACED}` | candidates a second | 15 | {speed:.1f} | - | - |")
    said = "; ".join(versions[name] for name in PEERS if name in versions)
    return [
        *lines,
        "",
        f"Beside: {said}. Load of the machine: {min(loads, default=0):.0f} to {max(loads, default=0):.0f}.",
        "",
        "| kernel | ms | GF/s | of the peak | fair | OpenBLAS | oneDNN | PyTorch | torch.compile | IREE |",
        "|---|---:|---:|---:|---:|---:|---:|---:|---:|---:|",
        *rows,
    ]


#: What is said without measuring, by its names in `ordo tune --answers`.
ANSWERS = ("policy", "greedy", "costs")


def answers_table(kernels: list[str], search: Search) -> list[str]:
    """Lines of Markdown: what is known without measuring, of all kernels together and of each."""
    rows, found, loads = [], [], []
    for kernel in kernels:
        result = measured(kernel, search, answers=True)
        if "error" in result or "speedup" not in result:
            rows.append(f"| `{kernel}` | {result.get('error', 'not compared')} |" + " |" * len(ANSWERS))
            print(rows[-1], file=sys.stderr)
            continue
        # Where nothing was shown to be faster, the baseline is the result.
        by = {"search": max(1.0, result["speedup"][0])}
        by |= {one["name"]: one["speedup"][0] for one in result["answers"] if "speedup" in one}
        found.append(by)
        loads.append(result["load"])
        rows.append(f"| `{kernel}` | {by['search']:.2f} | " + " | ".join(cell(by.get(name)) for name in ANSWERS) + " |")
        print(rows[-1], file=sys.stderr)

    def share(name: str) -> str:
        possible = sum(math.log(by["search"]) for by in found if name in by)
        return f"{100 * sum(math.log(by[name]) for by in found if name in by) / possible:.0f} %" if possible else "-"

    means = [mean([by[name] for by in found if name in by] or [1.0]) for name in ("search", *ANSWERS)]
    head = "| kernel | search | policy | `greedy` | model of costs |"
    return [
        "| | wanted | policy | `greedy` | model of costs |",
        "|---|---:|---:|---:|---:|",
        f"| share of the logarithm, {len(found)} kernels | 85 % | "
        + " | ".join(share(name) for name in ANSWERS)
        + " |",
        "",
        f"Times as fast as the fair baseline. Load of the machine: {min(loads, default=0):.0f} to {max(loads, default=0):.0f}.",
        "",
        head,
        "|---|---:|---:|---:|---:|",
        *rows,
        "| geometric mean | " + " | ".join(f"{value:.2f}" for value in means) + " |",
    ]


def unseen(most: int | None = None) -> list[str]:
    """The dataset's kernels for testing, without those of `STRONG` and `MODELS`; or so many of them."""
    text = subprocess.run(
        [ORDO, "list", "programs", "mlir", "--split", "test"], capture_output=True, text=True, check=True
    ).stdout
    kernels = [line for line in text.split() if line.startswith("mlir/") and line not in [*STRONG, *MODELS]]
    # Those of one kind are listed one after the other.
    return kernels if most is None else kernels[:: max(1, math.ceil(len(kernels) / most))]


def main() -> None:
    parser = argparse.ArgumentParser(prog="./ordo bench kernels", description=__doc__)
    parser.add_argument("kernels", nargs="*", metavar="KERNEL", help="[products, windows, and all for testing]")
    parser.add_argument("--budget", default="64evals", help="for each kernel (64evals)")
    parser.add_argument(
        "--only", choices=list(ABOUT), help="what libraries are best at, what is for testing, or whole models"
    )
    parser.add_argument("--most", type=int, metavar="N", help="of what is for testing N, spread over its kinds")
    parser.add_argument("--threads", type=int, default=1, metavar="N", help="of kernels and libraries (1)")
    parser.add_argument("--no-compilers", action="store_true", help="leave out torch.compile and IREE, which take a minute each")
    parser.add_argument("--answers", action="store_true", help="what is known without measuring, instead")
    parser.add_argument("--write", action="store_true", help="into docs/results/kernels.md")
    options = parser.parse_args()
    search = Search(options.budget, options.threads, not options.no_compilers)
    sets = {"unseen": options.kernels} if options.kernels else {"strong": STRONG, "unseen": unseen(options.most), "models": MODELS}
    if options.only:
        sets = {options.only: sets[options.only]}
    if options.answers:
        lines = answers_table(options.kernels or unseen(options.most), search)
        about = f"One thread; the search has {options.budget}, and each figure is measured in turn with the baseline."
    else:
        lines = table(sets, search)
        about = (
            f"{'One thread' if search.threads == 1 else f'{search.threads} threads'}, {options.budget} for each kernel. A figure is how many times as fast Ordo's result is, "
            "measured in turn with the other (A B B A); - is what a library has nothing for, or was not measured."
        )
    head = (
        f"Made by `./ordo bench kernels --write` at {revision()} on {date.today()}: {machine()}, "
        f"{os.cpu_count()} processors. {about}"
    )
    text = "\n".join([head, "", *lines]) + "\n"
    if options.write:
        marks.insert(PAGE, "answers" if options.answers else "kernels" if search.threads == 1 else "threads", text)
    else:
        print(text, end="")


if __name__ == "__main__":
    main()
