#!/usr/bin/env python3
"""Runs generated command lines through clang and through cold and warm ordo-cc, and compares what comes of them.

    ./ordo campaign commands [N] [--seed N] [--only K] [--json FILE]

Each command is made of options of clang's own --help, in all spellings, at random places, some in response files, with
random environment variables, among them every kind of advice. All three runs happen in the same folder, made anew. They
must agree in: the exit status; the files that are there afterwards; the symbols that objects define; and, where Ordo left
the command to clang, every byte. A difference that clang also has with itself is none.
"""

import argparse
import json
import os
import random
import re
import shutil
import subprocess
import sys
import tempfile
from collections import Counter
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
SOURCES = {
    "a.c": '#include "h.h"\nint f(int* a, int n) { int s = 0; for (int i = 0; i < n; i++) { a[i] *= K; s += a[i] % 7; }'
    " return s; }\nint g(int* a, int n) { return f(a, n) + f(a + 1, n - 1); }\n",
    "b.c": "static int twice(int x) { return 2 * x; }\nint h(int x) { return twice(x) + twice(x + 1); }\n",
    "c.cpp": '#include "h.h"\nstruct S { virtual int v(int) { return K; } virtual ~S() {} };\n'
    "int use(S* s, int n) { int t = 0; for (int i = 0; i < n; ++i) t += s->v(i); return t; }\nint own() { S s; return use(&s, 3); }\n",
    "d.c": '__asm__(".globl blob\\nblob: .incbin \\"data.bin\\"\\n");\nextern char blob[];\nint first(void) { return blob[0]; }\n',
    "e.s": ".globl e\ne: ret\n",
    "dir with space/x.c": "int spaced(int x) { return x / 3; }\n",
    "h.h": "#ifndef K\n#define K 3\n#endif\n",
    "inc/i.h": "#define INCLUDED 1\n",
    "data.bin": "data",
}
# They wait, talk to terminals, take long, or write where no campaign should.
LEFT_OUT = re.compile(
    r"-(interactive|fproc-stat-report.*|-?autocomplete.*|gen-reproducer.*|fcrash-diagnostics-dir.*|###|v|-?help.*|"
    r"fmodules-cache-path.*|-print-.*|print-.*|-?version|dumpversion|dumpmachine|fplugin.*|fpass-plugin.*|load|"
    r"-?offload.*|-?cuda.*|-?hip.*|fopenmp-targets.*|index-store.*|working-directory.*|save-stats.*|-config.*|-B|"
    r"ccc-.*|fbuild-session.*|-gpu.*|-?rocm.*|fembed-offload.*|-sycl.*|fsycl.*|resource-dir.*|-sysroot.*|isysroot)$"
)
# Their files hold times.
TIMED = re.compile(r"\.(json|stats)$|time-trace")
VALUES = ["1", "0", "2", "none", "all", "x", "h.h", "inc", "out.tmp", "c", "c++", "gnu11", "c++17", "hidden", "-DX=1", "i.h", "K=9"]
ENVIRONMENT = [
    {"CPATH": "inc"}, {"C_INCLUDE_PATH": "inc"}, {"SOURCE_DATE_EPOCH": "1"}, {"TMPDIR": "/nonexistent"}, {"LC_ALL": "C"},
    {"CCC_OVERRIDE_OPTIONS": "# +-g"}, {"CC_PRINT_OPTIONS": "1", "CC_PRINT_OPTIONS_FILE": "opts.txt"}, {"HOME": ""},
    {"COMPILER_PATH": "inc"}, {"DEPENDENCIES_OUTPUT": "dep.txt"}, {"CC_PRINT_HEADERS": "1", "CC_PRINT_HEADERS_FILE": "hdr.txt"},
]  # fmt: skip
COMMON = [
    ["-g"], ["-Wall"], ["-MD"], ["-MMD", "-MF", "a.dep"], ["-MP", "-MD"], ["-fPIC"], ["-ffunction-sections"], ["-DK=5"],
    ["-D", "K=6"], ["-I", "inc"], ["-Iinc", "-include", "i.h"], ["-std=gnu11"], ["-fno-exceptions"], ["-Wp,-DK=7"],
    ["-Wa,--noexecstack"], ["-pthread"], ["-march=x86-64-v3"], ["-emit-llvm"], ["-S"], ["-E"], ["-flto"], ["-flto=thin"],
    ["-save-temps"], ["-fsyntax-only"], ["-serialize-diagnostics", "a.dia"], ["--serialize-diagnostics", "a.dia"],
    ["-Xarch_host", "-DK=8"], ["-fsave-optimization-record"], ["-gsplit-dwarf"], ["-MJ", "cdb.json"], ["-ftime-trace"],
    ["-Xclang", "-emit-llvm"], ["-mllvm", "-inline-threshold=1"], ["-fstack-usage"], ["-Wframe-larger-than=1"], ["-Werror"],
    ["-fsanitize=undefined"], ["-fprofile-instr-generate"], ["-x", "c++"], ["-xc"], ["--language=c++"], ["-w"], ["-pipe"],
    ["-fvisibility=hidden"], ["-m32"], ["-fno-integrated-as"], ["-include-pch", "missing.pch"], ["--", ], ["-fno-ident"],
]  # fmt: skip
# What is written beside an object or in its place, by the passes and the code generator that a race runs twice.
OUTPUTS = [
    ["-flto"], ["-flto=thin"], ["-flto", "-ffat-lto-objects"], ["-emit-llvm"], ["-g", "-gsplit-dwarf"],
    ["-g", "-gsplit-dwarf=single"], ["-save-temps=obj"], ["--coverage"], ["-fstack-usage"], ["-Rpass=inline"],
    ["-fsave-optimization-record=bitstream"],
]  # fmt: skip
BESIDE = re.compile(r"\.(dwo|su|gcno)$|\.opt\.")  # what tells of one object is not raced with it
# Every word that ORDO_ADVISORS knows, alone and in company.
ADVISORS = [
    "usual", "random:3", "inline-size", "evict", "vectorize", "race", "usual,race", "random:3,race", "inline-size,evict,race",
    "vectorize,race", "inline-size,vectorize,evict", "random:5,log={folder}/advice", "random:5,race,log={folder}/advice",
]  # fmt: skip


def clang_options() -> list[tuple[str, str]]:
    """Spelling and placeholder of each option that clang's help has: ("-MF", " <file>"), ("-std=", "<value>")."""
    text = subprocess.run(["clang-22", "--help-hidden"], capture_output=True, text=True, check=True).stdout
    found = re.findall(r"^  (-[^\s<,]*)((?: ?<[^>]*>)?)", text, re.M)
    return [(name, value) for name, value in found if name.strip("-") and not LEFT_OUT.match(name)]


def random_command(rng: random.Random, options: list[tuple[str, str]]) -> dict:
    """One command: its words, what is in its response file, and variables of its environment."""
    parts: list[list[str]] = []
    parts.append([rng.choice(["-Oz"] * 6 + ["-Os", "-Os", "-O2", "-O3", "-O1", "-Og", "--optimize=z", "-O", "-Ofast"])])
    if rng.random() < 0.93:
        parts.append([rng.choice(["-c", "-c", "-c", "--compile"])])
    name = rng.choice(["o.o", "sub/o.o", "o", "a.o", "o.obj", "/dev/null"] if rng.random() < 0.4 else ["o.o"])
    if rng.random() < 0.7:
        parts.append(rng.choice([["-o", name], ["-o" + name], ["--output=" + name], ["--output", name]]))
    sources = rng.choice([["a.c"]] * 8 + [["b.c"], ["c.cpp"], ["c.cpp"], ["d.c"], ["e.s"], ["dir with space/x.c"], ["a.c", "b.c"], ["gone.c"]])
    for _ in range(rng.choice([0, 1, 1, 2, 3])):
        parts.append(list(rng.choice(COMMON)))
    for _ in range(rng.choice([0, 0, 0, 1, 1, 2])):
        option, value = rng.choice(options)
        given = rng.choice(VALUES)
        if option.startswith("--") is False and rng.random() < 0.1:
            option = "-" + option
        if not value:
            parts.append([option])
        elif value.startswith(" "):
            parts.append([option, given] if rng.random() < 0.8 else [option + given])
        else:
            parts.append([option + given])
    late = [part for part in parts if part == ["--"]]
    parts = [part for part in parts if part != ["--"]]
    rng.shuffle(parts)
    if late:
        words = [word for part in parts for word in part] + ["--", *sources]
    else:
        parts.insert(rng.randrange(len(parts) + 1), sources)
        words = [word for part in parts for word in part]
    response = None
    if rng.random() < 0.1:
        response = words[1:3]
        words[1:3] = ["@words.rsp"]
    environment: dict[str, str] = {}
    if rng.random() < 0.15:
        environment = dict(rng.choice(ENVIRONMENT))
    beside = rng.random() < 0.15
    if beside:
        words[:0] = rng.choice(OUTPUTS)
    if rng.random() < (0.6 if beside else 0.15):
        environment["ORDO_ADVISORS"] = rng.choice(ADVISORS)
    return {"words": words, "response": response, "environment": environment, "cxx": rng.random() < 0.15}


class Bench:
    """A folder in which commands are run one after the other, each on fresh sources."""

    def __init__(self, ordo_cc: Path, folder: Path) -> None:
        """`folder` is this campaign's alone."""
        self.ordo_cc, self.folder, self.run_dir, self.cache = ordo_cc, folder, folder / "run", folder / "cache"
        (folder / "advice").mkdir()

    def run(self, command: dict, ours: bool, budget: str) -> dict:
        """Exit status, output, and all files that were made or changed."""
        shutil.rmtree(self.run_dir, ignore_errors=True)
        for name, text in SOURCES.items():
            path = self.run_dir / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text)
            os.utime(path, (1, 1))
        (self.run_dir / "sub").mkdir()
        if command["response"]:
            quoted = " ".join('"' + word.replace("\\", "\\\\").replace('"', '\\"') + '"' for word in command["response"])
            (self.run_dir / "words.rsp").write_text(quoted + "\n")
        compiler = "clang++-22" if command["cxx"] else "clang-22"
        if ours:
            compiler = str(self.ordo_cc.with_name("ordo-c++") if command["cxx"] else self.ordo_cc)
        environment = {"PATH": os.environ["PATH"], "HOME": str(self.folder), "ORDO_CACHE": str(self.cache), "ORDO_BUDGET": budget}
        environment |= {name: value.replace("{folder}", str(self.folder)) for name, value in command["environment"].items()}
        before = self.snapshot()
        try:
            done = subprocess.run(
                [compiler, *command["words"]], cwd=self.run_dir, env=environment, stdin=subprocess.DEVNULL, capture_output=True, timeout=120
            )
            code: int | str = done.returncode
            output = done.stdout + done.stderr
        except subprocess.TimeoutExpired:
            code, output = "runs for ever", b""
        after = self.snapshot()
        return {"code": code, "output": output, "files": {k: v for k, v in after.items() if before.get(k) != v}}

    def snapshot(self) -> dict[str, bytes]:
        """The bytes of every file below the folder."""
        return {str(p.relative_to(self.run_dir)): p.read_bytes() for p in self.run_dir.rglob("*") if p.is_file()}

    def outcome(self) -> tuple[str, str]:
        """Ordo's last word: the outcome and reason that it logged since the last question; ("clang", "") if none."""
        log = self.cache / "builds.jsonl"
        if not log.exists():
            return "clang", ""
        last = json.loads(log.read_text().splitlines()[-1])
        log.unlink()
        return last["outcome"], last.get("reason", "")


def symbols(content: bytes, folder: Path) -> list[str] | None:
    """What an object defines for others, or None for any other file.

    Not what each of its users defines as well (inline functions of C++): it need not be there where nobody uses it.
    """
    if content[:4] != b"\x7fELF":
        return None
    path = folder / "look.o"
    path.write_bytes(content)
    listed = subprocess.run(["llvm-nm-22", "--defined-only", "--extern-only", "-P", str(path)], capture_output=True, text=True)
    rows = [line.split()[:2] for line in listed.stdout.splitlines()]
    return sorted(f"{name} {kind}" for name, kind in rows if kind not in "VWvw")


def stem(name: str) -> str:
    """A name without what clang makes up: a-1f2e3d.o."""
    return re.sub(r"-[0-9a-f]{6,8}(?=\.)", "-X", name)


def exactness(command: dict, outcome: str) -> str:
    """What has to be as clang has it: "bytes"; but for objects, of which there may be a "raced" one; or "symbols"."""
    if outcome not in ("clang", "plain"):
        return "symbols"
    words = command["environment"].get("ORDO_ADVISORS", "").split(",")
    if words == [""]:
        return "bytes"
    # Vectors are nobody's race.
    return "raced" if "race" in words and not any(word.startswith(("vectorize", "random")) for word in words) else "advised"


def holds_code(name: str, content: bytes) -> bool:
    """Whether advice may change a file that is no object."""
    return content[:4] in (b"\x7fELF", b"BC\xc0\xde", b"RMRK") or name.endswith((".s", ".ll", ".su", ".yaml"))


def differences(plain: dict, ours: dict, exact: str, folder: Path) -> list[str]:
    """What `ours` has otherwise, in words."""
    found = []
    if plain["code"] != ours["code"]:
        found.append(f"exit status {ours['code']}, clang's {plain['code']}")
    theirs = {stem(name): content for name, content in plain["files"].items()}
    files = {stem(name): content for name, content in ours["files"].items()}
    if exact == "raced" and any(BESIDE.search(name) for name in theirs):
        exact = "bytes"
    if set(theirs) != set(files):
        found.append(f"files {sorted(files)}, clang's {sorted(theirs)}")
    for name in sorted(set(theirs) & set(files)):
        if theirs[name] == files[name] or TIMED.search(name):
            continue
        defined = symbols(theirs[name], folder)
        if theirs[name].startswith(b"--- !") and (exact == "symbols" or files[name].startswith(theirs[name])):
            continue  # optimization remarks, of which ours has one more
        if exact == "advised" and defined is None and holds_code(name, theirs[name]):
            continue
        if exact == "bytes" or defined is None:
            found.append(f"{name} has other bytes")
        elif defined != symbols(files[name], folder):
            found.append(f"{name} defines {symbols(files[name], folder)}, clang's {defined}")
    return found


def main() -> int:
    """The exit status: 1 if anything differs."""
    parser = argparse.ArgumentParser(prog="ordo campaign commands", description=(__doc__ or "").splitlines()[0])
    parser.add_argument("count", nargs="?", type=int, default=2000, help="how many commands [2000]")
    parser.add_argument("--seed", type=int, default=1, help="other commands for another number [1]")
    parser.add_argument("--only", type=int, help="the K-th command alone, with everything it says")
    parser.add_argument("--json", help="a file for what was found")
    arguments = parser.parse_args()
    ordo_cc = Path(os.environ.get("ORDO_CC", ROOT / "build/release/bin/ordo-cc")).absolute()
    options = clang_options()
    outcomes: Counter[str] = Counter()
    faults, unrepeatable = [], 0
    with tempfile.TemporaryDirectory(prefix="ordo-campaign-") as name:
        bench = Bench(ordo_cc, Path(name))
        for k in range(arguments.count):
            rng = random.Random(f"{arguments.seed} {k}")
            command = random_command(rng, options)
            budget = rng.choice(["0", "0", "0", "20ms"])
            if arguments.only is not None and k != arguments.only:
                continue
            shutil.rmtree(bench.cache, ignore_errors=True)
            plain = bench.run(command, False, budget)
            found = []
            for state in ("cold", "warm"):
                ours = bench.run(command, True, budget)
                outcome, reason = bench.outcome()
                outcomes[outcome] += 1
                found += [f"{state}, {outcome}: {what}" for what in differences(plain, ours, exactness(command, outcome), bench.folder)]
                if outcome == "fallback":
                    found.append(f"{state}: Ordo was in trouble: {reason}")
                if arguments.only is not None:
                    print(state, outcome, reason, ours["code"], ours["output"].decode(errors="replace"), sep="\n")
            if found and differences(plain, bench.run(command, False, budget), "bytes", bench.folder):
                unrepeatable += 1  # clang's own ways
            elif found:
                line = {"command": k, "words": command["words"], "response": command["response"], "environment": command["environment"]}
                faults.append(line | {"cxx": command["cxx"], "budget": budget, "found": found})
                print(f"{k}: {command['words']} {command['response'] or ''} {command['environment'] or ''}\n   " + "\n   ".join(found), flush=True)
            if sys.stderr.isatty() and k % 10 == 0:
                print(f"\r{k}/{arguments.count}, {len(faults)} differ ", end="", file=sys.stderr, flush=True)
    result = {"commands": arguments.count, "seed": arguments.seed, "outcomes": outcomes, "unrepeatable": unrepeatable, "faults": faults}
    if arguments.json:
        Path(arguments.json).write_text(json.dumps(result, indent=1) + "\n")
    print(f"{arguments.count} commands, seed {arguments.seed}: {len(faults)} differ, {unrepeatable} that clang does not repeat itself; runs: "
          + ", ".join(f"{n} {what}" for what, n in outcomes.most_common()))  # fmt: skip
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
