"""What is done while chaos strikes, and what must be true of it afterwards."""

import contextlib
import difflib
import os
import shutil
import signal
import sqlite3
import subprocess

# docs/exit-codes.md. What cannot be the answer to a good command is left out: 64, 65, 66, 78; 1, which would
# blame a program that is fine; and 70, which is a failure of Ordo itself.
CLEAR = {69, 75}
INTERRUPTED = 130
MOST_S = 1800  # that a command may take when left alone: longer is no slowness of a machine with much to do

# A program whose output depends on all of it. %d: some constants.
PROGRAM = """
#include <stdio.h>
#include <string.h>
static unsigned state = %du;
static unsigned draw(unsigned below) {
  state = state * 1664525u + 1013904223u;
  return (state >> 8) %% below;
}
static void sort(int *a, int n) {
  for (int i = 1; i < n; ++i) {
    int x = a[i], j = i;
    for (; j > 0 && a[j - 1] > x; --j) a[j] = a[j - 1];
    a[j] = x;
  }
}
static double dot(const double *a, const double *b, int n) {
  double sum = 0;
  for (int i = 0; i < n; ++i) sum += a[i] * b[i];
  return sum;
}
static unsigned hash(const char *s) {
  unsigned h = 2166136261u;
  while (*s) h = (h ^ (unsigned char)*s++) * 16777619u;
  return h;
}
static void reverse(char *s) {
  const int n = (int)strlen(s);
  for (int i = 0; i < n / 2; ++i) {
    const char c = s[i];
    s[i] = s[n - 1 - i];
    s[n - 1 - i] = c;
  }
}
static int collatz(long n) {
  int steps = 0;
  for (; n != 1; ++steps) n = n %% 2 ? 3 * n + 1 : n / 2;
  return steps;
}
int main(void) {
  int a[%d]; double x[64], y[64]; char text[80];
  const int n = (int)(sizeof a / sizeof *a);
  for (int i = 0; i < n; ++i) a[i] = (int)draw(100000);
  sort(a, n);
  for (int i = 0; i < n; i += 7) printf("%%d ", a[i]);
  for (int i = 0; i < 64; ++i) x[i] = draw(100) / 4.0, y[i] = draw(100) / 8.0;
  printf("\\n%%g\\n", dot(x, y, 64));
  for (int i = 0; i < 20; ++i) {
    snprintf(text, sizeof text, "word %%u of %%d", draw(1000), i);
    reverse(text);
    printf("%%s %%08x\\n", text, hash(text));
  }
  for (long i = 1; i < %d; ++i) printf("%%d%%c", collatz(i), i %% 20 ? ' ' : '\\n');
  return 0;
}
"""

TRAINING = """
import hashlib, sys
import numpy as np
import ordo
crc32, base64 = sys.argv[1:]
digest = hashlib.sha256()
vector = ordo.LlvmVectorEnv(3, program=[crc32, base64], seed=%d, max_steps=12)
rng = np.random.default_rng(%d)
observation, info = vector.reset(seed=%d)
for step in range(%d):
    masks = info["action_mask"]
    actions = np.array([rng.choice(np.flatnonzero(mask)) for mask in masks])
    observation, reward, terminated, truncated, info = vector.step(actions)
    for part in (actions, observation, reward, terminated, truncated):
        digest.update(np.ascontiguousarray(part).tobytes())
single = ordo.LlvmEnv(crc32, max_steps=0)
single.reset()
for action in (20, 21, 22):
    digest.update(np.ascontiguousarray(single.step(action)[0]).tobytes())
print("digest", digest.hexdigest())
"""


def programs(root):
    """The folder of our programs: that of $ORDO, as tests have it, or the build tree's."""
    return os.path.dirname(os.environ.get("ORDO") or os.path.join(root, "build/release/bin/ordo"))


def ended(code):
    return f"exit {code}" if code >= 0 else signal.Signals(-code).name


class Work:
    """One piece of work; see the classes below for what each one is."""

    name = ""
    calm_s, pause_s = 0.3, 0.8  # before the first strike, and between two on average
    names = ()  # of processes that may be struck; empty is all of them
    for_good = (
        "ordo-worker",
        "ordo-differ",
        "ordo-keeper",
        "clang",
        "opt",
        "program",
        "llvm-size",
    )  # may stay stopped

    def __init__(self, root, folder, environment, chance):
        self.root, self.folder, self.place, self.environment, self.chance = (
            root,
            folder,
            folder,
            environment,
            chance,
        )
        self.bin = programs(root)
        self.ordo = os.path.join(self.bin, "ordo")
        self.said = ""

    @classmethod
    def missing(cls, root):
        """Why this cannot be done here, or "" """
        return "" if os.access(os.path.join(programs(root), "ordo"), os.X_OK) else "ordo is not built"

    def prepare(self):
        """Makes what the command needs."""

    def may_strike(self, process):
        return not self.names or process.name.startswith(self.names)

    def must_go_on(self, victim, main):
        return main or not victim.name.startswith(self.for_good)

    def odds(self, victim, main):
        """Of SIGKILL, SIGTERM and SIGSTOP."""
        return (1, 2, 2) if main else (3, 2, 2)

    def is_of_others(self, name):
        """Whether a name in $TMPDIR is not ours to remove."""
        return False

    def run(self, *command, code=0):
        """Runs a command undisturbed; what it says, or a complaint in `self.wrong`."""
        name = f"{os.path.basename(command[0])} {' '.join(command[1:2])}"
        try:
            done = subprocess.run(
                command,
                cwd=self.place,
                env=self.environment,
                stdin=subprocess.DEVNULL,
                capture_output=True,
                text=True,
                errors="replace",
                timeout=MOST_S,
            )
        except subprocess.TimeoutExpired:
            self.wrong.append(f"{name}: still running after {MOST_S} s, undisturbed")
            return ""
        if done.returncode != code:
            said = (done.stderr + done.stdout).strip().splitlines()
            self.wrong.append(f"{name}: {ended(done.returncode)}: {' | '.join(said[-3:])}")
        return done.stdout

    wrong = ()  # what run() has to complain of

    def judged(self, code, output, struck):
        """What of the exit code is wrong in itself; `self.said` becomes what it is."""
        self.said, self.wrong = ended(code), []
        if code < 0 or code == INTERRUPTED:
            return [] if struck else [f"{ended(code)} although nobody touched it"]
        if code != 0 and code not in CLEAR:
            return [f"{ended(code)}: {' | '.join(output.strip().splitlines()[-3:])}"]
        if code != 0 and not output.strip():
            return [f"{ended(code)} without a word"]
        if "zygote" in output.lower():
            return ["a word that users do not know"]
        return []


class Tune(Work):
    """`ordo tune` of one file, or of a program with tests."""

    name = "tune"

    def prepare(self):
        self.wrong = []
        self.suite = self.chance.random() < 0.5
        if self.suite:
            self.program = os.path.join(
                self.root, "suite", self.chance.choice(["crc32", "sorts", "base64", "sha256"])
            )
        else:
            self.program = os.path.join(self.folder, "work.c")
            with open(self.program, "w") as file:
                file.write(PROGRAM % tuple(self.chance.randrange(100, 300) for _ in range(3)))
            self.run("clang-22", "-O1", self.program, "-o", "plain")
            self.expected = self.run("./plain")
        self.recipe = os.path.join(
            self.folder, (os.path.basename(self.program).removesuffix(".c")) + ".ordo.json"
        )
        self.command = self.tuning(f"{self.chance.choice([2, 4, 6])}s")

    def tuning(self, budget):
        return [self.ordo, "tune", self.program, "--budget", budget, "--jobs", "2", "-o", "result.o"]

    def check(self):
        self.run(self.ordo, "verify", self.recipe, self.program)
        if self.suite:
            return
        self.run("clang-22", "result.o", "-o", "program")
        if not self.wrong and self.run("./program") != self.expected:
            self.wrong.append("the program prints something else")

    def judge(self, code, output, struck):
        faults = self.judged(code, output, struck)
        if code == 0 or (code == INTERRUPTED and os.path.exists(self.recipe)):
            self.check()
        elif code == INTERRUPTED and not output.strip():
            faults.append("interrupted, with neither a result nor a word")
        return faults + self.wrong

    def again(self):
        self.wrong = []
        for name in ("result.o", self.recipe):
            if os.path.exists(os.path.join(self.folder, name)):
                os.remove(os.path.join(self.folder, name))
        self.run(*self.tuning("20evals"))
        if not self.wrong:
            self.check()
        left = [name for name in os.listdir(self.folder) if ".tmp-" in name]
        return self.wrong + [f"left {name}" for name in left]


class Make(Work):
    """A build with the drop-in compiler."""

    name = "make"
    calm_s, pause_s = 0.1, 0.3
    names = ("ordo", "clang")
    for_good = ("ordo-worker",)

    @classmethod
    def missing(cls, root):
        absent = [
            name
            for name in ("ordo-cc", "libordo-plugin.so")
            if not any(os.path.exists(os.path.join(programs(root), place, name)) for place in ("", "../lib"))
        ]
        return Work.missing(root) or (f"{', '.join(absent)} is not built" if absent else "")

    def prepare(self):
        self.wrong = []
        self.place = os.path.join(self.folder, "project")
        shutil.copytree(os.path.join(self.root, "examples/make"), self.place)
        names = [f"unit{number}" for number in range(6)]
        for name in names:
            with open(os.path.join(self.place, name + ".c"), "w") as file:
                text = PROGRAM % tuple(self.chance.randrange(100, 300) for _ in range(3))
                file.write(text.replace("int main(void)", f"int {name}(void)"))
        calls = (
            "".join(f"int {name}(void);\n" for name in names)
            + "int main(void) { return "
            + " + ".join(f"{name}()" for name in names)
            + "; }\n"
        )
        with open(os.path.join(self.place, "units.c"), "w") as file:
            file.write(calls)
        objects = " ".join(f"{name}.o" for name in [*names, "units"])
        with open(os.path.join(self.place, "Makefile"), "a") as file:
            file.write(f"\nunits: {objects}\n\t$(CC) -o $@ {objects}\nboth: calc units\n")
        self.run("make", "-s", "-j4", "CC=clang-22", "both")
        self.expected = self.run("./units")
        for name in os.listdir(self.place):
            if name.endswith((".o", ".d")) or name in ("calc", "units"):
                os.remove(os.path.join(self.place, name))
        self.environment = self.environment | {
            "PATH": self.bin + ":" + self.environment["PATH"],
            "ORDO_BUDGET": self.chance.choice(["0", "100ms", "300ms"]),
        }
        self.command = ["make", "-j4", "CC=ordo-cc", "both"]

    def may_strike(self, process):
        return process.name.startswith(self.names)

    def check(self):
        self.run("make", "-s", "CC=ordo-cc", "check")
        if self.run("./units") != self.expected:
            self.wrong.append("the program prints something else")

    def judge(self, code, output, struck):
        self.said, self.wrong = ended(code), []
        if code == 0:
            self.check()
        elif not output.strip():
            self.wrong.append(f"{ended(code)} without a word")
        return self.wrong

    def is_of_others(self, name):
        return not name.startswith("ordo")  # clang's own, of one that was killed

    def again(self):
        self.wrong = []
        self.run(*self.command)
        if not self.wrong:
            self.check()
        self.run(self.ordo, "tune", "units.c", "--budget", "1evals", "-o", "x.o")
        return self.wrong


class Eval(Work):
    """A study, which must become the one that was left alone."""

    name = "eval"
    reference = {}  # of a seed: findings

    def prepare(self):
        self.wrong = []
        self.seed = self.chance.randrange(3)
        self.command = self.study("study.sqlite", "2")
        if self.seed not in Eval.reference:
            self.run(*self.study("reference.sqlite", "2"))
            Eval.reference[self.seed] = self.findings("reference.sqlite")

    def study(self, file, jobs):
        suite = os.path.join(self.root, "suite")
        return [
            self.ordo,
            "eval",
            f"{suite}/crc32",
            f"{suite}/wc",
            f"{suite}/base64",
            "--methods",
            "random,greedy",
            "--objectives",
            "ir_instructions",
            "--compiles",
            "60",
            "--seeds",
            "2",
            "--first-seed",
            str(self.seed),
            "--jobs",
            jobs,
            "--study",
            file,
        ]

    def findings(self, file):
        """What a study found, without what it took and where."""
        lines = self.run(self.ordo, "report", file, "--leaderboard").splitlines()
        return [
            line for line in lines if "XXH3" not in line and not line.startswith(("- began", "- command"))
        ]

    def failures(self, file):
        """Why a study has programs or runs without a result."""
        with contextlib.closing(sqlite3.connect(os.path.join(self.place, file))) as study:
            rows = study.execute(
                "select uri, failure from program where failure != ''"
                " union select method || ' ' || program, failure from run where failure != ''"
            )
            return "; ".join(f"{what}: {why}" for what, why in rows) or "nothing"

    def judge(self, code, output, struck):
        return self.judged(code, output, struck)

    def again(self):
        self.wrong = []
        self.run(*self.command)
        if self.wrong:
            return self.wrong
        found, wanted = self.findings("study.sqlite"), Eval.reference[self.seed]
        if found != wanted:
            other = "; ".join(line for line in difflib.unified_diff(wanted, found, n=0, lineterm=""))
            why = self.failures("study.sqlite")
            self.wrong.append(f"the study finds something else: {other}; failed: {why}")
        return self.wrong


class Training(Work):
    """A loop over a vector of environments in Python."""

    name = "python"
    reference = {}  # of a seed: digest

    @classmethod
    def missing(cls, root):
        python = os.path.join(root, "build/python/bin/python")
        if not os.path.exists(python):
            return "there is no build/python (./ordo python makes it)"
        done = subprocess.run([python, "-c", "import ordo"], capture_output=True)
        return "" if done.returncode == 0 else "the package ordo cannot be imported"

    def prepare(self):
        self.wrong = []
        self.seed = self.chance.randrange(3)
        script = os.path.join(self.folder, "training.py")
        with open(script, "w") as file:
            file.write(TRAINING % (self.seed, self.seed, self.seed, 600))
        programs = [os.path.join(self.root, "suite", name) for name in ("crc32", "base64")]
        self.command = [os.path.join(self.root, "build/python/bin/python"), script, *programs]
        if self.seed not in Training.reference:
            Training.reference[self.seed] = self.run(*self.command)

    def must_go_on(self, victim, main):
        return main

    def odds(self, victim, main):
        return (1, 1, 6) if main else (3, 2, 2)

    def judge(self, code, output, struck):
        self.said, self.wrong = ended(code), []
        if code == 0:
            if not output.endswith(Training.reference[self.seed]):
                self.wrong.append("it saw something else than undisturbed")
        elif code < 0:
            if not struck or code not in (-signal.SIGKILL, -signal.SIGTERM):
                self.wrong.append(f"{ended(code)}: {' | '.join(output.strip().splitlines()[-3:])}")
        elif "ordo.Error" not in output and "_core.Error" not in output:
            self.wrong.append(f"{ended(code)}: {' | '.join(output.strip().splitlines()[-3:])}")
        return self.wrong

    def again(self):
        self.wrong = []
        if self.run(*self.command) != Training.reference[self.seed]:
            self.wrong.append("again it saw something else")
        return self.wrong


WORKS = {work.name: work for work in (Tune, Make, Eval, Training)}
