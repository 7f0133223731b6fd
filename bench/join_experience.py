"""Joins files of `ordo collect` whose spaces continue one another.

python bench/join_experience.py WIDEST.jsonl OTHER.jsonl [OTHER.jsonl ...] > joined.jsonl

The header is the first file's. The actions of every other have to be the beginning of its actions, so that
indices mean the same (`size` is the beginning of `text`). Of the others only runs are taken whose objective the
first has none of: what was searched with fewer actions is no experience of the wider space.
"""

import json
import sys


def lines_of(path):
    """The header and the other lines, each as text and as an object; a torn last line is left out."""
    with open(path, encoding="utf-8") as file:
        lines = [(line, json.loads(line)) for line in file if line.endswith("\n")]
    return lines[0][1], lines[1:]


def join(paths):
    """The lines of the joined file."""
    with open(paths[0], encoding="utf-8") as file:
        yield file.readline()
    header, first = lines_of(paths[0])
    objectives = {record["objective"] for _, record in first if "left_out" not in record}
    left_out = set()
    for path in paths:
        other, lines = (header, first) if path == paths[0] else lines_of(path)
        if header["actions"][: len(other["actions"])] != other["actions"]:
            raise SystemExit(f"{path}: its actions are not the beginning of those of {paths[0]}")
        for field in ("format", "version", "baseline", "max_length", "observations"):
            if header[field] != other[field]:
                raise SystemExit(f"{path}: its {field} is not that of {paths[0]}")
        for line, record in lines:
            if "left_out" in record:
                key = (record["uri"], record.get("objective", ""))
                if key not in left_out:
                    left_out.add(key)
                    yield line
            elif path == paths[0] or record["objective"] not in objectives:
                yield line


if __name__ == "__main__":
    if len(sys.argv) < 3:
        raise SystemExit(__doc__)
    sys.stdout.writelines(join(sys.argv[1:]))
