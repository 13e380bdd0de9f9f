"""A filter that could not be applied: nothing of the result is shown."""

from __future__ import annotations


class Withheld(Exception):
    """Why a result is withheld; neither the reason nor the detail holds anything of the result.

    The reason may be told to the model, the detail is for the operator.
    """

    def __init__(self, reason: str, detail: str = "") -> None:
        super().__init__(reason)
        self.reason = reason
        self.detail = detail or reason
