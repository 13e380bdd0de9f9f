"""Programs that run a command somewhere else: in a container, in a virtual machine, on other hosts."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from gateway.inspect.carriers import CARRIED
from gateway.inspect.options import Bound, Reading, bind, options
from gateway.inspect.programs import ALIASES
from gateway.inspect.programs.remote import ELSEWHERE, Elsewhere
from gateway.inspect.shell.code import run_stdin, run_text
from gateway.inspect.shell.invocation import Simple, Text
from gateway.inspect.word import UNKNOWN, Word, certain
from gateway.later import later

if TYPE_CHECKING:
    from gateway.inspect.shell.walk import Walk

_UNKNOWN: Text = (UNKNOWN,)


_LONGEST = 3
_UP_TO_DASHES = frozenset(("kubectl", "oc", "gcloud"))
# So many operands in front of a command mean that only options, or what follows `--`, hold one.
_ONLY_TEXTS = 100
_MODULES = frozenset(
    name for each in ("shell", "command", "raw") for name in (each, f"ansible.builtin.{each}")
)
_LISTED = later(r"commands?\s*=\s*|[\[\]\"']|\\")


def elsewhere(walk: Walk, simple: Simple, name: str) -> None:
    """Follow what a program runs somewhere else, if the subcommand is one that does."""
    found = _found(simple, name)
    if found is None:
        return
    how, rest = found
    bound = bind(options(how.options), rest, Reading.ANYWHERE if how.texts else Reading.LEADING)
    here = walk.scope
    # Somewhere else there are other directories.
    walk.enter(replace(here.copy(), cwd=None))
    for option in how.texts:
        for word in bound.flags.get(option, ()):
            _text(walk, simple, name, bound, word)
    words = bound.operands[how.before :]
    values = [word.value for word in rest]
    if how.before >= _ONLY_TEXTS and "--" in values:
        words = rest[values.index("--") + 1 :]
    words = words[1:] if words and words[0].value == "--" else words
    dashes = next((i for i, word in enumerate(rest) if word.value == "--"), None)
    if dashes is not None and name in _UP_TO_DASHES:
        words = rest[dashes + 1 :]
    elif (
        bound.operands
        and "--volume" in options(how.options).names
        and (image := _image(bound.operands[0])) is not None
    ):
        # An image that is called like a program starts it.
        walk.execute(simple.inside(name, (image, *words)))
    entry = bound.value("entrypoint")
    if entry is not None:
        words = (entry, *words)
    if words and how.joined:
        run_text(walk, simple, (" ".join(w.value for w in words),), Word("", words[0].start, words[-1].end))
    elif words:
        walk.execute(simple.inside(name, words))
    elif (
        simple.stdin is not None
        and how.before < _ONLY_TEXTS
        and any(w.value in ("-i", "--interactive") for w in rest)
    ):
        run_stdin(walk, simple, simple.stdin)
    walk.enter(here)


def _image(word: Word) -> Word | None:
    """The program that an image is named after, if it is one that matters."""
    name = word.value.rpartition("/")[2].partition("@")[0].partition(":")[0]
    name = ALIASES.get(name, name)
    return replace(word, value=name) if name in CARRIED else None


def _found(simple: Simple, name: str) -> tuple[Elsewhere, tuple[Word, ...]] | None:
    """How the longest known path of subcommands is told what to run, and the words behind it."""
    if name in ELSEWHERE:
        return ELSEWHERE[name], simple.words[1:]
    path = [name]
    for at, word in enumerate(simple.words[1:], 2):
        value = certain(word.value)
        if value.startswith("-"):
            continue
        path.append(value)
        if " ".join(path) in ELSEWHERE:
            return ELSEWHERE[" ".join(path)], simple.words[at:]
        # The value of a global option may stand between, as in `kubectl -n shop exec`.
        if len(path) > _LONGEST:
            path = [name, value]
            if " ".join(path) in ELSEWHERE:
                return ELSEWHERE[" ".join(path)], simple.words[at:]
    return _after_options(simple, name)


def _after_options(simple: Simple, name: str) -> tuple[Elsewhere, tuple[Word, ...]] | None:
    for at, word in enumerate(simple.words[1:6], 2):
        known = ELSEWHERE.get(f"{name} {certain(word.value)}")
        if known is not None:
            return known, simple.words[at:]
    return None


def _text(walk: Walk, simple: Simple, name: str, bound: Bound, word: Word) -> None:
    text = word.value
    if name == "ansible":
        module = bound.value("module-name")
        if module is not None and module.value not in _MODULES:
            return
    if name in ("aws", "az"):
        text = _LISTED.sub(" ", text)
    run_text(walk, simple, (text,), word)
