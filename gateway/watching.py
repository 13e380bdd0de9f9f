"""Reloads a gateway whenever its files change."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from logging import getLogger
from pathlib import Path
from threading import Event, Lock, Thread
from time import monotonic
from typing import TYPE_CHECKING, Any

from gateway.diagnostic import Diagnostic, PolicyError
from gateway.failing import described
from gateway.frozen import frozen
from gateway.reloading import OnRelaxation

if TYPE_CHECKING:
    from gateway.relaxation import Change
    from gateway.sources import Sources

_SETTLED = 200
"""Milliseconds in which changes belong together."""
_LOOK = 2_000
"""Milliseconds after which the files are looked at even if nothing told of a change, as some file systems do not."""
_RETRY = 1.0
_LONGEST_RETRY = 60.0
"""Seconds after which a reload that failed for a moment is tried again: each time twice as many, up to the longest."""
_OF_THE_MOMENT = frozenset({"reload-unrecorded", "audit-unwritable"})
"""What refuses a reload though nothing is wrong with the files."""
_JOIN = 10.0


@frozen
class Reloaded:
    """A reload: from which policy to which, by their digests; refused, and `after` empty, if there is an error."""

    before: str
    after: str
    changes: tuple[Change, ...] = ()
    error: Exception | None = None


class Watching:
    """Watches the files of a gateway until it is closed; what can't be served is told once, and never served.

    What could not be served for a moment only is tried again.
    """

    def __init__(
        self,
        gateway: Any,
        sources: Sources,
        told: Callable[[Reloaded], None] | None,
        on_relaxation: OnRelaxation,
    ) -> None:
        try:
            import watchfiles
        except ImportError as error:
            needed = f"watching needs watchfiles ({error})"
            raise PolicyError(
                [Diagnostic("no-watching", needed, help="pip install 'gatewayctl[watch]'")]
            ) from None
        self._watch = watchfiles.watch
        self._gateway = gateway
        self._sources = sources
        self._told = told
        self._how = on_relaxation
        self._looking = Lock()
        self._tried = gateway.manifest.digest
        self._failed = "", ""
        """The digest of files that failed for a moment and are tried again, and what was told of that."""
        self._pause = self._again = 0.0
        self._stop = Event()
        self._threads = [
            Thread(target=self._run, args=(path,), name="gateway-reload", daemon=True)
            for path in (sources.policies, *sources.lower)
        ]
        for thread in self._threads:
            thread.start()

    def close(self) -> None:
        """Watch no more; a reload that has begun ends first."""
        self._stop.set()
        for thread in self._threads:
            thread.join(_JOIN)

    def __enter__(self) -> Watching:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _run(self, path: Path) -> None:
        while not self._stop.is_set():
            try:
                for _ in self._changes(path):
                    self._look()
            except Exception as error:  # the edge to the file system: what can't be watched is looked at
                getLogger("gateway").warning("`%s` can't be watched: %s", path, error)
            self._look()
            self._stop.wait(_RETRY)

    def _changes(self, path: Path) -> Iterator[object]:
        """Something whenever anything near a path changed, and now and then without."""
        is_folder = path.is_dir()
        return self._watch(
            path if is_folder else path.parent,
            watch_filter=None,
            debounce=_SETTLED,
            step=50,
            stop_event=self._stop,
            rust_timeout=_LOOK,
            yield_on_timeout=True,
            recursive=is_folder,
            raise_interrupt=False,
        )

    def _look(self) -> None:
        """Reload if the files are others than those that were tried last."""
        with self._looking:
            if self._stop.is_set():
                return
            digest = self._digest()
            if digest in (self._tried, self._gateway.manifest.digest):
                self._tried, self._failed, self._pause = digest, ("", ""), 0.0
                return
            if digest == self._failed[0] and monotonic() < self._again:
                return
            made = self._reloaded()
            if made.error is None or _of_the_files(made.error):
                self._tried, self._failed, self._pause = digest, ("", ""), 0.0
                self._say(made)
                return
            before, self._failed = self._failed, (digest, _words(made.error))
            self._pause = min(max(_RETRY, 2 * self._pause), _LONGEST_RETRY)
            self._again = monotonic() + self._pause
            if self._failed != before:
                self._say(made)

    def _digest(self) -> str:
        try:
            read = self._sources.read()
        except OSError as error:
            return f"unreadable: {error}"
        return f"{read.digest} {read.problems}" if read.problems else read.digest

    def _reloaded(self) -> Reloaded:
        before = self._gateway.manifest.digest
        try:
            found = self._gateway.reload(on_relaxation=self._how)
        except Exception as error:  # the edge: whatever is wrong with the files, those before stay in force
            return Reloaded(before, "", error=error)
        return Reloaded(before, self._gateway.manifest.digest, found)

    def _say(self, reloaded: Reloaded) -> None:
        if reloaded.error is not None:
            getLogger("gateway").warning("the policies before stay in force: %s", _words(reloaded.error))
        if self._told is None:
            return
        try:
            self._told(reloaded)
        except BaseException:  # the edge to the host: whatever it raises must not end the watching
            getLogger("gateway").exception("what is told of a reload failed")


def _of_the_files(error: Exception) -> bool:
    """Whether what refuses a reload is in the files, so that they are not tried again as they are."""
    return isinstance(error, PolicyError) and not any(one.code in _OF_THE_MOMENT for one in error.diagnostics)


def _words(error: Exception) -> str:
    return error.diagnostics[0].message if isinstance(error, PolicyError) else described(error)
