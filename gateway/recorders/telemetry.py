"""Sends each record to OpenTelemetry's logs; it needs the extra `otel`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from gateway.record import Record, RecordKind, Unrecorded

if TYPE_CHECKING:
    from opentelemetry._logs import LoggerProvider

NAME = "gatewayctl"
EVENT = "gatewayctl"
"""What the names of events begin with."""


class TelemetryRecorder:
    """Emits each record as a log record: the line is its body, and what one searches by its attributes.

    OpenTelemetry hands log records on in batches, and tells nobody when that fails: beside it, keep a file or a store.
    """

    def __init__(self, provider: LoggerProvider | None = None) -> None:
        try:
            from opentelemetry._logs import get_logger, get_logger_provider
        except ImportError as error:
            raise Unrecorded(
                f"OpenTelemetry is not installed: `pip install 'gatewayctl[otel]'` ({error})"
            ) from error
        self._logger = get_logger(NAME, logger_provider=provider or get_logger_provider())

    def record(self, record: Record) -> None:
        """Emit it; raises `Unrecorded` where that raises anything."""
        from opentelemetry._logs import LogRecord, SeverityNumber

        warns = record.effect == "deny" or record.refused or record.is_error or bool(record.errors)
        try:
            self._logger.emit(
                LogRecord(
                    timestamp=record.at * 1000,
                    severity_number=SeverityNumber.WARN if warns else SeverityNumber.INFO,
                    severity_text="WARN" if warns else "INFO",
                    body=record.text,
                    attributes=attributes(record),
                    event_name=f"{EVENT}.{record.kind.value}",
                )
            )
        except Exception as error:  # the edge to what the host has set up
            raise Unrecorded(f"{type(error).__name__}: {error}") from error


def attributes(record: Record) -> dict[str, Any]:
    """What one searches by, under the names of OpenTelemetry's conventions where they have any."""
    found: dict[str, Any] = {
        "gen_ai.tool.name": record.tool,
        "gen_ai.tool.call.id": record.call,
        "gen_ai.agent.name": record.agent,
        "gen_ai.conversation.id": record.session,
        "enduser.id": record.subject,
        f"{EVENT}.kind": record.kind.value,
        f"{EVENT}.id": record.id,
        f"{EVENT}.tenant": record.tenant,
        f"{EVENT}.root": record.root,
        f"{EVENT}.effect": record.effect,
        f"{EVENT}.code": record.code,
        f"{EVENT}.rule": record.rule or "",
        f"{EVENT}.policy": record.policy,
    }
    if record.kind is RecordKind.RESULT and record.is_error:
        found["error.type"] = record.code
    return {name: value for name, value in found.items() if value != ""}
