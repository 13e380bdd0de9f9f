"""A past decision: what the log has of it, and the same call decided again where all that it rests on is there."""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from gatewayctl.decided import background, explanation_json
from gatewayctl.inputs import load_policies, read_session
from gatewayctl.logs import Row, held_line, log_lines, record_line, rows
from gatewayctl.output import Exit, Failure, Format, ink_for, say, say_json
from gatewayctl.wording import EFFECT_INK, counted

if TYPE_CHECKING:
    from gateway.diagnostic import Ink
    from gateway.runtime import Explanation
    from gateway.session import Session
    from gatewayctl.decided import Background

_ID = re.compile(r"[dr]-[0-9a-f]{16}")


@dataclass(frozen=True, slots=True)
class Sources:
    """Where a past decision and what it rests on are read."""

    log: str | None
    session: Path | None
    policies: Path | None
    lower: tuple[Path | None, ...]
    store: str | None = None


def is_id(name: str) -> bool:
    """Whether a word is the id of a decision or of a review."""
    return _ID.fullmatch(name) is not None


def explain_past(name: str, sources: Sources, form: Format) -> None:
    """Print what is kept of a decision, and the explanation of the same call where it can be decided again."""
    if not sources.log:
        raise Failure(
            f"no log is given, so nothing is known of `{name}`",
            "write `--log PATH`, or set `GATEWAY_LOG`; or ask about the call again: "
            "`gatewayctl explain TOOL JSON --policies DIR`",
        )
    with log_lines(sources.log) as lines:
        about = [row for row in rows(lines) if name in (row.get("id"), row.get("decision"))]
        decided = _last(row for row in about if row.get("kind") in ("decision", "plan", "entry"))
        if decided is None and about:
            # A result's id: the decision stands elsewhere in the log.
            wanted = about[0].get("decision")
            with log_lines(sources.log) as more:
                about += [row for row in rows(more) if wanted and row.get("id") == wanted]
            decided = _last(row for row in about if row.get("kind") == "decision")
    if decided is None:
        raise Failure(f"the log has no decision `{name}`", "`gatewayctl log tail` shows the last records")
    results = [row for row in about if row.get("kind") == "result"]
    lifted = _lifted(decided, sources.log)
    missing, again = _again(decided, sources, form)
    if form is Format.JSON:
        told: dict[str, Any] = {"record": decided, "results": results, "missing": missing, "again": None}
        told["lifted"] = lifted
        if again is not None:
            told["again"] = explanation_json(again.explanation, again.about)
        say_json(told)
    else:
        for line in _lines(decided, results, lifted, ink_for(sys.stdout)):
            say(line)
        _say_again(decided, missing, again)
    raise click.exceptions.Exit(Exit.FINE if decided.get("effect") == "allow" else Exit.FOUND)


def _last(rows: Iterable[Row]) -> Row | None:
    """The record that holds: a decision that could not be recorded as it was is recorded as a refusal behind it."""
    return next(reversed(list(rows)), None)


def _lifted(decided: Row, log: str | None) -> list[Any]:
    """What asked about a call that was approved, as far as the log has that question."""
    request = decided.get("request")
    if not request or decided.get("basis") != "approval":
        return []
    with log_lines(log) as lines:
        question = _last(
            row for row in rows(lines) if row.get("request") == request and row.get("effect") == "ask"
        )
    held = [] if question is None else question.get("findings", ())
    return [one for one in held if isinstance(one, Mapping) and one.get("effect") == "ask"]


def _lines(row: Row, results: list[Row], lifted: list[Any], ink: Ink) -> Iterator[str]:
    from gateway.codes import PAGES
    from gateway.decision import Code
    from gateway.diagnostic import printable

    effect, code = str(row.get("effect", "")), str(row.get("code", ""))
    head = f"{ink(EFFECT_INK.get(effect, 'bold'), effect.upper())}  {ink('bold', code)}"
    yield f"{head}  `{printable(str(row.get('tool', '')))}`"
    for name in (
        "at",
        "tenant",
        "subject",
        "session",
        "root",
        "agent",
        "turn",
        "call",
        "iteration",
        "risk",
        "basis",
        "policy",
    ):
        if name in row:
            yield f"  {name:10} {printable(str(row[name]))}"
    if "arguments" in row:
        yield f"  arguments  {printable(json.dumps(row['arguments'], ensure_ascii=False))}"
    elif "length" in row:
        yield f"  arguments  left out: {row['length']} characters"
    yield ""
    yield ink("bold", "What was held against it")
    for held in row.get("findings", ()) or ({"effect": "nothing", "code": ""},):
        yield f"  {printable(held_line(held)).strip()}"
    if row.get("basis") == "approval":
        people = ", ".join(map(str, row.get("approved_by", ()))) or "somebody"
        what = ", ".join(map(held_line, lifted)) or "what was asked, which this log does not have"
        yield printable(f"  lifted by {people}, who answered `{row.get('request', '')}`: {what}")
    for held in row.get("monitored", ()):
        yield f"  monitored only: {printable(held_line(held))}"
    for error in row.get("errors", ()):
        yield f"  error: {printable(str(error))}"
    if code in Code.__members__:
        yield f"  {PAGES[Code(code)].meaning}"
    for result in results:
        yield printable(record_line(result, ink))


@dataclass(frozen=True, slots=True)
class Again:
    """The explanation of the same call, and what the policy says about it."""

    explanation: Explanation
    about: Background


def _say_again(row: Row, missing: list[str], again: Again | None) -> None:
    say()
    if again is None:
        say("It is not decided again, as that takes what the log does not have:")
        for each in missing:
            say(f"  - {each}")
        return
    from gatewayctl.explanation import explanation_lines

    now = again.explanation.decision
    same = now.effect.value == row.get("effect") and now.code.value == row.get("code")
    say("Decided again, the answer is the same:" if same else "Decided again, the answer is ANOTHER one:")
    say()
    for line in explanation_lines(again.explanation, again.about, ink_for(sys.stdout)):
        say(line)


_REMEMBERED = frozenset(
    {
        *("CALL_ID_REUSED", "ALREADY_COMPLETED", "ALREADY_DONE", "OUTCOME_UNKNOWN"),
        *("RATE_LIMIT", "STEP_LIMIT", "REPEATED"),
        *("APPROVAL_REJECTED", "APPROVAL_EXPIRED", "STATE_UNAVAILABLE", "SESSION_MISMATCH"),
        *("BUDGET", "NOTHING_NEW"),
    }
)
"""Codes that come of what was remembered at that time: calls, counts, answers, and whose conversations are."""

_BEFORE_LIMITS = frozenset(
    {
        *("NOT_READY", "NO_IDENTITY", "NO_TENANT", "CROSS_TENANT", "AGENT_DISABLED"),
        *("TOOL_NOT_FOUND", "TOOL_NOT_BOUND", "TOOL_DISABLED", "TOOL_CHANGED"),
        *("REQUIREMENT_MISSING", "PERMISSION_DENIED"),
        *("ARGUMENTS_UNREADABLE", "FORCED_ARGUMENT_UNAVAILABLE", "FORCED_ARGUMENT_CONFLICT"),
        *("RESOURCE_PERMISSION_DENIED", "ARGUMENT_INVALID"),
    }
)
"""Codes of calls that ended before anything remembered was looked at."""

_BUILT_IN = frozenset({"ALLOWED", "GUARD", "PATTERN", "UNREADABLE"})
"""What can come of a tool that no catalogue has."""


def _again(row: Row, sources: Sources, form: Format) -> tuple[list[str], Again | None]:
    """What is missing to decide the same call again; where nothing is, its explanation."""
    missing = list(_missing_of_call(row))
    session: Session | None = None
    if sources.session is None:
        missing.append("who asked, with all permissions and facts: give that session with `--session FILE`")
    else:
        session = read_session(sources.session, form)
        if not _is_of(row, session):
            missing.append("the session of that call: the one that is given is another")
    if sources.policies is None and not Path("policies").exists():
        missing.append(
            f"the policy of that time, with the digest {row.get('policy')}: give it with `--policies PATH`"
        )
        return missing, None
    at = datetime.fromisoformat(str(row.get("at")))
    loaded = load_policies(sources.policies, form, at, lower=sources.lower, store=sources.store)
    # A tenant whose tools differ has a policy of its own.
    asked = "" if session is None else loaded.gateway.entry(session).policy
    if row.get("policy") not in (loaded.gateway.manifest.digest, asked):
        missing.append(
            f"the policy of that time, with the digest {row.get('policy')}: the one that is given is another"
        )
    plan = loaded.compiled.engine.tools.get(str(row.get("tool")))
    if plan is None and row.get("code") in _BUILT_IN:
        missing.append(
            "the tool in the catalogue: it was judged as a tool of the host's own, by what is built in"
        )
    if plan is not None and plan.forced:
        missing.append("the arguments as the model wrote them: the policy sets some of them")
    if (
        loaded.compiled.engine.counts
        and row.get("effect") != "allow"
        and row.get("code") not in _BEFORE_LIMITS
    ):
        missing.append("what limits had counted then")
    if missing or session is None:
        return missing, None
    from gateway.call import ToolCall

    server, _, tool = str(row["tool"]).rpartition("/")
    call = ToolCall(tool, row["arguments"], str(row.get("call", "")), server or None, row.get("iteration"))
    explanation = loaded.gateway.explain(call, session)
    return [], Again(explanation, background(loaded, call, session, explanation.decision))


def _missing_of_call(row: Row) -> Iterator[str]:
    if row.get("kind") == "entry":
        yield "a call: the conversation was refused before any"
    elif row.get("length"):
        yield "the arguments, which are too long to be kept"
    elif row.get("hidden"):
        yield f"the arguments, of which {row['hidden']} are hidden"
    elif not isinstance(row.get("arguments"), Mapping):
        yield "the arguments, which were refused before they were looked at"
    codes = {
        row.get("code"),
        *(held.get("code") for held in row.get("findings", ()) if isinstance(held, Mapping)),
    }
    if codes & _REMEMBERED or row.get("basis") == "approval":
        yield "what was remembered then: the journal, limits, whose conversation it is, or what people answered"
    if row.get("given"):
        yield f"what the host itself held against the call: {counted(row['given'], 'finding')}"


def _is_of(row: Row, session: Session) -> bool:
    """Whether a session is the one of a record, as far as the record names it."""
    from gateway.recorded import who_is_written

    return all(row.get(name, "") == value for name, value in who_is_written(session).items())
