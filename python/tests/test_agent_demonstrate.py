"""Demonstrations, made with the fake tool server."""

from __future__ import annotations

import json
import os
import pathlib
import re
import signal
import sys

import numpy as np
import pytest
from agent_parts import HERE, SERVER, table

from ordo.agent import demonstrate, reasons, tasks, vocabulary
from ordo.agent.demonstrations import SYSTEM, Dialogue, Dropped, Store, content_of
from ordo.agent.dialogue import CompactForm
from ordo.agent.similar import KeptAway, Similar
from ordo.agent.tasks import tool_names_of
from ordo.agent.teacher import Teacher
from ordo.agent.tools import Server

DATASETS = vocabulary.data_folder() / "datasets"
COUNTS = [3 * i for i in range(len(vocabulary.FEATURES))]  # the fake server's, of every program


@pytest.fixture(scope="module")
def kept_away():
    return KeptAway(DATASETS)


@pytest.fixture
def ordo(tmp_path):
    """A program ``ordo`` that is the fake server."""
    program = tmp_path / "ordo"
    program.write_text(f'#!/bin/sh\nexec {sys.executable} {HERE / "agent_server.py"} "$@"\n')
    program.chmod(0o755)
    return str(program)


def write_experience(file: pathlib.Path, gain: float = 0.1, package: str = "gsl") -> pathlib.Path:
    """Experience of six programs, one of them of bash; half of them gained, by gvn among others."""
    names = ["clang-Oz", "gvn", "sroa", "adce", "simplifycfg"]
    header = {"format": 1, "baseline": "clang-Oz", "actions": names, "observations": [{"name": "autophase"}]}
    lines = [header]
    for k in range(6):
        states = [[[count + k for count in COUNTS]], [COUNTS]]
        value = 100 * (1 - gain) if k % 2 else 100
        best = {"actions": [1, 4] if k % 2 else [3], "values": {"ir_instructions": value}, "states": [0, 1]}
        lines.append(
            {
                "uri": f"debian/{'bash' if k == 1 else package}/known{k}.c",
                "objective": "ir_instructions",
                "references": {"clang-Oz": {"ir_instructions": 100}},
                "best": [best],
                "states": states,
            }
        )
    file.write_text("".join(json.dumps(line) + "\n" for line in lines))
    return file


def run(tmp_path: pathlib.Path, ordo: str, *more: str, name: str = "out.jsonl", gain: float = 0.1):
    """The lines that the command writes."""
    experience = write_experience(tmp_path / "experience.jsonl", gain)
    file = tmp_path / name
    knowledge = tmp_path / "knowledge.json"
    knowledge.write_text('{"objective": "ir_instructions", "programs": []}')
    common = ["-o", str(file), "--ordo", ordo, "--experience", str(experience), "--knowledge", str(knowledge)]
    demonstrate.main([*common, *more])
    return list(tasks.read_lines([file]))


def calls_of(line):
    return [c["function"] for m in line["messages"] for c in m.get("tool_calls") or ()]


def thoughts_of(line):
    return [m["content"] for m in line["messages"] if m["role"] == "assistant"]


def answers_of(line):
    return [json.loads(m["content"]) for m in line["messages"] if m["role"] == "tool"]


def test_the_prompt_is_that_of_ordo_agent():
    source = (HERE.parents[1] / "src" / "agent" / "conversation.cpp").read_text(encoding="utf-8")
    literal = re.search(r'kSystemPrompt =((?:\s*"(?:[^"\\]|\\.)*")+);', source)
    assert "".join(re.findall(r'"((?:[^"\\]|\\.)*)"', literal[1])) == SYSTEM
    words = re.search(r'fmt::format\("(Make this program\'s[^"]*)"', source)[1]
    facts = re.search(r"const Json facts\{(.*?)\};", source, re.DOTALL)[1]
    with Server(SERVER) as server:
        talk = Dialogue(server, "debian/bash/a.c", "ir_instructions", 50, 60.0)
        line = talk.line("bash", "A")
    system, user = talk.messages
    assert system["role"] == "system" and user["role"] == "user"
    before, shown = user["content"].split(": ", 1)
    assert before == words.split(": ")[0].replace("{}", "ir_instructions", 1)
    keys = re.findall(r'^\s*\{"(\w+)"', facts, re.MULTILINE)
    assert list(json.loads(shown)) == keys == [*json.loads(shown)]
    assert shown.endswith('"left":{"compiles":50,"seconds":60}}') and '": ' not in shown
    # All tools are offered but the one that opens.
    offered = [name for name in vocabulary.tool_names() if name != "open_program"]
    assert tool_names_of(line) == offered
    # As trainers and chat templates take them.
    for tool in line["tools"]:
        assert tool["type"] == "function" and tool["function"]["parameters"]["type"] == "object"
        assert tool["function"]["description"]
    # Those of version 1 had names.
    assert tool_names_of(line | {"tools": offered}) == offered


def test_templates_are_as_they_are_described(tmp_path, ordo):
    lines = run(tmp_path, ordo)
    by_kind = {(line["program"], line["template"]): line for line in lines}
    assert {program for program, _ in by_kind} == {"debian/bash/a.c", "debian/bash/hard.c", "debian/bc/b.c"}

    first = calls_of(by_kind["debian/bash/a.c", "A"])
    assert [call["name"] for call in first] == ["measure_sequence", "submit_sequence"]
    assert first[0]["arguments"] == first[1]["arguments"]
    # The similar programs of other packages gained by gvn and simplifycfg: 6 %; the policy's is worth 2 %.
    assert first[0]["arguments"]["sequence"] == ["gvn", "simplifycfg"]
    assert by_kind["debian/bash/a.c", "A"]["source"]["gain"] == 0.06

    assert ("debian/bash/a.c", "B") not in by_kind  # every first guess is good
    measured, searched, submitted = calls_of(by_kind["debian/bash/hard.c", "B"])
    assert measured["arguments"]["sequence"] == ["adce"] and searched["name"] == "search_sequences"
    assert submitted["arguments"]["sequence"] == answers_of(by_kind["debian/bash/hard.c", "B"])[1]["sequence"]

    rich = by_kind["debian/bc/b.c", "rich-policy"]
    names = [call["name"] for call in calls_of(rich)]
    assert names[0] in ("suggest_actions", "get_features") and names[-1] == "submit_sequence"
    assert "edit_sequence" in names and "explain_sequence" in names
    removal = next(
        (call["arguments"], answer)
        for call, answer in zip(calls_of(rich), answers_of(rich))
        if call["name"] == "edit_sequence" and call["arguments"]["edits"][0]["op"] == "remove"
    )
    assert "adce" in removal[0]["sequence"] and "adce" not in removal[1]["sequence"]
    similar = by_kind["debian/bc/b.c", "rich-similar"]
    assert [call["name"] for call in calls_of(similar)][:2] == ["get_features", "measure_sequence"]


def test_lines_are_what_training_reads(tmp_path, ordo):
    form = CompactForm(table())
    for line in run(tmp_path, ordo, "--seed", "3"):
        task = tasks.task_of(line)
        source = line["source"]
        assert (task.program, task.objective, task.compiles) == (
            line["program"],
            "ir_instructions",
            source["compiles"],
        )
        assert line["version"] == 2 and source["seed"] == 3 and len(task.messages) == 2
        assert source["first_guess"]["from"] and source["experience"]
        assert line["package"] == line["program"].split("/")[1]
        assert not any(line["package"] in known for known in source["experience"])
        assert any(form.encode(line["messages"]).said)
        calls, told = calls_of(line), [m for m in line["messages"] if m["role"] == "tool"]
        assert all(
            isinstance(call["arguments"], dict) and "program" not in call["arguments"] for call in calls
        )
        assert [message["name"] for message in told] == [call["name"] for call in calls]
        assert not any("error" in answer for answer in answers_of(line))
        # What is submitted was measured before, by whichever tool, or is the baseline.
        known = [call["arguments"].get("sequence") for call in calls[:-1]]
        known += [answer.get("sequence") for answer in answers_of(line)[:-1]]
        submitted = calls[-1]["arguments"]["sequence"]
        assert submitted in known or submitted == ["clang-Oz"]


def test_thoughts_quote_what_was_measured(tmp_path, ordo):
    for line in run(tmp_path, ordo):
        said, answers, calls = thoughts_of(line), answers_of(line), calls_of(line)
        assert said[0].startswith("<think>150, clang-Oz 100")
        for k, (thought, call) in enumerate(zip(said, calls)):
            assert re.fullmatch(r"<think>.{9,300}</think>", thought) and thought.count("think>") == 2
            last = answers[k - 1] if k else {}
            if calls[k - 1]["name"] == "measure_sequence" and k:
                assert f"{last['value']:g} " in thought and reasons.percent(last["gain"]) in thought
            if calls[k - 1]["name"] == "suggest_actions" and k and call["name"] == "measure_sequence":
                # The first clue speaks against it.
                assert "policy adce 0.30: loads: 80 (usual 32) (x1.8)" in thought
            if calls[k - 1]["name"] == "explain_sequence" and call["name"] == "edit_sequence":
                assert "adce saves -1" in thought
            if calls[k - 1]["name"] == "get_features" and k:
                assert "TotalInsts 153" in thought
            if "similar:" in thought:
                assert re.search(r"similar: (2 of 4|3 of 5) gained, median (5|10) %", thought)


def test_it_searches_only_if_more_is_to_be_had(tmp_path, ordo):
    def searches(gain, name):
        lines = run(tmp_path, ordo, "--templates", "rich-similar", "debian/bash/a.c", name=name, gain=gain)
        return sum(call["name"] == "search_sequences" for line in lines for call in calls_of(line))

    # Half of the similar programs gained so much.
    assert searches(0.9, "much.jsonl") == 1 and searches(0.001, "little.jsonl") == 0
    (much,) = tasks.read_lines([tmp_path / "much.jsonl"])
    (little,) = tasks.read_lines([tmp_path / "little.jsonl"])
    assert any("similar median 45 %, here 6 %" in thought for thought in thoughts_of(much))
    assert "similar median 0.05 %: stop" in thoughts_of(little)[-1]


def test_nothing_is_said_twice(tmp_path):
    with Server(SERVER) as server:
        lines = []
        for _ in range(2):
            talk = Dialogue(server, "debian/bash/a.c", "ir_instructions")
            talk.call("first", "measure_sequence", sequence=["gvn"])
            talk.submit("good", ["gvn"])
            lines.append(talk.line("bash", "A"))
    # Seconds do not count, words do.
    told = lines[1]["messages"][3]
    told["content"] = told["content"].replace('"seconds":0.01', '"seconds":0.02')
    assert lines[0] != lines[1] and content_of(lines[0]) == content_of(lines[1])
    store = Store(tmp_path / "out.jsonl", {})
    assert store.add("debian/bash/a.c", lines, {}) == 1
    assert store.records[0]["twice"] == 1
    lines[1]["messages"][2]["content"] = "<think>second</think>"
    assert store.add("debian/bash/b.c", lines, {}) == 1
    store.close()


def without_seconds(line):
    text = json.dumps(line | {"messages": [m for m in line["messages"] if m["role"] != "tool"]})
    return text, [{k: v for k, v in a.items() if k not in ("cost", "left")} for a in answers_of(line)]


def test_a_run_that_was_killed_goes_on(tmp_path, ordo, capsys):
    whole = run(tmp_path, ordo, name="whole.jsonl")
    run(tmp_path, ordo, "--programs", "2", name="torn.jsonl")
    file, state = tmp_path / "torn.jsonl", tmp_path / "torn.jsonl.state.jsonl"
    before = file.read_bytes()
    # It was killed within a line of a program, and within the record of the one before.
    file.write_bytes(before + b'{"version": 1, "program": "debian/ba')
    state.write_bytes(state.read_bytes() + b'{"program": "debian/ba')
    capsys.readouterr()
    lines = run(tmp_path, ordo, "--json", name="torn.jsonl")
    assert list(map(without_seconds, lines)) == list(map(without_seconds, whole))
    assert file.read_bytes().startswith(before)  # what was there stays as it was
    shown = capsys.readouterr()
    assert "2 programs are finished" in shown.err
    summary = json.loads(shown.out)
    assert summary["trajectories"] == len(whole) and summary["left_out"] == {"open_program": 1}
    card = (tmp_path / "torn.card.md").read_text()
    assert f"{len(whole)} demonstrations" in card and "| rich-similar |" in card and "| bash |" in card
    # Nothing is left to do, and with other settings it is not gone on with.
    assert len(run(tmp_path, ordo, name="torn.jsonl")) == len(whole)
    with pytest.raises(SystemExit, match="seed was 1 and is 2"):
        run(tmp_path, ordo, "--seed", "2", name="torn.jsonl")


def test_an_interruption_keeps_what_is_there(tmp_path, ordo, monkeypatch, capsys):
    whole = run(tmp_path, ordo, name="whole.jsonl")
    add = Store.add

    def interrupted(store, program, lines, about):
        if program == "debian/bc/b.c":
            os.kill(os.getpid(), signal.SIGTERM)
        return add(store, program, lines, about)

    monkeypatch.setattr(Store, "add", interrupted)
    with pytest.raises(SystemExit) as ended:
        run(tmp_path, ordo, "--json")
    assert ended.value.code == 130
    shown = capsys.readouterr()
    assert json.loads(shown.out)["interrupted"] and "the same command goes on" in shown.err
    kept = list(tasks.read_lines([tmp_path / "out.jsonl"]))
    assert 0 < len(kept) < len(whole) and (tmp_path / "out.card.md").exists()
    monkeypatch.undo()
    assert list(map(without_seconds, run(tmp_path, ordo))) == list(map(without_seconds, whole))


@pytest.mark.parametrize(("code", "ends"), [(66, 66), (69, 69), (1, 69)])
def test_programs_that_cannot_be_listed_end_it_as_the_listing_ended(tmp_path, code, ends, capsys):
    program = tmp_path / "ordo"
    program.write_text(f"#!/bin/sh\necho 'nothing has been harvested' >&2\nexit {code}\n")
    program.chmod(0o755)
    with pytest.raises(SystemExit, match="nothing has been harvested") as ended:
        run(tmp_path, str(program))
    assert ended.value.code == ends
    assert "ordo.agent.demonstrate: " in capsys.readouterr().err


def test_jobs_change_nothing(tmp_path, ordo):
    one = run(tmp_path, ordo, name="one.jsonl")
    two = run(tmp_path, ordo, "--jobs", "2", name="two.jsonl")
    assert list(map(without_seconds, one)) == list(map(without_seconds, two))


def test_a_lost_line_is_made_again(tmp_path, ordo):
    whole = run(tmp_path, ordo)
    file = tmp_path / "out.jsonl"
    file.write_bytes(file.read_bytes()[:-100])  # the state came to the disk, the last lines did not
    assert list(map(without_seconds, run(tmp_path, ordo))) == list(map(without_seconds, whole))
    store = Store(
        file, json.loads((tmp_path / "out.jsonl.state.jsonl").read_text().split("\n")[0])["settings"]
    )
    with pytest.raises(SystemExit, match="another process"):
        run(tmp_path, ordo)
    store.close()


@pytest.mark.parametrize(
    ("program", "why"),
    [
        ("debian/indent/src/args.c", "split 'validation'"),
        ("debian/tmux/tmux.c", "split 'test'"),
        ("debian/zlib/inflate.c", "reserved"),
        ("debian/bzip2/blocksort.c", "reserved"),
        ("suite/crc32", "no package"),
        ("debian/bash/other.c", "not in the split 'train'"),
    ],
)
def test_only_programs_for_training_are_taken(tmp_path, ordo, program, why):
    with pytest.raises(SystemExit, match=why):
        run(tmp_path, ordo, "debian/bash/a.c", program)
    assert not (tmp_path / "out.jsonl").exists()


def test_what_is_kept_away_is_no_experience_and_has_no_twin(tmp_path, kept_away):
    reserved = write_experience(tmp_path / "reserved.jsonl", package="zlib")
    with pytest.raises(ValueError, match="debian/zlib/known0.c, which is reserved"):
        Similar("ir_instructions", reserved, None, kept_away, DATASETS)
    index = next(i for i in range(len(kept_away._names)) if kept_away._counts[i][51] > 200)
    name, counts = kept_away._names[index], kept_away._counts[index]
    near = np.array(counts)
    near[51] += 3
    assert kept_away.near("debian/bash/whatever.c", near) is not None
    further = np.array(counts)
    further[51] += round(0.04 * 2 * counts.sum())
    assert kept_away.near("debian/bash/whatever.c", further) is None
    assert kept_away.near("debian/bash/" + name.rpartition("/")[2], further) == name
    assert kept_away.near("debian/bash/whatever.c", np.zeros(56)) is None  # too small to say


def test_similar_programs_are_of_other_packages(tmp_path, kept_away):
    known = Similar("ir_instructions", write_experience(tmp_path / "e.jsonl"), None, kept_away, DATASETS)
    around = known.of("debian/bash/a.c", np.array(COUNTS))
    # known0 has the very same counts, known1 is of bash.
    assert [one.program.rpartition("/")[2] for one in around.known] == [
        "known2.c",
        "known3.c",
        "known4.c",
        "known5.c",
    ]
    assert around.gained == 2 and around.estimate == pytest.approx(0.05)
    assert around.uses() == {"gvn": 2, "simplifycfg": 2}
    shipped = vocabulary.data_folder() / "experience" / "debian.jsonl"
    real = Similar("text_bytes", shipped, None, kept_away, DATASETS)
    assert len(real.known) > 700 and 0 < real.of("debian/bash/a.c", np.array(COUNTS)).estimate < 0.3


def test_programs_of_packages_take_turns():
    assert demonstrate.round_robin(["d/a/1", "d/a/2", "d/b/1", "d/a/3", "d/c/1"]) == [
        *("d/a/1", "d/b/1", "d/c/1", "d/a/2", "d/a/3")
    ]


def test_a_refused_answer_and_an_error_are_not_kept():
    with Server(SERVER) as server:
        talk = Dialogue(server, "debian/bash/a.c", "ir_instructions")
        with pytest.raises(Dropped, match="no action 'nonsense'"):
            talk.call("", "measure_sequence", sequence=["nonsense"])
        assert len(talk.messages) == 2
        with pytest.raises(Dropped, match="refused"):
            talk.submit("", ["adce"])
        with pytest.raises(Dropped, match="open_program"):
            Dialogue(server, "missing.c", "ir_instructions")
        with pytest.raises(Dropped, match="size"):
            Teacher(Dialogue(server, "debian/bash/a.c", "ir_instructions"), (200, 300), 10)


def test_a_server_that_always_dies_ends_the_run(tmp_path, ordo):
    programs = ["debian/bash/a.c", "debian/bc/b.c", "debian/bash/hard.c"]
    with pytest.raises(
        SystemExit, match="(?s)3 programs, one after the other: the tool server.*fell over a bug"
    ):
        run(tmp_path, ordo, *programs, "--server", *SERVER, "dies")
    state = (tmp_path / "out.jsonl.state.jsonl").read_text().splitlines()
    # Those before the third may be to blame themselves.
    assert len(state) == 3 and "the tool server" in state[1]
