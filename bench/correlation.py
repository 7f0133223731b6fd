"""How well cheaper measures tell run time: `./ordo bench correlation [PROGRAM…]`.

Programs of the suite as clang -O3 makes them, and variants of each: sequences of the space `speed` drawn around
clang -O3's pipeline, as `ordo tune --objective runtime` drafts them, but not chosen by any measure. A pair is a
variant and its program's baseline; of each measure it has the logarithm of their ratio:

- ir_instructions, text_bytes: metrics of Ordo
- mca: cycles by llvm-mca of the whole assembly, one block after another, each once
- cachegrind: instructions executed, by valgrind, in the first of its timed runs
- time: the least processor time of that run, made some times, in turns with all variants of the program

Pairs are kept in build/correlation/pairs.jsonl: a run that is cut off goes on where it was. --report only
writes: the table goes into docs/results.md, the figure to docs/correlation.svg.
"""

import argparse
import itertools
import json
import math
import pathlib
import random
import re
import resource
import subprocess
import sys
import tempfile
import tomllib

import correlation_report

ROOT = pathlib.Path(__file__).resolve().parent.parent
FOLDER = ROOT / "build/correlation"
LEVEL, BASELINE = "-O3", "clang-O3"
CODEGEN = "codegen<"  # how names of the code generator's choices begin
MOST_CHANGES = 4  # before, after or around the baseline
TRIES = 6  # of drawing a variant with other code, for each that is wanted


class Unusable(Exception):
    """This variant or program has no figures; why."""


def children_s():
    """Processor time of the children that have ended."""
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime


def run(command, **options):
    done = subprocess.run([str(word) for word in command], capture_output=True, check=False, **options)
    if done.returncode != 0:
        raise Unusable(f"{command[0]} ended with {done.returncode}: {done.stderr[-200:]!r}")
    return done


class Program:
    """A program of the suite, and the first of its timed runs."""

    def __init__(self, folder):
        manifest = tomllib.loads((folder / "program.toml").read_text(encoding="utf-8"))
        self.name, self.folder = manifest["name"], folder
        self.driver = "clang++-22" if manifest["language"] == "c++" else "clang-22"
        self.ldflags = manifest.get("ldflags", [])
        first = manifest["run"][0]
        self.args, self.exit = first["args"], first["exit"]
        part = lambda key: (folder / first[key]).read_bytes() if key in first else b""
        self.input = part("before") + part("stdin") * first.get("repeat", 1) + part("after")

    def build(self, bitcode, names, to):
        """Makes the executable of what a sequence made, and its assembly; returns its code."""
        whole = [self.driver, LEVEL, "-Xclang", "-disable-llvm-passes", "-x", "ir", "-"]
        chosen = {name.split("=")[0]: name for name in names if name.startswith(CODEGEN)}  # the last of a name counts
        for name in chosen.values():
            whole += ["-mllvm", f"-{name.removeprefix(CODEGEN).removesuffix('>')}"]
        for options in (["-S", "-o", f"{to}.s"], ["-c", "-o", f"{to}.o"]):
            run([*whole, *options], input=bitcode)
        run([self.driver, f"{to}.o", *self.ldflags, "-o", to])
        run(["llvm-objcopy-22", "-O", "binary", "-w", "-j", ".text*", f"{to}.o", f"{to}.text"])
        return pathlib.Path(f"{to}.text").read_bytes()

    def execute(self, command):
        """Seconds of processor time, standard output and error."""
        with tempfile.TemporaryFile() as stdin:
            stdin.write(self.input)
            stdin.seek(0)
            before = children_s()
            done = subprocess.run(
                [*map(str, command), *self.args], stdin=stdin, capture_output=True, cwd=self.folder, check=False
            )
            seconds = children_s() - before
        if done.returncode != self.exit:
            raise Unusable(f"ended with {done.returncode}, not {self.exit}")
        return seconds, done.stdout, done.stderr


def cycles(assembly):
    found = run(["llvm-mca-22", "-iterations=1", "-mcpu=native", "-skip-unsupported-instructions=any", assembly])
    return int(re.search(rb"Total Cycles:\s+(\d+)", found.stdout)[1])


def executed(program, executable):
    command = ["valgrind", "--tool=cachegrind", "--cache-sim=no", "--cachegrind-out-file=/dev/null", executable]
    _, _, text = program.execute(command)
    return int(re.search(rb"I\s+refs:\s+([\d,]+)", text)[1].replace(b",", b""))


def drawn(chance, actions, baseline):
    """A sequence around the baseline."""
    some = lambda: [chance.randrange(actions) for _ in range(chance.randint(1, MOST_CHANGES))]
    before, after = chance.choice(((True, False), (False, True), (True, True)))
    return [*(some() if before else []), baseline, *(some() if after else [])]


def made(environment, sequence):
    """Bitcode and metrics after a sequence."""
    environment.reset()
    for action in sequence:
        _, _, ended, _, info = environment.step(action)
        if ended:
            raise Unusable(f"a pass {info['status']}")
    observed = environment.unwrapped
    metrics = {name: observed.measure(name) for name in ("ir_instructions", "text_bytes")}
    return observed.observe("bitcode"), metrics


def variants(program, options, folder):
    """The baseline first: executables with their measures, all but time."""
    import gymnasium

    environment = gymnasium.make(
        "ordo:ordo/Llvm-v0", program=f"suite/{program.name}", space="speed", level="O3", stop_action=False, max_steps=0,
        disable_env_checker=True,
    )
    names = environment.unwrapped.actions
    baseline = names.index(BASELINE)
    chance = random.Random(f"{options.seed} {program.name}")
    sequences = itertools.chain([[baseline]], (drawn(chance, len(names), baseline) for _ in itertools.count()))
    found, known, expected = [], set(), None
    for sequence in itertools.islice(sequences, 1 + TRIES * options.variants):
        executable = folder / str(len(found))
        try:
            bitcode, measures = made(environment, sequence)
            code = program.build(bitcode, [names[action] for action in sequence], executable)
            if code in known:
                continue
            known.add(code)
            _, output, _ = program.execute([executable])
            expected = output if expected is None else expected
            if output != expected:
                raise Unusable("it prints something else")
            measures |= {"mca": cycles(f"{executable}.s"), "cachegrind": executed(program, executable)}
        except Unusable as reason:
            if not found:
                raise
            print(f"correlation: {program.name}: {reason}", file=sys.stderr)
            continue
        found.append((executable, [names[action] for action in sequence], measures))
        if len(found) > options.variants:
            break
    environment.close()
    return found


def pairs(program, options):
    """What is known of each variant: passes, and log ratios by measure."""
    with tempfile.TemporaryDirectory() as name:
        found = variants(program, options, pathlib.Path(name))
        least = [math.inf] * len(found)
        chance = random.Random(options.seed)
        for _ in range(options.rounds):
            for i in chance.sample(range(len(found)), len(found)):
                least[i] = min(least[i], program.execute([found[i][0]])[0])
    for (_, _, measures), seconds in zip(found, least, strict=True):
        measures["time"] = seconds
    baseline = found[0][2]
    return [
        {"passes": passes} | {name: math.log(value / baseline[name]) for name, value in measures.items()}
        for _, passes, measures in found[1:]
    ]


def main():
    parser = argparse.ArgumentParser(
        prog="./ordo bench correlation", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("programs", nargs="*", metavar="PROGRAM", help="of the suite, by name [all]")
    parser.add_argument("--variants", type=int, default=8, help="of each program [8]")
    parser.add_argument("--rounds", type=int, default=9, help="runs of each variant [9]")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--report", action="store_true", help="measure nothing")
    options = parser.parse_args()
    FOLDER.mkdir(parents=True, exist_ok=True)
    kept = FOLDER / "pairs.jsonl"
    read = lambda: [json.loads(line) for line in kept.read_text().splitlines()] if kept.exists() else []
    known = {record["program"] for record in read()}
    manifests = sorted((ROOT / "suite").glob("*/program.toml"))
    programs = [Program(path.parent) for path in manifests]
    for program in [] if options.report else programs:
        if program.name in known or (options.programs and program.name not in options.programs):
            continue
        print(f"correlation: {program.name}", file=sys.stderr, flush=True)
        record = {"program": program.name, "seed": options.seed}
        try:
            record["pairs"] = pairs(program, options)
        except Unusable as reason:
            record["left_out"] = str(reason)
        with kept.open("a") as file:
            file.write(json.dumps(record) + "\n")
    correlation_report.write(read(), ROOT)


if __name__ == "__main__":
    main()
