"""When a policy is looked at: once nobody types any more, one at a time, and what is out of date is not told."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from pathlib import Path

from lsprotocol import types as lsp
from pygls.lsp.server import LanguageServer

from gatewayctl.editor.findings import Findings, find, shown
from gatewayctl.editor.policies import Policies
from gatewayctl.editor.positions import uri_of
from gatewayctl.editor.threads import in_thread

_PATIENCE = 10.0
"""After how many seconds a check holds up no other, and is given up once there is a newer text."""


class Checking:
    """The findings of each policy of which a file is open, told to the editor when they change."""

    def __init__(self, server: LanguageServer, policies: Policies) -> None:
        self.uris: dict[Path, str] = {}
        """How the editor writes the addresses of the files that it opened."""
        self._server = server
        self._policies = policies
        self._due: dict[Path, float] = {}
        self._tasks: dict[Path, asyncio.Task[None]] = {}
        self._found: dict[Path, Findings] = {}
        self._turn = asyncio.Lock()

    @property
    def encoding(self) -> str:
        """How the editor counts characters."""
        encoding = self._server.workspace.position_encoding
        return str(getattr(encoding, "value", encoding))

    def ask(self, path: Path, wait: float = 0.0) -> None:
        """Look at the policy of a file in a while, or at once."""
        root = self._policies.root_of(path)
        if root is None:
            return
        loop = asyncio.get_running_loop()
        self._due[root] = loop.time() + wait
        if root not in self._tasks:
            self._tasks[root] = loop.create_task(self._look(root, path))

    def found(self, path: Path) -> Findings | None:
        """What was found last in the policy of a file."""
        root = self._policies.root_of(path)
        return None if root is None else self._found.get(root)

    def forget(self, path: Path) -> None:
        """A file was closed: what counts is on the disk again; of a policy without an open file nothing is told."""
        root = self._policies.root_of(path)
        self._policies.open.pop(path, None)
        if root is None:
            return
        beside = next((each for each in self._policies.open if self._policies.root_of(each) == root), None)
        if beside is not None:
            self.ask(beside)
            return
        task = self._tasks.pop(root, None)
        if task is not None:
            task.cancel()
        self._tell(root, Findings({}, None))

    async def _look(self, root: Path, path: Path) -> None:
        loop = asyncio.get_running_loop()
        try:
            while True:
                while (wait := self._due[root] - loop.time()) > 0:
                    await asyncio.sleep(wait)
                async with self._turn:
                    due = self._due[root]
                    files, tests = self._policies.files(root), self._policies.tests(root)
                    work = loop.create_task(in_thread(find, root, files, tests, path))
                    await asyncio.wait({work}, timeout=_PATIENCE)
                while not work.done() and self._due[root] == due:
                    await asyncio.wait({work}, timeout=_PATIENCE)
                if not work.done():
                    work.cancel()
                    continue
                found = await work
                if self._due[root] == due:
                    self._tell(root, found)
                    return
        except Exception as error:
            message = f"the policy could not be looked at ({type(error).__name__}: {error}); please report it"
            self._server.window_log_message(lsp.LogMessageParams(lsp.MessageType.Error, message))
        finally:
            if self._tasks.get(root) is asyncio.current_task():
                del self._tasks[root]

    def _tell(self, root: Path, found: Findings) -> None:
        """Tell what was found in each file, and of those that have gone that there is nothing."""
        before = self._found.pop(root, None)
        if found.by_file:
            # What a tool comes to is known from when the policy loaded last.
            good = found.loaded or (before.loaded if before is not None else None)
            self._found[root] = replace(found, loaded=good)
        for path in dict.fromkeys((*found.by_file, *(before.by_file if before is not None else ()))):
            own = shown(found.by_file.get(path, ()), path, self.encoding)
            if own or path in self._policies.open or (before is not None and before.by_file.get(path)):
                self._server.text_document_publish_diagnostics(
                    lsp.PublishDiagnosticsParams(self.uris.get(path) or uri_of(path), own)
                )
