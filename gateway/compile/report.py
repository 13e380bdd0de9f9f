"""Collects everything that is wrong with a policy while it is compiled."""

from __future__ import annotations

from collections.abc import Iterable

from gateway.diagnostic import Diagnostic, PolicyError, Related, Severity, Span, respelt, suggest


class Report:
    """Diagnostics in the order in which they were found; errors stop the compilation at its end."""

    def __init__(self) -> None:
        self.diagnostics: list[Diagnostic] = []

    def error(
        self, code: str, message: str, span: Span | None, help: str = "", related: tuple[Related, ...] = ()
    ) -> None:
        """Something that makes the policy unusable."""
        self.diagnostics.append(Diagnostic(code, message, span, help, Severity.ERROR, related))

    def unknown(self, what: str, name: str, span: Span, known: Iterable[str]) -> None:
        """A name that nothing has."""
        known = sorted(set(known))
        near = suggest(name, known)
        if near:
            help = f"did you mean `{near[0]}`?"
        elif 0 < len(known) <= 12:
            help = f"known: {', '.join(f'`{k}`' for k in known)}"
        else:
            help = ""
        edits = respelt(name, known, span) if near else ()
        self.diagnostics.append(
            Diagnostic("unknown-name", f"no {what} is called `{name}`", span, help, edits=edits)
        )

    def add(self, diagnostics: Iterable[Diagnostic]) -> bool:
        """Diagnostics of another stage; whether none of them is an error."""
        added = list(diagnostics)
        self.diagnostics.extend(added)
        return not any(d.severity is Severity.ERROR for d in added)

    @property
    def failed(self) -> bool:
        """Whether there is any error."""
        return any(d.severity is Severity.ERROR for d in self.diagnostics)

    def raise_errors(self) -> None:
        """End here if there is any error; everything found so far is in the exception."""
        if self.failed:
            raise PolicyError(self.diagnostics)
