"""Parts of pages that a benchmark writes: what stands between `<!-- NAME -->` and `<!-- end of NAME -->`."""


def insert(path, name, text):
    """Puts `text` there; ends the program if there is no such part."""
    begin, end = f"<!-- {name} -->\n", f"<!-- end of {name} -->\n"
    page = path.read_text(encoding="utf-8")
    if begin not in page or end not in page:
        raise SystemExit(f"{path} has no {begin.strip()} and {end.strip()}")
    page = page[: page.index(begin) + len(begin)] + text + page[page.index(end) :]
    path.write_text(page, encoding="utf-8")
