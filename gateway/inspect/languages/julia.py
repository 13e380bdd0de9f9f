"""Julia."""

from __future__ import annotations

from types import MappingProxyType

from gateway.inspect.code import Code
from gateway.inspect.languages import folds
from gateway.inspect.languages.language import Handler, Language
from gateway.inspect.languages.reading import read
from gateway.inspect.languages.syntax import Syntax
from gateway.inspect.value import text

_HANDLERS: dict[str, Handler] = {
    "joinpath": folds.paths,
    "homedir": folds.fixed("~"),
    "pwd": folds.fixed("."),
    "tempdir": folds.fixed("/tmp"),  # noqa: S108
    "mktempdir": folds.fixed(folds.TMP),
    "expanduser": folds.same,
    "abspath": folds.same,
    "string": folds.texts,
    "readdir": lambda evaluator, call: (
        folds.listed(evaluator, call) if "join" in call.named else folds.names(evaluator, call)
    ),
    "foreach": folds.for_each(0, 1),
    "map": folds.for_each(0, 1),
    "open": folds.open_file,
    "mv": folds.moved,
    "println": folds.printed,
    "print": folds.printed,
    "connect": folds.host,
    "run": folds.same,
}
_LANGUAGE = Language(
    Syntax(
        comments=("#",), blocks=(("#=", "=#"),), quotes='"', backtick="shell", triple=True,
        inner=(('"', "dollar"), ("`", "dollar")), name=r"[^\W\d][\w!]*",
    ),
    calls=MappingProxyType(
        {
            "rm": "delete 0 tree",
            "Base.rm": "delete 0 tree",
            "Base.Filesystem.rm": "delete 0 tree",
            "write": "overwrite 0",
            "truncate": "overwrite 0",
            "cp": "read 0, overwrite 1",
            "chmod": "meta 0",
            "chown": "meta 0",
            "read": "read 0",
            "readlines": "read 0",
            "eachline": "read 0",
            "include_string": "code 1",
            "download": "net 0",
            "Downloads.download": "net 0",
            "HTTP.get": "net 0",
            "HTTP.post": "net 0",
            "DBInterface.execute": "query 1",
        }
    ),
    handlers=MappingProxyType(_HANDLERS),
    constants=MappingProxyType({"ENV": folds.ENVIRON, "@__DIR__": text(".")}),
    joins=frozenset("*"),
)  # fmt: skip


def read_julia(source: str) -> Code:
    """All that Julia code would do."""
    return read(_LANGUAGE, source)
