"""`./ordo bench agent`: what the language model is worth, into the parts of docs/agent.md that hold figures.

1. `ordo eval` compares the shipped model with searches and the policy, in one run (build/studies/agent.sqlite).
2. `ordo agent evaluate` plays dialogues under every condition, with each model of --model NAME=MODEL. Names
   are those of data/agent/README.md: `both/1` is the shipped one, `supervised/2` the second training of the
   first stage alone. Without --model none is played: the rows are those of data/agent/rows.jsonl.gz.
3. agent_report.py makes the tables and the answers of them; with --write they go into docs/agent.md, else to
   standard output.

It goes on where it was stopped. Needs harvested validation programs and, for models, Python with the extra
`agent` ($ORDO_PYTHON; ./ordo python --with agent).
"""

import argparse
import gzip
import os
import subprocess
import sys
import tempfile
from pathlib import Path

import agent_report
import marks

ROOT = Path(__file__).resolve().parent.parent
PAGE = ROOT / "docs/agent.md"
ROWS = ROOT / "data/agent/rows.jsonl.gz"
ORDO = ROOT / "build/release/bin/ordo"
METHODS = (
    "agent:shipped temperature=1",
    *("policy", "coreset", "tree_0", "tree_features", "nearest_neighbour", "graph_genetic", "evolutionary"),
    "random",
)
# What is changed one at a time, of the shipped model only; of others just how they are.
CONDITIONS = (
    *("shuffled", "search-only", "search-always", "search-given", "without-search_sequences"),
    *("without-suggest_actions", "without-get_features", "without-edit_sequence"),
    *("tree-0", "tree-1", "tree-2", "tree-5", "tree-10", "penalty-1.1", "penalty-1.3"),
)
SHIPPED = "both/1"


def run(*command):
    """Runs a command; what fails ends us with its exit code."""
    done = subprocess.run([str(word) for word in command], cwd=ROOT, stdout=subprocess.DEVNULL, check=False)
    if done.returncode != 0:
        print(f"agent: failed ({done.returncode}): {' '.join(map(str, command))}", file=sys.stderr)
        raise SystemExit(done.returncode)


def study(options):
    """The study of the shipped model beside simpler methods; made, or gone on with, unless it is --as-is."""
    file = options.study
    if not options.as_is:
        file.parent.mkdir(parents=True, exist_ok=True)
        run(
            *(ORDO, "eval", "--list", "data/studies/validation-small.txt", "--objectives", "ir_instructions"),
            *("--compiles", 100, "--seeds", 1, "--jobs", 1, "--study", file, "--methods", ",".join(METHODS)),
        )
    return file


def report(file):
    """What `ordo report` says of a study, in Markdown."""
    with tempfile.NamedTemporaryFile(suffix=".md") as page:
        run(ORDO, "report", file, "--markdown", page.name)
        return Path(page.name).read_text(encoding="utf-8")


def play(options, name, model):
    """Adds the dialogues of a model to the rows."""
    conditions = ("plain", *CONDITIONS) if name == SHIPPED else ("plain",)
    run(
        *(ORDO, "agent", "evaluate", "-o", options.rows, "--programs", "data/studies/validation.txt"),
        *("--model", model, "--name", name, "--conditions", ",".join(conditions)),
        *("--seconds", options.seconds, "--seeds", options.seeds if name == SHIPPED else 1),
    )


def main():
    parser = argparse.ArgumentParser(
        prog="./ordo bench agent", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument(
        "--model", action="append", default=[], metavar="NAME=MODEL", help="play its dialogues; repeatable"
    )
    parser.add_argument("--rows", type=Path, default=ROOT / "build/agent/rows.jsonl", help="of those (%(default)s)")
    parser.add_argument("--seconds", type=int, default=3600, help="a dialogue may take (%(default)s)")
    parser.add_argument("--seeds", type=int, default=1, help="of sampling, of the shipped model (%(default)s)")
    parser.add_argument("--study", type=Path, default=ROOT / "build/studies/agent.sqlite", help="(%(default)s)")
    parser.add_argument("--as-is", action="store_true", help="take the study as it is, finished or not")
    parser.add_argument("--write", action="store_true", help="into docs/agent.md and data/agent/rows.jsonl.gz")
    options = parser.parse_args()
    options.rows, options.study = options.rows.resolve(), options.study.resolve()
    models = [text.partition("=") for text in options.model]
    for name, _, model in models:
        if not model or name.count("/") != 1 or name.partition("/")[0] not in agent_report.TITLES:
            parser.error(f"--model {name}: say NAME/NUMBER=MODEL; names: {', '.join(agent_report.TITLES)}")
    options.rows.parent.mkdir(parents=True, exist_ok=True)
    if not options.rows.exists():
        options.rows.write_bytes(gzip.decompress(ROWS.read_bytes()))
    for name, _, model in models:
        play(options, name, model)
    dialogues = agent_report.Dialogues(agent_report.read(options.rows))
    compared = agent_report.Study(study(options), report(options.study))
    parts = {
        "agent figures": agent_report.figures(compared, dialogues),
        "agent answers": agent_report.answers(compared, dialogues),
    }
    for name, text in parts.items():
        if options.write:
            marks.insert(PAGE, name, text)
        else:
            print(text)
    if options.write:
        with open(ROWS, "wb") as file, gzip.GzipFile("", "wb", 9, file, mtime=0) as packed:
            packed.write(options.rows.read_bytes())
    return os.EX_OK


if __name__ == "__main__":
    sys.exit(main())
