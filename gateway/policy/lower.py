"""What a less trusted layer, a user's or a project's own files, may add: only what makes a policy stricter."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from gateway.decision import Effect
from gateway.diagnostic import Diagnostic
from gateway.policy.part import Where
from gateway.policy.read import FileParts
from gateway.policy.rules import Result, Rule, Trust
from gateway.policy.settings import Settings

_SECTIONS = ("version", "settings", "rules", "limits", "results")
_SETTINGS = ("packs", "confirm_from")
_HELP = "move it to the files given with `--policies`"


def not_stricter(parts: FileParts, above: Settings) -> Iterator[Diagnostic]:
    """Whatever in a lower layer's file could loosen the layer above it, whose settings are given."""
    top = Where(parts.document, ())
    for key in parts.document.data if isinstance(parts.document.data, dict) else ():
        if key not in _SECTIONS:
            yield _refused(top, key, f"a lower layer has no `{key}`")
    if parts.settings is not None:
        yield from _settings(parts.settings, above)
    for part in (part for section in parts.sections.values() for part in section):
        if isinstance(part, Rule) and part.effect not in (Effect.DENY, Effect.ASK):
            yield _refused(part.where, "effect", f"a lower layer has no `{part.effect.value}` rules")
        if isinstance(part, Rule) and part.context is not None:
            yield _refused(part.where, "context", "a lower layer adds nothing to what the model reads")
        if isinstance(part, Result) and part.message is not None:
            yield _refused(part.where, "message", "a lower layer adds nothing to what the model reads")
        if isinstance(part, Result) and part.fields and Trust.TRUSTED in part.fields.values():
            yield _refused(part.where, "fields", "a lower layer can't call a result trusted")


def _settings(settings: Settings, above: Settings) -> Iterator[Diagnostic]:
    for key in sorted(settings.model_fields_set - set(_SETTINGS)):
        yield _refused(settings.where, key, f"a lower layer does not set `{key}`")
    if settings.given("confirm_from") and settings.confirm_from > above.confirm_from:
        message = f"a lower layer can't raise `confirm_from` above `{above.confirm_from.value}`"
        yield _refused(settings.where, "confirm_from", message)


def _refused(where: Where, key: str, message: str) -> Diagnostic:
    return Diagnostic("lower-layer", message, where.key_span(key), _HELP)


def lowered(above: Settings, below: Sequence[Settings]) -> Settings:
    """The settings with what lower layers add: more packs, and confirmation from a lower risk on.

    Only what a layer changes counts as given: where the layer above names no packs all of them are on, and
    naming some below must not turn the others off.
    """
    changes: dict[str, object] = {}
    packs = tuple(dict.fromkeys(pack for settings in (above, *below) for pack in settings.packs))
    if above.given("packs") and packs != above.packs:
        changes["packs"] = packs
    given = [settings.confirm_from for settings in below if settings.given("confirm_from")]
    least = min([above.confirm_from, *given], key=lambda level: level.severity)
    if least is not above.confirm_from:
        changes["confirm_from"] = least
    return above.model_copy(update=changes) if changes else above
