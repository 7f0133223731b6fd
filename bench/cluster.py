"""What distribution costs and survives: `./ordo bench ray [PART…] [--write]`, also into docs/cluster.md.

Parts are training, samples, study, study-kills, training-kills and model. What a part found is kept in --folder, and not made
again unless the part is named. Machines are raylets of one processor each on this one, pinned to processors
of their own as far as there are any, each with an address of its own in a network namespace where that is
possible: so that a second one can be worth a second machine.
"""

from __future__ import annotations

import argparse
import json
import os
import pathlib
import signal
import sys
import time

import cluster_kills
import cluster_model
import cluster_study
import cluster_training

ROOT = pathlib.Path(__file__).resolve().parent.parent
PARTS = {
    "training": cluster_training.training,
    "samples": cluster_training.samples,
    "study": cluster_study.study,
    "study-kills": cluster_kills.study_kills,
    "training-kills": cluster_kills.training_kills,
    "model": cluster_model.model,
}


def make(name: str, options: argparse.Namespace) -> dict[str, object]:
    """A part, with when and beside what it was measured."""
    print(f"cluster: {name}", file=sys.stderr)
    began, before = time.monotonic(), os.getloadavg()[0]
    rows = PARTS[name](options)
    return {
        "rows": rows,
        "date": time.strftime("%Y-%m-%d"),
        "minutes": (time.monotonic() - began) / 60,
        "load": (before + os.getloadavg()[0]) / 2,
    }


def page(found: dict[str, dict[str, object]]) -> str:
    """The table, and how it came about."""
    lines = ["| what | wanted | found |", "|---|---|---|"]
    for part in found.values():
        lines += part["rows"]
    took = ", ".join(
        f"{name} {part['minutes']:.0f} minutes at a load of {part['load']:.1f}"
        for name, part in found.items()
    )
    dates = sorted({str(part["date"]) for part in found.values()})
    where = f"{os.cpu_count()} processors, shared with whatever makes up the rest of the load"
    missing = [name for name in PARTS if name not in found]
    left = f" Not measured yet: {', '.join(missing)}." if missing else ""
    return "\n".join(lines) + f"\n\n{' and '.join(dates)}, {where}: {took}.{left}\n"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("parts", nargs="*", metavar="PART", help="made anew; all that is missing by default")
    parser.add_argument("--folder", type=pathlib.Path, default=ROOT / "build" / "ray", help="(build/ray)")
    parser.add_argument("--compiles", type=int, default=60, help="of a run of a study (%(default)s)")
    parser.add_argument("--kills", type=int, default=20, help="(%(default)s)")
    parser.add_argument("--rollouts", type=int, default=128, help="of a training (%(default)s)")
    parser.add_argument("--seeds", type=int, default=3, help="of a training (%(default)s)")
    parser.add_argument("--write", action="store_true", help="into docs/cluster.md")
    options = parser.parse_args()
    if unknown := set(options.parts) - set(PARTS):
        parser.error(f"there is no part '{unknown.pop()}'; there are {', '.join(PARTS)}")
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))  # so that clusters are stopped
    os.environ.setdefault("ORDO_PYTHON", sys.executable)
    options.folder.mkdir(parents=True, exist_ok=True)
    found = {}
    for name in PARTS:
        file = options.folder / f"{name}.json"
        if name in options.parts or not (options.parts or file.exists()):
            part = make(name, options)
            beside = file.with_suffix(".new")
            beside.write_text(json.dumps(part, indent=1), encoding="utf-8")
            beside.rename(file)
        if file.exists():
            found[name] = json.loads(file.read_text(encoding="utf-8"))
    text = page(found)
    print(text)
    if options.write:
        import marks

        marks.insert(ROOT / "docs" / "cluster.md", "ray", text)


if __name__ == "__main__":
    main()
