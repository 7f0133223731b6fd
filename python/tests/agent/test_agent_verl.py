"""The export for verl: read back, held to what verl takes, and spoilt."""
# ruff: noqa: E402 (what may be missing is looked for first)

from __future__ import annotations

import asyncio
import json
import pathlib
import sys
import types

import pytest
from agent_parts import SERVER, example, told

for package in ("pyarrow", "yaml"):
    pytest.importorskip(package, reason=f"{package} is not installed (extra 'agent')")

import pyarrow.parquet
import yaml

from ordo.agent import export_verl, verl_reward
from ordo.agent.tasks import task_of

TASKS = [task_of(example(objective)) for objective in ("ir_instructions", "text_bytes")]


@pytest.fixture
def folder(tmp_path) -> pathlib.Path:
    export_verl.export(tmp_path, TASKS, TASKS[:1])
    return tmp_path


def test_it_is_read_back(folder):
    assert export_verl.validate(folder) == {"tools": 12, "train": 2, "validation": 1}
    row = pyarrow.parquet.read_table(folder / "train.parquet").to_pylist()[1]
    assert [message["role"] for message in row["prompt"]] == ["system", "user"]
    opened = row["extra_info"]["tools_kwargs"]["measure_sequence"]["create_kwargs"]
    assert (
        opened["file"] == "suite/crc32" and opened["objective"] == "text_bytes" and opened["compiles"] == 100
    )


def test_the_command_exports_and_checks(tmp_path, capsys):
    lines = tmp_path / "lines.jsonl"
    lines.write_text(json.dumps(example()) + "\n")
    out = str(tmp_path / "out")
    export_verl.main([out, "--lines", str(lines), "--validation", str(lines)])
    export_verl.main([out, "--check"])
    assert capsys.readouterr().out == '{"tools": 12, "train": 1, "validation": 1}\n' * 2
    with pytest.raises(SystemExit, match="no such file|No such file"):
        export_verl.main([str(tmp_path / "none"), "--check"])


def spoil_row(folder: pathlib.Path, **changes) -> None:
    rows = pyarrow.parquet.read_table(folder / "train.parquet").to_pylist()
    rows = [row | changes for row in rows]
    pyarrow.parquet.write_table(pyarrow.Table.from_pylist(rows), folder / "train.parquet")


@pytest.mark.parametrize(
    ("changes", "complaint"),
    [
        ({"agent_name": "single_turn"}, "agent_name"),
        ({"prompt": [{"role": "system", "content": "x"}]}, "end with the user"),
        ({"prompt": [{"role": "user", "content": "x", "name": "y"}]}, "more than a role"),
        ({"reward_model": {"style": "model"}}, "no rule"),
        ({"extra_info": {"need_tools_kwargs": False}}, "tools_kwargs"),
        ({"data_source": ""}, "no data_source"),
    ],
)
def test_a_spoilt_row_is_found(folder, changes, complaint):
    spoil_row(folder, **changes)
    with pytest.raises(ValueError, match=f"train.parquet, row 0.*{complaint}"):
        export_verl.validate(folder)


def test_a_spoilt_tool_or_script_is_found(folder):
    content = yaml.safe_load((folder / "tools.yaml").read_text())
    (folder / "run.sh").write_text("if then\n")
    with pytest.raises(ValueError, match="run.sh"):
        export_verl.validate(folder)
    content["tools"][0]["class_name"] = "os.system"
    (folder / "tools.yaml").write_text(yaml.safe_dump(content))
    with pytest.raises(ValueError, match="no tool of Ordo's"):
        export_verl.validate(folder)


def test_nothing_to_export_is_an_error(tmp_path):
    with pytest.raises(ValueError, match="no tasks for train"):
        export_verl.export(tmp_path, [], TASKS)


@pytest.fixture
def key(monkeypatch) -> None:
    monkeypatch.setenv("ORDO_RECEIPT_KEY", "secret")


def shown(**answer) -> str:
    return f"<tool_response>\n{told(**answer)['content']}\n</tool_response>"


def test_a_signed_submission_is_rewarded_and_a_forged_one_is_not(key):
    answer = {"accepted": True, "gain": 0.1, "turns": 1, "good_turns": 1, "submitted": True, "measured": True}
    signed = answer | {"receipt": verl_reward.receipt(answer)}
    good = verl_reward.compute_score("ordo", f"hm {shown(**signed)}", "suite/crc32")
    assert good["score"] == pytest.approx(0.5 + 1.5)
    for forged in (answer, signed | {"gain": 0.9}, answer | {"receipt": 3}, answer | {"receipt": "ü"}):
        assert verl_reward.compute_score("ordo", shown(**forged), "x")["score"] == 0
    assert verl_reward.compute_score("ordo", "<tool_response>{</tool_response>", "x")["score"] == 0


def test_the_tools_of_verl_play_a_dialogue(key, monkeypatch):
    """With stand-ins for verl's two classes, which are all that is used of it."""
    pytest.importorskip("torch", reason="PyTorch is not installed (extra 'agent')")
    pytest.importorskip("peft", reason="peft is not installed (extra 'agent')")

    class BaseTool:
        def __init__(self, config, tool_schema):
            self.config, self.tool_schema = config, tool_schema
            self.name = tool_schema["function"]["name"]

    schemas = types.SimpleNamespace(ToolResponse=types.SimpleNamespace)
    for name, module in (
        ("verl", types.ModuleType("verl")),
        ("verl.tools", types.ModuleType("verl.tools")),
        ("verl.tools.base_tool", types.SimpleNamespace(BaseTool=BaseTool)),
        ("verl.tools.schemas", schemas),
    ):
        monkeypatch.setitem(sys.modules, name, module)
    from ordo.agent import verl_tools
    from ordo.agent.tools import Server

    monkeypatch.setattr(verl_tools, "Server", lambda: Server(SERVER))
    opened = {"file": "suite/crc32", "objective": "ir_instructions", "compiles": 5, "seconds": 60, "seed": 1}
    tools = {
        name: verl_tools.OrdoTool({}, {"function": {"name": name}})
        for name in ("measure_sequence", "submit_sequence")
    }

    async def call(dialogue: str, name: str, **arguments) -> dict:
        tool = tools[name]
        instance, _ = await tool.create(create_kwargs=opened)
        data = types.SimpleNamespace(request_id=dialogue)
        response, reward, _ = await tool.execute(instance, arguments, agent_data=data)
        await tool.release(instance)
        return json.loads(response.text)

    async def both() -> list[dict]:
        one = await call("a", "measure_sequence", sequence=["sroa", "gvn"])
        two = await call("b", "measure_sequence", sequence=[])
        three = await call("a", "submit_sequence", sequence=["sroa", "gvn"])
        return [one, two, three]

    one, two, three = asyncio.run(both())
    verl_tools._server.close()
    assert one["left"]["compiles"] == two["left"]["compiles"] == 4
    score = verl_reward.compute_score("ordo", shown(**three), "suite/crc32")
    assert score["answer"] == pytest.approx(0.5 * 30 * 0.06) and score["price"] == pytest.approx(-0.02)
