"""What a gateway serves: the policy in force with its manifest, where it came from, and what it may change into."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from gateway.diagnostic import Diagnostic, PolicyError
from gateway.engine import Engine
from gateway.facts import Clock
from gateway.fastpath import FastPath
from gateway.frozen import frozen, slotted
from gateway.sources import Sources

if TYPE_CHECKING:
    from gateway.cache import Cache
    from gateway.files import PolicyFiles
    from gateway.form import Form
    from gateway.sources import Assembled


@frozen
class Manifest:
    """What is loaded, never a guess: `ready` is false while anything in `unready` stands."""

    path: str
    digest: str
    files: int
    tools: int
    agents: int
    rules: int
    packs: tuple[str, ...]
    patterns: int
    skipped: int
    ready: bool
    unready: tuple[Diagnostic, ...]
    not_in_force: tuple[Diagnostic, ...]
    without_rule: tuple[str, ...]
    posture: tuple[str, ...]
    unknown_tools: str
    """What a host answers about a tool that the catalogue lacks: ask, abstain or deny."""


@slotted
class Files:
    """Where a gateway's policies come from, where confirmed relaxations are recorded, and what was read last."""

    sources: Sources
    audit: Path | None
    _read: PolicyFiles | None = None
    _assembled: Assembled | None = None

    def form(self, cache: Cache | None) -> Form:
        """What is served of the files as they are now, from a cache where it holds exactly that."""
        read = self._read = self.sources.read()
        form = None if cache is None else self.sources.kept(read, cache)
        if form is not None:
            return form
        assembled = self._assembled = self.sources.assembled(read)
        if cache is not None:
            cache.keep(read, assembled.compiled)
        return assembled.compiled.form

    def extending(self) -> Extend:
        """What compiles the policies as they were read last with more tools."""
        return partial(self.sources.extended, self._read or self.sources.read())

    @property
    def assembled(self) -> Assembled:
        """What was read last, with the policies as they were written; of a cached form they are read only here."""
        if self._assembled is None:
            self._assembled = self.sources.assembled(self._read or self.sources.read())
        return self._assembled

    @assembled.setter
    def assembled(self, assembled: Assembled) -> None:
        self._assembled = assembled

    def audited(self, form: Form, now: datetime) -> None:
        """Record what is relaxed before it is served."""
        if form.relaxations:
            from gateway.audit import write_audit

            write_audit(self.audit, form.relaxations, form.engine.confirm_from, now)


_MOST_FORMER = 32
Extend = Callable[[str], Engine]
"""Gives the engine of the same policy with the tools that a text declares besides."""


@frozen
class Serving:
    """The engine that decides, and the last ones before it, which review what they decided; never changed."""

    engine: Engine
    manifest: Manifest
    fast: FastPath
    former: tuple[Engine, ...] = ()
    extend: Extend | None = None

    def extended(self, tools: str) -> Engine:
        """An engine of the same policy with the tools that a text declares besides; raises `PolicyError`."""
        if self.extend is None:
            raise PolicyError([Diagnostic("no-files", "this gateway was not loaded from files")])
        return self.extend(tools)

    def reviewing(self, digest: str) -> Engine | None:
        """The engine that decided under the policy of a digest, if it is still known."""
        return next((one for one in (self.engine, *self.former) if one.digest == digest), None)

    def followed_by(self, engine: Engine, manifest: Manifest, clock: Clock, extend: Extend) -> Serving:
        """The next engine, with this one and those before it that decided under other policies among the former."""
        former = [one for one in (self.engine, *self.former) if one.digest != engine.digest]
        return Serving(engine, manifest, FastPath(engine, clock), tuple(former[:_MOST_FORMER]), extend)
