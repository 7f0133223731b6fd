"""Lines of prose in Markdown: 110 columns at most, which `./ordo format` fills paragraphs to.

    python3 bench/prose.py            fills paragraphs in which a line is too long
    python3 bench/prose.py --check    only names such lines, and fails if there are any

That is so for the pages of this repository. Tables, code and what has no space to break at may be longer. The
leaderboards are as `ordo report` writes them; two pages that are being rewritten are left out for now.
"""

import argparse
import pathlib
import re
import sys
import textwrap

ROOT = pathlib.Path(__file__).resolve().parent.parent
WIDTH = 110
FOLDERS = ("docs", "suite", "programs", "data", "examples")
EXCEPT = ("leaderboard.md", "leaderboard-small.md")
LONGEST_CODE = 100  # a span of code that is longer is broken at its spaces, as Markdown allows

_KEPT = "\ue000"  # in place of a space at which no line ends
_FENCE = re.compile(r"\s*(```|~~~)")
_ITEM = re.compile(r"\s*([-*+]|\d+[.)])\s+(?=\S)")
_OTHER = re.compile(r"\s*(\||#|</?\w|<!--|---$|!\[|\[[^\]]+\]:)")  # what is no paragraph, from its first line
_CODE = re.compile(r"(?<!`)(`+)(?!`)(.+?)(?<!`)\1(?!`)|<!--.*?-->")  # and marks, which programs look for
_MARKUP = re.compile(r" (?=(?:[-*+>|=]+|#+|\d+[.)])(?: |$))")  # would begin something else in a new line
_UNIT = re.compile(r"(?<=\d) (?=%|(?:[µm]?s|min|h|x|[KMG]iB)\b)")


def _fill(text, first, rest):
    """Lines of a paragraph that begins with `first` and goes on with `rest`."""

    def whole(span):
        return span[0].replace(" ", _KEPT) if len(span[0]) <= LONGEST_CODE else span[0]

    text = _UNIT.sub(_KEPT, _MARKUP.sub(_KEPT, _CODE.sub(whole, text)))
    lines = textwrap.wrap(
        text,
        WIDTH,
        initial_indent=first,
        subsequent_indent=rest,
        break_long_words=False,
        break_on_hyphens=False,
    )
    return [line.replace(_KEPT, " ") for line in lines]


def _blocks(lines):
    """Parts of a page: whether it is prose, and its lines."""
    at, fenced, blank = 0, False, True
    while at < len(lines):
        line, end = lines[at], at + 1
        is_fence = bool(_FENCE.match(line))
        fenced ^= is_fence
        is_code = blank and line.startswith("    ") and not _ITEM.match(line)
        if fenced or is_fence or is_code or not line.strip() or _OTHER.match(line):
            # Tables and code may be as long as they like, headings and comments may not.
            yield line.startswith("#") and not fenced, [line]
        else:
            while (
                end < len(lines)
                and lines[end].strip()
                and not (_ITEM.match(lines[end]) or _FENCE.match(lines[end]) or _OTHER.match(lines[end]))
            ):
                end += 1
            yield True, lines[at:end]
        blank = not lines[end - 1].strip() or (blank and is_code)
        at = end


def _is_long(line):
    marker = _ITEM.match(line)
    return len(line) > WIDTH and " " in line[marker.end() if marker else 0 :].strip()


def fill(text):
    """`text` with those paragraphs filled in which a line is too long."""
    result = []
    for is_prose, lines in _blocks(text.split("\n")):
        if is_prose and not _OTHER.match(lines[0]) and any(map(_is_long, lines)):
            marker = _ITEM.match(lines[0])
            first = marker[0] if marker else re.match(r"\s*", lines[0])[0]
            words = " ".join([lines[0][len(first) :].strip(), *(line.strip() for line in lines[1:])])
            lines = _fill(words, first, " " * len(first))
        result += lines
    return "\n".join(result)


def too_long(text):
    """Numbers of the lines of prose that are too long, from 1."""
    number, found = 1, []
    for is_prose, lines in _blocks(text.split("\n")):
        found += [number + at for at, line in enumerate(lines) if is_prose and _is_long(line)]
        number += len(lines)
    return found


def pages(root=ROOT):
    """Those that are held to this."""
    found = [*root.glob("*.md"), *(page for folder in FOLDERS for page in (root / folder).rglob("*.md"))]
    return sorted(page for page in found if page.name not in EXCEPT)


def main():
    """Fills, or checks."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--check", action="store_true", help="write nothing, fail if a line is too long")
    options = parser.parse_args()
    wrong = []
    for page in pages():
        before = page.read_text(encoding="utf-8")
        after = before if options.check else fill(before)
        if after != before:
            page.write_text(after, encoding="utf-8")
        wrong += [f"{page.relative_to(ROOT)}:{number}" for number in too_long(after)]
    for place in wrong:
        print(f"{place}: prose of more than {WIDTH} columns; ./ordo format fills paragraphs", file=sys.stderr)
    return bool(wrong)


if __name__ == "__main__":
    sys.exit(main())
