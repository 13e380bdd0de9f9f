"""A model on loopback that follows a script, so that a real agent program can be watched without a network."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator, Mapping, Sequence
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

Step = Mapping[str, Any]
"""`{"tool": name, "input": {…}}`, or `{"text": "…"}`, which ends the turn."""


class FakeModel:
    """Answers requests of Anthropic's Messages interface; `seen` holds each request's messages."""

    def __init__(self, script: Sequence[Step]) -> None:
        self.script = script
        self.seen: list[list[Mapping[str, Any]]] = []
        handler = type("Handler", (_Handler,), {"model": self})
        self._server = ThreadingHTTPServer(("127.0.0.1", 0), handler)
        self._thread = threading.Thread(target=self._server.serve_forever, daemon=True)

    @property
    def url(self) -> str:
        """Where it listens."""
        return f"http://127.0.0.1:{self._server.server_address[1]}"

    def __enter__(self) -> FakeModel:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()

    def said_to_it(self) -> str:
        """Everything that the model was ever sent, as one text."""
        return json.dumps(self.seen, ensure_ascii=False)

    def results(self) -> list[str]:
        """What the last request shows of the tools' results, in order."""
        found: list[str] = []
        for message in self.seen[-1] if self.seen else ():
            for part in message["content"] if isinstance(message["content"], list) else ():
                if part.get("type") == "tool_result":
                    content = part["content"]
                    texts = (
                        content if isinstance(content, str) else "".join(x.get("text", "") for x in content)
                    )
                    found.append(texts)
        return found

    def step(self, messages: Sequence[Mapping[str, Any]]) -> Step:
        """The step that follows what was called so far, whatever is repeated."""
        called = sum(
            part.get("type") == "tool_use"
            for message in messages
            if message["role"] == "assistant" and isinstance(message["content"], list)
            for part in message["content"]
        )
        return self.script[called] if called < len(self.script) else {"text": "done"}


class _Handler(BaseHTTPRequestHandler):
    model: FakeModel

    def log_message(self, format: str, *args: object) -> None:
        """Say nothing."""

    def do_HEAD(self) -> None:
        self.send_response(200)
        self.send_header("content-length", "0")
        self.end_headers()

    def do_GET(self) -> None:
        self._send("application/json", b'{"data": []}')

    def do_POST(self) -> None:
        body = json.loads(self.rfile.read(int(self.headers.get("content-length") or 0)) or b"{}")
        if not self.path.startswith("/v1/messages") or "count_tokens" in self.path:
            self._send("application/json", b'{"input_tokens": 1}')
            return
        self.model.seen.append(body["messages"])
        step = self.model.step(body["messages"])
        if body.get("stream"):
            lines = (f"event: {event['type']}\ndata: {json.dumps(event)}\n\n" for event in _events(step))
            self._send("text/event-stream", "".join(lines).encode())
        else:
            self._send("application/json", json.dumps(_message(step, [_block(step)])).encode())

    def _send(self, kind: str, data: bytes) -> None:
        self.send_response(200)
        self.send_header("content-type", kind)
        self.send_header("content-length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)


def _block(step: Step) -> dict[str, Any]:
    if "tool" in step:
        return {"type": "tool_use", "id": f"toolu_{id(step)}", "name": step["tool"], "input": step["input"]}
    return {"type": "text", "text": step["text"]}


def _message(step: Step, content: list[dict[str, Any]]) -> dict[str, Any]:
    return {
        "id": "msg_1",
        "type": "message",
        "role": "assistant",
        "model": "fake",
        "content": content,
        "stop_reason": ("tool_use" if "tool" in step else "end_turn") if content else None,
        "stop_sequence": None,
        "usage": {"input_tokens": 1, "output_tokens": 1},
    }


def _events(step: Step) -> Iterator[dict[str, Any]]:
    block = _block(step)
    yield {"type": "message_start", "message": _message(step, [])}
    if block["type"] == "text":
        yield {"type": "content_block_start", "index": 0, "content_block": {**block, "text": ""}}
        delta = {"type": "text_delta", "text": block["text"]}
    else:
        yield {"type": "content_block_start", "index": 0, "content_block": {**block, "input": {}}}
        delta = {"type": "input_json_delta", "partial_json": json.dumps(block["input"])}
    yield {"type": "content_block_delta", "index": 0, "delta": delta}
    yield {"type": "content_block_stop", "index": 0}
    stop = "tool_use" if "tool" in step else "end_turn"
    yield {
        "type": "message_delta",
        "delta": {"stop_reason": stop, "stop_sequence": None},
        "usage": {"output_tokens": 1},
    }
    yield {"type": "message_stop"}
