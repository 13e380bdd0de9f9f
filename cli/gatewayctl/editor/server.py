"""The server: what an editor says of its texts, and which module answers what it asks."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from contextlib import suppress
from importlib.metadata import version
from pathlib import Path
from typing import BinaryIO, NoReturn, Protocol, TypeVar

from lsprotocol import types as lsp
from pygls.lsp.server import LanguageServer

from gatewayctl.editor.actions import actions
from gatewayctl.editor.checking import Checking
from gatewayctl.editor.completion import TRIGGERS, completions
from gatewayctl.editor.definition import definitions, references
from gatewayctl.editor.hover import hovered
from gatewayctl.editor.policies import Policies
from gatewayctl.editor.positions import Positions, path_of
from gatewayctl.editor.symbols import symbols
from gatewayctl.editor.threads import in_thread

_T = TypeVar("_T")
_QUIET = 0.25
"""How many seconds nobody has to type before a policy is looked at again."""

_WATCHED = lsp.Registration(
    "policies",
    lsp.WORKSPACE_DID_CHANGE_WATCHED_FILES,
    lsp.DidChangeWatchedFilesRegistrationOptions([lsp.FileSystemWatcher("**/*.{yaml,yml}")]),
)
"""Of which files on the disk the editor is asked to tell when they change."""


class _Placed(Protocol):
    """What all questions about a place of a text have."""

    text_document: lsp.TextDocumentIdentifier
    position: lsp.Position


def serve(chosen: Path | None) -> NoReturn:
    """Answer on stdin and stdout until the editor ends it or goes away, which ends the process at once.

    A check may still run in a thread then. Python can't stop one, and to wind up beside it can end in a crash: so what
    was said is flushed, and no more is done.
    """
    stream = _stdout_alone()
    server = _server(chosen)
    asked: list[None] = []

    @server.feature(lsp.SHUTDOWN)
    def _shut_down(params: None) -> None:
        asked.append(params)

    with suppress(SystemExit):  # so pygls leaves when it is told to exit
        server.start_io(sys.stdin.buffer, stream)
    with suppress(OSError, ValueError):  # nobody reads it any more
        stream.flush()
    sys.stderr.flush()
    os._exit(0 if asked else 1)


def _stdout_alone() -> BinaryIO:
    """The real stdout; whatever else is printed goes to stderr, and into no message."""
    stream = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)
    return stream


def _server(chosen: Path | None) -> LanguageServer:
    server = LanguageServer(
        "gatewayctl", version("gatewayctl"), text_document_sync_kind=lsp.TextDocumentSyncKind.Full
    )
    policies = Policies(chosen)
    checking = Checking(server, policies)
    _follow(server, policies, checking)
    _answer(server, policies, checking)
    return server


def _follow(server: LanguageServer, policies: Policies, checking: Checking) -> None:
    """Keep the texts that the editor holds, and look at a policy when one of its texts changes."""

    @server.feature(lsp.INITIALIZE)
    def _initialize(params: lsp.InitializeParams) -> None:
        found = [path_of(folder.uri) for folder in params.workspace_folders or ()]
        if not found and params.root_uri is not None:
            found = [path_of(params.root_uri)]
        policies.folders = [folder for folder in found if folder is not None]

    @server.feature(lsp.INITIALIZED)
    def _watch(params: lsp.InitializedParams) -> None:
        workspace = server.client_capabilities.workspace
        watched = None if workspace is None else workspace.did_change_watched_files
        if watched is not None and watched.dynamic_registration:
            server.client_register_capability(lsp.RegistrationParams([_WATCHED]))

    @server.feature(lsp.TEXT_DOCUMENT_DID_OPEN)
    def _opened(params: lsp.DidOpenTextDocumentParams) -> None:
        path = path_of(params.text_document.uri)
        if path is not None:
            policies.open[path] = params.text_document.text
            checking.uris[path] = params.text_document.uri
            checking.ask(path)

    @server.feature(lsp.TEXT_DOCUMENT_DID_CHANGE)
    def _changed(params: lsp.DidChangeTextDocumentParams) -> None:
        path = path_of(params.text_document.uri)
        if path is not None and params.content_changes:
            policies.open[path] = params.content_changes[-1].text
            checking.ask(path, _QUIET)

    @server.feature(lsp.TEXT_DOCUMENT_DID_SAVE)
    def _saved(params: lsp.DidSaveTextDocumentParams) -> None:
        path = path_of(params.text_document.uri)
        if path is not None:
            checking.ask(path)

    @server.feature(lsp.TEXT_DOCUMENT_DID_CLOSE)
    def _closed(params: lsp.DidCloseTextDocumentParams) -> None:
        path = path_of(params.text_document.uri)
        if path is not None:
            checking.forget(path)

    @server.feature(lsp.WORKSPACE_DID_CHANGE_WATCHED_FILES)
    def _changed_outside(params: lsp.DidChangeWatchedFilesParams) -> None:
        for path in list(policies.open):
            checking.ask(path, _QUIET)


def _answer(server: LanguageServer, policies: Policies, checking: Checking) -> None:
    """Answer questions, each in a thread of its own on the texts as they are, so that it can be called off."""

    async def answered(params: _Placed, answer: Callable[[Policies, Path, int, str], _T]) -> _T | None:
        path = path_of(params.text_document.uri)
        if path is None or path not in policies.open:
            return None
        encoding = checking.encoding
        offset = Positions(policies.open[path], encoding).offset(params.position)
        return await in_thread(answer, policies.copy(), path, offset, encoding)

    @server.feature(lsp.TEXT_DOCUMENT_COMPLETION, lsp.CompletionOptions(trigger_characters=list(TRIGGERS)))
    async def _complete(params: lsp.CompletionParams) -> lsp.CompletionList | None:
        return await answered(params, completions)

    @server.feature(lsp.TEXT_DOCUMENT_HOVER)
    async def _hover(params: lsp.HoverParams) -> lsp.Hover | None:
        def answer(texts: Policies, path: Path, offset: int, encoding: str) -> lsp.Hover | None:
            return hovered(texts, path, offset, encoding, checking.found(path))

        return await answered(params, answer)

    @server.feature(lsp.TEXT_DOCUMENT_DEFINITION)
    async def _define(params: lsp.DefinitionParams) -> list[lsp.Location] | None:
        return await answered(params, definitions)

    @server.feature(lsp.TEXT_DOCUMENT_REFERENCES)
    async def _refer(params: lsp.ReferenceParams) -> list[lsp.Location] | None:
        return await answered(params, references)

    @server.feature(lsp.TEXT_DOCUMENT_DOCUMENT_SYMBOL)
    async def _symbols(params: lsp.DocumentSymbolParams) -> list[lsp.DocumentSymbol] | None:
        path = path_of(params.text_document.uri)
        if path is None:
            return None
        return await in_thread(symbols, policies.copy(), path, checking.encoding)

    @server.feature(
        lsp.TEXT_DOCUMENT_CODE_ACTION, lsp.CodeActionOptions(code_action_kinds=[lsp.CodeActionKind.QuickFix])
    )
    def _act(params: lsp.CodeActionParams) -> list[lsp.CodeAction] | None:
        path = path_of(params.text_document.uri)
        if path is None:
            return None
        found = checking.found(path)
        own = () if found is None else found.by_file.get(path, ())
        return actions(policies, path, own, params.range, checking.encoding)
