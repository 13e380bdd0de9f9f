"""R."""

from __future__ import annotations

from types import MappingProxyType

from gateway.inspect.code import Code
from gateway.inspect.deed import Does, Extent
from gateway.inspect.languages import folds
from gateway.inspect.languages.doer import flat
from gateway.inspect.languages.evaluator import Evaluator
from gateway.inspect.languages.language import Call, Handler, Language
from gateway.inspect.languages.reading import read
from gateway.inspect.languages.syntax import Syntax
from gateway.inspect.python.folding import pattern
from gateway.inspect.value import NOTHING, Value, joined
from gateway.inspect.word import FULL


def _unlink(evaluator: Evaluator, call: Call) -> Value:
    tree = call.named.get("recursive")
    given = call.value(0) if call.arguments else call.option("x")
    extent = Extent.TREE if tree is not None and tree[0].name in ("TRUE", "T") else Extent.ONE
    if len(call.arguments) > 1 and call.value(1).name in ("TRUE", "T"):
        extent = Extent.TREE
    for one in flat(given):
        patterns = Value(texts=tuple(pattern(text) for text in one.text()), extent=one.extent)
        evaluator.findings.on_paths(Does.DELETE, patterns, call.spot, extent)
    return NOTHING


def _paste(evaluator: Evaluator, call: Call) -> Value:
    del evaluator
    between = call.named["sep"][0].text()[0] if "sep" in call.named else "" if call.name == "paste0" else " "
    return joined([one for value, _ in call.arguments for one in flat(value)], between)


def _combined(evaluator: Evaluator, call: Call) -> Value:
    del evaluator
    return Value(items=tuple(one for value, _ in call.arguments for one in flat(value)))


def _files(evaluator: Evaluator, call: Call) -> Value:
    if "full.names" in call.named:
        return folds.listed(evaluator, call)
    return Value(items=(Value(texts=(FULL,), extent=Extent.MANY),), kind="many")


def _system2(evaluator: Evaluator, call: Call) -> Value:
    given = call.named.get("args")
    values = [call.value(0), call.value(1) if given is None else given[0]]
    return evaluator.command([value for value in values if value != NOTHING], call.spot)


_HANDLERS: dict[str, Handler] = {
    "unlink": _unlink,
    "paste0": _paste,
    "paste": _paste,
    "c": _combined,
    "list.files": _files,
    "dir": _files,
    "Sys.glob": folds.globbed,
    "file.path": folds.paths,
    "path.expand": folds.same,
    "normalizePath": folds.same,
    "getwd": folds.fixed("."),
    "tempdir": folds.fixed(folds.TMP),
    "tempfile": folds.fixed(folds.TMP),
    "Sys.getenv": folds.environment,
    "file.rename": folds.moved,
    "system2": _system2,
    "print": folds.printed,
    "cat": folds.printed,
    "parse": lambda evaluator, call: call.option("text"),
}
_LANGUAGE = Language(
    Syntax(comments=("#",), blocks=(), backtick="name", name=r"\.?[^\W\d][\w.]*"),
    calls=MappingProxyType(
        {
            "file.remove": "delete 0 rest",
            "fs::file_delete": "delete 0",
            "fs::dir_delete": "delete 0 tree",
            "file_delete": "delete 0",
            "dir_delete": "delete 0 tree",
            "system": "shell 0 command",
            "shell": "shell 0",
            "pipe": "shell 0",
            "eval": "code 0",
            "writeLines": "overwrite 1 con",
            "write": "overwrite 1 file",
            "write.csv": "overwrite 1 file",
            "write.table": "overwrite 1 file",
            "saveRDS": "overwrite 1 file",
            "readLines": "read 0 con",
            "readRDS": "read 0 file",
            "file.copy": "read 0, overwrite 1",
            "file.create": "overwrite 0",
            "file.append": "append 0",
            "Sys.chmod": "meta 0",
            "source": "source 0 file",
            "download.file": "net 0 url, overwrite 1 destfile",
            "url": "net 0",
            "dbExecute": "query 1",
            "dbGetQuery": "query 1",
            "dbSendQuery": "query 1",
            "GET": "net 0",
            "POST": "net 0",
        }
    ),
    handlers=MappingProxyType(_HANDLERS),
    joins=frozenset(),
    canonical=lambda name: name.removeprefix("base.").removeprefix("base::").replace("fs.", "fs::"),
)


def _source(evaluator: Evaluator, call: Call) -> Value:
    value = call.value(0)
    if value.text()[0].startswith(("http://", "https://")):
        made = evaluator.net(value, call.spot)
        evaluator.findings.runs(made, call.spot)
        return NOTHING
    return evaluator.code(value, call.spot) if "network" in value.sources else NOTHING


def _do_call(evaluator: Evaluator, call: Call) -> Value:
    """A function by its name, with a list of arguments."""
    name = call.value(0).texts[0] if call.value(0).texts else call.value(0).name
    given = call.value(1)
    keys = given.keys or ("",) * len(given.items or ())
    pairs = list(zip(keys, given.items or (), strict=False))
    arguments = [(value, call.spot) for key, value in pairs if not key]
    named = {key: (value, call.spot) for key, value in pairs if key}
    return evaluator.called(Call(name, arguments, call.spot, named=named))


def _list(evaluator: Evaluator, call: Call) -> Value:
    del evaluator
    items = (*(value for value, _ in call.arguments), *(value for value, _ in call.named.values()))
    keys = (*("" for _ in call.arguments), *call.named)
    return Value(items=items, keys=keys if call.named else ())


_HANDLERS["source"] = _source
_HANDLERS.update(
    dict.fromkeys(("lapply", "sapply", "vapply", "walk", "purrr.walk", "purrr.map"), folds.for_each(1, 0))
)
_HANDLERS.update(dict.fromkeys(("Map", "Filter"), folds.for_each(0, 1)))
_HANDLERS["do.call"] = _do_call
_HANDLERS["list"] = _list


def read_r(source: str) -> Code:
    """All that R code would do."""
    return read(_LANGUAGE, source)
