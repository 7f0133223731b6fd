"""Checks in shell scripts that cannot fail: `set -e` does not see `A && B` fail in A, nor `! A` fail at all.

    python3 bench/shell_checks.py FILE…    names such lines, and fails if there are any

`./ordo format` asks this of the tests. A list with `&&` is fine where somebody looks at its status: in a
condition, in front of `||`, as the last command of a function or a subshell. So is one whose last command
leaves: what is in front of that shall fail, as in `wrong 2>errors && exit 1`. Everything else stands on lines
of its own.

Scripts are read as bash reads them, as far as that takes: words and their quotes, here documents, `$(…)`,
lists and compound commands. What is inside of quotes or documents is data.
"""

import pathlib
import re
import sys
from dataclasses import dataclass, field

LEAVE = {"exit", "return", "break", "continue", "fail", "exec"}
_CLOSE = {"then", "elif", "else", "fi", "do", "done", "esac", "}"}
_OPERATORS = ("&&", "||", ";;&", ";;", ";&", "|&", "|", ";", "&>>", "&>", ">&", "<&", "&", "(", ")")
_NESTING = (("$((", "))"), ("$(", ")"), ("${", "}"), ("<(", ")"), (">(", ")"), ("(", ")"))
_HEREDOC = re.compile(r"<<(-?)[ \t]*(?:'([^']*)'|\"([^\"]*)\"|\\?([\w!./-]+))")


@dataclass
class Token:
    """A word, an operator or the end of a line: where it begins, and the scripts of its `$(…)`."""

    text: str
    line: int
    is_word: bool = False
    inner: list[tuple[str, int]] = field(default_factory=list)


class _Reader:
    """Tokens of a script."""

    def __init__(self, text: str, line: int):
        self.text, self.line, self.at = text, line, 0
        self.documents: list[tuple[str, bool]] = []  # that begin after this line

    def tokens(self) -> list[Token]:
        found = []
        while self.at < len(self.text):
            rest = self.text[self.at :]
            if rest.startswith("\\\n"):
                self._skip(2)
            elif rest[0] in " \t":
                self._skip(1)
            elif rest[0] == "#":
                self._skip(len(rest.split("\n", 1)[0]))
            elif rest[0] == "\n":
                found.append(Token("\n", self.line))
                self._skip(1)
                self._documents()
            elif (here := _HEREDOC.match(rest)) and not rest.startswith("<<<"):
                self.documents.append((here[2] or here[3] or here[4] or "", here[1] == "-"))
                self._skip(here.end())
            elif rest.startswith("((") and (not found or not found[-1].is_word or found[-1].text == "for"):
                found.append(Token("((…))", self.line, True))
                self._skip(self._end(self.at + 2, "))") - self.at)
            elif operator := next((o for o in _OPERATORS if rest.startswith(o)), ""):
                found.append(Token(operator, self.line))
                self._skip(len(operator))
            else:
                found.append(self._word())
        return found

    def _skip(self, count: int) -> None:
        self.line += self.text.count("\n", self.at, self.at + count)
        self.at += count

    def _documents(self) -> None:
        for end, tabs in self.documents:
            while self.at < len(self.text):
                line = self.text[self.at :].split("\n", 1)[0]
                self._skip(len(line) + 1)
                if (line.lstrip("\t") if tabs else line) == end:
                    break
        self.documents = []

    def _end(self, at: int, closing: str) -> int:
        """Behind what closes, which begins at `at`, with whatever is nested and quoted in between."""
        while at < len(self.text):
            if self.text.startswith(closing, at):
                return at + len(closing)
            at = self._behind(at)
        return at

    def _behind(self, at: int) -> int:
        """Behind the character at `at`, or what it opens."""
        rest = self.text[at : at + 3]
        if rest[0] == "\\":
            return at + 2
        if rest[0] == "'":
            return self.text.find("'", at + 1) + 1 or len(self.text)
        if rest.startswith("$'"):
            at += 2
            while at < len(self.text) and self.text[at] != "'":
                at += 2 if self.text[at] == "\\" else 1
            return at + 1
        if rest[0] == '"':
            at += 1
            while at < len(self.text) and self.text[at] != '"':
                # A single quote is nothing inside of double quotes.
                at = at + 1 if self.text[at] == "'" else self._behind(at)
            return at + 1
        if rest[0] == "`":
            return self.text.find("`", at + 1) + 1 or len(self.text)
        for opening, closing in (
            ("$((", "))"),
            ("$(", ")"),
            ("${", "}"),
            ("<(", ")"),
            (">(", ")"),
            ("(", ")"),
        ):
            if rest.startswith(opening):
                return self._end(at + len(opening), closing)
        return at + 1

    def _word(self) -> Token:
        token = Token("", self.line, True)
        start = self.at
        if self.text.startswith("[[", start):
            self._skip(self._end(start + 2, "]]") - start)
            token.text = "[[…]]"
            return token
        while self.at < len(self.text) and self.text[self.at] not in " \t\n;&|)":
            if self.text[self.at] == "(" and not self.text[start : self.at].endswith(("=", "+=")):
                break  # a function's, or a subshell's
            end = self._behind(self.at)
            token.inner += self._scripts(self.at, end)
            self._skip(end - self.at)
        if self.at == start:
            self._skip(1)
        token.text = self.text[start : self.at]
        return token

    def _scripts(self, begin: int, end: int) -> list[tuple[str, int]]:
        """The scripts of `$(…)` in a piece of a word, with their first lines."""
        found, at = [], begin
        while at < end:
            if self.text[at] == '"' or self.text.startswith("${", at):
                at += 1
            elif re.match(r"[$<>]\((?!\()", self.text[at : at + 3]):
                closed = self._behind(at)
                line = self.line + self.text.count("\n", self.at, at)
                found.append((self.text[at + 2 : closed - 1], line))
                at = closed
            else:
                # Inside of double quotes a single quote is nothing.
                at = at + 1 if self.text[begin] == '"' and self.text[at] == "'" else self._behind(at)
        return found


@dataclass
class _List:
    """A list of commands as far as it is read."""

    line: int = 0
    blind: bool = False  # a failure in front of `&&`, or of `!`, that nobody has looked at yet
    leaves: bool = False
    words: int = 0  # of the command that is being read


@dataclass
class _Scope:
    """What lists are in."""

    kind: str  # shell, subshell, function, group, condition, body, pattern (of a case), cases
    list: _List = field(default_factory=_List)
    before: _List | None = None  # it may have been the last


class _Checker:
    """Goes over tokens, and keeps lines at fault."""

    def __init__(self) -> None:
        self.faults: list[int] = []
        self.scopes: list[_Scope] = []

    def check(self, text: str, line: int, *, is_last_seen: bool) -> None:
        outside, self.scopes = self.scopes, [_Scope("shell")]
        tokens = _Reader(text, line).tokens()
        at = 0
        while at < len(tokens):
            at = self._take(tokens, at)
        self._end_list()
        self._close(is_last_seen)
        self.scopes = outside

    def _take(self, tokens: list[Token], at: int) -> int:
        token, scope = tokens[at], self.scopes[-1]
        for script, line in token.inner:
            self.check(script, line, is_last_seen=True)
        now = scope.list
        if token.is_word:
            return self._word(tokens, at)
        if token.text in ("&&", "||"):
            now.blind = token.text == "&&"
            now.words = 0
            while at + 1 < len(tokens) and tokens[at + 1].text == "\n":
                at += 1
        elif token.text in ("|", "|&"):
            now.words = 0
        elif token.text == "(":
            if at + 1 < len(tokens) and tokens[at + 1].text == ")":  # NAME (): its body follows
                now.words = -1
                return at + 2
            now.line = now.line or token.line
            self.scopes.append(_Scope("subshell"))
        elif token.text == ")":
            if scope.kind == "pattern":
                scope.kind, scope.list = "cases", _List()
            elif scope.kind == "subshell":
                self._leave(is_last_seen=True)
        elif token.text in (";;", ";;&", ";&"):
            self._end_list()
            self._flush()
            scope.kind = "pattern" if scope.kind == "cases" else scope.kind
        elif token.text in ("\n", ";", "&"):
            self._end_list()
        return at + 1

    def _word(self, tokens: list[Token], at: int) -> int:
        token, scope = tokens[at], self.scopes[-1]
        now, text = scope.list, token.text
        if scope.kind == "pattern":
            if text == "esac":
                self._leave(is_last_seen=False)
            return at + 1
        is_body = now.words < 0
        if now.words > 0:
            now.words += 1
            return at + 1
        if text not in _CLOSE:
            now.line = now.line or token.line
        if text == "!":
            now.blind = True
            return at + 1
        if text in ("if", "while", "until"):
            self.scopes.append(_Scope("condition"))
        elif text == "elif":
            self._end_list()
            self._leave(is_last_seen=False)
            self.scopes.append(_Scope("condition"))
        elif text in ("then", "do"):
            if scope.kind == "condition":
                self._end_list()
                self.scopes.pop()
            self.scopes.append(_Scope("body"))
        elif text == "else":
            self._end_list()
            self._leave(is_last_seen=False)
            self.scopes.append(_Scope("body"))
        elif text in ("fi", "done", "esac"):
            self._end_list()
            self._leave(is_last_seen=False)
        elif text in ("for", "select"):
            while at + 1 < len(tokens) and tokens[at + 1].text not in (";", "\n"):
                at += 1
            at += 1  # `do` follows
        elif text == "case":
            while tokens[at].text != "in":
                at += 1
            self.scopes.append(_Scope("pattern"))
        elif text == "function":
            now.words = -1
            return at + 2
        elif text == "{":
            self.scopes.append(_Scope("function" if is_body else "group"))
        elif text == "}":
            self._end_list()
            self._leave(is_last_seen=scope.kind == "function")
        else:
            now.words = 1
            now.leaves = text in LEAVE
        return at + 1

    def _end_list(self) -> None:
        scope = self.scopes[-1]
        now = scope.list
        if now.line == 0:
            return
        self._flush()
        scope.before, scope.list = now, _List()

    def _flush(self) -> None:
        """The list before this is not the last one."""
        scope = self.scopes[-1]
        before, scope.before = scope.before, None
        is_asked = any(outer.kind == "condition" for outer in self.scopes)
        if before and before.blind and not before.leaves and not is_asked:
            self.faults.append(before.line)

    def _leave(self, *, is_last_seen: bool) -> None:
        self._end_list()
        last = self.scopes[-1].before
        self._close(is_last_seen)
        if len(self.scopes) > 1:
            self.scopes.pop()
        now = self.scopes[-1].list
        now.words = 1
        now.leaves = last is not None and last.leaves

    def _close(self, is_last_seen: bool) -> None:
        if is_last_seen:
            self.scopes[-1].before = None
        self._flush()


def unseen(text: str) -> list[int]:
    """Lines of checks that cannot fail; none of a script that goes on whatever fails."""
    if not re.search(r"^set -\w*e", text, re.M) and text.startswith("#!"):
        return []
    checker = _Checker()
    checker.check(text, 1, is_last_seen=False)
    return sorted(checker.faults)


def main() -> int:
    """Names all faults of the files on the command line: 1 if there are any."""
    found = 0
    for name in sys.argv[1:]:
        text = pathlib.Path(name).read_text()
        for line in unseen(text):
            print(f"{name}:{line}: {text.splitlines()[line - 1].strip()}")
            found += 1
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
