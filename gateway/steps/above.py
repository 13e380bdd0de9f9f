"""A call of a sub-agent as it would be one of each agent above it: what these are refused, nobody does for them."""

from __future__ import annotations

from collections.abc import Iterator

from gateway.lineage import chain
from gateway.steps.deciding import Deciding
from gateway.steps.work import purse_of


def along(ctx: Deciding) -> Iterator[Deciding]:
    """The call, and the same call in each session above, with what is known of its arguments so far."""
    yield ctx
    if ctx.session.parent is None:
        return
    for above in chain(ctx.session.parent):
        made = Deciding(ctx.engine, ctx.call, above, ctx.facts, ctx.supports, None)
        made.tool, made.agent = ctx.tool, ctx.engine.agents[above.agent]
        made.arguments, made.inspections = ctx.arguments, ctx.inspections
        made.around, made.secrets_around = ctx.around, ctx.secrets_around
        made.depth, made.purse = ctx.depth, purse_of(ctx)
        yield made
