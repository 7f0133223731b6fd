#!/usr/bin/env bash
# The folder of programs keeps its own rules (programs/README.md). Nothing is fetched.
set -euo pipefail
cd "$ORDO_SOURCE_DIR"
python3 - <<'PY'
import hashlib
import pathlib
import re
import tomllib

manifest = {p["name"]: p for p in tomllib.loads(pathlib.Path("data/datasets/debian.toml").read_text())["package"]}
packages = tomllib.loads(pathlib.Path("programs/packages.toml").read_text())["package"]
folders = {path.parent.name for path in pathlib.Path("programs").glob("*/program.toml")}
suite = {path.parent.name for path in pathlib.Path("suite").glob("*/program.toml")}


def rule(name):
    """The split of a package."""
    if name in manifest:
        return "test" if manifest[name]["split"] == "test" else "validation"
    return "test" if int(hashlib.sha256(name.encode()).hexdigest()[0], 16) % 2 == 0 else "validation"


listed = [program for package in packages for program in package["programs"]]
assert sorted(listed) == sorted(folders), f"packages.toml and folders differ: {set(listed) ^ folders}"
assert not folders & suite, f"named as programs of the suite: {folders & suite}"
for package in packages:
    name = package["name"]
    assert not manifest.get(name, {}).get("reserved"), f"{name} is reserved for final evaluation"
    assert package["split"] == rule(name), f"{name} is {package['split']}, not {rule(name)}"
    assert re.fullmatch("[0-9a-f]{64}", package["sha256"]), name

table = pathlib.Path("programs/README.md").read_text()
for package in packages:
    for program in package["programs"]:
        folder = pathlib.Path("programs", program)
        toml = tomllib.loads((folder / "program.toml").read_text())
        row = f"| `{program}` | {package['name']} {package['version']} | {package['split']} | {toml['summary']} |"
        assert row in table, f"the README has no row {row}"
        assert toml["split"] == package["split"], f"{program}: its split is not its package's"
        assert len(toml["run"]) >= 2, f"{program} has one run"
        assert all(int(run["stdout_xxh128"], 16) for run in toml["run"]), f"{program}: check.sh --update was not run"
        for driver in folder.glob("driver.*"):
            assert len(driver.read_text().splitlines()) <= 60, f"{driver} is longer than 60 lines"
PY

echo "what is missing is said"
code=0
said=$("$ORDO" tune programs/no-such 2>&1) || code=$?
[[ $code == 66 && $said == *no-such* ]]
