"""A test file's text turned into cases, or into everything that is wrong with it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar

from pydantic import ValidationError

from gateway.call import CallError, ToolCall
from gateway.decision import Code
from gateway.diagnostic import Diagnostic, PolicyError, Span, suggest
from gateway.document import Document, KeyPath, read_document, source_of
from gateway.files import MAX_BYTES
from gateway.patterns import load_packs
from gateway.policy.explain import explain, forgotten
from gateway.policy.part import Part, Where
from gateway.results.redaction import SENSITIVE
from gateway.session import Session, SessionError
from gateway.testing.case import Case
from gateway.testing.expected import Expected, ExpectedList, ExpectedReview
from gateway.testing.form import CaseFile, CasePart, EquivalentPart
from gateway.testing.loaded import Loaded
from gateway.testing.matrix import MatrixPart, cells


@dataclass(frozen=True, slots=True)
class TestFile:
    """The cases of a file, and the mutants that it says no case can tell from the policy."""

    __test__: ClassVar[bool] = False

    cases: tuple[Case, ...]
    equivalent: tuple[EquivalentPart, ...] = ()


def read_file(path: Path, loaded: Loaded, content: bytes | None = None) -> TestFile:
    """What a file says about a policy; `PolicyError` for anything that it has wrong.

    `content` is what stands in it, where that is not what the disk says.
    """
    document = read_document(source_of(str(path), _content(path) if content is None else content))
    reader = _Reader(document, loaded)
    read = reader.read()
    if reader.problems:
        raise PolicyError(reader.problems)
    return read


def _content(path: Path) -> bytes:
    try:
        with path.open("rb") as stream:
            return stream.read(MAX_BYTES + 1)
    except OSError as error:
        why = (error.strerror or "it can't be read").lower()
        raise PolicyError([Diagnostic("unreadable-file", f"`{path}` can't be read: {why}")]) from None


_CODES = frozenset(code.value for code in Code)


class _Unresolved(Exception):
    """A fixture that can't be built; the problem is already noted."""


class _Reader:
    def __init__(self, document: Document, loaded: Loaded) -> None:
        self.document = document
        self.loaded = loaded
        self.problems: list[Diagnostic] = []
        self.tools = frozenset(loaded.compiled.engine.tools)
        policy = loaded.policy
        self.servers = frozenset(server.name for server in policy.servers)
        self.rules = frozenset(pattern.id for pattern in load_packs(loaded.gateway.manifest.packs)) | {
            part.id
            for section in (policy.arguments, policy.rules, policy.limits, policy.results)
            for part in section
        }

    def read(self) -> TestFile:
        where = Where(self.document, ())
        self.problems.extend(forgotten(CaseFile, self.document.data, where))
        try:
            file = CaseFile.model_validate(self.document.data)
        except ValidationError as error:
            self.problems.extend(explain(error, CaseFile, where))
            return TestFile(())
        self.problems.extend(file.placed(where))
        cases = [*self._cases(file, where), *self._matrices(file, where)]
        first: dict[str, Case] = {}
        for case in cases:
            if first.setdefault(case.name, case) is not case:
                self._wrong("duplicate-name", f"two cases are named `{case.name}`", case.span, "rename one")
        return TestFile(tuple(cases), file.equivalent)

    def _cases(self, file: CaseFile, where: Where) -> Iterator[Case]:
        for index, part in enumerate(file.cases):
            try:
                yield self._case(file, part, where.below("cases", index))
            except _Unresolved:
                continue

    def _case(self, file: CaseFile, part: CasePart, at: Where) -> Case:
        session = self._session(file, part.session, at.below("session"))
        expected = part.expect or part.list or part.entry or part.review
        if expected is None:
            raise _Unresolved
        call = None
        if part.call is not None:
            call = self._fixture("call", file.calls, part.call, at.below("call"), ())
            self._check_call(call, expected, at)
        if isinstance(expected, ExpectedList):
            self._check_list(expected, at.below("list"))
        elif isinstance(expected, ExpectedReview):
            self._check_redacted(expected, at.below("review"))
        else:
            self._check_rules(expected, at.below("expect" if part.expect is not None else "entry"))
        now = part.now or file.now
        times = part.repeated or 1
        return Case(part.name, at.span("name"), session, call, now, expected, self.loaded, part.result, times)

    def _matrices(self, file: CaseFile, where: Where) -> Iterator[Case]:
        for index, part in enumerate(file.matrices):
            at = where.below("matrices", index)
            sessions = self._rows(file, part, at)
            calls: dict[str, Mapping[str, Any]] = {}
            for name in part.calls:
                try:
                    calls[name] = self._named("call", file.calls, name, at.key_span("calls", name))
                except _Unresolved:
                    continue
            checked: set[KeyPath] = set()
            for cell in cells(part, at, self.problems):
                if cell.call not in calls or cell.row not in sessions:
                    continue
                if cell.where.path not in checked:
                    checked.add(cell.where.path)
                    self._check_rules(cell.expected, cell.where)
                self._check_named_call(calls[cell.call], cell.expected, cell.place, cell.place)
                yield Case(
                    cell.name,
                    cell.place,
                    sessions[cell.row],
                    calls[cell.call],
                    part.now or file.now,
                    cell.expected,
                    self.loaded,
                )

    def _rows(self, file: CaseFile, part: MatrixPart, at: Where) -> dict[str, Mapping[str, Any]]:
        """The sessions of a matrix by the names of its rows."""
        key, known = ("sessions", file.sessions) if part.sessions else ("subjects", file.subjects)
        found: dict[str, Mapping[str, Any]] = {}
        for index, name in enumerate(part.rows):
            span = at.span(key, index)
            try:
                if name in found:
                    self._wrong("duplicate-name", f"`{name}` is named twice", span, "remove one")
                row = self._named(key[:-1], known, name, span)
                if part.subjects:
                    base = part.session if part.session is not None else {}
                    session = self._fixture("session", file.sessions, base, at.below("session"), ())
                    found[name] = {**session, "subject": row}
                else:
                    found[name] = self._with_subject(file, row, at.below(key, index))
                self._check_session(found[name], span)
            except _Unresolved:
                continue
        return found

    def _session(self, file: CaseFile, value: str | Mapping[str, Any], at: Where) -> Mapping[str, Any]:
        session = self._with_subject(file, self._fixture("session", file.sessions, value, at, ()), at)
        self._check_session(session, at.span())
        return session

    def _with_subject(self, file: CaseFile, session: Mapping[str, Any], at: Where) -> Mapping[str, Any]:
        """A session whose `subject` is a name gets the subject of that name."""
        name = session.get("subject")
        if not isinstance(name, str):
            return session
        return {**session, "subject": self._named("subject", file.subjects, name, _head(at.span()))}

    def _check_session(self, session: Mapping[str, Any], span: Span) -> None:
        try:
            Session.of(session)
        except SessionError as error:
            self._wrong("wrong-session", str(error), _head(span))

    def _named(
        self, what: str, known: Mapping[str, Mapping[str, Any]], name: str, span: Span
    ) -> Mapping[str, Any]:
        """A fixture that is asked for by its name alone."""
        if name not in known:
            self._unknown(what, name, span, known)
            raise _Unresolved
        return self._fixture(what, known, known[name], Where(self.document, (f"{what}s", name)), (name,))

    def _fixture(
        self,
        what: str,
        known: Mapping[str, Mapping[str, Any]],
        value: str | Mapping[str, Any],
        at: Where,
        on_the_way: tuple[str, ...],
    ) -> Mapping[str, Any]:
        """A fixture by its name, or a mapping laid over the fixture that its `like` names."""
        if isinstance(value, str):
            if value not in known:
                self._unknown(what, value, at.span(), known)
                raise _Unresolved
            if value in on_the_way:
                self._wrong("endless-like", f"the {what} `{value}` is like itself", at.span())
                raise _Unresolved
            place = Where(self.document, (f"{what}s", value))
            return self._fixture(what, known, known[value], place, (*on_the_way, value))
        if "like" not in value:
            return value
        like = value["like"]
        if not isinstance(like, str):
            self._wrong("wrong-type", f"`like` is the name of a {what}", at.span("like"))
            raise _Unresolved
        base = self._fixture(what, known, like, at.below("like"), on_the_way)
        return _over(base, {key: each for key, each in value.items() if key != "like"})

    def _check_call(self, call: Mapping[str, Any], expected: Part, at: Where) -> None:
        self._check_named_call(call, expected, _head(at.span("call")), _head(at.span("call", "tool")))

    def _check_named_call(self, call: Mapping[str, Any], expected: Part, whole: Span, tool: Span) -> None:
        try:
            name = ToolCall.of(call).name
        except CallError as error:
            self._wrong("wrong-call", str(error), whole)
            return
        missing = isinstance(expected, Expected) and expected.code is Code.TOOL_NOT_FOUND
        if name not in self.tools and not missing and name.partition("/")[0] not in self.servers:
            self._unknown(
                "tool", name, tool, self.tools, "; expect the code `TOOL_NOT_FOUND` if that is the point"
            )

    def _check_list(self, expected: ExpectedList, at: Where) -> None:
        for key, names in (("visible", expected.visible), ("only", expected.only or ())):
            for index, name in enumerate(names):
                if name not in self.tools:
                    self._unknown("tool", name, at.span(key, index), self.tools)
        for name in expected.hidden:
            if name not in self.tools:
                self._unknown("tool", name, at.key_span("hidden", name), self.tools)

    def _check_redacted(self, expected: ExpectedReview, at: Where) -> None:
        known = {result.id for result in self.loaded.policy.results} | {SENSITIVE}
        for index, name in enumerate(expected.redacted or ()):
            if name not in known:
                self._unknown("result", name, at.span("redacted", index), frozenset(known))

    def _check_rules(self, expected: Expected, at: Where) -> None:
        if expected.rule is not None and expected.rule not in self.rules:
            self._unknown("rule", expected.rule, at.span("rule"), self.rules)
        for key, names in (("monitored", expected.monitored), ("findings", expected.findings)):
            for index, name in enumerate(names or ()):
                if name not in self.rules and name not in _CODES:
                    self._unknown("rule", name, at.span(key, index), self.rules)

    def _unknown(
        self, what: str, name: str, span: Span, known: Mapping[str, Any] | frozenset[str], hint: str = ""
    ) -> None:
        near = suggest(name, known)
        help = (
            f"did you mean `{near[0]}`?"
            if near
            else f"known: {', '.join(f'`{k}`' for k in sorted(known)[:12])}"
        )
        self._wrong("unknown-name", f"no {what} is called `{name}`", span, help + hint)

    def _wrong(self, code: str, message: str, span: Span, help: str = "") -> None:
        self.problems.append(Diagnostic(code, message, span, help))


def _over(base: Mapping[str, Any], changes: Mapping[str, Any]) -> dict[str, Any]:
    """Mappings are merged at every depth, everything else is replaced."""
    merged = dict(base)
    for key, value in changes.items():
        old = merged.get(key)
        merged[key] = _over(old, value) if isinstance(old, dict) and isinstance(value, dict) else value
    return merged


def _head(span: Span) -> Span:
    """The first line of a mapping is enough to point at it."""
    line_end = span.source.text.find("\n", span.start, span.end)
    return span if line_end < 0 else Span(span.source, span.start, line_end)
