"""What a tool declares about its results."""

from __future__ import annotations

from gateway.frozen import frozen

DEFAULT_LIMIT = 4_000


@frozen
class Returns:
    """What a tool declares about its results, and what can be said of them from its schema."""

    arrays: tuple[str, ...] = ()
    known: bool = False
    limit: int | None = None
    """The characters that the model reads of a result; None stands for no bound but the hard one."""
    paging: tuple[str, ...] | None = ()
    """The arguments that page; None for a tool that changes something, and is not called again for the rest."""


UNDECLARED = Returns(limit=DEFAULT_LIMIT, paging=None)
"""What holds for a tool that declares nothing, and for one that the catalogue lacks."""
