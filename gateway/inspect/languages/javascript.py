"""JavaScript as Node, Deno and Bun run it."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from gateway.inspect.code import Code
from gateway.inspect.deed import Does, Extent
from gateway.inspect.languages.doer import flat
from gateway.inspect.languages.evaluator import Evaluator
from gateway.inspect.languages.language import Call, Handler, Language
from gateway.inspect.languages.reading import read
from gateway.inspect.languages.syntax import Syntax
from gateway.inspect.python.folding import FOLDS, join, pattern
from gateway.inspect.value import NOTHING, Value, joined, sources, text
from gateway.inspect.word import FULL, UNKNOWN
from gateway.later import later

_IMPORT = later(
    r"\bimport\s+(?:(?P<star>\*\s*as\s+\w+|[\w$]+)\s*,?\s*)?(?:\{(?P<names>[^}]*)\}\s*)?from\s*"
    r"['\"](?P<module>[^'\"]+)['\"]"
)
_TAKEN = later(
    r"\b(?:const|let|var)\s*\{(?P<names>[^}]*)\}\s*=\s*(?:await\s+)?(?:require|import)\s*\(\s*"
    r"['\"](?P<module>[^'\"]+)['\"]\s*\)(?P<rest>(?:\.\w+)?)"
)
_SAME: Mapping[str, str] = MappingProxyType(
    {
        "fs-extra": "fs",
        "graceful-fs": "fs",
        "fs/promises": "fs",
        "fsp": "fs",
        "fse": "fs",
        "cp": "child_process",
        "exec": "child_process.exec",
        "execSync": "child_process.exec",
        "shelljs": "shelljs",
        "sh": "shelljs",
        "zx": "zx",
        "execa.execa": "execa",
        "node-fetch": "fetch",
        "undici.fetch": "fetch",
        "cross-spawn": "child_process.spawn",
        "https": "http",
        "tls": "net",
        "net.createConnection": "net.connect",
        "rimraf.rimraf": "rimraf",
        "rimraf.sync": "rimraf",
        "del.deleteAsync": "del",
        "del.sync": "del",
        "trash.default": "trash",
    }
)


def _canonical(name: str) -> str:
    name = (
        name.removeprefix("node:").replace(".promises", "").replace("globalThis.", "").replace("window.", "")
    )
    name = name.replace("mainModule.require", "require").replace("process.require", "require")
    if name.endswith("Sync") and "." in name:
        name = name[:-4]
    head, _, rest = name.partition(".")
    known = _SAME.get(name)
    if known is None and rest and head in _SAME:
        known = f"{_SAME[head]}.{rest}"
    return known if known is not None else name


def _require(evaluator: Evaluator, call: Call) -> Value:
    name = call.value(0).text()[0]
    del evaluator
    return Value(name=_canonical(name)) if UNKNOWN not in name else NOTHING


def _spawn(evaluator: Evaluator, call: Call) -> Value:
    program, given = call.value(0), call.value(1)
    words = [program, *((given.items or ()) if not given.keys else ())]
    shell = call.option("shell")
    cwd = call.option("cwd")
    place = cwd if cwd.texts else None
    if shell != NOTHING and shell.name not in ("false", "undefined"):
        evaluator.findings.shell(joined(words, " "), call.spot, place)
        return NOTHING
    evaluator.findings.command([(one.text()[0], call.spot) for word in words for one in flat(word)], place)
    return NOTHING


def _exec(evaluator: Evaluator, call: Call) -> Value:
    cwd = call.option("cwd")
    evaluator.findings.shell(call.value(0), call.spot_of(0), cwd if cwd.texts else None)
    text_ = call.value(0).text()[0]
    return Value(
        texts=(UNKNOWN,),
        sources=frozenset(("network",)) if text_.startswith(("curl", "wget")) else frozenset(),
    )


def _rm(evaluator: Evaluator, call: Call) -> Value:
    tree = call.option("recursive").name == "true"
    extent = Extent.TREE if tree else Extent.ONE
    for one in flat(call.value(0)):
        evaluator.findings.on_paths(Does.DELETE, one, call.spot_of(0), extent)
    return NOTHING


def _rename(evaluator: Evaluator, call: Call) -> Value:
    move(evaluator, call.value(0), call.value(1), call)
    return NOTHING


def move(evaluator: Evaluator, source: Value, target: Value, call: Call) -> None:
    """A file put in another place; one that stays within a project is not lost."""
    if any(one[:1] in ("/", "~", UNKNOWN) or ".." in one for one in (*source.text(), *target.text())):
        evaluator.findings.on_paths(Does.DELETE, source, call.spot)
    evaluator.findings.on_paths(Does.OVERWRITE, target, call.spot)


def _fetch(evaluator: Evaluator, call: Call) -> Value:
    verb = call.name.rpartition(".")[2].upper()
    method = call.option("method").text()[0] if call.option("method").texts else verb
    for url in call.value(0).text():
        sent = tuple(value for value, _ in call.arguments)
        evaluator.findings.deed(Does.NET, url, call.spot_of(0), sent=_body(call, sent))
        if method.upper() in ("DELETE", "PUT", "PATCH", "POST"):
            spot = call.spot_of(0)
            words = [("curl", spot), ("-X", spot), (method.upper(), spot)]
            body = call.option("body") if call.option("body") != NOTHING else call.option("data")
            words += [("-d", spot), (body.text()[0], spot)] if body.texts else []
            evaluator.findings.command([*words, (url, spot)])
    return Value(texts=(UNKNOWN,), sources=frozenset(("network",)))


def _body(call: Call, sent: tuple[Value, ...]) -> tuple[Value, ...]:
    """What is sent without the headers, by which programs give their own secrets."""
    made: list[Value] = []
    for value in sent:
        if value.keys:
            pairs = zip(value.keys, value.items or (), strict=False)
            made += [item for key, item in pairs if key not in ("headers", "auth", "agent")]
        else:
            made.append(value)
    del call
    return tuple(made)


def _connect(evaluator: Evaluator, call: Call) -> Value:
    given = call.value(0)
    host = call.option("host") if given.keys else call.value(1)
    port = call.option("port") if given.keys else given
    number = port.number if port.number is not None else port.text()[0]
    target = f"{host.text()[0]}:{number}"
    evaluator.findings.deed(Does.NET, target, call.spot)
    return Value(texts=(target,), kind="socket", sources=frozenset(("network",)))


def _join(evaluator: Evaluator, call: Call) -> Value:
    del evaluator
    return join(tuple(value for value, _ in call.arguments))


def _same(evaluator: Evaluator, call: Call) -> Value:
    del evaluator
    return call.value(0)


def _readdir(evaluator: Evaluator, call: Call) -> Value:
    del evaluator, call
    return Value(items=(Value(texts=(FULL,), extent=Extent.MANY),), kind="many")


def _glob(evaluator: Evaluator, call: Call) -> Value:
    del evaluator
    texts = tuple(pattern(one) for one in call.value(0).text())
    return Value(items=(Value(texts=texts, extent=Extent.MANY),), kind="many")


def _home(evaluator: Evaluator, call: Call) -> Value:
    del evaluator, call
    return text("~")


def _here(evaluator: Evaluator, call: Call) -> Value:
    del evaluator, call
    return text(".")


def _tmp(evaluator: Evaluator, call: Call) -> Value:
    del evaluator, call
    return text("/tmp/tmp" + UNKNOWN)  # noqa: S108


def _buffer(evaluator: Evaluator, call: Call) -> Value:
    del evaluator
    code = call.value(1).text()[0] if len(call.arguments) > 1 else ""
    name = {
        "base64": "base64.b64decode",
        "hex": "bytes.fromhex",
        "base64url": "base64.urlsafe_b64decode",
    }.get(code)
    return FOLDS[name]((call.value(0),)) if name is not None else call.value(0)


def _atob(evaluator: Evaluator, call: Call) -> Value:
    del evaluator
    return FOLDS["base64.b64decode"]((call.value(0),))


def _chars(evaluator: Evaluator, call: Call) -> Value:
    del evaluator
    return joined([FOLDS["chr"]((one,)) for value, _ in call.arguments for one in flat(value)])


def _joined(evaluator: Evaluator, call: Call) -> Value:
    del evaluator
    if call.holder.items is None:
        return Value(texts=(UNKNOWN,), sources=sources((call.holder,)))
    return joined(list(call.holder.items), call.value(0).text()[0] if call.arguments else ",")


def _concat(evaluator: Evaluator, call: Call) -> Value:
    del evaluator
    return joined([call.holder, *(value for value, _ in call.arguments)])


def _kept(evaluator: Evaluator, call: Call) -> Value:
    del evaluator
    return call.holder


def _print(evaluator: Evaluator, call: Call) -> Value:
    for value, spot in call.arguments:
        evaluator.findings.shown(value, spot)
    return NOTHING


def _shelljs(evaluator: Evaluator, call: Call) -> Value:
    words = [text(call.name.rpartition(".")[2]), *(value for value, _ in call.arguments)]
    return evaluator.command(words, call.spot)


def _command(evaluator: Evaluator, call: Call) -> Value:
    args = call.option("args")
    return evaluator.command([call.value(0), args if args.items is not None else Value(items=())], call.spot)


def _run(evaluator: Evaluator, call: Call) -> Value:
    return evaluator.command([call.option("cmd")], call.spot)


def _kill(evaluator: Evaluator, call: Call) -> Value:
    value = call.value(0)
    if call.value(1).number != 0 and value.name not in ("process.pid",):
        evaluator.findings.deed(Does.KILL, value.text()[0], call.spot)
    return NOTHING


_FS = {
    "fs.unlink": "delete 0",
    "fs.rmdir": "delete 0 tree",
    "fs.remove": "delete 0 tree",
    "fs.emptyDir": "delete 0 tree",
    "fs.truncate": "overwrite 0",
    "fs.ftruncate": "overwrite 0",
    "fs.writeFile": "overwrite 0",
    "fs.outputFile": "overwrite 0",
    "fs.writeJson": "overwrite 0",
    "fs.createWriteStream": "overwrite 0",
    "fs.appendFile": "append 0",
    "fs.copyFile": "read 0, overwrite 1",
    "fs.copy": "read 0, overwrite 1",
    "fs.cp": "read 0, overwrite 1",
    "fs.chmod": "meta 0",
    "fs.lchmod": "meta 0",
    "fs.chown": "meta 0",
    "fs.lchown": "meta 0",
    "fs.symlink": "meta 1",
    "fs.readFile": "read 0",
    "fs.createReadStream": "read 0",
    "Deno.writeTextFile": "overwrite 0",
    "Deno.writeFile": "overwrite 0",
    "Deno.truncate": "overwrite 0",
    "Deno.copyFile": "read 0, overwrite 1",
    "Deno.readTextFile": "read 0",
    "Deno.readFile": "read 0",
    "Deno.chmod": "meta 0",
    "Deno.chown": "meta 0",
    "Bun.write": "overwrite 0",
    "Bun.file": "read 0",
    "rimraf": "delete 0 tree",
    "del": "delete 0 tree",
    "trash": "delete 0 tree",
    "eval": "code 0",
    "Function": "code 0",
    "vm.runInThisContext": "code 0",
    "vm.runInNewContext": "code 0",
    "vm.runInContext": "code 0",
    "setTimeout": "string 0",
    "http.get": "net 0",
    "http.request": "net 0",
    "WebSocket": "net 0",
    "EventSource": "net 0",
}
_HANDLERS: dict[str, Handler] = {
    "require": _require,
    "import": _require,
    "process.binding": _require,
    "module.require": _require,
    "process.getBuiltinModule": _require,
    "fs.rm": _rm,
    "Deno.remove": _rm,
    "fs.rename": _rename,
    "fs.move": _rename,
    "Deno.rename": _rename,
    "fs.readdir": _readdir,
    "fs.mkdtemp": _tmp,
    "fs.glob": _glob,
    "glob": _glob,
    "glob.glob": _glob,
    "glob.sync": _glob,
    "fast-glob": _glob,
    "Deno.readDir": _readdir,
    "child_process.exec": _exec,
    "child_process.spawn": _spawn,
    "child_process.execFile": _spawn,
    "child_process.fork": _spawn,
    "execa": _spawn,
    "Bun.spawn": _spawn,
    "Deno.Command": _command,
    "Deno.run": _run,
    "shelljs.exec": _exec,
    **{f"shelljs.{name}": _shelljs for name in ("rm", "mv", "cp", "chmod", "sed")},
    "fetch": _fetch,
    "axios": _fetch,
    "got": _fetch,
    **{
        f"{head}.{verb}": _fetch
        for head in ("axios", "got", "superagent", "ky")
        for verb in ("get", "post", "put", "patch", "delete", "head")
    },
    "net.connect": _connect,
    "net.Socket.connect": _connect,
    ".connect": _connect,
    "path.join": _join,
    "path.resolve": _join,
    "path.normalize": _same,
    "os.homedir": _home,
    "os.tmpdir": lambda evaluator, call: text("/tmp"),  # noqa: S108
    "process.cwd": _here,
    "Deno.cwd": _here,
    "Buffer.from": _buffer,
    "atob": _atob,
    "String.fromCharCode": _chars,
    "String.raw": _same,
    "JSON.stringify": _same,
    "decodeURIComponent": _same,
    "encodeURIComponent": _same,
    "Object.entries": _same,
    "util.promisify": _same,
    "promisify": _same,
    "console.log": _print,
    "console.error": _print,
    "console.table": _print,
    "console.dir": _print,
    "console.info": _print,
    "process.stdout.write": _print,
    "process.kill": _kill,
    ".join": _joined,
    ".concat": _concat,
    ".toString": _kept,
    ".trim": _kept,
}
_LANGUAGE = Language(
    Syntax(quotes="\"'", backtick="text", inner=(("`", "js"),), name=r"[^\W\d]?[\w$]*[$\w]"),
    calls=MappingProxyType({name: spec for name, spec in _FS.items() if "string" not in spec}),
    methods=MappingProxyType(
        {
            "doShellScript": "shell 0",
            "query": "query 0",
            "execute": "query 0",
            "$executeRawUnsafe": "query 0",
            "raw": "query 0",
            "$queryRawUnsafe": "query 0",
        }
    ),
    handlers=MappingProxyType(_HANDLERS),
    constants=MappingProxyType(
        {
            "process.env": Value(kind="environ", sources=frozenset(("environ",))),
            "Bun.env": Value(kind="environ", sources=frozenset(("environ",))),
            "process.execPath": text("node"),
            "__dirname": text("."),
            "path.sep": text("/"),
        }
    ),
    canonical=_canonical,
    endings=frozenset((";", "\n")),
)


def read_javascript(source: str) -> Code:
    """All that JavaScript code would do."""
    variables: dict[str, Value] = {}
    for found in (*_IMPORT.finditer(source), *_TAKEN.finditer(source)):
        module = _canonical(found["module"])
        star = found.groupdict().get("star")
        if star:
            variables[star.split()[-1]] = Value(name=module)
        for name in (found["names"] or "").split(","):
            own, _, other = (part.strip() for part in name.replace(" as ", ":").partition(":"))
            if own:
                variables[other or own] = Value(name=_canonical(f"{module}.{own}"))
    return read(_LANGUAGE, source, variables)
