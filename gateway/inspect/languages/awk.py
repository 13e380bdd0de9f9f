"""Awk: commands in `system`, behind and in front of pipes, and files that output goes to."""

from __future__ import annotations

from types import MappingProxyType

from gateway.inspect.code import Code
from gateway.inspect.deed import Does
from gateway.inspect.languages import folds
from gateway.inspect.languages.evaluator import Evaluator
from gateway.inspect.languages.language import Handler, Language
from gateway.inspect.languages.perl import sprintf
from gateway.inspect.languages.reading import read
from gateway.inspect.languages.syntax import Syntax
from gateway.inspect.value import NOTHING, Value, joined

_HANDLERS: dict[str, Handler] = {
    "system": lambda evaluator, call: evaluator.shell(call.value(0), call.spot_of(0)),
    "sprintf": sprintf,
    "tolower": folds.same,
    "print": lambda evaluator, call: NOTHING,
}
_LANGUAGE = Language(
    # A blank puts texts together.
    Syntax(comments=("#",), blocks=(), quotes='"', name=r"[^\W\d]\w*"),
    calls=MappingProxyType({"close": "none 0"}),
    handlers=MappingProxyType(_HANDLERS),
    constants=MappingProxyType({"ENVIRON": folds.ENVIRON}),
    joins=frozenset(),
)


class _Awk(Evaluator):
    """Awk has pipes and redirections of its own, and puts together what stands side by side."""

    printing = False

    def operand(self) -> Value:
        """One value; `print` opens a statement in which `>` is no comparison."""
        token = self.peek()
        if token is not None:
            if token.kind == "name" and token.value in ("print", "printf"):
                self.printing = True
            elif token.kind == "line" or token.value in (";", "}", "{", "if", "while"):
                self.printing = False
        return super().operand()

    def beside(self, left: Value, right: Value) -> Value:
        """Two values side by side are one text."""

        return joined([left, right]) if left.texts and (right.texts or right != NOTHING) else right

    def combined(self, sign: str, left: Value, right: Value) -> Value:
        """A pipe runs a command; `>` writes a file."""
        spot = self.spot(self.tokens[min(self.at, len(self.tokens)) - 1])
        if sign in (">", ">>") and right.texts and self.printing:
            self.findings.on_paths(Does.OVERWRITE if sign == ">" else Does.APPEND, right, spot)
        elif sign in ("|", "|&"):
            following = self.tokens[self.at - 1].value
            if following == "getline" and left.texts:
                self.shell(left, spot)
            elif right.texts:
                self.shell(right, spot)
                if left.texts and right.texts[0].rsplit("/", 1)[-1].split(" ")[0] in ("sh", "bash"):
                    self.shell(left, spot)
                return NOTHING
        elif sign == "<" and right.texts:
            self.read(right, spot)
        return super().combined(sign, left, right)


def read_awk(source: str) -> Code:
    """All that an Awk program would do."""
    return read(_LANGUAGE, source, evaluator=_Awk)
