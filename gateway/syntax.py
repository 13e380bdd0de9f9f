"""What a YAML parser's error means to the person who wrote the text."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from gateway.diagnostic import Diagnostic, Source, Span

if TYPE_CHECKING:
    from gateway.nodes import Node

_QUOTE = "quote the expression"
_OPENERS = {"(": ")", "[": "]", "{": "}"}


def explain_syntax(source: Source, error: Exception, last: Node | None) -> Diagnostic:
    """One diagnostic for the parser's error; `last` is the scalar that was read before it."""
    context = str(getattr(error, "context", None) or "")
    problem = str(getattr(error, "problem", None) or "")
    at = _index(error, "problem_mark", source)
    began = _index(error, "context_mark", source) if getattr(error, "context_mark", None) else at

    def found(message: str, start: int, end: int, help: str) -> Diagnostic:
        return Diagnostic("yaml-syntax", message, Span(source, start, end), help)

    def accident(message: str, start: int, end: int) -> Diagnostic:
        return Diagnostic("yaml-expression", message, Span(source, start, end), _QUOTE)

    if context.endswith(("a tag", "an alias", "an anchor")):
        return misread(source, began)
    if context.endswith("a block scalar"):
        end = expression_end(source.text, began)
        return accident(f"`{source.text[began:end]}` is read as the start of a text block", began, end)
    if _follows_value(source.text, last, at) and last is not None:
        end = max(expression_end(source.text, last.start), last.end)
        return accident(f"yaml does not read `{source.text[last.start : end]}` as one value", last.start, end)
    if "cannot start any token" in problem:
        end = max(at + 1, expression_end(source.text, at))
        if source.text[at : at + 1] == "\t":
            return found("a tab can't indent", at, at + 1, "indent with spaces")
        return accident(f"`{source.text[at]}` can't start a value", at, end)
    if context.endswith("a quoted scalar"):
        if "end of stream" in problem or "document separator" in problem:
            return found("the quotation mark is not closed", began, began + 1, "close it")
        end = min(at + 1, len(source.text))
        return found("the quoted text has an escape that yaml does not know", at, end, "use single quotes")
    if context.endswith(("flow mapping", "flow sequence")):
        if at >= len(source.text.rstrip()):
            return found("the bracket is not closed", began, began + 1, "close it")
        return found("a comma or a closing bracket is missing", at, at + 1, "check commas and brackets")
    if "could not find expected ':'" in problem:
        return found("a colon is missing after the key", began, at, "write `key: value`")
    at = min(at, max(len(source.text) - 1, 0))
    return found("this is no yaml that can be read", at, at + 1, "check the indentation and the quotes")


_MISREAD = {"!": "tag", "*": "alias", "&": "anchor"}


def misread(source: Source, start: int) -> Diagnostic:
    """What starts with `!`, `*` or `&`: hardly ever meant as YAML understands it."""
    end = max(expression_end(source.text, start), start + 1)
    what = _MISREAD.get(source.text[start : start + 1], "tag")
    message = f"`{source.text[start:end]}` is read as a yaml {what}"
    return Diagnostic(
        f"yaml-{what}", message, Span(source, start, end), f"{_QUOTE}; yaml {what}s are not available"
    )


def expression_end(text: str, start: int) -> int:
    """Where an expression that starts here would end: at the line's end, a comment, or the list's comma."""
    closers: list[str] = []
    quote = ""
    at = start
    while at < len(text) and text[at] not in "\r\n":
        char = text[at]
        if quote:
            quote = "" if char == quote else quote
        elif char in "'\"":
            quote = char
        elif char in _OPENERS:
            closers.append(_OPENERS[char])
        elif char in ")]}":
            if not closers:
                break
            closers.pop()
        elif not closers and (char == "," or text.startswith(" #", at)):
            break
        at += 1
    return start + len(text[start:at].rstrip())


def _follows_value(text: str, last: Node | None, at: int) -> bool:
    """Whether the error lies on the line of the value before it, with nothing between that could end one."""
    if last is None or at < last.end or last.style in ("|", ">"):
        return False
    between = text[last.end : at]
    if between.strip(" \t") or "\n" in between:
        return False
    before = text[: last.start].rstrip(" ")
    return before.endswith((":", "-", ",", "[", "{", "?")) and at < len(text) and text[at] not in "\r\n"


def _index(error: Exception, name: str, source: Source) -> int:
    mark: Any = getattr(error, name, None)
    index = getattr(mark, "index", getattr(error, "position", 0))
    return min(index if isinstance(index, int) else 0, len(source.text))
