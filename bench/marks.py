"""Parts of pages that a benchmark writes: what stands between `<!-- NAME -->` and `<!-- end of NAME -->`.

`python3 bench/marks.py PAGE NAME <TEXT` puts it there.
"""

import pathlib
import sys

import prose


def _split(path, name):
    """What is before the part, the part, and what is after it; ends the program if there is no such part."""
    begin, end = f"<!-- {name} -->\n", f"<!-- end of {name} -->\n"
    page = path.read_text(encoding="utf-8")
    if begin not in page or end not in page:
        raise SystemExit(f"{path} has no {begin.strip()} and {end.strip()}")
    first, last = page.index(begin) + len(begin), page.index(end)
    return page[:first], page[first:last], page[last:]


def part(path, name):
    """What stands there."""
    return _split(path, name)[1]


def insert(path, name, text):
    """Puts `text` there, its paragraphs filled."""
    before, _, after = _split(path, name)
    path.write_text(before + prose.fill(text) + after, encoding="utf-8")


if __name__ == "__main__":
    insert(pathlib.Path(sys.argv[1]), sys.argv[2], sys.stdin.read())
