"""Reads a text of a language as a whole."""

from __future__ import annotations

from gateway.inspect.code import Code
from gateway.inspect.deed import Does, Origin
from gateway.inspect.doubt import Doubt
from gateway.inspect.findings import Findings, TooMuch
from gateway.inspect.languages.evaluator import Evaluator
from gateway.inspect.languages.language import Language, Spot
from gateway.inspect.value import Value

MAX_CODE = 64 * 1024
_SHELLS = frozenset(("sh", "bash", "zsh", "dash", "ksh", "cmd", "cmd.exe", "powershell", "powershell.exe"))


def read(
    language: Language,
    source: str,
    variables: dict[str, Value] | None = None,
    evaluator: type[Evaluator] = Evaluator,
) -> Code:
    """All that a text of a language would do."""
    findings = Findings(_Spots())
    whole = (0, len(source))
    if len(source) > MAX_CODE:
        return Code(doubts=(Doubt("the code is too long to be analysed", *whole),))
    made = evaluator(language, findings)
    made.variables.update(variables or {})
    try:
        made.run(source)
    except TooMuch as error:
        findings.doubts[Doubt(str(error), *whole)] = None
    except RecursionError:
        findings.doubts[Doubt("the code is nested too deep to be analysed", *whole)] = None
    _reverse(findings, whole)
    return findings.code()


def _reverse(findings: Findings, whole: Spot) -> None:
    """A shell without a command beside a connection speaks to whoever is at its other end."""
    hosts = [deed.target for deed in findings.deeds if deed.does is Does.NET]
    started = [words[0].value for words in findings.commands if len(words) == 1 or words[1].value == "-i"]
    started += [word.value.split(" ")[0] for word in findings.shells if _is_shell(word.value)]
    if hosts and any(name.rsplit("/", 1)[-1] in _SHELLS for name in started):
        findings.deed(Does.EXEC, hosts[0], whole, origin=Origin.NETWORK)


def _is_shell(command: str) -> bool:
    words = command.split()
    return bool(words) and words[0].rsplit("/", 1)[-1] in _SHELLS and "-c" not in words


class _Spots:
    """Places of parts that are places themselves."""

    def span(self, node: object) -> Spot:
        """The place."""
        return node if isinstance(node, tuple) else (0, 0)
