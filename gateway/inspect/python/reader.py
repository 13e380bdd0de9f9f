"""What Python code would do, read from its syntax tree; nothing of it runs."""

from __future__ import annotations

from dataclasses import replace

from gateway.inspect.code import Code, placed
from gateway.inspect.deed import Deed, Does
from gateway.inspect.findings import HERE, Findings, TooMuch
from gateway.inspect.python.parse import Lines, doubts, parse
from gateway.inspect.python.walk import Walk
from gateway.inspect.word import marked


def read_python(text: str, arguments: tuple[str, ...] = ()) -> Code:
    """All that the code would do, started with some arguments."""
    parsed = parse(text)
    findings = Findings(Lines(parsed.source))
    findings.doubts.update(dict.fromkeys(parsed.doubts))
    for word in parsed.shells:
        findings.shells[word] = None
    for word in parsed.writes:
        findings.deeds[Deed(Does.OVERWRITE, word.value, word.start, word.end, findings.cwd)] = None
    written: tuple[tuple[str, str], ...] = ()
    if parsed.tree is not None:
        walk = Walk(findings, arguments)
        try:
            walk.module(parsed.tree)
        except TooMuch as error:
            findings.doubts.update(dict.fromkeys(doubts(str(error), text)))
        except RecursionError:
            findings.doubts.update(dict.fromkeys(doubts("the code is nested too deep to be analysed", text)))
        if findings.cwd == HERE:
            written = tuple((name, held) for name, held in walk.written.items() if held and not marked(held))
    code = replace(findings.code(), written=written)
    return code if len(parsed.source) == len(text) else placed(code, 0, len(text))
