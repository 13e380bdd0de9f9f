"""Groovy, Scala, Kotlin and Java, as far as scripts of a few lines go."""

from __future__ import annotations

from types import MappingProxyType

from gateway.inspect.code import Code
from gateway.inspect.deed import Does, Extent
from gateway.inspect.languages import folds
from gateway.inspect.languages.evaluator import Evaluator
from gateway.inspect.languages.language import Call, Handler, Language
from gateway.inspect.languages.reading import read
from gateway.inspect.languages.syntax import Syntax
from gateway.inspect.value import NOTHING, Value, text


def _file(evaluator: Evaluator, call: Call) -> Value:
    made = folds.paths(evaluator, call)
    return Value(texts=made.text(), kind="path", extent=made.extent)


def _on_path(does: Does, extent: Extent = Extent.ONE) -> Handler:
    def handler(evaluator: Evaluator, call: Call) -> Value:
        if call.holder.kind == "path":
            evaluator.findings.on_paths(does, call.holder, call.spot, extent)
        return NOTHING

    return handler


def _execute(evaluator: Evaluator, call: Call) -> Value:
    """A text or list that is executed, or a statement for a database."""
    if call.holder.items is not None:
        return evaluator.command([call.holder], call.spot)
    if call.holder.texts and not call.arguments:
        return evaluator.shell(call.holder, call.spot)
    if call.arguments and call.value(0).texts and " " in call.value(0).texts[0]:
        evaluator.findings.query(call.value(0).texts[0], call.spot_of(0))
    return NOTHING


def _bang(evaluator: Evaluator, call: Call) -> Value:
    if call.holder.texts or call.holder.items:
        evaluator.shell(call.holder, call.spot)
    return NOTHING


def _property(evaluator: Evaluator, call: Call) -> Value:
    del evaluator
    known = {"user.home": "~", "user.dir": ".", "java.io.tmpdir": "/tmp"}  # noqa: S108
    return text(known[name]) if (name := call.value(0).text()[0]) in known else NOTHING


_HANDLERS: dict[str, Handler] = {
    "File": _file,
    "java.io.File": _file,
    "Paths.get": _file,
    "Path.of": _file,
    "os.Path": _file,
    "ProcessBuilder": lambda evaluator, call: evaluator.command(
        [value for value, _ in call.arguments], call.spot
    ),
    "System.getProperty": _property,
    "System.getenv": folds.environment,
    "sys.env": folds.environment,
    "println": folds.printed,
    "print": folds.printed,
    "System.out.println": folds.printed,
    "sys.process.Process": folds.system,
    "Process": folds.system,
    "Seq": lambda evaluator, call: Value(items=tuple(value for value, _ in call.arguments)),
    "List": lambda evaluator, call: Value(items=tuple(value for value, _ in call.arguments)),
    ".delete": _on_path(Does.DELETE),
    ".deleteOnExit": _on_path(Does.DELETE),
    ".deleteDir": _on_path(Does.DELETE, Extent.TREE),
    ".deleteRecursively": _on_path(Does.DELETE, Extent.TREE),
    ".write": _on_path(Does.OVERWRITE),
    ".writeText": _on_path(Does.OVERWRITE),
    ".setText": _on_path(Does.OVERWRITE),
    ".append": _on_path(Does.APPEND),
    ".execute": _execute,
    ".exec": folds.system,
    ".toPath": folds.kept,
    "Files.move": folds.moved,
    "evaluate": lambda evaluator, call: evaluator.code(call.value(0), call.spot),
    "Eval.me": lambda evaluator, call: evaluator.code(call.value(0), call.spot),
    ".run": _bang,
    **{f".{name}": _bang for name in ("lineStream", "lazyLines")},
}
_LANGUAGE = Language(
    Syntax(quotes="\"'", triple=True, inner=(('"', "dollar"),)),
    calls=MappingProxyType(
        {
            "Files.delete": "delete 0",
            "Files.deleteIfExists": "delete 0",
            "FileUtils.deleteDirectory": "delete 0 tree",
            "os.remove.all": "delete 0 tree",
            "os.remove": "delete 0",
            "Files.write": "overwrite 0",
            "Files.writeString": "overwrite 0",
            "Files.copy": "read 0, overwrite 1",
            "Files.readString": "read 0",
            "Runtime.getRuntime.exec": "shell 0",
            "URL": "net 0",
            "FileWriter": "overwrite 0",
            "FileOutputStream": "overwrite 0",
            "PrintWriter": "overwrite 0",
            "ant.delete": "delete 9 dir tree",
        }
    ),
    handlers=MappingProxyType(_HANDLERS),
    canonical=lambda name: name.removeprefix("java.nio.file.").removeprefix("java.io.").removeprefix("java.lang.")
    .removeprefix("org.apache.commons.io.").removeprefix("scala."),
)  # fmt: skip


def read_groovy(source: str) -> Code:
    """All that such code would do."""
    return read(_LANGUAGE, source)
