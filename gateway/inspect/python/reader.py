"""What Python code would do, read from its syntax tree; nothing of it runs."""

from __future__ import annotations

from gateway.inspect.code import Code, placed
from gateway.inspect.deed import Deed, Does
from gateway.inspect.findings import Findings, TooMuch
from gateway.inspect.python.parse import Lines, doubts, parse
from gateway.inspect.python.walk import Walk


def read_python(text: str, arguments: tuple[str, ...] = ()) -> Code:
    """All that the code would do, started with some arguments."""
    parsed = parse(text)
    findings = Findings(Lines(parsed.source))
    findings.doubts.update(dict.fromkeys(parsed.doubts))
    for word in parsed.shells:
        findings.shells[word] = None
    for word in parsed.writes:
        findings.deeds[Deed(Does.OVERWRITE, word.value, word.start, word.end, findings.cwd)] = None
    if parsed.tree is not None:
        walk = Walk(findings, arguments)
        try:
            walk.module(parsed.tree)
        except TooMuch as error:
            findings.doubts.update(dict.fromkeys(doubts(str(error), text)))
        except RecursionError:
            findings.doubts.update(dict.fromkeys(doubts("the code is nested too deep to be analysed", text)))
    code = findings.code()
    return code if len(parsed.source) == len(text) else placed(code, 0, len(text))
