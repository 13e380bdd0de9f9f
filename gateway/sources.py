"""Where policies are read from, and what comes of them: the way from files to an engine."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from gateway.diagnostic import Diagnostic, PolicyError
from gateway.files import read_files
from gateway.frozen import frozen

if TYPE_CHECKING:
    from gateway.cache import Cache
    from gateway.compile import Compiled
    from gateway.engine import Engine
    from gateway.files import PolicyFiles
    from gateway.form import Form
    from gateway.inspect.guard import Guard
    from gateway.policy import Policy


@frozen
class Assembled:
    """A policy as written, and compiled."""

    policy: Policy
    compiled: Compiled


@frozen
class Sources:
    """The policies that are trusted most, and lower layers that may only make them stricter."""

    policies: Path
    lower: tuple[Path, ...] = ()
    guarded: tuple[Path, ...] = ()
    """What else no agent may change, such as the audit file."""
    private: tuple[str, ...] = ()
    """What no agent may even read: the files of the store."""

    def read(self) -> PolicyFiles:
        """The bytes of every file that belongs to them."""
        return read_files(self.policies, lower=self.lower)

    def assemble(self) -> Assembled:
        """Everything that is written there now, whole or not at all (`PolicyError`)."""
        return self.assembled(self.read())

    def assembled(self, read: PolicyFiles) -> Assembled:
        """What was read of them, whole or not at all."""
        from gateway.load import policy_of

        policy = policy_of(read)
        return Assembled(policy, self._compiled(policy))

    def extended(self, read: PolicyFiles, tools: str) -> Engine:
        """The engine of what was read of them, with the tools that a text declares besides."""
        from gateway.load import load_text, policy_of

        policy = policy_of(read)
        more = load_text(tools, "custom tools").tools
        return self._compiled(replace(policy, tools=(*policy.tools, *more))).engine

    def _compiled(self, policy: Policy) -> Compiled:
        from gateway.compile import compile_policy
        from gateway.guarded import guard_for

        return compile_policy(policy, guard_for(*self._protected, private=self.private))

    def kept(self, read: PolicyFiles, cache: Cache) -> Form | None:
        """The form of what was read that a cache holds."""
        from gateway.guarded import guarded_paths

        if read.problems:
            return None
        # The guard is that of the moment: what else is guarded depends on more than the policies.
        paths = guarded_paths(*self._protected, private=self.private)

        def guard() -> Guard:
            from gateway.inspect.guard import Guard

            return Guard(*paths)

        return cache.form(read, guard)

    @property
    def _protected(self) -> tuple[Path, ...]:
        return (self.policies, *self.lower, *self.guarded)


def sources_of(
    policies: str, *lower: str | None, audit: str | None = None, private: tuple[str, ...] = ()
) -> Sources:
    """The sources at some paths; a lower layer, or an audit file, that is None is not there."""
    layers = tuple(path_of(layer) for layer in lower if layer is not None)
    return Sources(path_of(policies), layers, () if audit is None else (path_of(audit),), private)


def path_of(text: str) -> Path:
    """The path that a text names, or a `PolicyError` where it names none."""
    if not text or "\0" in text:
        what = "is empty" if not text else "holds a NUL character"
        raise PolicyError([Diagnostic("no-path", f"a path {what}", help="name a file or a directory")])
    return Path(text)
