"""`./ordo bench prior`: how many compiles a language model's proposals save, with and without, paired.

1. `ordo agent propose` asks the model about validation programs, which it was not taught with.
2. `ordo eval` runs `evolutionary` and `policy` with and without them; `ordo train policy` lets PPO from
   scratch practise on each program alone, with and without. As a control that needs no model, the first
   sequences of the shipped coreset, the same for every program, are proposed as well (`policy` begins with
   these anyway).
3. The table goes to standard output and to FOLDER/prior.{md,json}; with --write also between
   `<!-- prior -->` and `<!-- end of prior -->` of docs/agent.md (prior_report.py says what it means).

It goes on where it was stopped: all is kept in FOLDER, whose name another model, count or plan needs to
change. Needs harvested validation programs, ordo-train and, for the model, Python with the extra `agent`
($ORDO_PYTHON; ./ordo python --with agent).
"""

import argparse
import hashlib
import json
import os
import subprocess
import sys
from pathlib import Path

import marks
import prior_report

ROOT = Path(__file__).resolve().parent.parent
BINARIES = ROOT / "build/release/bin"
EXPERIENCE = "data/experience/debian.jsonl"  # for the names of its actions only
KNOWLEDGE = "data/knowledge/debian.json"
SEARCHERS = ("evolutionary", "policy")
PPO = (
    "--no-clone --algorithm ppo --programs 1 --group 8 --judges 0 --only 0 --knowledge none --hidden 64 "
    "--blocks 1 --rate 1e-3 --entropy 0.01 --threads 1 --jobs 1 --quiet"
).split()


def run(*command):
    """Runs a command; what fails ends us."""
    command = [str(word) for word in command]
    done = subprocess.run(command, cwd=ROOT, stdout=subprocess.DEVNULL, check=False)
    if done.returncode != 0:
        print(f"prior: failed ({done.returncode}): {' '.join(command)}", file=sys.stderr)
        raise SystemExit(done.returncode if done.returncode == 130 else 70)


def propose(options, folder):
    """The file of the model's proposals."""
    file = folder / "proposals.jsonl"
    run(
        *(BINARIES / "ordo", "agent", "propose", "--list", options.list, "--limit", options.limit),
        *("--model", options.model, "--count", options.count, "--temperature", options.temperature),
        *("--objectives", options.objective, "-o", file),
    )
    return file


def lines(file):
    return [json.loads(line) for line in file.read_text(encoding="utf-8").splitlines()]


def propose_coreset(options, proposals, folder):
    """A file that proposes the same sequences of the shipped coreset for the same programs."""
    knowledge = json.loads((ROOT / KNOWLEDGE).read_text(encoding="utf-8"))
    sequences = [
        entry["actions"]
        for entry in knowledge["coreset"]
        if entry["objective"] == options.objective and not entry.get("kind")
    ][: options.count]
    header, *programs = lines(proposals)
    chosen = [{"sequence": sequence, "log_probability": 0.0} for sequence in sequences]
    file = folder / "coreset.jsonl"
    texts = [json.dumps(header | {"model": "coreset"})] + [
        json.dumps({"program": one["program"], "objective": one["objective"], "proposals": chosen})
        for one in programs
    ]
    file.write_text("\n".join(texts) + "\n", encoding="utf-8")
    return file


def study(options, programs, prior, folder):
    """The file of the searchers' runs that begin with the proposals of a file, or with none."""
    file = folder / f"{prior.stem}-{digest(prior)}.sqlite" if prior else folder / "plain.sqlite"
    methods = [f"prior:{prior}:{name}" if prior else name for name in SEARCHERS]
    run(
        *(BINARIES / "ordo", "eval", "--list", programs, "--methods", ",".join(methods), "--study", file),
        *("--objectives", options.objective, "--compiles", options.compiles, "--seeds", options.seeds),
        *("--jobs", options.jobs),
    )
    return file


def digest(file):
    return hashlib.sha256(file.read_bytes()).hexdigest()[:8]


def practise(options, programs, arms, folder):
    """Gains of PPO's episodes in their order: {arm: {program: {seed: [gain]}}}."""
    found = {arm: {uri: {} for uri in programs} for arm in arms}
    for seed in range(1, options.seeds + 1):
        for i, uri in enumerate(programs):
            for arm, prior in arms.items():
                name = hashlib.sha256(f"{uri} {prior and digest(prior)}".encode()).hexdigest()[:16]
                weights = folder / f"ppo/{name}-{seed}-{options.rollouts}.safetensors"
                events = weights.with_suffix(".jsonl")
                if not weights.exists():
                    print(f"prior: PPO, seed {seed}, {i + 1}/{len(programs)}, {arm}: {uri}", file=sys.stderr)
                    weights.parent.mkdir(exist_ok=True)
                    events.unlink(missing_ok=True)  # of a run that was ended
                    run(
                        *(BINARIES / "ordo-train", EXPERIENCE, "--on", uri, *PPO, "--seed", seed),
                        *("--objectives", options.objective, "--rollouts", options.rollouts),
                        *("--events", events, "-o", weights, *(("--prior", prior) if prior else ())),
                    )
                batches = [line for line in lines(events) if line["stage"] == "practise"]
                found[arm][uri][seed] = [gain for batch in batches for gain in batch["gains"]]
    return found


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--model", default="shipped", help="hf:FOLDER, gguf:FILE or shipped (shipped)")
    parser.add_argument("--list", default="data/studies/validation-small.txt", help="programs (%(default)s)")
    parser.add_argument("--limit", type=int, default=12, help="of them (%(default)s)")
    parser.add_argument("--count", type=int, default=16, help="proposals (%(default)s)")
    parser.add_argument("--temperature", type=float, default=1.0, help="of the model (%(default)s)")
    parser.add_argument("--objective", default="ir_instructions", help="(%(default)s)")
    parser.add_argument("--compiles", type=int, default=300, help="of a search (%(default)s)")
    parser.add_argument("--rollouts", type=int, default=512, help="of PPO (%(default)s)")
    parser.add_argument("--seeds", type=int, default=3, help="(%(default)s)")
    parser.add_argument("--jobs", type=int, default=os.cpu_count(), help="of ordo eval (%(default)s)")
    parser.add_argument("--folder", type=Path, default=ROOT / "build/prior", help="(build/prior)")
    parser.add_argument("--write", action="store_true", help="also into docs/agent.md")
    options = parser.parse_args()
    folder = options.folder.resolve()
    folder.mkdir(parents=True, exist_ok=True)
    proposals = propose(options, folder)
    priors = {"agent": proposals, "coreset": propose_coreset(options, proposals, folder)}
    uris = [line["program"] for line in lines(proposals)[1:]]
    if not uris:
        raise SystemExit("prior: no program has proposals; are the validation programs harvested?")
    listed = folder / "programs.txt"
    listed.write_text("".join(f"{uri}\n" for uri in uris), encoding="utf-8")
    arms = {"": None, **priors}
    runs = prior_report.trainings(practise(options, uris, arms, folder), options.rollouts)
    for arm, prior in arms.items():
        file = study(options, listed, prior, folder)
        runs |= prior_report.searches(file, options.objective, arm, options.compiles)
    result = prior_report.compare(runs, list(priors)) | {"model": options.model, "count": options.count}
    text = prior_report.markdown(result)
    (folder / "prior.json").write_text(json.dumps(result, indent=1), encoding="utf-8")
    (folder / "prior.md").write_text(text, encoding="utf-8")
    print(text, end="")
    if options.write:
        marks.insert(ROOT / "docs/agent.md", "prior", text)


if __name__ == "__main__":
    main()
