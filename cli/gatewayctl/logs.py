"""The decision log that a command reads: its lines from files or a store, and records as people read them."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click

from gatewayctl.output import Failure
from gatewayctl.wording import EFFECT_INK

if TYPE_CHECKING:
    from gateway.chain import Line
    from gateway.diagnostic import Ink

_F = TypeVar("_F", bound=Callable[..., Any])
Row = Mapping[str, Any]


def log_option(command: _F) -> _F:
    """`--log PATH`."""
    return click.option(
        "--log",
        metavar="PATH",
        envvar="GATEWAY_LOG",
        help="The log's file, or a store and whose log in it, such as `sqlite:///path#TENANT`."
        " [default: $GATEWAY_LOG]",
    )(command)


def tenant_of(log: str | None) -> str:
    """Whose log an address names: in a store each tenant has its own."""
    from urllib.parse import unquote

    return unquote(log.partition("#")[2]) if log and "://" in log else ""


@contextmanager
def log_lines(log: str | None) -> Iterator[Iterator[Line]]:
    """The lines of a log, in order; a log that can't be read ends the command."""
    from gateway.malformed import Malformed
    from gateway.state import Unavailable

    if not log:
        raise Failure("no log is given", "write `--log PATH`, or set `GATEWAY_LOG`")
    try:
        if "://" not in log:
            from gateway.recorders.reading import file_lines

            yield file_lines(log)
            return
        from gateway.recorders.reading import store_lines
        from gateway.stores import open_store

        address = log.partition("#")[0]
        _there(address)
        store = open_store(address)
        try:
            if "#" not in log:
                raise Failure(
                    "each tenant has a log of its own in a store, and none is named",
                    f"write `{log}#TENANT`; what belongs to no tenant, such as reloads, is in `{log}#`",
                )
            yield store_lines(store, tenant_of(log))
        finally:
            store.close()
    except Malformed as error:
        raise Failure(str(error)) from None
    except (Unavailable, OSError) as error:
        why = getattr(error, "strerror", None) or str(error)
        raise Failure(f"the log `{log}` can't be read: {why}") from None


def _there(log: str) -> None:
    """Reading a log makes no store."""
    path = log.removeprefix("sqlite://").partition("?")[0]
    if path != log and not Path(path).exists():
        raise Failure(f"the log `{log}` can't be read: there is no such file")


def rows(lines: Iterator[Line]) -> Iterator[Row]:
    """The records of a log; what is none is passed over (`gatewayctl log verify` tells it)."""
    from gateway.chain import read_line

    for line in lines:
        value = read_line(line.value)
        if value is not None:
            yield value


def record_line(row: Row, ink: Ink) -> str:
    """A record on one line."""
    from gateway.diagnostic import printable

    effect = str(row.get("effect", "") or row.get("verdict", ""))
    refused = f"refused: {', '.join(map(str, row.get('errors', ())))}" if row.get("refused") else ""
    parts = [
        str(row.get("at", "")),
        f"{row.get('kind', '')!s:8}",
        ink(EFFECT_INK.get(effect, "bold"), f"{effect:7}"),
        str(row.get("code", "")),
        f"`{row['tool']}`" if row.get("tool") else "",
        f"rule {row['rule']}" if row.get("rule") else "",
        f"by {row['subject']}" if row.get("subject") else "",
        f"in {row['tenant']}" if row.get("tenant") else "",
        str(row.get("id", "") or row.get("request", "")),
        ink("red", refused) if refused else "",
    ]
    return printable(" ".join(part for part in parts if part.strip()))


def record_lines(row: Row, ink: Ink) -> Iterator[str]:
    """A record with all that it holds, a line each."""
    from gateway.diagnostic import printable

    yield ink("bold", printable(f"record {row.get('n')}: {row.get('kind')} at {row.get('at')}"))
    for name, value in row.items():
        if name in ("n", "prev", "kind", "at"):
            continue
        if name in ("findings", "monitored") and isinstance(value, list):
            for held in value:
                yield f"  {name:10} {printable(held_line(held))}"
            continue
        text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
        if name in ("took", "ran") and isinstance(value, int):
            text = milliseconds(value)
        yield f"  {name:10} {printable(text)}"


def milliseconds(microseconds: float) -> str:
    """A duration as people read it; records have microseconds."""
    return f"{microseconds / 1000:.3g} ms"


def held_line(held: Any) -> str:
    """A finding on one line."""
    if not isinstance(held, Mapping):
        return str(held)
    rule = f" by {held['rule']}" if held.get("rule") else ""
    return f"{held.get('effect')} {held.get('code')}{rule}"
