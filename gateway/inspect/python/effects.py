"""What calls of Python's own functions do: files, programs, code, hosts."""

from __future__ import annotations

import ast
import shlex
from collections.abc import Callable, Mapping
from dataclasses import replace
from types import MappingProxyType
from typing import TYPE_CHECKING

from gateway.inspect.calls import Role, roles
from gateway.inspect.deed import Does, Extent, Origin
from gateway.inspect.findings import HERE, with_sources
from gateway.inspect.python.calls import Call
from gateway.inspect.python.expressions import formatted, named, variable
from gateway.inspect.python.folding import FOLDS, join
from gateway.inspect.python.names import canonical
from gateway.inspect.python.running import (
    attribute_by_name,
    compiled,
    execute,
    imported,
    later,
    loaded,
    mapped_over,
    marshalled,
    partial,
    run_code,
    variables,
)
from gateway.inspect.python.tables import DOWNLOADERS, SHELLS
from gateway.inspect.value import NOTHING, Value, sources, text
from gateway.inspect.word import UNKNOWN, certain

if TYPE_CHECKING:
    from gateway.inspect.python.walk import Walk

_WRITING = frozenset("wax+")
_NETWORK = frozenset(("network",))


def by_roles(walk: Walk, spec: str, call: Call) -> Value:
    """Do with the arguments what a table says."""
    for role in roles(spec):
        given = call.get(role.at, *role.names)
        if given is None:
            continue
        value, node = given
        if role.does in (Does.KILL, Does.PERSIST, Does.NET):
            for target in value.text():
                walk.findings.deed(role.does, target, node)
        elif role.does is not None:
            _on_paths(walk, role, value, node)
        elif role.kind == "shell":
            walk.findings.shell(value, node)
            return _output(walk, value.text())
        elif role.kind == "command":
            given_words = [item for item, _ in call.arguments[role.at :]] if value.items is None else [value]
            run_list(walk, Value(items=tuple(given_words)) if value.items is None else value, call, node)
        elif role.kind == "query":
            for one in value.text():
                walk.findings.query(one, node)
        elif role.kind == "file":
            for one in value.text():
                walk.findings.deed(Does.EXEC, one, node, origin=Origin.FILE)
        elif role.kind == "registry":
            walk.findings.command([("reg", node), ("delete", node), (UNKNOWN, node), ("/f", node)])
    return NOTHING


def _on_paths(walk: Walk, role: Role, value: Value, node: ast.AST) -> None:
    if role.does is None:
        return
    many = value.items if value.items is not None else (value,)
    for one in many:
        if role.does is Does.READ and not certain("".join(one.text())):
            continue
        walk.findings.on_paths(role.does, one, node, role.extent)


def _output(walk: Walk, texts: tuple[str, ...]) -> Value:
    """What a command prints, as far as its program tells."""
    del walk
    words = texts[0].split()
    if not words:
        return Value(kind="response")
    program = words[0].rsplit("/", 1)[-1]
    if program in DOWNLOADERS:
        return Value(texts=(UNKNOWN,), kind="response", sources=_NETWORK)
    if program in ("cat", "head", "tail") and len(words) > 1:
        return Value(texts=(UNKNOWN,), kind="response", sources=frozenset((f"file:{words[-1]}",)))
    decoded = "base64" in texts[0] and "-d" in texts[0]
    return Value(
        texts=(UNKNOWN,), kind="response", sources=frozenset(("decoded",)) if decoded else frozenset()
    )


def run_list(walk: Walk, value: Value, call: Call, node: ast.AST) -> Value:
    """Run a list of arguments."""
    given = call.named.get("cwd")
    nodes = node.elts if isinstance(node, (ast.List, ast.Tuple)) else []
    words: list[tuple[str, ast.AST]] = []
    for i, item in enumerate(value.items or ()):
        at = nodes[i] if i < len(nodes) and len(nodes) == len(value.items or ()) else node
        for one in item.items if item.items is not None else (item,):
            texts = one.text()
            words.append((texts[0] if len(texts) == 1 else UNKNOWN, at))
            if len(texts) > 1:
                words[-1:] = [(t, at) for t in texts]
    walk.findings.command(words, given[0] if given is not None else None)
    program = words[0][0].rsplit("/", 1)[-1] if words else ""
    _fed(walk, program, call)
    _written(walk, [word for word, _ in words], node)
    made = _output(walk, (" ".join(word for word, _ in words),))
    return replace(made, kind="process", name="", items=(text(program),))


def _fed(walk: Walk, program: str, call: Call) -> None:
    """A shell or interpreter that is given its code as input."""
    given = call.named.get("input")
    if given is not None:
        feed(walk, program, *given)
    plugged = [value for name in ("stdin", "stdout", "stderr") for value in (call.value(99, name),)]
    hosts = [one for one in sources(plugged) if one.startswith("socket:")]
    if hosts:
        walk.findings.deed(Does.EXEC, hosts[0][7:], call.node, origin=Origin.NETWORK)


def feed(walk: Walk, program: str, value: Value, node: ast.AST) -> None:
    """What a program reads, where that is code."""
    if program in SHELLS:
        walk.findings.shell(value, node)
    elif program.startswith("python"):
        run_code(walk, value, node)


def _written(walk: Walk, words: list[str], node: ast.AST) -> None:
    """A script that the code wrote before it runs it."""
    for word in words:
        content = walk.written.get(word.removeprefix("./"))
        if content is None or not certain(content):
            continue
        if word.endswith(".py") or "python" in content.partition("\n")[0]:
            run_code(walk, text(content), node)
        elif word.endswith((".sh", ".bash")) or words[0] in SHELLS or content.startswith("#!"):
            walk.findings.shell(text(content), node)


def _subprocess(walk: Walk, call: Call) -> Value:
    given = call.get(0, "args", "cmd", "popenargs")
    if given is None:
        return NOTHING
    value, node = given
    shell = call.named.get("shell")
    in_shell = shell is not None and not _false(shell[1])
    cwd = call.named.get("cwd")
    place = cwd[0] if cwd is not None else None
    if value.items is not None and not (in_shell and value.kind != "many"):
        return run_list(walk, value, call, node)
    if value.items:
        value = value.items[0]
    if in_shell or (value.texts and any(certain(one).strip() for one in value.texts)):
        walk.findings.shell(value, node, place)
        for one in value.text():
            _written(walk, one.replace(";", " ").split(), node)
            _fed(walk, one.split(" ")[0], call)
        made = _output(walk, value.text())
        return replace(made, kind="process", items=(text(value.text()[0].split(" ")[0]),))
    if sources((value,)) & {"network", "decoded"}:
        walk.findings.runs(value, node)
    walk.findings.command([(UNKNOWN, node)], place)
    return Value(kind="process")


def _false(node: ast.AST) -> bool:
    return isinstance(node, ast.Constant) and not node.value


def _execv(walk: Walk, call: Call) -> Value:
    given = call.get(0, "path", "file")
    rest = call.get(1, "args", "argv")
    if given is None:
        return NOTHING
    items = (rest[0].items or (given[0],)) if rest is not None else (given[0],)
    return run_list(
        walk, Value(items=(given[0], *items[1:])), call, rest[1] if rest is not None else given[1]
    )


def _execl(walk: Walk, call: Call) -> Value:
    if not call.arguments:
        return NOTHING
    items = (call.arguments[0][0], *(value for value, _ in call.arguments[2:]))
    return run_list(walk, Value(items=tuple(i for i in items if i.items is None)), call, call.node)


def _spawn(handler: Callable[[Walk, Call], Value]) -> Callable[[Walk, Call], Value]:
    return lambda walk, call: handler(walk, replace(call, arguments=call.arguments[1:]))


def opened(walk: Walk, path: Value, mode: Value, node: ast.AST) -> Value:
    """A file that is opened in some mode."""
    spelled = mode.texts[0] if mode.texts else "r"
    if "w" in spelled or UNKNOWN in spelled or "+" in spelled:
        walk.findings.on_paths(Does.OVERWRITE, path, node)
    elif not _WRITING.isdisjoint(spelled):
        walk.findings.on_paths(Does.APPEND, path, node)
    read = _WRITING.isdisjoint(spelled) or "+" in spelled
    taken: frozenset[str] = frozenset()
    if read:
        taken = frozenset(f"file:{one}" for one in path.text())
        if any(certain(one) for one in path.text()):
            walk.findings.on_paths(Does.READ, path, node)
    return Value(texts=path.text(), kind="file", sources=taken | path.sources, extent=path.extent)


def _open(walk: Walk, call: Call) -> Value:
    given = call.get(0, "file", "filename")
    if given is None or given[0].number is not None:
        return Value(kind="file")
    return opened(walk, replace(given[0], kind=""), call.value(1, "mode"), call.node)


def _os_open(walk: Walk, call: Call) -> Value:
    flags = call.get(1, "flags")
    spelled = ast.dump(flags[1]) if flags is not None else ""
    writes = "O_TRUNC" in spelled or "O_WRONLY" in spelled or "O_RDWR" in spelled or "O_CREAT" in spelled
    mode = "a" if "O_APPEND" in spelled else "w" if writes else "r"
    return opened(walk, call.value(0, "path"), text(mode), call.node)


def moved(walk: Walk, source: Value, target: Value, node: ast.AST) -> Value:
    """A file put in another place, where something may be; one that stays within a project is not lost."""
    apart = [one for one in (*source.text(), *target.text()) if one[:1] in ("/", "~", UNKNOWN) or ".." in one]
    if apart or source.extent is not Extent.ONE:
        walk.findings.on_paths(Does.DELETE, source, node)
    put(walk, source, target, node)
    return replace(target, kind="path" if source.kind == "path" else "")


def put(walk: Walk, source: Value, target: Value, node: ast.AST) -> None:
    """A file written over another, or into a directory that is named as one."""
    ends = [one for one in target.text() if one.endswith(("/", "..")) or one == "."]
    if ends and source.texts:
        target = join((target, FOLDS["os.path.basename"]((source,))))
    walk.findings.on_paths(Does.OVERWRITE, replace(target, extent=Extent.ONE), node)


def _move(walk: Walk, call: Call) -> Value:
    return moved(walk, call.value(0, "src"), call.value(1, "dst"), call.node)


def _copy(walk: Walk, call: Call) -> Value:
    source = call.value(0, "src")
    if any(certain(one) for one in source.text()):
        walk.findings.on_paths(Does.READ, source, call.node)
    put(walk, source, call.value(1, "dst"), call.node)
    return NOTHING


def _chdir(walk: Walk, call: Call) -> Value:
    place = call.value(0, "path").text()
    cwd = join((text(walk.findings.cwd or UNKNOWN), text(place[0]))).text()[0] if len(place) == 1 else UNKNOWN
    walk.findings.cwd = None if cwd.startswith(UNKNOWN) else cwd.removeprefix(f"{HERE}/") or HERE
    return NOTHING


def _kill(walk: Walk, call: Call) -> Value:
    given, signal = call.get(0, "pid"), call.value(1, "sig")
    if given is None or signal.number == 0:
        return NOTHING
    value = given[0]
    if value.kind != "own":
        target = str(value.number) if value.number is not None else value.text()[0]
        walk.findings.deed(Does.KILL, target, call.node)
    return NOTHING


def _print(walk: Walk, call: Call) -> Value:
    for value in call.everything:
        walk.findings.shown(value, call.node)
    return NOTHING


def _getenv(walk: Walk, call: Call) -> Value:
    del walk
    return variable(call.value(0, "key").text()[0], call.value(1, "default"))


def _library(walk: Walk, call: Call) -> Value:
    del walk, call
    return Value(kind="library")


def _dup(walk: Walk, call: Call) -> Value:
    hosts = [one for one in sources(call.values) if one.startswith("socket:")]
    if hosts:
        walk.findings.deed(Does.EXEC, hosts[0][7:], call.node, origin=Origin.NETWORK)
    return NOTHING


def _split(walk: Walk, call: Call) -> Value:
    del walk
    value = call.value(0)
    if len(value.text()) != 1:
        return Value(items=(text(UNKNOWN),))
    try:
        words = shlex.split(value.text()[0])
    except ValueError:
        words = value.text()[0].split()
    return Value(items=tuple(text(word) for word in words), sources=value.sources)


def _fileinput(walk: Walk, call: Call) -> Value:
    if "inplace" in call.named and not _false(call.named["inplace"][1]):
        value = call.value(0, "files")
        for one in value.items if value.items is not None else (value,):
            walk.findings.on_paths(Does.OVERWRITE, one, call.node)
    return NOTHING


def _input(walk: Walk, call: Call) -> Value:
    del walk, call
    return Value(texts=(UNKNOWN,), sources=frozenset(("input",)))


def _kept(*more: str) -> Callable[[Walk, Call], Value]:
    """A function whose result holds what it is given, as a text that can't be known."""
    return lambda walk, call: with_sources(Value(texts=(UNKNOWN,), sources=sources(call.values)), *more)


NAMED: Mapping[str, Callable[[Walk, Call], Value]] = MappingProxyType(
    {
        **dict.fromkeys(
            [f"subprocess.{name}" for name in ("run", "call", "Popen", "check_call", "check_output")],
            _subprocess,
        ),
        **dict.fromkeys([f"os.exec{end}" for end in ("v", "ve", "vp", "vpe")], _execv),
        **dict.fromkeys([f"os.exec{end}" for end in ("l", "le", "lp", "lpe")], _execl),
        **dict.fromkeys([f"os.spawn{end}" for end in ("v", "ve", "vp", "vpe")], _spawn(_execv)),
        **dict.fromkeys([f"os.spawn{end}" for end in ("l", "le", "lp", "lpe")], _spawn(_execl)),
        "os.posix_spawn": _execv,
        "os.posix_spawnp": _execv,
        "open": _open,
        "os.open": _os_open,
        "os.rename": _move,
        "os.renames": _move,
        "os.replace": _move,
        "shutil.move": _move,
        "shutil.copy": _copy,
        "shutil.copy2": _copy,
        "exec": execute,
        "eval": execute,
        "compile": compiled,
        "types.FunctionType": compiled,
        "__import__": imported,
        "importlib.import_module": imported,
        "importlib.__import__": imported,
        "getattr": attribute_by_name,
        "vars": variables,
        "globals": variables,
        "locals": variables,
        "pickle.loads": loaded,
        "pickle.load": loaded,
        "yaml.load": loaded,
        "yaml.unsafe_load": loaded,
        "jsonpickle.decode": loaded,
        "marshal.loads": marshalled,
        "os.chdir": _chdir,
        "os.fchdir": _chdir,
        "os.kill": _kill,
        "os.getpid": lambda walk, call: Value(kind="own"),
        "map": mapped_over,
        "filter": lambda walk, call: call.value(1),
        "functools.partial": partial,
        "threading.Thread": later,
        "threading.Timer": later,
        "multiprocessing.Process": later,
        "multiprocessing.context.Process": later,
        "asyncio.to_thread": later,
        "asyncio.run": lambda walk, call: call.value(0),
        "atexit.register": later,
        "weakref.finalize": later,
        "print": _print,
        "pprint.pprint": _print,
        "logging.info": _print,
        "logging.warning": _print,
        "logging.error": _print,
        "logging.debug": _print,
        "sys.stdout.write": _print,
        "sys.stderr.write": _print,
        "sys.exit": _print,
        "os.getenv": _getenv,
        "os.environ.get": _getenv,
        "ctypes.CDLL": _library,
        "ctypes.PyDLL": _library,
        "ctypes.WinDLL": _library,
        "ctypes.cdll.LoadLibrary": _library,
        "ctypes.util.find_library": lambda walk, call: text(UNKNOWN),
        "os.dup2": _dup,
        "shlex.split": _split,
        "fileinput.input": _fileinput,
        "fileinput.FileInput": _fileinput,
        "input": _input,
        "raw_input": _input,
        "sys.stdin.read": _input,
        "sys.stdin.readline": _input,
        "format": lambda walk, call: formatted(text("{}"), list(call.values), {}),
        "type": lambda walk, call: NOTHING,
        "base64.b64encode": _kept(),
        "base64.urlsafe_b64encode": _kept(),
        "zlib.compress": _kept(),
        "json.loads": _kept(),
        "json.load": _kept(),
        "setattr": lambda walk, call: NOTHING,
        "sys.modules.get": lambda walk, call: named(canonical(call.value(0).text()[0])),
    }
)
