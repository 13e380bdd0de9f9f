"""Writes pins beside the policies: whole or not at all, and only such as can be read again."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING

from gatewayctl.drifting import Sources, difference_json, lines_of
from gatewayctl.options import chosen_policies
from gatewayctl.output import Failure, Format, refuse_policies, say, say_json
from gatewayctl.wording import counted

if TYPE_CHECKING:
    from gateway.drift import Difference
    from gateway.drift.pinning import PinnedTool
    from gateway.fingerprint import Listed


@dataclass(frozen=True, slots=True)
class Step:
    """What accepting does to one tool; it loses its pin where the server lists it no more."""

    name: str
    was: str | None
    now: Listed | None
    found: tuple[Difference, ...]

    @property
    def digest(self) -> str:
        """What a script names that accepts it."""
        from gateway.drift import step_digest

        return step_digest(self.name, self.was, None if self.now is None else self.now.digest)


class Pinning:
    """One server's list, held against the pins of some policies."""

    def __init__(self, policies: Path | None, server: str, file: str, form: Format) -> None:
        from gateway.drift import differences, of_list, of_pins
        from gateway.drift.pinning import FILE

        self._folder = chosen_policies(policies)
        if not self._folder.is_dir():
            raise Failure(
                f"`{self._folder}` is no directory",
                f"pins stand in `{FILE}` beside the policy: put both into a directory of their own",
            )
        self._form = form
        self._server = server
        self._listing = file
        self._where = ["--server", server, *([] if policies is None else ["--policies", str(policies)])]
        self._file = self._folder / FILE
        self._was = self._content()  # before the policies are read, so that no change in between is missed
        sources = Sources(policies, server, form)
        self._declared = frozenset(sources.known)
        self._pins = self._of_this_file(sources)
        self._list = sources.listed(file)
        pins = of_pins(pin.tool for pin in self._pins.values())
        self._found = differences(pins, of_list(self._list, "the list"), known=sources.known)

    def _of_this_file(self, sources: Sources) -> dict[str, PinnedTool]:
        """The pins of the policies, which all have to stand in the file that is written."""
        from gateway.drift.pinning import Acceptance, PinnedTool

        policy = sources.policies.policy
        if self._server not in {server.name for server in policy.servers}:
            raise Failure(
                f"the policy declares no server `{self._server}`",
                f"add it: `servers: [{{name: {self._server}, tools: […], pinned: true}}]`",
            )
        if self._file.is_symlink():
            raise Failure(f"`{self._file}` is a link", "put the file itself there")
        for document in policy.documents:
            mine = Path(document.source.name) == self._file
            more = [key for key in document.data if key not in ("version", "pins")] if mine else []
            if more:
                raise Failure(
                    f"`{self._file}` holds `{more[0]}`", "it is for pins only: move the rest elsewhere"
                )
        found: dict[str, PinnedTool] = {}
        for pin in policy.pins:
            place = Path(pin.where.document.source.name)
            if place != self._file:
                raise Failure(f"the pin of `{pin.tool}` stands in `{place}`", f"move it to `{self._file}`")
            said = pin.accepted
            accepted = None if said is None else Acceptance(said.by, said.at, said.reason, said.was)
            found[pin.tool] = PinnedTool(pin.listed, accepted)
        return found

    def pin(self) -> bool:
        """Pin what is new; False, and nothing written, where somebody has to look at it first."""
        from gateway.drift import What
        from gateway.drift.pinning import PinnedTool

        wrong = [one for one in self._found if one.what not in (What.CAME, What.WENT)]
        if wrong and self._form is Format.JSON:
            say_json({"file": str(self._file), "pinned": [], "refused": list(map(difference_json, wrong))})
            return False
        if wrong:
            for line in lines_of(wrong):
                say(line)
            names = [*dict.fromkeys(one.tool for one in wrong if one.what is not What.REFUSED)]
            say("Nothing was pinned.")
            if names:
                say(f"To take {'it' if len(names) == 1 else 'them'}, with who accepts it and why:")
                say(
                    self._command(
                        "accept", *names, *self._where, "--list", self._listing, "--by", "", "--reason", ""
                    )
                )
            return False
        new = [tool for name, tool in self._list.tools.items() if name not in self._pins]
        if new:
            self._write({**self._pins, **{tool.name: PinnedTool(tool) for tool in new}})
        undeclared = [tool.name for tool in new if tool.name not in self._declared]
        if self._form is Format.JSON:
            pinned = [tool.name for tool in new]
            say_json({"file": str(self._file), "pinned": pinned, "undeclared": undeclared})
            return True
        say(f"{counted(len(new), 'tool')} pinned in {self._file}" if new else "nothing is new")
        if undeclared:
            say("These can't be called until the policy declares them under `tools`:")
            for name in undeclared:
                say(f"  {name}")
        return True

    @staticmethod
    def _command(*words: str) -> str:
        """A line of `gatewayctl tools` to paste."""
        import shlex

        from gateway.diagnostic import printable

        return printable(f"gatewayctl tools {shlex.join(words)}")

    def steps(self, names: Sequence[str]) -> tuple[Step, ...]:
        """What accepting some tools would do; a failure where there is nothing to accept."""
        start = f"{self._server}/"
        whole = dict.fromkeys(name if name.startswith(start) else start + name for name in names)
        return tuple(self._step(name) for name in whole)

    def _step(self, name: str) -> Step:
        pin, now = self._pins.get(name), self._list.tools.get(name)
        if name in self._list.refused:
            raise Failure(f"`{name}` can't be accepted: {self._list.refused[name]}")
        if pin is None and now is None:
            raise Failure(f"`{name}` is neither pinned nor listed")
        if pin is not None and now is not None and pin.tool.digest == now.digest:
            raise Failure(f"`{name}` is listed as it is pinned: there is nothing to accept")
        found = tuple(one for one in self._found if one.tool == name)
        return Step(name, None if pin is None else pin.tool.digest, now, found)

    def page(self, steps: Iterable[Step]) -> Iterator[str]:
        """All that whoever accepts must see; of a new tool everything that it says."""
        import json

        for step in steps:
            yield from lines_of(step.found)
            shown = step.now if step.now is not None else None
            if shown is not None:
                for key, value in (
                    ("title", shown.title),
                    ("description", shown.description),
                    ("input", shown.input),
                    ("output", shown.output),
                    ("annotations", shown.annotations),
                ):
                    if value is not None:
                        yield f"  {key}: {json.dumps(value, ensure_ascii=True)}"
            yield f"  digest of this change: {step.digest}"

    def check(self, steps: Sequence[Step], digests: Sequence[str]) -> None:
        """A failure unless the digests name just these steps."""
        named = set(digests)
        missing = [step for step in steps if step.digest not in named]
        if missing:
            names = ", ".join(f"`{step.name}`" for step in missing)
            look = self._command("diff", "pins", f"list:{self._listing}", *self._where)
            raise Failure(
                f"no digest that is given is that of the change of {names}",
                f"look at what changed: `{look}` prints the digests",
            )
        if len(named) != len(steps):
            raise Failure("a digest is given that is of no change of these tools")

    def accept(self, steps: Sequence[Step], by: str, reason: str) -> None:
        """Write the pins as they are after these steps."""
        from gateway.drift.pinning import Acceptance, PinnedTool

        pins = dict(self._pins)
        today = datetime.now(UTC).date()
        for step in steps:
            if step.now is None:
                del pins[step.name]
            else:
                pins[step.name] = PinnedTool(step.now, Acceptance(by, today, reason, step.was))
        self._write(pins)
        if self._form is Format.JSON:
            say_json({"file": str(self._file), "accepted": [step.name for step in steps]})
        else:
            for step in steps:
                done = "is no longer pinned" if step.now is None else "is pinned as it is listed"
                say(f"`{step.name}` {done}.")

    def _content(self) -> bytes | None:
        try:
            return self._file.read_bytes()
        except FileNotFoundError:
            return None
        except OSError as error:
            why = (error.strerror or "unknown reason").lower()
            raise Failure(f"`{self._file}` can't be read: {why}") from None

    @contextmanager
    def _alone(self) -> Iterator[None]:
        """While nobody else writes pins here; a failure where the file is no longer what was looked at."""
        import fcntl
        import os

        try:
            folder = os.open(self._folder, os.O_RDONLY | os.O_CLOEXEC)
        except OSError as error:
            why = (error.strerror or "unknown reason").lower()
            raise Failure(f"`{self._folder}` can't be opened: {why}") from None
        try:
            try:
                fcntl.flock(folder, fcntl.LOCK_EX)
            except OSError as error:
                why = (error.strerror or "unknown reason").lower()
                raise Failure(f"`{self._folder}` can't be locked: {why}") from None
            if self._content() != self._was:
                raise Failure(
                    f"`{self._file}` was changed meanwhile, so nothing was written",
                    "run the command again: it shows what differs from the pins as they are now",
                )
            yield
        finally:
            os.close(folder)

    def _write(self, pins: Mapping[str, PinnedTool]) -> None:
        """Write the file, if it is still as it was read, and the policies can be used with it and say the same pins."""
        with self._alone():
            self._replace(pins)

    def _replace(self, pins: Mapping[str, PinnedTool]) -> None:
        import os

        from gateway.diagnostic import PolicyError
        from gateway.drift.pinning import pins_text
        from gateway.files import PolicyFile, PolicyFiles
        from gateway.sources import sources_of

        content = pins_text(pins.values()).encode()
        sources = sources_of(str(self._folder))
        read = sources.read()
        (layer,) = read.layers
        file = PolicyFile(self._file.name, str(self._file), content)
        others = tuple(each for each in layer if each.name != file.name)
        try:
            made = sources.assembled(PolicyFiles(((*others, file),), read.problems))
        except PolicyError as error:
            refuse_policies(error, self._form)
        if {pin.tool: pin.digest for pin in made.policy.pins} != {
            name: pin.tool.digest for name, pin in pins.items()
        }:
            raise Failure("the pins can't be written so that they are read again as they are")
        # Policies that are read meanwhile find the file as it was, or as it is.
        beside = self._file.with_name(f"{self._file.name}.{os.getpid()}.new")
        try:
            beside.write_bytes(content)
            beside.replace(self._file)
        except OSError as error:
            beside.unlink(missing_ok=True)
            why = (error.strerror or "unknown reason").lower()
            raise Failure(f"`{self._file}` can't be written: {why}") from None
