#!/usr/bin/env python3
"""Writes src/frontend/clang_options.inc: how clang's driver spells each of its options and where their values are.

    cmake/clang_options.py /usr/lib/llvm-22/include/clang/Options/Options.inc >src/frontend/clang_options.inc

The header is in the Debian package libclang-22-dev, which nothing else here needs: the table is made once for each
version of LLVM (docs/recipes/upgrade-llvm.md), and a test holds it against the clang that is installed.
"""

import re
import sys

# The sets of prefixes by their place in OptionPrefixesTable; the rest are clang-cl's.
PREFIXES = {"1": ("-",), "3": ("-", "--"), "6": ("--",)}
KINDS = {
    "Flag", "Joined", "Separate", "JoinedOrSeparate", "JoinedAndSeparate", "CommaJoined", "MultiArg", "RemainingArgs"
}  # fmt: skip
ROW = re.compile(r"^OPTION\((\d+), \d+ /\* (.*?) \*/, (\w+), (\w+), \w+, (\w+), ([^,]+), [^,]+, ([^,]+), (\d+),", re.M)


def main() -> None:
    """Reads the header that is named, writes the table to standard output."""
    with open(sys.argv[1]) as file:
        rows = ROW.findall(file.read())
    by_id = {row[2]: row for row in rows}
    table = {}
    for prefixes, spelled, _, kind, alias, implied, visibility, count in rows:
        if kind not in KINDS or prefixes not in PREFIXES or "DefaultVis" not in visibility:
            continue
        bare = spelled.removeprefix(PREFIXES[prefixes][0])
        target = by_id.get(alias, (prefixes, spelled))
        # "-O" of an alias that stands for "-O3" is another option than any that -O begins.
        canonical = target[1] if implied == "nullptr" else spelled
        values = int(count) if kind == "MultiArg" else 1
        for prefix in PREFIXES[prefixes]:
            table[prefix + bare] = (kind, values, canonical)
    print("// Made by cmake/clang_options.py from clang 22's table. ORDO_OPTION(spelling, form, values, canonical spelling)")
    for spelling, (kind, values, canonical) in sorted(table.items()):
        print(f'ORDO_OPTION("{spelling}", k{kind}, {values}, "{canonical}")')


if __name__ == "__main__":
    main()
