"""`gatewayctl override`: what differs for one tenant, kept in the store and in force at once."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from gatewayctl.logs import log_option
from gatewayctl.options import chosen_policies, format_option, policies_option
from gatewayctl.output import Exit, Failure, Format, refuse_policies, say, say_json
from gatewayctl.recorder import recorder_of
from gatewayctl.stored import check_tenant, opened, person, store_option
from gatewayctl.terminal import copied_word

if TYPE_CHECKING:
    from gateway import Ran
    from gateway.managing.overriding import Relaxing

_NOBODY = "run it in a terminal of your own, or let your console call `Gateway.manage`"


def _console(command: Any) -> Any:
    """The options of all of them: policies, store, tenant, and who acts."""
    command = click.option("--role", "roles", multiple=True, help="A role that you hold.")(command)
    command = click.option(
        "--agent",
        default="console",
        show_default=True,
        help="The agent of the policy that is bound to `gateway/*`.",
    )(command)
    command = click.option("--tenant", required=True, help="Whose tools.")(command)
    return policies_option(store_option(log_option(format_option(command))))


@click.group()
def command() -> None:
    """Let tools differ for one tenant, in the store and at once; each action is decided as any call is."""


@command.command("list")
@_console
def listing(form: Format, **given: Any) -> None:
    """Print every tool of the tenant, declared and effective."""
    console = _Console(form, **given)
    console.look("list", {})
    tools = console.gateway.effective(console.tenant)
    shown = [tool for tool in tools if not tool.name.startswith("gateway/")]
    from gatewayctl.beside import beside_json, say_beside

    if form is Format.JSON:
        say_json({"tenant": console.tenant, "tools": [beside_json(tool) for tool in shown]})
    else:
        say_beside(console.tenant, shown)


@command.command("set")
@click.argument("tool")
@click.option("--title", help="Another title.")
@click.option("--description", help="Another description for the model; an empty one is none.")
@click.option("--group", help="Another group; an empty one is none.")
@click.option("--permission", "permissions", multiple=True, help="A permission that is needed instead.")
@click.option("--no-permissions", is_flag=True, help="No permission is needed.")
@click.option("--enabled/--disabled", default=None, help="Whether the tool is on.")
@click.option("--risk", help="Another risk: a higher one is enforced, a lower one is only shown.")
@click.option("--reason", help="Why; what relaxes must say it.")
@click.option(
    "--until", help="Until when it holds, a day or a moment with its zone; only for what relaxes or renames."
)
@_console
def setting(
    tool: str,
    permissions: tuple[str, ...],
    no_permissions: bool,
    form: Format,
    **given: Any,
) -> None:
    """Override TOOL, in place of its override before. What relaxes is shown, and must be confirmed at a terminal."""
    if permissions and no_permissions:
        raise Failure("`--permission` and `--no-permissions` say two things", "give one of them")
    keys = ("title", "description", "group", "enabled", "risk", "reason", "until")
    arguments = {"tool": tool, **{key: given.pop(key) for key in keys}}
    arguments = {key: value for key, value in arguments.items() if value is not None}
    if permissions or no_permissions:
        arguments["permissions"] = [*permissions]
    console = _Console(form, **given)
    console.act("override", arguments, console.relaxing(arguments))


@command.command()
@click.argument("tool")
@_console
def reset(tool: str, form: Format, **given: Any) -> None:
    """Remove the override of TOOL, so that it is as declared again."""
    _Console(form, **given).act("reset", {"tool": tool})


@command.command()
@click.option("--after", type=click.IntRange(min=0), default=0, help="Only rows behind this number.")
@_console
def audit(after: int, form: Format, **given: Any) -> None:
    """Print the rows about what was relaxed, oldest first."""
    console = _Console(form, **given)
    while rows := (found := console.look("audit", {"after": after}))["rows"]:
        for row in rows:
            if form is Format.JSON:
                say_json(row)
            else:
                say(_row(row))
        after = found["after"]


class _Console:
    """Somebody at a terminal who manages one tenant's tools."""

    def __init__(
        self,
        form: Format,
        *,
        policies: Path | None,
        url: str,
        log: str | None,
        tenant: str,
        agent: str,
        roles: tuple[str, ...],
    ) -> None:
        from gateway import Gateway
        from gateway.diagnostic import PolicyError
        from gateway.managing.acting import ACTIONS

        self.form = form
        self.tenant = tenant
        self.store = opened(url)
        try:
            self.gateway = Gateway.load(
                chosen_policies(policies), store=self.store, recorder=recorder_of(log, url, self.store)
            )
        except PolicyError as error:
            refuse_policies(error, form)
        check_tenant(self.gateway.agents, tenant)
        held = tuple(action.replace("/", ":") for action in ACTIONS)
        subject = person(tenant, roles, held)
        self.session = {
            "id": f"terminal-{subject.id}",
            "tenant": tenant,
            "agent": agent,
            "channel": "internal",
            "can_ask": True,
            "subject": subject,
        }

    def relaxing(self, arguments: Mapping[str, Any]) -> Relaxing:
        """What would have to be confirmed."""
        from gateway.managing.desk import ManagementError
        from gateway.state import Unavailable

        try:
            return self.gateway.relaxing(arguments, self.session)
        except ManagementError as error:
            raise Failure(f"nothing has changed: {error}") from None
        except Unavailable as error:
            raise Failure(f"the store can't tell: {error}") from None

    def look(self, action: str, arguments: Mapping[str, Any]) -> Any:
        """What an action tells that changes nothing."""
        return self._result(self._run(action, arguments, ""))

    def act(self, action: str, arguments: dict[str, Any], relaxing: Relaxing | None = None) -> None:
        """Carry out an action, when whoever sits there has confirmed what relaxes and what the policy asks about."""
        from secrets import token_hex

        from gateway.decision import Code, Effect

        agreed = relaxing is not None and bool(relaxing.confirm)
        if relaxing is not None and relaxing.confirm:
            if not arguments.get("reason", "").strip():
                raise Failure(
                    f"it relaxes `{arguments['tool']}`: {'; '.join(relaxing.meanings)}", "say why: `--reason`"
                )
            self._agreed(_page(self.tenant, arguments, relaxing.meanings))
            arguments = {**arguments, "confirm": relaxing.confirm}
        name = self._name(action, arguments)
        ran = self._run(action, arguments, name)
        if ran.decision.code is Code.ALREADY_COMPLETED:
            # It was done, and undone in another way since.
            name = f"{name}-{token_hex(4)}"
            ran = self._run(action, arguments, name)
        if ran.decision.effect is Effect.ASK and ran.decision.approval is not None:
            if not agreed:
                self._agreed(_page(self.tenant, arguments, (ran.decision.approval["prompt"],)))
            self._approve(ran.decision.approval["id"])
            ran = self._run(action, arguments, name)
        result = self._result(ran)
        if self.form is Format.JSON:
            say_json(result)
        else:
            done = "overridden" if action == "override" else "as declared"
            say(f"`{arguments['tool']}` is {done} for the tenant `{self.tenant}`.{_unchanged(result)}")

    def _name(self, action: str, arguments: Mapping[str, Any]) -> str:
        """The call's id: the same command is the same call, until something of the tenant's tools has changed."""
        from gateway.canonical import digest
        from gateway.state import Kind, Unavailable

        try:
            generation = self.store.generation(self.tenant, Kind.OVERRIDE)
        except Unavailable as error:
            raise Failure(f"the store can't tell: {error}") from None
        return f"{action}-{digest([dict(arguments), generation])[:32]}"

    def _run(self, action: str, arguments: Mapping[str, Any], name: str) -> Ran:
        from gateway.state import Unavailable

        call = {"tool": f"gateway/{action}", "id": name, "arguments": arguments}
        try:
            return self.gateway.manage(call, self.session)
        except Unavailable as error:
            raise Failure(
                f"the store failed, and nobody knows whether anything has changed: {error}",
                "`gatewayctl override list` shows how it is; the same command asks whether to try it again",
            ) from None

    def _agreed(self, lines: Iterator[str]) -> None:
        if not copied_word(lines, "do it", _NOBODY):
            say("Nothing has changed.")
            sys.exit(Exit.FOUND)

    def _approve(self, request: str) -> None:
        from gateway.answering import Answer, ApprovalError, Verdict
        from gateway.state import Unavailable

        try:
            self.gateway.resume(request, Answer(Verdict.APPROVE), self.session)
        except ApprovalError as error:
            raise Failure(
                f"nothing has changed: {error}",
                f"let them run `gatewayctl approvals approve {request}`, then run the same command again",
            ) from None
        except Unavailable as error:
            raise Failure(f"the store can't tell whether the answer counts: {error}") from None

    def _result(self, ran: Ran) -> Any:
        """What an action came to; a failure where it was not carried out."""
        decision, review = ran.decision, ran.review
        if review is None:
            raise Failure(
                f"it was refused: {decision.code.value}: {decision.detail}",
                f"`gatewayctl explain {decision.code.value}` says who can change that; an agent that manages tools "
                'has `tools: ["gateway/*"]`',
            )
        if review.is_error:
            raise Failure(f"nothing has changed: {review.full}")
        return review.full


def _page(tenant: str, arguments: Mapping[str, Any], because: Iterable[str]) -> Iterator[str]:
    """All that whoever confirms must see; every character shows as it is."""
    import json

    from gateway.diagnostic import printable

    yield f"In the tenant `{printable(tenant)}`: {json.dumps(dict(arguments), ensure_ascii=True)}"
    yield from (f"  {printable(line)}" for line in because)


def _unchanged(result: Mapping[str, Any]) -> str:
    return "" if result["changed"] else " It was so before; nothing has changed."


def _row(row: Mapping[str, Any]) -> str:
    """A row of the audit in a line."""
    from gateway.diagnostic import printable

    if "done" in row:
        what = f"custom tool {row['done']}, risk {row['risk']}"
    else:
        pairs = [(key, row[f"{key}_from"], row[f"{key}_to"]) for key in ("risk", "permissions", "enabled")]
        what = "; ".join(f"{key} {before} -> {after}" for key, before, after in pairs if before != after)
        what += f", because {row['reason']}" + (f", until {row['until']}" if row["until"] else "")
    return printable(f"{row['number']}  {row['at']}  {row['tool']}  by {row['operator_name']}: {what}")
