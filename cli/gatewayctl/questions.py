"""What people are asked, as a store keeps it and as whoever answers reads it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

from gatewayctl.output import Failure
from gatewayctl.wording import wrapped

if TYPE_CHECKING:
    from gateway.approvals import Request
    from gateway.state import Entry, Key, Kind, Store

WIDTH = 100
_PAGE = 200


def is_plan(name: str) -> bool:
    """Whether a word is the id of a plan's question."""
    return name.startswith("p-")


def requests(store: Store, tenant: str) -> tuple[list[Request], list[str]]:
    """A tenant's questions, and the names of those that can't be read."""
    from gateway.approvals import Request
    from gateway.state import Kind

    found: list[Request] = []
    unreadable: list[str] = []
    for key, entry in _listed(store, tenant, Kind.APPROVAL):
        try:
            found.append(Request.of(entry.value))
        except ValueError:
            unreadable.append(key.name)
    return found, unreadable


def plans(store: Store, tenant: str, waiting: Sequence[Request]) -> dict[str, list[str]]:
    """The plans about some of these questions, with the ids of theirs that wait."""
    from gateway.plans import questions
    from gateway.state import Kind, Unavailable

    names = {request.id for request in waiting}
    found: dict[str, list[str]] = {}
    for key, _ in _listed(store, tenant, Kind.PLAN):
        try:
            asked = [name for name in questions(store, tenant, key.name) if name in names]
        except Unavailable:
            continue  # its questions are listed, each by itself
        if asked:
            found[key.name] = asked
    return found


def _listed(store: Store, tenant: str, kind: Kind) -> Iterator[tuple[Key, Entry]]:
    from gateway.state import Unavailable

    after = ""
    try:
        while page := store.listed(tenant, kind, after, _PAGE):
            yield from page
            after = page[-1][0].name
    except Unavailable as error:
        raise Failure(f"the store can't tell: {error}") from None


def asked(store: Store, tenant: str, name: str) -> list[Request]:
    """The question of an id, or all those of a plan."""
    if not is_plan(name):
        return [_found(store, tenant, name)]
    from gateway.answering import ApprovalError
    from gateway.plans import questions
    from gateway.state import Unavailable

    try:
        names = questions(store, tenant, name)
    except ApprovalError:
        raise Failure(
            f"there is no plan `{name}` in the tenant `{tenant}`", "`approvals list` shows all"
        ) from None
    except Unavailable as error:
        raise Failure(f"the store can't tell: {error}") from None
    return [_found(store, tenant, each) for each in names]


def _found(store: Store, tenant: str, name: str) -> Request:
    from gateway.answering import read
    from gateway.approvals import approval_key
    from gateway.state import Unavailable

    key = approval_key(tenant, name.rpartition("-")[0])
    try:
        entry = store.read((key,)).entries.get(key)
        request = None if entry is None else read(entry.value)
    except Unavailable as error:
        raise Failure(f"the store can't tell: {error}") from None
    if request is None:
        raise Failure(f"there is no question `{name}` in the tenant `{tenant}`", "`approvals list` shows all")
    if request.id != name:
        raise Failure(f"a later question took the place of `{name}`: `{request.id}`")
    return request


def page(request: Request) -> Iterator[str]:
    """All that whoever answers must see; every character of an argument shows as it is."""
    import json

    from gateway.diagnostic import printable

    yield f"{request.id}  {request.status.value}"
    yield from wrapped(printable(request.prompt), WIDTH, "  ")
    yield f"  tool       {printable(request.tool)}"
    yield f"  arguments  {json.dumps(request.arguments, ensure_ascii=True)}"
    who = _who(request)
    yield f"  for        {printable(who['subject'])}, conversation {printable(who['session'])}"
    yield f"  call       {printable(who['call_id'])}"
    yield f"  because    {', '.join(map(printable, request.reasons))}"
    yield f"  asked      {time_of(request.asked)}"
    if request.expires is not None:
        yield f"  until      {time_of(request.expires)}"
    for demand in request.demands:
        by = " or ".join(map(printable, demand.get("by") or ())) or "somebody"
        other = ", and not whoever it is for" if demand.get("not_self") else ""
        yield f"  must agree {by}{other}"
    for one in request.given:
        yield f"  agreed     {printable(one.by)}, {time_of(one.at)}"
    if not request.whole:
        yield "  It is too long to be shown whole, so it can't be approved."


def _who(request: Request) -> dict[str, str]:
    """The ids of who asks and of the call, as people may read them."""
    from gateway.recorded import without_secrets

    names = {"subject": request.subject, "session": request.session, "call_id": request.call_id}
    return {name: without_secrets(text) for name, text in names.items()}


def question_json(request: Request) -> dict[str, Any]:
    """A question for scripts."""
    return {
        "id": request.id,
        "status": request.status.value,
        "tool": request.tool,
        "arguments": request.arguments,
        **_who(request),
        "iteration": request.iteration,
        "prompt": request.prompt,
        "reasons": list(request.reasons),
        "demands": list(request.demands),
        "asked": request.asked,
        "expires": request.expires,
        "given": [{"by": one.by, "at": one.at} for one in request.given],
    }


def time_of(moment: int) -> str:
    """A moment of the store's as people read it."""
    return datetime.fromtimestamp(moment // 1_000_000, UTC).strftime("%Y-%m-%d %H:%M:%S UTC")
