"""Which policy a gateway serves: that of its files, for some tenants with what the store keeps for them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from threading import Lock
from typing import TYPE_CHECKING, Any

from gateway.diagnostic import Diagnostic, PolicyError
from gateway.facts import Clock
from gateway.reloading import Confirmed, OnRelaxation, check_step, step_digest
from gateway.serving import Files, Manifest, Serving

if TYPE_CHECKING:
    from gateway.drift import Status
    from gateway.effective import EffectiveTool
    from gateway.engine import Engine
    from gateway.managing.tenants import Tenants
    from gateway.recording import DecisionLog
    from gateway.relaxation import Change
    from gateway.watching import Reloaded, Watching


class Served:
    """What a gateway decides by, and how that changes while it runs."""

    _serving: Serving
    _files: Files | None
    _tenants: Tenants | None
    _reloading: Lock
    _clock: Clock
    _log: DecisionLog | None
    _listed: Mapping[str, Mapping[str, str]]

    @property
    def manifest(self) -> Manifest:
        """What is loaded."""
        return self._serving.manifest

    def reload(
        self, *, on_relaxation: OnRelaxation = OnRelaxation.REFUSE, confirmed: Confirmed | None = None
    ) -> tuple[Change, ...]:
        """Read the policies again and serve them, all or nothing; what differs from those before.

        `PolicyError` where they can't be used, or where something relaxes or can't be judged, unless `on_relaxation`
        lets that pass or somebody `confirmed` just this step: then the policies before stay in force. A call that was
        decided is reviewed under the policy that decided it.
        """
        from gateway.diff import RELOAD_TRIES, changes, compare, confirmed_in
        from gateway.recording import reloading

        if self._files is None:
            raise PolicyError([Diagnostic("no-files", "this gateway was not loaded from files")])
        with self._reloading, reloading(self._log, self.manifest.digest) as serve:
            before = self._files.assembled
            read = self._files.sources.read()
            after = self._files.sources.assembled(read)
            found = changes(before, after)
            step = step_digest(before.policy.digest, after.policy.digest)
            in_policy, now = confirmed_in(before, after), self._clock()
            needed = check_step(
                found,
                in_policy,
                on_relaxation,
                confirmed,
                step,
                lambda: compare(before, after, now, RELOAD_TRIES).calls,
            )
            form = after.compiled.form
            manifest = Manifest(path=self.manifest.path, **form.summary)
            extend = partial(self._files.sources.extended, read)
            serving = self._serving.followed_by(form.engine, manifest, self._clock, extend)
            serve(manifest.digest, found, confirmed if needed else None)
            # The last that may fail: nothing takes a row back, and a record that says too much is followed by another.
            self._files.audited(form, self._clock())
            self._serving = serving
            self._files.assembled = after
        return found

    def watch(
        self,
        told: Callable[[Reloaded], None] | None = None,
        *,
        on_relaxation: OnRelaxation = OnRelaxation.REFUSE,
    ) -> Watching:
        """Reload whenever the policies' files change, until what is returned is closed; needs the extra `watch`.

        `told` is called with each reload, also with one that was refused, on the thread that watches; Python's
        `logging` is told of refusals as well.
        """
        from gateway.watching import Watching

        if self._files is None:
            raise PolicyError([Diagnostic("no-files", "this gateway was not loaded from files")])
        return Watching(self, self._files.sources, told, on_relaxation)

    def listed(self, server: str, answer: bytes | str | Mapping[str, Any]) -> Mapping[str, Status]:
        """Take note of what a server answers to MCP's `tools/list`, and tell what its pins say of each of its tools.

        Tools of a server that is `pinned` can be called from then on if they are listed as they were accepted. A list
        that can't be used raises `PolicyError`, and lets none of them be called.
        """
        from gateway.drift import compare, read_list

        with self._reloading:
            digests: Mapping[str, str] = {}
            try:
                found = read_list(answer, server)
                digests = found.digests
            finally:  # what was listed before counts until then
                self._listed = {**self._listed, server: digests}
        return compare(self._serving.engine, found)

    def effective(self, tenant: str) -> tuple[EffectiveTool, ...]:
        """Each tool as it is declared, and as it is in effect for a tenant."""
        return self._engine(tenant).catalogue.beside(tenant, self._clock())

    def _engine(self, tenant: str | None) -> Engine:
        """What decides for a tenant; raises `Unavailable` where the store can't tell what is overridden."""
        return self._serving.engine if self._tenants is None else self._tenants.engine(self._serving, tenant)

    def _reviewing(self, digest: str) -> Engine | None:
        """What decided under the policy of a digest."""
        known = self._serving.reviewing(digest)
        return known if known is not None or self._tenants is None else self._tenants.reviewing(digest)
