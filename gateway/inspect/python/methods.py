"""Methods of objects in Python code: texts, lists, paths, files, sockets, requests, databases."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from types import MappingProxyType
from typing import TYPE_CHECKING

from gateway.inspect.calls import roles
from gateway.inspect.deed import Does, Extent, Origin
from gateway.inspect.findings import with_sources
from gateway.inspect.python.calls import Call, invoke
from gateway.inspect.python.effects import feed, moved, opened
from gateway.inspect.python.expressions import formatted, variable
from gateway.inspect.python.folding import FOLDS, below, join, mapped, pattern, recoded
from gateway.inspect.python.running import later
from gateway.inspect.python.services import orm, query, request, service_method
from gateway.inspect.python.tables import HTTP, ORM, PATH_METHODS, QUERIES, UNKNOWN_PATHS
from gateway.inspect.value import NOTHING, Value, joined, sources, text, wider
from gateway.inspect.word import DEEP, FULL, UNKNOWN, marked

if TYPE_CHECKING:
    from gateway.inspect.python.walk import Walk

_READS = frozenset(("read", "readline", "readlines", "read1", "readinto", "getvalue"))
_SENDS = frozenset(
    ("send", "sendall", "sendto", "sendfile", "sendmail", "send_message", "storbinary", "storlines")
)
_RECEIVES = frozenset(("recv", "recvfrom", "recv_into", "recvmsg", "makefile"))
_SAME_PATH = frozenset(
    (
        "resolve",
        "absolute",
        "expanduser",
        "as_posix",
        "__str__",
        "readlink",
        "with_suffix",
        "expandvars",
        "as_uri",
    )
)
_SHELL_METHODS = frozenset(("system", "getoutput", "exec_command", "sudo", "run_command"))
_KEPT = frozenset(("copy", "expandtabs", "__str__"))
_STRIPS = frozenset(("strip", "rstrip", "lstrip", "removeprefix", "removesuffix"))


def method(walk: Walk, call: Call) -> Value:
    """A method of an object."""
    holder, attr = call.holder, call.attr
    handler = _KINDS.get(holder.kind)
    if handler is not None:
        made = handler(walk, call)
        if made is not None:
            return made
    if holder.kind in ("", "entry", "response") and (holder.texts or attr == "join"):
        made = _of_text(walk, call)
        if made is not None:
            return made
    if holder.items is not None:
        made = _of_list(walk, call)
        if made is not None:
            return made
    return _of_unknown(walk, call)


def _of_text(walk: Walk, call: Call) -> Value | None:
    del walk
    holder, attr, values = call.holder, call.attr, call.values
    if attr in _KEPT:
        return holder
    if attr in ("decode", "encode"):
        return recoded(
            holder,
            *(given and given[0] for given in (call.get(0, "encoding"), call.get(1, "errors"))),
        )
    if attr in _STRIPS:
        given = values[0].texts if values else ()
        if attr.startswith("remove") and not values:
            return holder
        if len(given) > 1 or any(map(marked, given)) or (values and not given):
            return Value(texts=(UNKNOWN,), sources=sources((holder, *values)))
        return mapped(holder, lambda one: getattr(str, attr)(one, *given))
    if attr in ("lower", "upper", "swapcase", "title", "capitalize", "casefold"):
        return mapped(holder, getattr(str, attr))
    if attr == "join" and values:
        items = values[0].items
        if items is None:
            return Value(texts=(UNKNOWN,), sources=sources(values))
        if values[0].kind == "many":
            items = (*items, text(UNKNOWN)) if any(marked(t) for i in items for t in i.text()) else items
        return joined(list(items), holder.text()[0])
    if attr == "format":
        return formatted(holder, list(values), {name: value for name, (value, _) in call.named.items()})
    if attr == "replace" and len(values) >= 2 and len(values[0].texts) == 1:
        old, new = values[0].texts[0], values[1].text()[0]
        return mapped(holder, lambda one: one.replace(old, new) if old else one)
    if attr in ("split", "rsplit", "splitlines"):
        if len(holder.texts) == 1:
            between = values[0].texts[0] if values and values[0].texts else None
            one = holder.texts[0]
            parts = one.splitlines() if attr == "splitlines" else one.split(between or None)
            return Value(items=tuple(text(part) for part in parts[:256]), sources=holder.sources)
        return Value(items=(Value(texts=(UNKNOWN,), sources=holder.sources),), kind="many")
    if attr == "translate":
        return Value(texts=(UNKNOWN,), sources=holder.sources | {"decoded"})
    return None


def _of_list(walk: Walk, call: Call) -> Value | None:
    holder, attr, values = call.holder, call.attr, call.values
    items = holder.items or ()
    if attr in ("append", "add", "extend", "insert", "update", "appendleft") and values:
        last = values[-1]
        more = last.items if attr in ("extend", "update") and last.items is not None else (last,)
        keys = (*holder.keys, *last.keys) if holder.keys else ()
        _set(walk, call, replace(holder, items=(*items, *more)[:256], keys=keys))
        return NOTHING
    if attr in ("items", "values", "keys") and holder.keys:
        pairs = tuple(zip(holder.keys, items, strict=False))
        if attr == "items":
            return Value(items=tuple(Value(items=(text(key), value)) for key, value in pairs))
        return Value(items=items if attr == "values" else tuple(text(key) for key in holder.keys))
    if attr in ("get", "pop", "setdefault") and holder.keys and values and values[0].texts:
        found = [v for k, v in zip(holder.keys, items, strict=False) if k == values[0].texts[0]]
        return found[0] if found else call.value(1)
    if attr == "pop" and items:
        return items[-1]
    if attr == "copy":
        return holder
    return None


def _set(walk: Walk, call: Call, value: Value) -> None:
    """Give the variable that a method changed its new value."""
    import ast

    if isinstance(call.holder_node, ast.Name):
        walk.set(call.holder_node.id, value)


def _of_path(walk: Walk, call: Call) -> Value | None:
    holder, attr = call.holder, call.attr
    spec = PATH_METHODS.get(attr)
    if spec is not None:
        for role in roles(spec):
            if role.does is not None:
                walk.findings.on_paths(role.does, holder, call.node, role.extent)
        if attr.startswith("write") and call.arguments:
            for path in holder.text():
                walk.written[path.removeprefix("./")] = call.values[0].text()[0]
        return NOTHING
    if attr in ("read_text", "read_bytes"):
        return _read_path(walk, call)
    if attr == "open":
        return opened(walk, holder, call.value(0, "mode"), call.node)
    if attr in ("rename", "replace", "renames", "move", "move_into") and call.arguments:
        return moved(walk, holder, call.values[0], call.node)
    if attr in ("copy", "copyfile", "copy2"):
        walk.findings.on_paths(Does.OVERWRITE, call.value(0, "target"), call.node)
        return NOTHING
    if attr in ("iterdir", "listdir", "files", "dirs"):
        return Value(items=(below(holder, FULL, Extent.MANY, "path"),), kind="many")
    if attr in ("glob", "rglob"):
        given = pattern(call.value(0).text()[0])
        deep = attr == "rglob" or DEEP in given
        found = join((holder, text(DEEP + "/" + given if attr == "rglob" else given)))
        extent = wider(Extent.TREE if deep else Extent.MANY, holder.extent)
        return Value(items=(Value(texts=found.text(), kind="path", extent=extent),), kind="many")
    if attr == "walk":
        return FOLDS["os.walk"]((holder,))
    if attr == "joinpath":
        return replace(join((holder, *call.values)), kind="path")
    if attr in ("with_name", "with_stem"):
        return replace(join((FOLDS["os.path.dirname"]((holder,)), call.value(0))), kind="path")
    return holder if attr in _SAME_PATH else NOTHING


def _read_path(walk: Walk, call: Call) -> Value:
    paths = call.holder.text()
    walk.findings.on_paths(Does.READ, call.holder, call.node)
    return Value(texts=(UNKNOWN,), sources=frozenset(f"file:{path}" for path in paths))


def _of_file(walk: Walk, call: Call) -> Value | None:
    holder, attr = call.holder, call.attr
    if attr in _READS:
        return Value(texts=(UNKNOWN,), sources=holder.sources)
    if attr in ("write", "writelines") and call.arguments and holder.texts:
        content = call.values[0].text()[0]
        for path in holder.texts:
            name = path.removeprefix("./")
            walk.written[name] = walk.written.get(name, "") + content
        return NOTHING
    return holder if attr in ("__enter__", "fileno") else NOTHING


def _of_environ(walk: Walk, call: Call) -> Value | None:
    del walk
    if call.attr in ("get", "pop", "setdefault"):
        return variable(call.value(0).text()[0], call.value(1))
    if call.attr in ("items", "values", "copy", "keys"):
        kind = "environ" if call.attr == "copy" else ""
        return Value(sources=call.holder.sources if call.attr != "keys" else frozenset(), kind=kind)
    return NOTHING


def _of_socket(walk: Walk, call: Call) -> Value | None:
    holder, attr = call.holder, call.attr
    if attr in ("connect", "connect_ex") and call.arguments:
        made = connected(walk, call)
        _set(walk, call, replace(made, kind=holder.kind))
        return NOTHING
    if attr in _SENDS or attr == "request":
        target = holder.texts[0] if holder.texts else UNKNOWN
        walk.findings.deed(Does.NET, target, call.node, sent=call.everything)
        return Value(kind="response", sources=frozenset(("network",)))
    if attr in _RECEIVES or attr in ("getresponse", "read_until", "read_all", "read"):
        return Value(texts=(UNKNOWN,), sources=frozenset(("network",)), kind="response")
    if attr in ("retrbinary", "retrlines"):
        return NOTHING
    if attr == "accept":
        return Value(
            items=(Value(kind="socket", texts=(UNKNOWN,), sources=frozenset((f"socket:{UNKNOWN}",))), NOTHING)
        )
    if attr in ("exec_command", "run"):
        host = holder.texts[0] if holder.texts else UNKNOWN
        walk.findings.command([("ssh", call.node), (host, call.node), (call.value(0).text()[0], call.node)])
    return Value(sources=holder.sources)


def connected(walk: Walk, call: Call) -> Value:
    """A connection to a host, given as a pair or as two arguments."""
    given = call.value(0, "address", "host", "hostname")
    items = given.items if given.items is not None else (given, call.value(1, "port"))
    host = items[0].text()[0] if items else UNKNOWN
    port = items[1].text()[0] if len(items) > 1 else ""
    target = host if port in ("", UNKNOWN) else f"{host}:{port}"
    walk.findings.deed(Does.NET, target, call.node)
    return Value(texts=(target,), kind="socket", sources=frozenset((f"socket:{target}", "network")))


def _of_process(walk: Walk, call: Call) -> Value | None:
    if call.attr in ("communicate", "write", "sendline", "send") and call.arguments:
        program = call.holder.items[0].text()[0] if call.holder.items else ""
        feed(walk, program, *call.arguments[0])
    return (
        Value(sources=call.holder.sources, texts=(UNKNOWN,)) if call.attr in ("communicate", "read") else None
    )


def _of_session(walk: Walk, call: Call) -> Value | None:
    if call.attr in HTTP:
        return request(walk, call.attr, call)
    return NOTHING


def _of_library(walk: Walk, call: Call) -> Value | None:
    """A function of a library of the system."""
    attr, node = call.attr, call.node
    if attr in ("system", "popen", "WinExec", "_wsystem"):
        walk.findings.shell(call.value(0), node)
    elif attr in ("unlink", "remove", "rmdir", "DeleteFileW", "DeleteFileA", "RemoveDirectoryW", "unlinkat"):
        value = call.value(1 if attr == "unlinkat" else 0)
        walk.findings.on_paths(Does.DELETE, value, node)
    elif attr in ("truncate", "creat"):
        walk.findings.on_paths(Does.OVERWRITE, call.value(0), node)
    elif attr in ("chmod", "chown"):
        walk.findings.on_paths(Does.META, call.value(0), node)
    elif attr in ("rename", "MoveFileW"):
        moved(walk, call.value(0), call.value(1), node)
    elif attr.startswith(("exec", "posix_spawn")):
        walk.findings.command([(value.text()[0], node) for value in call.values if value.texts])
    elif attr in ("reboot", "InitiateSystemShutdownW", "ExitWindowsEx", "NtShutdownSystem"):
        walk.findings.deed(Does.POWER, attr, node)
    elif attr == "kill":
        walk.findings.deed(Does.KILL, call.value(0).text()[0], node)
    elif attr in (
        "mprotect",
        "VirtualAlloc",
        "RtlMoveMemory",
        "CreateThread",
        "CreateRemoteThread",
        "syscall",
    ):
        walk.findings.deed(Does.EXEC, attr, node, origin=Origin.UNKNOWN)
    elif attr in ("mmap", "LoadLibrary"):
        return Value(kind="library")
    return NOTHING


def _of_response(walk: Walk, call: Call) -> Value | None:
    del walk
    attr = call.attr
    if attr in _READS or attr in ("json", "iter_content", "iter_lines", "getvalue", "getbuffer"):
        return Value(texts=(UNKNOWN,), sources=call.holder.sources)
    if attr in ("decode", "strip", "rstrip", "__enter__"):
        return call.holder
    return None


def _of_notebook(walk: Walk, call: Call) -> Value | None:
    if call.attr in ("system", "getoutput", "system_raw", "system_piped"):
        walk.findings.shell(call.value(0), call.arguments[0][1] if call.arguments else call.node)
    elif call.attr in ("run_cell_magic", "run_line_magic", "magic") and call.arguments:
        given = call.get(len(call.arguments) - 1)
        if given is not None and call.values[0].text()[0].split(" ")[0] in (
            "bash",
            "sh",
            "system",
            "sx",
            "script",
        ):
            walk.findings.shell(*given)
    return NOTHING


def _of_process_of_others(walk: Walk, call: Call) -> Value | None:
    if call.attr in ("kill", "terminate", "suspend", "send_signal"):
        walk.findings.deed(Does.KILL, call.holder.text()[0], call.node)
    return NOTHING


def _of_unknown(walk: Walk, call: Call) -> Value:
    """A method of an object of which nothing is known: some names tell enough."""
    holder, attr, node = call.holder, call.attr, call.node
    if attr in UNKNOWN_PATHS and holder.items is None:
        value = holder if holder.texts else text(UNKNOWN)
        for role in roles(PATH_METHODS[attr]):
            if role.does is not None:
                walk.findings.on_paths(role.does, replace(value, kind="path"), node, role.extent)
        return NOTHING
    if attr in _SHELL_METHODS and call.value(0).texts:
        walk.findings.shell(call.value(0), call.arguments[0][1] if call.arguments else node)
        return NOTHING
    if attr in ("map", "imap", "imap_unordered", "starmap") and len(call.arguments) > 1:
        function = call.values[0]
        if function.name or function.body is not None:
            for item in walk.turns(call.values[1]):
                invoke(walk, function, Call(node, [(item, call.arguments[1][1])]))
        return NOTHING
    if attr in (
        "submit",
        "run_in_executor",
        "call_soon",
        "call_later",
        "apply",
        "apply_async",
        "add_job",
        "callback",
    ):
        return later(walk, call)
    if attr == "__subclasses__":
        walk.findings.deed(Does.EXEC, attr, node, origin=Origin.UNKNOWN)
        return NOTHING
    if attr in ORM:
        return orm(walk, call)
    if attr in QUERIES and call.arguments:
        return query(walk, call)
    found = service_method(walk, call)
    if found is not None:
        return found
    if _written_or_shown(walk, call):
        return NOTHING
    kept = sources((holder, *call.everything))
    made = Value(sources=kept)
    return with_sources(replace(made, texts=(UNKNOWN,))) if holder.texts else made


def _written_or_shown(walk: Walk, call: Call) -> bool:
    """Methods by whose name a file is written, or something is printed."""
    attr, node = call.attr, call.node
    if attr == "extractall" and call.value(0, "path").texts:
        walk.findings.on_paths(Does.APPEND, call.value(0, "path"), node)
        return True
    if (
        attr in ("to_csv", "to_json", "to_excel", "to_parquet", "to_pickle", "savefig", "save")
        and call.value(0).texts
    ):
        walk.findings.on_paths(Does.OVERWRITE, call.value(0), node)
        return True
    if attr in ("info", "warning", "error", "debug", "critical", "exception", "echo"):
        for value in call.everything:
            walk.findings.shown(value, node)
        return True
    return False


def _of_tmp(walk: Walk, call: Call) -> Value | None:
    return Value(sources=call.holder.sources) if call.attr in _READS else _of_file(walk, call)


_KINDS: Mapping[str, Callable[[Walk, Call], Value | None]] = MappingProxyType(
    {
        "path": _of_path,
        "entry": lambda walk, call: None,
        "file": _of_file,
        "tmpfile": _of_tmp,
        "environ": _of_environ,
        "socket": _of_socket,
        "process": _of_process,
        "session": _of_session,
        "library": _of_library,
        "response": _of_response,
        "ipython": _of_notebook,
        "psutil": _of_process_of_others,
    }
)
