"""Programs for small machines to learn from: files of training packages, compiled without unwind tables.

    python3 bench/bare_programs.py --target Cortex-M4 -o FOLDER

Fetches Debian's sources of packages of the split `train` (below), preprocesses the files that compile for the
target, at most 14 of each package drawn by chance with a fixed seed, and writes each as a program of one file
(docs/formats/program.md) into FOLDER; prints their folders, for `ordo mine`. Targets are those of
bench/targets.py without unwind tables.
"""

from __future__ import annotations

import argparse
import json
import pathlib
import random
import re
import subprocess
import sys
import tomllib

import debian_source
from targets import TARGETS

ROOT = pathlib.Path(__file__).resolve().parent.parent
WORK = ROOT / "build/libraries"
MOST = 14  # files of a package
SEED = 5
SMALLEST, LARGEST = 15, 2500  # lines of code in what clang makes before any pass
LEFT_OUT = ("test", "example", "demo", "tools", "win", "dos", "cli/", "contrib")
LZMA = [f"-Isrc/liblzma/{name}" for name in "api common lz lzma rangecoder check delta simple".split()]
HAVE = ["STDINT_H", "STDBOOL_H", "STRING_H", "INTTYPES_H", "LIMITS_H", "ENCODERS", "DECODERS", "CHECK_CRC32"]
# Flags that most of a package's files compile with though nothing has configured it; -I below its sources.
PACKAGES = {
    "cjson": [],
    "flac": ["-Iinclude", "-Isrc/libFLAC/include", '-DPACKAGE_VERSION="1"'],
    "freetype": ["-DFT2_BUILD_LIBRARY", "-Iinclude"],
    "judy": ["-Isrc", "-Isrc/JudyCommon"],
    "lcms2": ["-Iinclude", "-Isrc"],
    "libcsv": [],
    "libdeflate": ["-I.", "-Ilib"],
    "libtomcrypt": ["-DLTC_SOURCE", "-DLTC_NO_TEST", "-DLTC_NO_PRNG_ENABLE_LTC_RNG", "-Isrc/headers"],
    "libtommath": [],
    "libwebp": ["-I.", "-Isrc"],
    "lzo2": ["-Iinclude", "-Isrc"],
    "nettle": ["-I."],
    "opus": [
        *("-DOPUS_BUILD", "-DFIXED_POINT", "-DVAR_ARRAYS", "-Iinclude", "-Icelt", "-Isilk", "-Isilk/fixed"),
        "-Isrc",
    ],
    "speex": ["-DFIXED_POINT", "-DEXPORT=", "-Iinclude", "-Ilibspeex"],
    "tidy-html5": ["-Iinclude", "-Isrc"],
    "utf8proc": [],
    "wavpack": ["-Iinclude"],
    "xz-utils": [*LZMA, "-Isrc/common", *(f"-DHAVE_{name}" for name in HAVE)],
    "zopfli": [],
}


def sources() -> dict[str, pathlib.Path]:
    """The folders of the packages; ends the program where one is not for training."""
    manifest = tomllib.loads((ROOT / "data/datasets/debian.toml").read_text())
    known = {package["name"]: package for package in manifest["package"]}
    folders = {}
    for name in PACKAGES:
        if known[name]["split"] != "train" or known[name].get("reserved"):
            raise SystemExit(f"bare_programs: {name} is not for training")
        folders[name] = WORK / name
        if not folders[name].exists():
            version = known[name]["version"].split(":")[-1].rsplit("-", 1)[0]
            debian_source.unpack(debian_source.tarball(name, version, WORK), folders[name])
    return folders


def preprocessed(file: pathlib.Path, folder: pathlib.Path, flags: list[str]) -> str | None:
    """What clang reads of a file, or nothing if it does not compile, or to too little or too much."""
    flags = [f"-I{folder / flag[2:]}" if flag.startswith("-I") and flag[2] != "/" else flag for flag in flags]
    compiler = ["clang-22", "-Oz", "-w", *flags]
    to_ir = [*compiler, "-Xclang", "-disable-llvm-passes", "-S", "-emit-llvm", "-o", "-", file.name]
    made = subprocess.run(to_ir, cwd=file.parent, capture_output=True, text=True, errors="replace", check=False)
    lines = sum(line.startswith("  ") for line in made.stdout.splitlines())
    if made.returncode != 0 or not SMALLEST <= lines <= LARGEST:
        return None
    command = [*compiler, "-E", "-P", file.name]
    return subprocess.run(command, cwd=file.parent, capture_output=True, text=True, errors="replace", check=True).stdout


def main() -> None:
    """Makes them."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    names = [name for name in TARGETS if "unwind tables" not in name]
    parser.add_argument("--target", required=True, choices=names)
    parser.add_argument("-o", "--output", required=True, type=pathlib.Path, help="a folder")
    options = parser.parse_args()
    machine = [*TARGETS[options.target], "-w"]
    for package, folder in sources().items():
        files = sorted(file for file in folder.rglob("*.c"))
        files = [one for one in files if not any(word in str(one.relative_to(folder)).lower() for word in LEFT_OUT)]
        random.Random(SEED).shuffle(files)
        taken = 0
        for file in files:
            if taken == MOST:
                break
            code = preprocessed(file, folder, [*machine, *PACKAGES[package]])
            if code is None:
                continue
            taken += 1
            name = re.sub("[^a-z0-9]+", "-", f"{package} {file.relative_to(folder)}".lower()).strip("-")[:60]
            program = options.output / name
            program.mkdir(parents=True, exist_ok=True)
            (program / "one.c").write_text(code)
            (program / "program.toml").write_text(
                f'format = 1\nname = "{name}"\nsummary = "of {package}"\nlanguage = "c"\nsource = "one.c"\n'
                f'split = "train"\ncflags = {json.dumps(machine)}\n'
            )
            print(program, flush=True)
        print(f"bare_programs: {package}: {taken} of {len(files)} files", file=sys.stderr)


if __name__ == "__main__":
    main()
