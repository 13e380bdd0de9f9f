"""YAML text in, a `Policy` out, or every error in it at once."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from gateway.diagnostic import Diagnostic, PolicyError, Related
from gateway.document import parse_document, source_of
from gateway.files import PolicyFile, PolicyFiles, file_of, read_files

if TYPE_CHECKING:
    from gateway.policy import NamedList, Policy, Settings
    from gateway.policy.read import FileParts

_MOST_PROBLEMS = 1000


def load_policy(
    paths: Path | Sequence[Path], *, lower: Sequence[Path] = (), shown: Callable[[Path], str] = str
) -> Policy:
    """The policy in a file, in all files of a directory, or in several of these; whole or not at all.

    `lower` names less trusted layers, a user's or a project's own files, which may only make it stricter. `shown` is
    what messages call a path, where that is not the path itself.
    """
    return policy_of(read_files(paths, lower=lower, shown=shown))


def load_text(text: str, name: str = "policy.yaml") -> Policy:
    """The policy in a text, as if it were the one file."""
    return policy_of(file_of(text, name))


def policy_schema() -> dict[str, Any]:
    """The JSON Schema of policy files, for editors."""
    from gateway.policy.editor import editor_schema

    return editor_schema()


def policy_of(read: PolicyFiles) -> Policy:
    """The policy in files that were read; whole or not at all."""
    from gateway.policy import Policy, Settings
    from gateway.policy.lower import lowered, not_stricter
    from gateway.policy.read import SECTIONS

    problems = list(read.problems)
    parts = [_parts(files, problems) for files in read.layers]
    settings, *below = [_settings(files, problems) for files in parts]
    above = settings or Settings()
    for files in parts[1:]:
        problems.extend(problem for file in files for problem in not_stricter(file, above))
    every = [file for files in parts for file in files]
    lists = _lists(every, problems)
    if problems:
        raise PolicyError(_capped(problems))
    sections: dict[str, Any] = {
        key: tuple(part for file in every for part in file.sections.get(key, ())) for key in SECTIONS
    }
    return Policy(
        documents=tuple(file.document for file in every),
        digest=read.digest,
        settings=lowered(above, [found for found in below if found is not None]),
        lists=MappingProxyType(lists),
        **sections,
    )


def _capped(problems: list[Diagnostic]) -> list[Diagnostic]:
    """The first problems in order of place, and how many more there are: a hostile file can have millions."""
    if len(problems) <= _MOST_PROBLEMS:
        return problems
    problems = sorted(problems, key=lambda problem: problem.sort_key)
    more = len(problems) - _MOST_PROBLEMS
    return [
        *problems[:_MOST_PROBLEMS],
        Diagnostic("more-errors", f"{more} more errors are not shown", help="mend these first"),
    ]


def _parts(files: Sequence[PolicyFile], problems: list[Diagnostic]) -> list[FileParts]:
    from gateway.policy.read import read_parts

    parts: list[FileParts] = []
    for file in files:
        try:
            source = source_of(file.shown, file.content)
        except PolicyError as error:
            problems.extend(error.diagnostics)
            continue
        document, wrong = parse_document(source)
        problems.extend(wrong)
        if document is not None:
            parts.append(read_parts(document))
            problems.extend(parts[-1].problems)
    return parts


def _settings(parts: list[FileParts], problems: list[Diagnostic]) -> Settings | None:
    places = [file.document for file in parts if "settings" in _keys(file)]
    for document in places[1:]:
        problems.append(
            Diagnostic(
                "two-settings",
                "`settings` stands in more than one file",
                document.key_span(("settings",)),
                "put all settings into one file",
                related=(Related(places[0].key_span(("settings",)), "first written here"),),
            )
        )
    return next((file.settings for file in parts if file.settings is not None), None)


def _keys(file: FileParts) -> frozenset[str]:
    return frozenset(file.document.data) if isinstance(file.document.data, dict) else frozenset()


def _lists(parts: list[FileParts], problems: list[Diagnostic]) -> dict[str, NamedList]:
    lists: dict[str, NamedList] = {}
    for file in parts:
        for named in file.lists:
            first = lists.setdefault(named.name, named)
            if first is not named:
                problems.append(
                    Diagnostic(
                        "duplicate-list",
                        f"the list `{named.name}` is named twice",
                        named.where.key_span(),
                        "rename one of them, or put both into one",
                        related=(Related(first.where.key_span(), "first named here"),),
                    )
                )
    return lists
