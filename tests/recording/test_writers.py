"""The other places that records go to: a function, and OpenTelemetry's logs."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from opentelemetry._logs import Logger, LoggerProvider, LogRecord, SeverityNumber
from opentelemetry.util.types import AnyValue

from gateway import Code
from gateway.chain import Anchor
from gateway.record import Record, RecordKind, Unrecorded
from gateway.recorders.anchors import AnchorFile
from gateway.recorders.calling import CallingRecorder
from gateway.recorders.telemetry import TelemetryRecorder
from tests.recording.world import gateway
from tests.remembering.world import CLERK, call


class Listening(Logger):
    """Keeps what is emitted."""

    def __init__(self, error: Exception | None = None) -> None:
        super().__init__("test")
        self.emitted: list[LogRecord] = []
        self._error = error

    def emit(self, record: LogRecord | None = None, **more: Any) -> None:
        if self._error is not None:
            raise self._error
        assert record is not None
        self.emitted.append(record)

    def enabled(self, **more: Any) -> bool:
        return True


class Provider(LoggerProvider):
    """What a host sets up."""

    def __init__(self, logger: Listening) -> None:
        self.logger = logger
        self.names: list[str] = []

    def get_logger(
        self,
        name: str,
        version: str | None = None,
        schema_url: str | None = None,
        attributes: Any = None,
    ) -> Logger:
        self.names.append(name)
        return self.logger


def test_a_function_gets_each_record_as_json() -> None:
    rows: list[dict[str, Any]] = []
    decision = gateway(CallingRecorder(rows.append)).before(call("save"), CLERK)
    (row,) = rows
    assert (row["id"], row["code"], row["arguments"]) == (decision.id, "ALLOWED", {"id": "a", "amount": 1})
    assert json.loads(json.dumps(row)) == row


def test_opentelemetry_gets_each_record_with_what_one_searches_by() -> None:  # C13
    logger = Listening()
    provider = Provider(logger)
    gate = gateway(TelemetryRecorder(provider))
    allowed = gate.before(call("save"), CLERK)
    gate.before(call("gone"), CLERK)
    assert provider.names == ["gatewayctl"]
    fine, refused = logger.emitted
    assert fine.timestamp == 1_796_126_400_000_000_000
    assert fine.severity_number is SeverityNumber.INFO
    assert refused.severity_number is SeverityNumber.WARN
    assert fine.event_name == "gatewayctl.decision"
    body: AnyValue = fine.body
    assert isinstance(body, str)
    assert json.loads(body)["arguments"] == {"id": "a", "amount": 1}
    assert fine.attributes == {
        "gen_ai.tool.name": "save",
        "gen_ai.tool.call.id": "c-1",
        "gen_ai.agent.name": "clerk",
        "gen_ai.conversation.id": "s-1",
        "enduser.id": "u-1",
        "gatewayctl.kind": "decision",
        "gatewayctl.id": allowed.id,
        "gatewayctl.tenant": "acme",
        "gatewayctl.effect": "allow",
        "gatewayctl.code": "ALLOWED",
        "gatewayctl.policy": allowed.policy,
    }


def test_what_a_host_s_logger_raises_fails_the_record() -> None:
    gate = gateway(TelemetryRecorder(Provider(Listening(RuntimeError("no room")))))
    decision = gate.before(call("save"), CLERK)
    assert decision.code is Code.STATE_UNAVAILABLE
    assert "no room" in decision.detail


def test_without_a_provider_the_global_one_is_asked() -> None:
    TelemetryRecorder().record(Record(RecordKind.DECISION, 0))


@pytest.mark.parametrize(
    "code",
    [
        "import gateway.runtime, gateway.recording, gateway.recorders.telemetry",
        "import gateway.recorders, gateway.recorders.file, gateway.recorders.store, gateway.recorders.reading",
    ],
)
def test_opentelemetry_and_logging_are_imported_only_when_used(code: str) -> None:
    report = f"{code}\nimport sys\nprint([m for m in ('opentelemetry', 'logging', 'sqlite3', 're2') if m in sys.modules])"
    done = subprocess.run(
        [sys.executable, "-c", report], capture_output=True, text=True, check=True, timeout=60
    )
    assert done.stdout == "[]\n"


def test_a_gateway_without_a_recorder_imports_nothing_of_a_log() -> None:
    code = "import sys, gateway.runtime\nprint([m for m in sys.modules if m.startswith('gateway.record')])"
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True, timeout=60
    )
    assert done.stdout == "[]\n"


def test_where_it_is_not_installed_that_is_said() -> None:
    code = (
        "import sys\nsys.modules['opentelemetry'] = None\n"
        "from gateway.record import Unrecorded\nfrom gateway.recorders.telemetry import TelemetryRecorder\n"
        "try:\n    TelemetryRecorder()\nexcept Unrecorded as error:\n    print(error)\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True, timeout=60
    )
    assert "pip install 'gatewayctl[otel]'" in done.stdout


def test_the_directory_of_anchors_is_made_or_refused_at_once(tmp_path: Path) -> None:
    anchors = AnchorFile(tmp_path / "else" / "where" / "anchors")
    anchors.put(Anchor(1, "0" * 64, 0))
    assert (tmp_path / "else" / "where" / "anchors").exists()
    (tmp_path / "file").write_text("")
    with pytest.raises(Unrecorded, match="there can be no anchors"):
        AnchorFile(tmp_path / "file" / "anchors")
