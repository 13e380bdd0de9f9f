"""A real `gatewayctl lsp`, spoken to as an editor does: JSON-RPC messages on its stdin and stdout."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from queue import Empty, Queue
from threading import Thread
from typing import Any

PATIENCE = 60
"""After how many seconds a test gives up; nothing depends on how long an answer really takes."""
Message = dict[str, Any]
_WATCHES = {"didChangeWatchedFiles": {"dynamicRegistration": True}}
Position = dict[str, int]


class Editor:
    """What an editor knows and does; `shown` holds the findings that it shows, by file."""

    def __init__(
        self,
        *options: str,
        encodings: list[str] | None = None,
        folder: Path | None = None,
        program: str | None = None,
    ) -> None:
        started = ["-m", "gatewayctl", "lsp", *options] if program is None else ["-c", program]
        self.process = subprocess.Popen(
            [sys.executable, *started],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
        )
        self.shown: dict[str, list[Message]] = {}
        self.told: list[str] = []
        self.texts: dict[Path, str] = {}
        self._received: Queue[Message | None] = Queue()
        self._answers: dict[int, Message] = {}
        self._number = 0
        self._reading = Thread(target=self._receive, daemon=True)
        self._reading.start()
        general = {} if encodings is None else {"positionEncodings": encodings}
        folders = [] if folder is None else [{"uri": folder.as_uri(), "name": folder.name}]
        self.initialized = self.ask(
            "initialize",
            {
                "processId": None,
                "rootUri": None,
                "capabilities": {"general": general, "workspace": _WATCHES},
                "workspaceFolders": folders,
            },
        )
        self.tell("initialized", {})

    def __enter__(self) -> Editor:
        return self

    def __exit__(self, *error: object) -> None:
        if self.process.poll() is None:
            self.process.kill()
            self.process.wait(PATIENCE)
        self._reading.join(PATIENCE)
        for stream in (self.process.stdin, self.process.stdout):
            assert stream is not None
            with suppress(BrokenPipeError):
                stream.close()

    def ask(self, method: str, params: Any) -> Any:
        """The answer to a question; what is said in between is kept."""
        return self.answer(self.begin(method, params))

    def begin(self, method: str, params: Any) -> int:
        """Ask without waiting for the answer; the number of the question."""
        self._number += 1
        self._send({"id": self._number, "method": method, "params": params})
        return self._number

    def answer(self, number: int) -> Any:
        """The answer to the question of a number; errors come as they are."""
        while number not in self._answers:
            message = self._next()
            if "method" not in message:
                self._answers[message["id"]] = message
        message = self._answers.pop(number)
        return message["result"] if "error" not in message else message

    def tell(self, method: str, params: Any) -> None:
        """Say something that has no answer."""
        self._send({"method": method, "params": params})

    def open(self, path: Path, text: str) -> list[Message]:
        """Open a text, and what is found in it."""
        self.texts[path] = text
        item = {"uri": path.as_uri(), "languageId": "yaml", "version": 1, "text": text}
        self.tell("textDocument/didOpen", {"textDocument": item})
        return self.findings(path)

    def type(self, path: Path, text: str) -> list[Message]:
        """Change a text without saving it, and what is found in it."""
        self.texts[path] = text
        identifier = {"uri": path.as_uri(), "version": 2}
        self.tell("textDocument/didChange", {"textDocument": identifier, "contentChanges": [{"text": text}]})
        return self.findings(path)

    def close(self, path: Path) -> None:
        """Close a file."""
        self.tell("textDocument/didClose", {"textDocument": {"uri": path.as_uri()}})

    def findings(self, path: Path) -> list[Message]:
        """What is found next in a file."""
        self.shown.pop(path.as_uri(), None)
        return self.until(path, lambda found: True)

    def until(self, path: Path, fits: Callable[[list[Message]], bool]) -> list[Message]:
        """What is found in a file, as soon as it is of a kind."""
        while path.as_uri() not in self.shown or not fits(self.shown[path.as_uri()]):
            self._next()
        return self.shown[path.as_uri()]

    def at(self, method: str, path: Path, position: Position, **more: Any) -> Any:
        """The answer to a question about a place."""
        return self.ask(
            f"textDocument/{method}",
            {"textDocument": {"uri": path.as_uri()}, "position": position, **more},
        )

    def end(self) -> int:
        """End it as editors do; the exit code."""
        self.ask("shutdown", None)
        self.tell("exit", None)
        return self.process.wait(PATIENCE)

    def _send(self, message: Message) -> None:
        assert self.process.stdin is not None
        body = json.dumps({"jsonrpc": "2.0", **message}).encode()
        self.process.stdin.write(b"Content-Length: %d\r\n\r\n" % len(body) + body)
        self.process.stdin.flush()

    def _next(self) -> Message:
        try:
            message = self._received.get(timeout=PATIENCE)
        except Empty:
            raise AssertionError("the server says nothing") from None
        assert message is not None, "the server has ended"
        if "method" in message:
            self.told.append(message["method"])
            if "id" in message:
                self._send({"id": message["id"], "result": None})
        if message.get("method") == "textDocument/publishDiagnostics":
            self.shown[message["params"]["uri"]] = message["params"]["diagnostics"]
        return message

    def _receive(self) -> None:
        """Messages as they come; anything else on stdout ends the conversation."""
        stream = self.process.stdout
        assert stream is not None
        while (head := stream.readline()).startswith(b"Content-Length: "):
            length = int(head.removeprefix(b"Content-Length: "))
            while stream.readline().strip():
                pass
            self._received.put(json.loads(stream.read(length)))
        self._received.put(None)


def pointed(text: str, mark: str = "^") -> tuple[str, Position]:
    """A text without its mark, and the position where that stood, in UTF-16."""
    at = text.index(mark)
    return text[:at] + text[at + len(mark) :], position(text, at)


def position(text: str, at: int) -> Position:
    """The position of an offset, in UTF-16, counted here once more."""
    line = text[text.rfind("\n", 0, at) + 1 : at]
    return {"line": text.count("\n", 0, at), "character": len(line.encode("utf-16-le")) // 2}


def covered(text: str, place: Message) -> str:
    """The characters that a range covers, counted in UTF-16."""
    ends = []
    for end in ("start", "end"):
        lines = text.split("\n")
        line = lines[place[end]["line"]].encode("utf-16-le")
        before = sum(len(each) + 1 for each in lines[: place[end]["line"]])
        ends.append(before + len(line[: 2 * place[end]["character"]].decode("utf-16-le")))
    return text[ends[0] : ends[1]]
