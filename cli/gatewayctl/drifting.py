"""The sides that `tools diff` compares, read as its words name them, and what it prints."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator, Mapping
from functools import cached_property
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from gatewayctl.options import chosen_policies
from gatewayctl.output import Failure, Format, ink_for, refuse_policies, say, say_json
from gatewayctl.wording import counted

if TYPE_CHECKING:
    from gateway.drift import Difference, ServerList, Side
    from gateway.sources import Assembled

_WORDS = "write `policy`, `pins`, `code:MODULE` or `list:FILE`"


class Sources:
    """What may be compared: the policies with their pins, code, and one server's lists."""

    def __init__(self, policies: Path | None, server: str | None, form: Format) -> None:
        self._given = policies
        self._server = server
        self._form = form

    @cached_property
    def policies(self) -> Assembled:
        """The policies, or the end of the command where they can't be used."""
        from gateway.diagnostic import PolicyError
        from gateway.sources import sources_of

        try:
            return sources_of(str(chosen_policies(self._given))).assemble()
        except PolicyError as error:
            refuse_policies(error, self._form)

    @property
    def pinned(self) -> Mapping[str, str]:
        """The digests of the pins by tool."""
        from gateway.drift import digests_of

        return digests_of(self.policies.policy)

    @property
    def known(self) -> list[str]:
        """The names of the tools of the policies."""
        return [*self.policies.compiled.declared]

    def listed(self, file: str) -> ServerList:
        """A server's list in a file, or on stdin."""
        from gateway.diagnostic import PolicyError
        from gateway.drift import read_list

        if self._server is None:
            raise Failure("it is not said whose list it is", "write `--server NAME`, as `servers` names it")
        try:
            return read_list(_bounded(file), self._server)
        except PolicyError as error:
            refuse_policies(error, self._form)

    def side(self, word: str) -> Side:
        """The side that a word names."""
        from gateway.drift import of_list, of_pins, of_policy

        kind, _, rest = word.partition(":")
        if word == "policy":
            return of_policy(self.policies.compiled)
        if word == "pins":
            return of_pins(pin.listed for pin in self.policies.policy.pins)
        if kind == "list" and rest:
            return of_list(self.listed(rest), word)
        if kind == "code" and rest:
            return code_side(rest)
        raise Failure(f"`{word}` names nothing that can be compared", _WORDS)

    def say_differences(self, old: str, new: str) -> bool:
        """Print what differs, and whether anything does that nobody accepted."""
        from gateway.drift import differences, step_digest, within

        if old == new == "list:-":
            raise Failure("stdin can be read only once", "write one of the lists to a file")
        before, after = self.side(old), self.side(new)
        left_out: tuple[str, ...] = ()
        if old == "policy" and new.startswith("code:"):
            before, left_out = within(before, after)
        elif new == "policy" and old.startswith("code:"):
            after, left_out = within(after, before)
        with_policies = self._given is not None or {"policy", "pins"} & {old, new}
        pinned = self.pinned if with_policies else {}
        found = differences(before, after, known=self.known if with_policies else (), pinned=pinned)
        left = {one.tool for one in found if not one.accepted}
        digests = {
            name: step_digest(name, pinned.get(name), tool.digest if tool is not None else None)
            for name in dict.fromkeys(one.tool for one in found)
            if _is_pinnable(after, name) and ((tool := after.tools.get(name)) or name in pinned)
        }
        if self._form is Format.JSON:
            shown = [difference_json(one) for one in found]
            say_json(
                {"differences": shown, "open": len(left), "digests": digests, "not_compared": list(left_out)}
            )
        else:
            can_accept = with_policies and new.startswith("list:")
            named = {name: digests[name] for name in left & digests.keys()} if can_accept else {}
            for line in lines_of(found, named):
                say(line)
            tools = {one.tool for one in found}
            if left_out:
                is_, module = "is" if len(left_out) == 1 else "are", new if old == "policy" else old
                say(
                    f"{counted(len(left_out), 'tool')} of policy {is_} not declared in {module}: not compared"
                )
            verb = "differs" if len(tools) == 1 else "differ"
            said = f"{counted(len(tools), 'tool')} {verb}, {len(left)} not accepted"
            say(said if tools else "nothing differs")
        return bool(left)


def _is_pinnable(side: Side, name: str) -> bool:
    return "output" in side.says and name not in side.refused and "/" in name


def difference_json(one: Difference) -> dict[str, Any]:
    """A difference for scripts."""
    return {
        "tool": one.tool,
        "field": one.field,
        "what": one.what.value,
        "meaning": one.meaning,
        "old": one.old,
        "new": one.new,
        "accepted": one.accepted,
    }


def lines_of(found: Iterable[Difference], digests: Mapping[str, str] = MappingProxyType({})) -> Iterator[str]:
    """Differences as people read them; of a text both are shown whole, each character as it is.

    `digests` is what somebody names who accepts what became of a tool.
    """
    from gateway.diagnostic import printable

    ink = ink_for(sys.stdout)
    last = ""
    for one in found:
        if one.tool != last:
            yield from _digest_line(digests, last)
            last = one.tool
            yield ink("bold", printable(one.tool)) + ("  (accepted)" if one.accepted else "")
        head = f"{one.field}: " if one.field else ""
        yield f"  {ink(_INK[one.what.value], one.what.value):8}  {printable(head + one.meaning)}"
        if one.field.rpartition(".")[2] in _TEXTS:
            for mark, text in (("-", one.old), ("+", one.new)):
                lines = text.split("\n") if isinstance(text, str) else ()
                yield from (f"    {mark} {printable(line)}" for line in lines)
    yield from _digest_line(digests, last)


def _digest_line(digests: Mapping[str, str], tool: str) -> Iterator[str]:
    if tool in digests:
        yield f"  digest    {digests[tool]}"


_TEXTS = ("", "title", "description", "$comment")
_INK = {"came": "yellow", "went": "yellow", "changed": "yellow", "refused": "red", "suspect": "red"}


def code_side(module: str) -> Side:
    """What a module or package declares; it is imported for that, and may print only to stderr."""
    from contextlib import redirect_stdout
    from importlib import import_module

    from gateway.declaring import DeclarationError, declared_in
    from gateway.drift import of_code

    here = str(Path.cwd())
    if here not in sys.path:
        sys.path.insert(0, here)
    try:
        with redirect_stdout(sys.stderr):
            imported = import_module(module)
    except (Exception, SystemExit) as error:  # the edge to somebody else's code
        raise Failure(f"`{module}` can't be imported: {type(error).__name__}: {error}") from None
    try:
        return of_code(declared_in(imported), f"code:{module}")
    except DeclarationError as error:
        raise Failure(f"`{module}` can't be used: {error}") from None


def _bounded(file: str) -> bytes:
    """The content of a file or of stdin, as much of it as a list may have and one byte more."""
    from gateway.files import MAX_BYTES

    try:
        if file == "-":
            return sys.stdin.buffer.read(MAX_BYTES + 1)
        with Path(file).open("rb") as opened:
            return opened.read(MAX_BYTES + 1)
    except (OSError, ValueError) as error:
        why = getattr(error, "strerror", None) or str(error)
        raise Failure(f"`{file}` can't be read: {why.lower()}") from None
