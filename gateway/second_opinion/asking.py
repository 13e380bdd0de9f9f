"""Asks another process, and waits only so long for each answer and for all of them."""

from __future__ import annotations

import json
import os
import selectors
import subprocess
import sys
from collections.abc import Mapping
from time import monotonic
from types import TracebackType

from gateway.second_opinion.answer import Answer

PATIENCE = 2.0
"""Seconds for one answer."""
WHOLE_PATIENCE = 120.0
"""Seconds for all answers."""
_START = 30.0
_MOST = 16 * 1024 * 1024
_MOST_RESTARTS = 10


class Unusable(Exception):
    """There is nobody to ask."""


class Asking:
    """Somebody who is asked; one who is silent for too long is replaced before the next question."""

    def __init__(
        self,
        module: str = "gateway.second_opinion.celpython",
        patience: float = PATIENCE,
        whole: float = WHOLE_PATIENCE,
    ) -> None:
        self._module = module
        self._patience = patience
        self._until = monotonic() + whole
        self._process: subprocess.Popen[bytes] | None = None
        self._known: dict[str, Answer] = {}
        self._rest = b""
        self._restarts = 0

    def __enter__(self) -> Asking:
        self._start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._stop()

    def ask(self, text: str, variables: Mapping[str, Answer]) -> Answer:
        """The answer about an expression: a value, `error`, `unread`, `silent`, or `late` once the time is up."""
        question = json.dumps([text, variables], sort_keys=True)
        known = self._known.get(question)
        if known is None:
            known = self._known[question] = self._asked(question)
        return known

    def _asked(self, question: str) -> Answer:
        left = self._until - monotonic()
        if left <= 0 or self._restarts > _MOST_RESTARTS:
            return ["late"]
        if self._process is None:
            self._restarts += 1
            self._start()
        self._write(question)
        answer = self._line(min(self._patience, left))
        if answer is None:
            self._stop()
            return ["silent"]
        return answer

    def _start(self) -> None:
        # -P keeps Python from importing what lies in the working directory.
        command = [sys.executable, "-P", "-m", self._module]
        self._process = subprocess.Popen(  # noqa: S603 - our own module
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL
        )
        self._rest = b""
        answer = self._line(_START)
        if answer != ["ready"]:
            self._stop()
            raise Unusable("it does not start" if answer is None else str(answer[-1]))

    def _stop(self) -> None:
        process, self._process = self._process, None
        if process is not None:
            process.kill()
            process.communicate()

    def _write(self, question: str) -> None:
        process = self._process
        if process is not None and process.stdin is not None:
            try:
                process.stdin.write(question.encode() + b"\n")
                process.stdin.flush()
            except BrokenPipeError:
                pass  # then there is no answer either

    def _line(self, seconds: float) -> Answer | None:
        """The next line that is said within a time; None if there is none."""
        process = self._process
        if process is None or process.stdout is None:
            return None
        until = monotonic() + seconds
        with selectors.DefaultSelector() as selector:
            selector.register(process.stdout, selectors.EVENT_READ)
            while b"\n" not in self._rest:
                left = until - monotonic()
                if left <= 0 or len(self._rest) > _MOST or not selector.select(left):
                    return None
                piece = os.read(process.stdout.fileno(), 65536)
                if not piece:
                    return None
                self._rest += piece
        line, _, self._rest = self._rest.partition(b"\n")
        try:
            answer: Answer = json.loads(line)
        except ValueError:  # something else was printed there
            return None
        return answer
