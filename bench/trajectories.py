"""Makes the parts of docs/trajectories/README.md anew that depend on the shipped weights.

    python bench/trajectories.py

For each recipe in docs/trajectories: what `ordo explain` says of its passes, and what `ordo tune` finds with
the policy today, at once and with 100 compiles. The prose around that is about the recipes and the IR, and
stays true whatever the weights say. Needs the harvested programs (docs/datasets.md); takes some minutes.
"""

import json
import os
import pathlib
import subprocess
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
PAGE = ROOT / "docs" / "trajectories" / "README.md"
ORDO = os.environ.get("ORDO", ROOT / "ordo")


def ordo(*arguments):
    """What `ordo ARGUMENTS…` prints."""
    return subprocess.run([ORDO, *arguments], check=True, stdout=subprocess.PIPE, text=True).stdout


def found(recipe, *arguments):
    """What tuning the recipe's program for its objective gives: '-3.20 % with sroa gvn'."""
    with tempfile.TemporaryDirectory() as folder:
        source, objective = recipe["program"]["source"], recipe["objective"]
        common = ["--objective", objective, "--jobs", "1", "-q", "--json", "-o", f"{folder}/o"]
        answer = ordo("tune", source, *common, *arguments)
    result = json.loads(answer)["results"][0]
    passes = " ".join(action["name"] for action in result["recipe"]["actions"])
    if result["improvement"] == 0:
        return "nothing better than clang-Oz"
    return f"{-100 * result['improvement']:+.2f} % with {passes}"


def block(path):
    """What is said of the recipe in `path`."""
    recipe = json.loads(path.read_text())
    parts = ordo("explain", str(path), "--odds").split("\n\n")
    table = next(parts[i + 1] for i, part in enumerate(parts) if part.startswith("Passes in order"))
    at_once = found(recipe, "--searcher", "policy_answer", "--budget", "100evals")
    searched = found(recipe, "--budget", "100evals")
    return f"\n```\n{table}\n\nnow, at once    {at_once}\nnow, searching  {searched}\n```\n"


def replaced(page, name, text):
    """`page` with `text` between <!-- name --> and <!-- end name -->."""
    start, end = f"<!-- {name} -->", f"<!-- end {name} -->"
    if start not in page or end not in page:
        raise SystemExit(f"{PAGE} has no place for {name}")
    return page[: page.index(start) + len(start)] + text + page[page.index(end) :]


def main():
    """Writes the page."""
    page = PAGE.read_text()
    for path in sorted((ROOT / "docs" / "trajectories").glob("*.json")):
        page = replaced(page, path.stem, block(path))
        weights = json.loads(ordo("explain", str(path), "--json"))["passes"]["policy"]["hash"]
        page = replaced(page, "weights", f"`{weights}`")
    PAGE.write_text(page)


if __name__ == "__main__":
    main()
