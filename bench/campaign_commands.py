#!/usr/bin/env python3
"""Runs generated command lines through clang and through cold and warm ordo-cc, and compares what comes of them.

    ./ordo campaign commands [N] [--seed N] [--only K] [--json FILE]

Each command is made of options of clang's own --help, in all spellings, at random places, some in response files, with
random environment variables, among them every kind of advice. All three runs happen in the same folder, made anew. They must agree in: the exit status; what
is said; the files that are there afterwards; the symbols that objects define, their kinds of sections and the data that an
assembler brought in; and, where Ordo left the command to clang, every byte. A difference that clang also has with itself is
none.

Some sources have assembly that brings in a file, in spellings that are put together, and some commands go through a script
called clang-22 that adds what is in EXTRA. Then a fourth run has other data or another EXTRA, and is compared with clang's
under the same. Some are repeated by a lock file, which must give the cold object, or refuse what has changed.
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
    "data.bin": "",  # one of DATA
    "blob.s": '.incbin "data.bin"\n',
    "asm.c": "",  # of the command
}
DATA = ("AAAAdata", "BBBBdata")  # of data.bin, before and after
# Spellings of a directive that reads it, and of what reads nothing. "%" is an operand: the address of `named`.
READING = [
    '.incbin \\"data.bin\\"', '.INCBIN \\"data.bin\\"', '.in{c|c}bin \\"data.bin\\"', '{.|.}incbin \\"data.bin\\"', '.i%c0bin \\"data.bin\\"',
    '.include \\"blob.s\\"', '.incl%c1 \\"blob.s\\"', '%c2 \\"data.bin\\"', 'nop; .incbin \\"data.bin\\"', '/* */ .incbin \\"data.bin\\"',
    '.macro m a\\n.\\\\a \\"data.bin\\"\\n.endm\\nm incbin\\n.purgem m', '.irp d,incbin\\n.\\\\d \\"data.bin\\"\\n.endr',
    '.altmacro\\n.macro m a\\n.incbin \\"data.bin\\"\\n.endm\\nm x\\n.purgem m\\n.noaltmacro',
]  # fmt: skip
HARMLESS = [".long 5", '.byte 1, 2; .ascii \\"text\\"', ".long %c0 - .", ".Lhere%=: .long .Lhere%=", ".rept 2\\n.byte 3\\n.endr"]
EXTRA = ["", "-ffunction-sections", "-fdata-sections", "-DK=4", "-fno-pic", "-g", "-O2", "-Os", "-mllvm -inline-threshold=-50", "-fno-asynchronous-unwind-tables"]


def assembly(rng: random.Random) -> str:
    """A source with inline assembly that puts something into .rodata at `blob`."""
    text = rng.choice(READING * 2 + HARMLESS)
    where = f'__asm__ volatile(".pushsection .rodata\\nblob: {text}\\n.byte 0\\n.popsection" :: "i"(&nc), "i"(&ude), "i"(&named));'
    return (
        'extern char nc, ude; extern char named __asm__(".incbin");\nextern const char blob[];\n'
        f"static void __attribute__((used)) keep(void) {{ {where} }}\nint first(void) {{ return blob[0]; }}\n"
    )


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
    ["-Xclang", "-emit-llvm"], ["-mllvm", "-inline-threshold=1"], ["-mllvm=-unroll-threshold=10"],
    ["-mllvm", "-inline-threshold=-100", "-mllvm", "-slp-threshold=-3"], ["-mllvm", "-disable-lsr"], ["-fstack-usage"], ["-Wframe-larger-than=1"], ["-Werror"],
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
    sources = rng.choice([["a.c"]] * 8 + [["b.c"], ["c.cpp"], ["c.cpp"], ["d.c"], ["asm.c"], ["asm.c"], ["asm.c"], ["e.s"], ["dir with space/x.c"], ["a.c", "b.c"], ["gone.c"]])
    usual = rng.random() < 0.4  # mostly Ordo's to take
    for _ in range(rng.choice([0, 0, 1] if usual else [0, 1, 1, 2, 3])):
        parts.append(list(rng.choice(COMMON)))
    for _ in range(0 if usual else rng.choice([0, 0, 0, 1, 1, 2])):
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
    command = {"words": words, "response": response, "environment": environment, "cxx": rng.random() < 0.15}
    command |= {"assembly": assembly(rng) if "asm.c" in sources else "", "wrapped": rng.random() < 0.25, "locked": rng.random() < 0.2}
    command["extra"] = [rng.choice(EXTRA), rng.choice(EXTRA)]
    if sources == ["asm.c"] and rng.random() < 0.7:
        command["words"] += ["-fno-pic"]
    return command


class Bench:
    """A folder in which commands are run one after the other, each on fresh sources."""

    def __init__(self, ordo_cc: Path, folder: Path) -> None:
        """`folder` is this campaign's alone."""
        self.ordo_cc, self.folder, self.run_dir, self.cache = ordo_cc, folder, folder / "run", folder / "cache"
        (folder / "advice").mkdir()
        self.wrappers, self.lock_file = folder / "wrappers", folder / "ordo.lock"
        self.heard = 0  # lines of the log
        self.wrappers.mkdir()
        for name in ("clang-22", "clang++-22"):
            wrapper = self.wrappers / name
            wrapper.write_text(f'#!/bin/sh\nexec {shutil.which(name)} "$@" $EXTRA\n')
            wrapper.chmod(0o755)

    def run(self, command: dict, ours: bool, budget: str, turn: int = 0, more: dict[str, str] | None = None) -> dict:
        """Exit status, output, and all files that were made or changed; `turn` says which data and EXTRA there are."""
        shutil.rmtree(self.run_dir, ignore_errors=True)
        for name, text in SOURCES.items():
            path = self.run_dir / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text({"data.bin": DATA[turn], "asm.c": command["assembly"]}.get(name, text))
            os.utime(path, (1, 1))
        (self.run_dir / "sub").mkdir()
        if command["response"]:
            quoted = " ".join('"' + word.replace("\\", "\\\\").replace('"', '\\"') + '"' for word in command["response"])
            (self.run_dir / "words.rsp").write_text(quoted + "\n")
        compiler = "clang++-22" if command["cxx"] else "clang-22"
        if ours:
            compiler = str(self.ordo_cc.with_name("ordo-c++") if command["cxx"] else self.ordo_cc)
        environment = {"PATH": os.environ["PATH"], "HOME": str(self.folder), "ORDO_CACHE": str(self.cache), "ORDO_BUDGET": budget}
        if command["wrapped"]:
            environment |= {"PATH": f"{self.wrappers}:{environment['PATH']}", "EXTRA": command["extra"][turn]}
        environment |= {name: value.replace("{folder}", str(self.folder)) for name, value in command["environment"].items()}
        environment |= more or {}
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

    def lock(self) -> bool:
        """Locks what was just built; false where nothing of it was Ordo's."""
        self.lock_file.unlink(missing_ok=True)
        environment = {"PATH": os.environ["PATH"], "HOME": str(self.folder), "ORDO_CACHE": str(self.cache)}
        subprocess.run([self.ordo_cc.with_name("ordo"), "lock"], cwd=self.folder, env=environment, capture_output=True, check=False)
        return self.lock_file.exists()

    def snapshot(self) -> dict[str, bytes]:
        """The bytes of every file below the folder."""
        return {str(p.relative_to(self.run_dir)): p.read_bytes() for p in self.run_dir.rglob("*") if p.is_file()}

    def outcome(self) -> tuple[str, str]:
        """Ordo's last word: the outcome and reason that it logged since the last question; ("clang", "") if none."""
        log = self.cache / "builds.jsonl"
        lines = log.read_text().splitlines() if log.exists() else []
        if len(lines) == self.heard:
            return "clang", ""
        self.heard = len(lines)
        last = json.loads(lines[-1])
        return last["outcome"], last.get("reason", "")

    def forget(self) -> None:
        """Begins with an empty cache."""
        shutil.rmtree(self.cache, ignore_errors=True)
        self.heard = 0


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


def shape(content: bytes) -> list[str]:
    """The kinds of sections that an object has because of flags, and which data an assembler brought in."""
    # Not those of inline functions and tables of C++, which need not be there, nor what points to the personality of
    # exceptions, which is there where anything is left to clean up.
    kinds = {"text": rb"\.text\.(?!_Z|unlikely|startup|hot)\w", "data": rb"\.data\.(?!_Z|rel|DW\.ref)\w", "debug": rb"\.debug_info", "unwind": rb"\.eh_frame"}
    return [kind for kind, name in kinds.items() if re.search(name, content)] + [data for data in DATA if data.encode() in content]


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
    return content[:4] in (b"\x7fELF", b"BC\xc0\xde", b"RMRK") or content.startswith(b"; ModuleID") or name.endswith((".s", ".ll", ".su", ".yaml"))


def said(run: dict) -> str:
    """What was printed, without what clang makes up, its program's name and ours."""
    text = stem(run["output"].decode(errors="replace"))
    return re.sub(r"/tmp/[\w.+-]+", "/tmp/X", text)


def differences(plain: dict, ours: dict, exact: str, folder: Path) -> list[str]:
    """What `ours` has otherwise, in words."""
    found = []
    if plain["code"] != ours["code"]:
        found.append(f"exit status {ours['code']}, clang's {plain['code']}")
    if exact in ("bytes", "symbols") and said(plain) != said(ours):
        found.append(f"says {said(ours)[:300]!r}, clang {said(plain)[:300]!r}")
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
        elif shape(theirs[name]) != shape(files[name]):
            found.append(f"{name} has {shape(files[name])}, clang's {shape(theirs[name])}")
    return found


def examine(bench: Bench, command: dict, budget: str, talks: bool) -> tuple[dict, list[str], list[str]]:
    """What clang made of a command, what ordo-cc made otherwise, cold, warm and so on, and Ordo's outcomes."""
    found: list[str] = []
    outcomes: list[str] = []

    def compare(state: str, plain: dict, turn: int, lock: bool = False) -> dict:
        ours = bench.run(command, True, budget, turn, {"ORDO_LOCK": str(bench.lock_file)} if lock else {})
        outcome, reason = bench.outcome()
        outcomes.append(outcome)
        if talks:
            print(state, outcome, reason, ours["code"], ours["output"].decode(errors="replace"), sep="\n")
        if lock and turn and ours["code"] and b"ordo lock" in ours["output"]:
            return ours  # what has changed is not in the lock file
        found.extend(f"{state}, {outcome}: {what}" for what in differences(plain, ours, exactness(command, outcome), bench.folder))
        if outcome == "fallback":
            found.append(f"{state}: Ordo was in trouble: {reason}")
        return ours

    plain = bench.run(command, False, budget)
    cold = compare("cold", plain, 0)
    # What is locked is made without advice.
    locked = command["locked"] and "ORDO_ADVISORS" not in command["environment"] and outcomes[0] == "tuned" and bench.lock()
    compare("warm", plain, 0)
    if locked:
        again = compare("locked", plain, 0, lock=True)
        for name, content in cold["files"].items():
            if content[:4] == b"\x7fELF" and again["files"].get(name) != content:
                found.append(f"locked: {name} has other bytes than cold")
    if command["wrapped"] or command["assembly"]:
        changed = bench.run(command, False, budget, 1)
        compare("changed", changed, 1)
        if locked:
            compare("changed and locked", changed, 1, lock=True)
    return plain, found, outcomes


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
            bench.forget()
            plain, found, seen = examine(bench, command, budget, arguments.only is not None)
            outcomes.update(seen)
            if found and differences(plain, bench.run(command, False, budget), "bytes", bench.folder):
                unrepeatable += 1  # clang's own ways
            elif found:
                line = {"command": k, "words": command["words"], "response": command["response"], "environment": command["environment"]}
                line |= {"extra": command["extra"] if command["wrapped"] else None, "assembly": command["assembly"]}
                faults.append(line | {"cxx": command["cxx"], "budget": budget, "found": found})
                print(f"{k}: {command['words']} {command['response'] or ''} {command['environment'] or ''} {line['extra'] or ''}\n   " + "\n   ".join(found), flush=True)
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
