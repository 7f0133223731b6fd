"""``python -m ordo.agent.export_verl FOLDER --lines FILE…``: the tasks of demonstrations for verl.

::

    FOLDER/train.parquet, validation.parquet   a row for each task
    FOLDER/tools.yaml                          the tools, which :mod:`ordo.agent.verl_tools` answers
    FOLDER/run.sh                              verl's command, with its settings

verl (0.9) plays in text, with a model whose chat template knows tools, and needs a GPU: what is written here
is read back and held to what verl's sources take (:func:`validate`), and was not run. ``--check FOLDER`` does
so with what was written before.
"""

from __future__ import annotations

import argparse
import json
import pathlib
import shlex
import subprocess
from collections.abc import Iterable, Sequence
from typing import Any

import pyarrow
import pyarrow.parquet
import yaml

from ordo.agent import exits, vocabulary
from ordo.agent.tasks import Task, read_lines, task_of

__all__ = ["export", "main", "validate"]

TOOL_CLASS = "ordo.agent.verl_tools.OrdoTool"
_COLUMNS = ("data_source", "prompt", "ability", "reward_model", "extra_info", "agent_name")
_MOST_RESPONSE = 4096  # letters of a tool's answer; verl's own 256 would cut features off

_SCRIPT = """\
#!/usr/bin/env bash
# GRPO with Ordo's tools by verl 0.9, on one GPU. MODEL is a Hugging Face folder whose chat template knows
# tools, such as Qwen2.5-1.5B-Instruct; ORDO is the program ordo; ORDO_RECEIPT_KEY signs what the tools say of
# a submission, so that the model cannot.
set -euo pipefail
: "${{MODEL:?a Hugging Face folder}}" "${{ORDO:?the program ordo}}"
export ORDO_RECEIPT_KEY="${{ORDO_RECEIPT_KEY:-$(head -c 16 /dev/urandom | od -An -tx1 | tr -d ' \\n')}}"
here=$(cd "$(dirname "$0")" && pwd)
reward=$(python3 -c 'import ordo.agent.verl_reward as module; print(module.__file__)')
exec python3 -m verl.trainer.main_ppo \\
  algorithm.adv_estimator="${{ESTIMATOR:-grpo}}" \\
  data.train_files="$here/train.parquet" data.val_files="$here/validation.parquet" \\
  data.return_raw_chat=True data.train_batch_size=32 \\
  data.max_prompt_length=4096 data.max_response_length=8192 \\
  actor_rollout_ref.model.path="$MODEL" \\
  actor_rollout_ref.actor.optim.lr=1e-6 actor_rollout_ref.actor.ppo_mini_batch_size=16 \\
  actor_rollout_ref.actor.ppo_micro_batch_size_per_gpu=2 \\
  actor_rollout_ref.rollout.log_prob_micro_batch_size_per_gpu=4 \\
  actor_rollout_ref.rollout.name=vllm actor_rollout_ref.rollout.mode=async actor_rollout_ref.rollout.n=8 \\
  actor_rollout_ref.rollout.multi_turn.enable=True actor_rollout_ref.rollout.multi_turn.format=hermes \\
  actor_rollout_ref.rollout.multi_turn.tool_config_path="$here/tools.yaml" \\
  actor_rollout_ref.rollout.multi_turn.max_assistant_turns=12 \\
  actor_rollout_ref.rollout.multi_turn.max_tool_response_length={response} \\
  custom_reward_function.path="$reward" custom_reward_function.name=compute_score \\
  trainer.n_gpus_per_node=1 trainer.nnodes=1 trainer.total_epochs=1 trainer.save_freq=20 "$@"
"""


def _row(task: Task, split: str, index: int) -> dict[str, Any]:
    opened = {
        "file": task.program,
        "flags": list(task.flags),
        "objective": task.objective,
        "compiles": task.compiles,
        "seconds": task.seconds,
        "seed": task.seed,
    }
    # The same for each tool: whichever the model calls first opens the program.
    kwargs = {name: {"create_kwargs": opened} for name in vocabulary.tool_names() if name != "open_program"}
    prompt = [{"role": m["role"], "content": str(m.get("content") or "")} for m in task.messages]
    return {
        "data_source": "ordo",
        "prompt": prompt,
        "ability": "compiler",
        "reward_model": {"style": "rule", "ground_truth": task.program},
        "extra_info": {"split": split, "index": index, "need_tools_kwargs": True, "tools_kwargs": kwargs},
        "agent_name": "tool_agent",
    }


def _write(file: pathlib.Path, tasks: Iterable[Task], split: str) -> None:
    rows = [_row(task, split, index) for index, task in enumerate(tasks)]
    pyarrow.parquet.write_table(pyarrow.Table.from_pylist(rows), file)


def export(
    folder: pathlib.Path, training: Sequence[Task], validation: Sequence[Task], definitions: Any = None
) -> None:
    """Writes the tasks, tools and script.

    Args:
        folder: Made if it is not there.
        training: At least one task that the model does not open itself.
        validation: Likewise.
        definitions: OpenAI function definitions of the tools; None: those of the contract.

    Raises:
        ValueError: There are no tasks for one of them.
    """
    folder.mkdir(parents=True, exist_ok=True)
    for tasks, split in ((training, "train"), (validation, "validation")):
        usable = [task for task in tasks if not task.model_opens]
        if not usable:
            raise ValueError(f"there are no tasks for {split} whose program is opened for the model")
        _write(folder / f"{split}.parquet", usable, split)
    known = definitions or [vocabulary.definition(name) for name in vocabulary.tool_names()]
    tools = [
        {"class_name": TOOL_CLASS, "config": {"type": "native"}, "tool_schema": definition}
        for definition in known
        if definition["function"]["name"] != "open_program"
    ]
    # Without anchors: tools share parts of their definitions, and readers of YAML differ there.
    plain = json.loads(json.dumps({"tools": tools}))
    (folder / "tools.yaml").write_text(yaml.safe_dump(plain, sort_keys=False), encoding="utf-8")
    script = folder / "run.sh"
    script.write_text(_SCRIPT.format(response=_MOST_RESPONSE), encoding="utf-8")
    script.chmod(0o755)


def _check_row(row: dict[str, Any], tools: set[str], where: str) -> None:
    for key in _COLUMNS:
        if not row.get(key):
            raise ValueError(f"{where} has no {key}")
    prompt, extra = row["prompt"], row["extra_info"]
    if not all(set(message) == {"role", "content"} and message["role"] for message in prompt):
        raise ValueError(f"{where}: a message of the prompt has more than a role and a content")
    if prompt[-1]["role"] != "user":
        raise ValueError(f"{where}: the prompt does not end with the user")
    if row["reward_model"].get("style") != "rule" or "ground_truth" not in row["reward_model"]:
        raise ValueError(f"{where}: reward_model is no rule with a ground truth")
    if extra.get("need_tools_kwargs") is not True or set(extra.get("tools_kwargs") or {}) != tools:
        raise ValueError(f"{where}: tools_kwargs are not for the tools of tools.yaml")
    for name, given in extra["tools_kwargs"].items():
        opened = given["create_kwargs"]
        if opened.get("objective") not in vocabulary.SPACES or not opened.get("file"):
            raise ValueError(f"{where}: {name} does not say what to open")
    if row["agent_name"] != "tool_agent":
        raise ValueError(f"{where}: agent_name is not tool_agent")


def validate(folder: pathlib.Path) -> dict[str, int]:
    """Reads everything back; how many tasks and tools there are.

    Raises:
        ValueError: Something is not as verl takes it: says what and where.
        FileNotFoundError: A file is missing.
    """
    content = yaml.safe_load((folder / "tools.yaml").read_text(encoding="utf-8"))
    tools = set()
    for tool in content["tools"]:
        function = tool["tool_schema"]["function"]
        if tool["class_name"] != TOOL_CLASS or tool["config"].get("type") != "native":
            raise ValueError(f"tools.yaml: {function['name']} is no tool of Ordo's")
        if function["parameters"].get("type") != "object" or not function["description"]:
            raise ValueError(f"tools.yaml: {function['name']} has no description or no parameters")
        tools.add(function["name"])
    if "submit_sequence" not in tools or "open_program" in tools:
        raise ValueError("tools.yaml: submitting is a tool, and opening is none")
    found = {"tools": len(tools)}
    for split in ("train", "validation"):
        rows = pyarrow.parquet.read_table(folder / f"{split}.parquet").to_pylist()
        for index, row in enumerate(rows):
            _check_row(row, tools, f"{split}.parquet, row {index}")
        found[split] = len(rows)
    script = folder / "run.sh"
    checked = subprocess.run(["bash", "-n", str(script)], capture_output=True, text=True, check=False)
    if checked.returncode:
        raise ValueError(f"run.sh: {checked.stderr.strip()}")
    words = shlex.split(script.read_text(encoding="utf-8").partition("exec ")[2], comments=True)
    options = [word.partition("=") for word in words if "=" in word and not word.startswith("-")]
    keys = [key for key, _, _ in options]
    if len(set(keys)) != len(keys):
        raise ValueError("run.sh sets something twice")
    return found


def main(arguments: Sequence[str] | None = None) -> None:
    """The command line: what was found is printed as JSON."""
    parser = argparse.ArgumentParser("python -m ordo.agent.export_verl")
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("--lines", nargs="+", help="files of demonstrations, for training")
    parser.add_argument("--validation", nargs="+", help="likewise, for validation")
    parser.add_argument("--check", action="store_true", help="only look at what is there")
    options = parser.parse_args(arguments)
    if not options.check and not (options.lines and options.validation):
        parser.error("--lines and --validation say what is exported")
    with exits.telling("export_verl"):
        if not options.check:
            training, held_out = (
                [task_of(line) for line in read_lines(files)] for files in (options.lines, options.validation)
            )
            export(options.folder, training, held_out)
        print(json.dumps(validate(options.folder)))


if __name__ == "__main__":
    main()
