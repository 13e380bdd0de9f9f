"""Every way in which the words of Python run the gateway's own commands: as a module, as a script, or from code."""

from __future__ import annotations

from collections.abc import Sequence

from gateway.frozen import frozen
from gateway.inspect.word import Word, certain
from gateway.later import later

_OWN = "gatewayctl"
_PYTHONS = ("python", "pypy", "ipython")
_THROUGH = """
cProfile coverage debugpy kernprof memory_profiler pdb profile pyinstrument runpy scalene trace viztracer
"""
_RUNNERS = frozenset(_THROUGH.split())
"""Modules, and programs, that run the module or script that they are given."""
_VALUED = "QWX"
_ALONE = frozenset(("--check-hash-based-pycs",))
_IMPORTS = later(
    r"\b(?:import|from)\b[^\n;]*\bgatewayctl\b|import_module\(\s*['\"]gateway(?:ctl|\.)"
    r"|(?:import|from)\s+gateway\.(?:answering|approvals|keeping|living|managing|plans|runtime|serving|state|stores)\b"
    r"|from\s+gateway\s+import\b[^\n]*\b(?:Answer|Gateway|open_store)\b"
)
_LOADS = later(
    r"\b(?:runpy|run_module|run_path|_run_module_\w+|import_module|__import__|exec_module|load_module|module_from_spec"
    r"|exec|eval|compile|EntryPoint|entry_points|zipimport|imp|pkgutil|resolve_name)\b"
)
_ACTS = later(r"\b(?:accept|approve|init|override|pin|uninstall)\b|--fix\b")
_JOINTS = later(r"['\"]\s*\+?\s*['\"]")


@frozen
class Started:
    """What Python is started with: `m` and a module, `c` and code, or nothing and a script; `rest` is for that."""

    kind: str
    what: Word
    rest: tuple[Word, ...]

    @property
    def is_own(self) -> bool:
        """Whether it is the gateway's own program."""
        return self.kind != "c" and _names_own(self.what.value, script=not self.kind)


def is_python(program: str) -> bool:
    """Whether a program takes the options of Python, or hands them on."""
    return program.startswith(_PYTHONS) or program == "py" or program in _RUNNERS


def started(program: str, words: Sequence[Word]) -> Started | None:
    """What Python is started with, with options joined in any order, and through modules that run others."""
    found = Started("m", Word(program, 0, 0), tuple(words)) if program in _RUNNERS else _options(words)
    if found is None or found.kind != "m" or found.what.value.partition(".")[0] not in _RUNNERS:
        return found
    for at, word in enumerate(found.rest):
        text = certain(word.value)
        if text.startswith("-"):  # joined to options: `-mgatewayctl`, `--module=gatewayctl`
            text = text[max(text.find(_OWN), 0) :]
        if any(_names_own(text, script=script) for script in (False, True)):
            return Started("m", Word(_OWN, word.start, word.end), found.rest[at + 1 :])
    return found


def runs_own(code: str, behind: Sequence[Word] = ()) -> bool:
    """Whether code imports or loads what changes the gateway, or names it beside what only a person does."""
    code = _JOINTS.sub("", code)
    if _IMPORTS.search(code):
        return True
    every = "\n".join((code, *(certain(word.value) for word in behind)))
    return _OWN in every and bool(_LOADS.search(code) or _ACTS.search(every))


def _options(words: Sequence[Word]) -> Started | None:
    at = 0
    while at < len(words):
        word, text = words[at], certain(words[at].value)
        at += 1
        if text in _ALONE:
            at += 1
        if text.startswith("--"):
            continue
        if len(text) < 2 or text[0] != "-":
            return Started("", word, tuple(words[at:]))
        for place in range(1, len(text)):
            letter, value = text[place], text[place + 1 :]
            if letter not in f"cm{_VALUED}":
                continue
            given = Word(value, word.start, word.end)
            if not value and at < len(words):
                given, at = Word(certain(words[at].value), words[at].start, words[at].end), at + 1
            if letter in "cm":
                return Started(letter, given, tuple(words[at:]))
            break
    return None


def _names_own(text: str, *, script: bool) -> bool:
    """Whether a module or the path of a script is the gateway's own program."""
    if not script:
        return text.partition(".")[0] == _OWN
    *above, last = certain(text).rstrip("/").split("/")
    return last == _OWN or (last == "__main__.py" and above[-1:] == [_OWN])
