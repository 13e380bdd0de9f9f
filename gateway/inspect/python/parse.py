"""The syntax tree of Python code, within limits, and of what is nearly Python: older print, cells of notebooks."""

from __future__ import annotations

import ast
import re
import textwrap
import warnings

from gateway.frozen import frozen
from gateway.inspect.doubt import Doubt
from gateway.inspect.word import Word
from gateway.later import later

MAX_CODE = 64 * 1024
_FLAGS = ast.PyCF_ONLY_AST | ast.PyCF_ALLOW_TOP_LEVEL_AWAIT
_NAME = "<inspected>"
_CELL = later(r"\s*%%(?:bash|sh|script\s+\w*sh|system|!)[^\n]*\n")
_FILE = later(r"\s*%%writefile\s+(?:-a\s+)?(\S+)[^\n]*\n")
_MAGIC = later(
    r"^[ \t]*(?:[\w.,\[\]]+[ \t]*=[ \t]*)?(?:!!?|%(?:sx|system|sc)[ \t]+)(?P<shell>[^\n]*)$"
    r"|^[ \t]*%(?P<command>(?:pip|conda|mamba|rm|mv|cp|rmdir)\b[^\n]*)$|^[ \t]*%%?[a-z][^\n]*$",
    re.MULTILINE,
)
_OLD = (
    (later(r"\bprint[ \t]+(?![=(\s])([^\n;#]*)"), r"print(\1)"),
    (later(r"\bprint[ \t]+\(([^\n;#]*)"), r"print((\1)"),
    (later(r"\bexec[ \t]+(?![=(\s])([^\n;#]*)"), r"exec(\1)"),
    (later(r"\bexcept[ \t]+([\w.]+)[ \t]*,[ \t]*(\w+)[ \t]*:"), r"except \1 as \2:"),
    (later(r"(?<![\w.])0(?=[0-7]+\b)"), "0o"),
)
_DESTRUCTIVE = later(
    r"\b(?:getattr|importlib|globals|__dict__|ctypes|pickle|marshal|sh|boto3|remove|unlink|rmdir|removedirs|rmtree|truncate|rename|system|popen|Popen|check_call|check_output|"
    r"subprocess|exec|eval|execv\w*|spawn\w*|__import__|urlopen|requests|socket|write_text|write_bytes|chmod|"
    r"chown|kill|execute)\b"
)
_LINES = later(r"[^\r\n]*(?:\r\n|\r|\n)|[^\r\n]+")
_STRINGS = later(
    r"#[^\n]*|'''(?:[^'\\]|\\.|'(?!''))*(?:'''|\Z)|\"\"\"(?:[^\"\\]|\\.|\"(?!\"\"))*(?:\"\"\"|\Z)"
    r"|'(?:[^'\\\n]|\\.)*'|\"(?:[^\"\\\n]|\\.)*\"",
    re.DOTALL,
)


@frozen
class Parsed:
    """A tree, None where there is none, and what stands beside it: commands of a notebook's cell."""

    tree: ast.Module | None
    source: str
    shells: tuple[Word, ...] = ()
    writes: tuple[Word, ...] = ()
    doubts: tuple[Doubt, ...] = ()


def parse(text: str) -> Parsed:
    """The tree of a text; a text that is no Python in any known form is doubted where it may destroy."""
    if len(text) > MAX_CODE:
        return Parsed(None, text, doubts=doubts("the code is too long to be analysed", text))
    cell = _CELL.match(text)
    if cell is not None:
        return Parsed(None, text, (Word(text[cell.end() :], cell.end(), len(text)),))
    written = _FILE.match(text)
    if written is not None:
        return Parsed(None, text, writes=(Word(written[1], *written.span(1)),))
    try:
        return _parsed(text)
    except (RecursionError, MemoryError):
        return Parsed(None, text, doubts=doubts("the code is nested too deep to be analysed", text))


def _parsed(text: str) -> Parsed:
    tree = _tree(text)
    if tree is not None:
        return Parsed(tree, text)
    shells = tuple(
        Word(found[group], *found.span(group))
        for found in _MAGIC.finditer(text)
        for group in ("shell", "command")
        if found[group] is not None
    )
    for source in _forms(_MAGIC.sub(_blanked, text) if "!" in text or "%" in text else text):
        tree = _tree(source)
        if tree is not None:
            return Parsed(tree, source, shells)
    return Parsed(None, text, shells, doubts=doubts("its grammar can't be read", text))


def doubts(reason: str, text: str) -> tuple[Doubt, ...]:
    """The doubt about a text that isn't read to its end; none where no word of it, outside texts, can destroy."""
    # A quote that is never closed hides nothing.
    found = _DESTRUCTIVE.search(_STRINGS.sub("''", text))
    return (Doubt(reason, 0, len(text)),) if found else ()


def _forms(text: str) -> tuple[str, ...]:
    old = text
    for pattern, new in _OLD:
        old = pattern.sub(new, old)
    dedented = textwrap.dedent(text)
    return text, dedented, text.strip(), old, textwrap.dedent(old).strip()


def _blanked(found: re.Match[str]) -> str:
    """A line of a notebook that is no Python, with something as long in its place."""
    line = found[0]
    indent = len(line) - len(line.lstrip())
    return line[:indent] + "0".ljust(len(line) - indent)


def _tree(text: str) -> ast.Module | None:
    if "\\" in text or "is" in text or "0" in text:
        # The compiler tells of odd spellings; whoever inspects has nothing to do with them.
        warnings.filterwarnings("ignore", module=re.escape(_NAME))
    try:
        tree = compile(text, _NAME, "exec", flags=_FLAGS, dont_inherit=True)
    except (SyntaxError, ValueError, OverflowError):
        return None
    return tree if isinstance(tree, ast.Module) else None


class Lines:
    """Offsets of a text's characters from the lines and bytes that a tree counts in."""

    def __init__(self, text: str) -> None:
        self._lines = _LINES.findall(text)
        self._starts = [0]
        for line in self._lines:
            self._starts.append(self._starts[-1] + len(line))

    def span(self, node: ast.AST) -> tuple[int, int]:
        """Where a node stands; the whole text for one that stands nowhere."""
        first, last = getattr(node, "lineno", 0), getattr(node, "end_lineno", 0)
        if not first or not last:
            return 0, self._starts[-1]
        start = self._offset(first, getattr(node, "col_offset", 0))
        return start, max(start, self._offset(last, getattr(node, "end_col_offset", 0)))

    def _offset(self, line: int, column: int) -> int:
        if line > len(self._lines):
            return self._starts[-1]
        text = self._lines[line - 1]
        at = column
        if not text.isascii():
            at = len(text.encode("utf-8", "replace")[:column].decode("utf-8", "ignore"))
        return min(self._starts[line - 1] + at, self._starts[-1])
