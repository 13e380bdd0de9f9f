"""What Python code would do, read from its syntax tree; nothing of it runs."""

from __future__ import annotations

from dataclasses import replace

from gateway.inspect.code import Code
from gateway.inspect.deed import Deed, Does
from gateway.inspect.findings import Findings, TooMuch
from gateway.inspect.python.parse import Lines, doubts, parse
from gateway.inspect.python.walk import Walk
from gateway.inspect.word import Word


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
    return code if len(parsed.source) == len(text) else _whole(code, text)


def _whole(code: Code, text: str) -> Code:
    """The same with all places those of the whole text, where another spelling of it was read."""
    place = {"start": 0, "end": len(text)}

    def moved(word: Word) -> Word:
        return replace(word, **place)

    return Code(
        tuple(replace(deed, **place) for deed in code.deeds),
        tuple(moved(word) for word in code.shells),
        tuple(tuple(moved(word) for word in words) for words in code.commands),
        tuple(moved(word) for word in code.queries),
        tuple(replace(doubt, **place) for doubt in code.doubts),
    )
