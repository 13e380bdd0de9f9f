"""Lua."""

from __future__ import annotations

from types import MappingProxyType

from gateway.inspect.code import Code
from gateway.inspect.languages import folds
from gateway.inspect.languages.evaluator import Evaluator
from gateway.inspect.languages.language import Call, Handler, Language
from gateway.inspect.languages.reading import read
from gateway.inspect.languages.syntax import Syntax
from gateway.inspect.value import Value, joined, text


def _reverse(evaluator: Evaluator, call: Call) -> Value:
    del evaluator
    holder = call.value(0) if call.arguments else call.holder
    return text(*(one[::-1] for one in holder.text()))


def _concat(evaluator: Evaluator, call: Call) -> Value:
    del evaluator
    between = call.value(1).text()[0] if len(call.arguments) > 1 else ""
    return joined(list(call.value(0).items or ()), between)


_HANDLERS: dict[str, Handler] = {
    "io.open": folds.open_file,
    "os.rename": folds.moved,
    "os.getenv": folds.environment,
    "os.tmpname": folds.fixed(folds.TMP),
    "string.char": folds.chars,
    "string.reverse": _reverse,
    "table.concat": _concat,
    "print": folds.printed,
    "io.write": folds.printed,
    ".reverse": _reverse,
    "socket.connect": folds.host,
    ".connect": folds.host,
}
_LANGUAGE = Language(
    Syntax(comments=("--",), blocks=(), long=r"(?:--)?\[=*\[", name=r"[^\W\d]\w*"),
    calls=MappingProxyType(
        {
            "os.remove": "delete 0",
            "os.execute": "shell 0",
            "io.popen": "shell 0",
            "io.output": "overwrite 0",
            "io.lines": "read 0",
            "io.input": "read 0",
            "lfs.rmdir": "delete 0",
            "vim.fn.delete": "delete 0 tree",
            "vim.fn.system": "shell 0",
            "vim.fn.writefile": "overwrite 1",
            "vim.cmd": "vim 0",
            "loadstring": "code 0",
            "load": "code 0",
            "dofile": "read 0",
            "http.request": "net 0",
            "posix.unlink": "delete 0",
            "posix.rmdir": "delete 0",
        }
    ),
    methods=MappingProxyType({"execute": "query 0"}),
    handlers=MappingProxyType(_HANDLERS),
    joins=frozenset(("..",)),
    endings=frozenset((";",)),
    bare=True,
)


def read_lua(source: str) -> Code:
    """All that Lua code would do."""
    return read(_LANGUAGE, source)
