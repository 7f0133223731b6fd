"""Tunes kernels and says how they stand beside OpenBLAS, oneDNN and PyTorch: ./ordo bench kernels [KERNEL].

Each kernel gets the same budget (--budget, 64evals); what is measured beside it is measured in turn with the
result. Goes on where it was stopped: results are kept in build/kernels/, one file of JSON for each kernel and
budget. The table goes to standard output.
"""

import argparse
import json
import math
import os
import pathlib
import platform
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[1]
ORDO = ROOT / "build" / "release" / "bin" / "ordo"

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


def measured(kernel: str, budget: str) -> dict:
    """What `ordo tune` says of one kernel, from the file where it was said before."""
    name = kernel.replace("/", "_") + "." + budget
    kept = ROOT / "build" / "kernels" / f"{name}.json"
    if not kept.exists():
        kept.parent.mkdir(parents=True, exist_ok=True)
        command = [ORDO, "tune", kernel, "--budget", budget, "--json", "-q", "-o", kept.parent / name]
        run = subprocess.run(command, capture_output=True, text=True, check=False)
        if run.returncode != 0:
            return {
                "error": run.stderr.strip().splitlines()[-1]
                if run.stderr.strip()
                else f"exit {run.returncode}"
            }
        kept.write_text(run.stdout)
    return json.loads(kept.read_text())["results"][0]


def ratios(result: dict) -> dict[str, float]:
    """How many times as fast the result is as each peer."""
    return {one["name"]: one["speedup"][0] for one in result.get("beside", []) if "speedup" in one}


def mean(values: list[float]) -> float:
    return math.exp(sum(map(math.log, values)) / len(values)) if values else math.nan


def cell(value: float | None) -> str:
    return "-" if value is None else f"{value:.2f}"


def table(kernels: list[str], budget: str) -> list[str]:
    """The lines of a table, and what it says as a whole."""
    lines = [
        "| kernel | ms | GF/s | of the peak | fair | OpenBLAS | oneDNN | PyTorch |",
        "|---|---|---|---|---|---|---|---|",
    ]
    strong, eager, fair = {}, {}, {}
    for kernel in kernels:
        result = measured(kernel, budget)
        if "error" in result:
            lines.append(f"| {kernel} | {result['error']} | | | | | | |")
            continue
        by = ratios(result)
        rate = result["flops"] / result["time_ns"]
        fair[kernel] = result["speedup"][0] if "speedup" in result else 1.0
        if "openblas" in by or "onednn" in by:
            strong[kernel] = min(by.get("openblas", math.inf), by.get("onednn", math.inf))
        if "pytorch" in by:
            eager[kernel] = by["pytorch"]
        share = 100 * rate / result["peak_gflops"]
        figures = [f"{result['time_ns'] / 1e6:.3f}", f"{rate:.1f}", f"{share:.0f} %", f"{fair[kernel]:.2f}"]
        figures += [cell(by.get(name)) for name in ("openblas", "onednn", "pytorch")]
        lines.append(f"| {kernel} | {' | '.join(figures)} |")
        print(lines[-1], file=sys.stderr)
    lines.append("")
    for what, found in (("the better of OpenBLAS and oneDNN", strong), ("PyTorch", eager), ("fair", fair)):
        if found:
            worst = min(found, key=found.get)
            slower = sum(value < 1 for value in found.values())
            lines.append(
                f"Against {what}: {mean(list(found.values())):.3f} times as fast ({len(found)} kernels,"
                f" geometric mean), worst {found[worst]:.3f} ({worst}), {slower} slower."
            )
    return lines


def main() -> None:
    parser = argparse.ArgumentParser(prog="./ordo bench kernels", description=__doc__)
    parser.add_argument("kernels", nargs="*", default=STRONG, metavar="KERNEL")
    parser.add_argument("--budget", default="64evals", help="for each kernel (64evals)")
    options = parser.parse_args()
    load = os.getloadavg()
    processor = platform.processor() or platform.machine()
    print(f"{processor}, {os.cpu_count()} processors, load {load[0]:.1f} at the start")
    print(f"Times as fast as others; {options.budget} for each kernel, one thread.\n")
    print("\n".join(table(options.kernels, options.budget)))
    print(f"\nLoad at the end: {os.getloadavg()[0]:.1f}")


if __name__ == "__main__":
    main()
