#!/usr/bin/env python3
"""Fetches what the programs are made of: `programs/fetch.py [PROGRAM…]`.

Each program's package (packages.toml) is unpacked into build/programs, and `src` in the program's folder leads
there. What is there already stays.
"""

import hashlib
import os
import pathlib
import shutil
import subprocess
import sys
import tomllib

HERE = pathlib.Path(__file__).resolve().parent
WORK = HERE.parent / "build/programs"
sys.path.append(str(HERE.parent / "bench"))

import debian_source  # noqa: E402


def packages() -> list[dict]:
    """All that packages.toml says."""
    return tomllib.loads((HERE / "packages.toml").read_text())["package"]


def fetch(package: dict) -> None:
    """Makes the programs of a package ready; ends the program if that is impossible."""
    folder = WORK / f"{package['name']}-{package['version']}"
    if not folder.exists():
        print(f"fetch: {package['name']} {package['version']}", file=sys.stderr, flush=True)
        tarball = debian_source.tarball(package["name"], package["version"], WORK)
        digest = hashlib.sha256(tarball.read_bytes()).hexdigest()
        if digest != package["sha256"]:
            raise SystemExit(f"fetch: {tarball} has the SHA-256 {digest}, not {package['sha256']}")
        unpacked = WORK / f"{package['name']}.unpacked"
        shutil.rmtree(unpacked, ignore_errors=True)  # preparing may have failed halfway
        debian_source.unpack(tarball, unpacked)
        subprocess.run(["sh", "-e", "-c", package.get("prepare", "")], cwd=unpacked, check=True)
        unpacked.rename(folder)
    for program in package["programs"]:
        link = HERE / program / "src"
        target = os.path.relpath(folder, link.parent)
        if not link.is_symlink() or os.readlink(link) != target:
            link.unlink(missing_ok=True)
            link.symlink_to(target)


def main() -> None:
    """Fetches the packages of the programs that are named, or all."""
    wanted = set(sys.argv[1:])
    known = {program for package in packages() for program in package["programs"]}
    if unknown := wanted - known:
        raise SystemExit(f"fetch: unknown: {', '.join(sorted(unknown))}; there are {', '.join(sorted(known))}")
    for package in packages():
        if not wanted or wanted & set(package["programs"]):
            fetch(package)


if __name__ == "__main__":
    main()
