"""Hosts, databases and clouds that Python code speaks to; what tools do from a command line stands as that."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import TYPE_CHECKING

from gateway.inspect.deed import Does
from gateway.inspect.python.calls import Call
from gateway.inspect.python.tables import HTTP, ORM, SENSITIVE, UNSENT
from gateway.inspect.value import NOTHING, Value, sources
from gateway.inspect.word import UNKNOWN, certain
from gateway.later import later

if TYPE_CHECKING:
    from gateway.inspect.python.walk import Walk

_NETWORK = frozenset(("network",))
_HUMP = later(r"(?<=[a-z0-9])(?=[A-Z])")
_CLOUD = later(
    r"(?:delete|terminate|destroy|purge|remove|disable|stop|deregister|revoke|put|update|modify|release|detach|"
    r"cancel|reset|reboot|schedule)_[a-z_0-9]+\Z"
)
_KUBERNETES = later(r"delete_(?:collection_)?(?:namespaced_)?(\w+)\Z")


def request(walk: Walk, verb: str, call: Call) -> Value:
    """A request to a server; one that changes something is also what `curl` would do."""
    if verb in ("request", "stream") and not call.value(0).kind:
        method = call.value(0, "method").text()[0].upper()
        given = call.get(1, "url")
    else:
        method, given = verb.upper(), call.get(0, "url")
    if given is None:
        return Value(kind="response", sources=_NETWORK)
    value, node = given
    sent = (*call.values, *(v for name, (v, _) in call.named.items() if name not in UNSENT))
    for url in value.text():
        walk.findings.deed(Does.NET, url, node, sent=sent)
        if method not in ("GET", "HEAD", "OPTIONS") and certain(url):
            body = next((call.value(99, n) for n in ("data", "json", "content") if n in call.named), NOTHING)
            words = [("curl", node), ("-X", node), (method, node)]
            words += [("-d", node), (_body(body), node)] if body != NOTHING else []
            walk.findings.command([*words, (url, node)])
    return Value(kind="response", sources=_NETWORK)


def _body(value: Value) -> str:
    if value.keys:
        pairs = zip(value.keys, value.items or (), strict=False)
        return "{" + ", ".join(f'"{key}": "{_body(item)}"' for key, item in pairs) + "}"
    return value.text()[0]


def _verb(verb: str) -> Callable[[Walk, Call], Value]:
    return lambda walk, call: request(walk, verb, call)


def _urlopen(walk: Walk, call: Call) -> Value:
    verb = "post" if call.get(1, "data") is not None else "get"
    value = call.value(0, "url", "fullurl")
    if value.kind == "request":
        return Value(kind="response", sources=_NETWORK)
    return request(walk, verb, call)


def _request_object(walk: Walk, call: Call) -> Value:
    method = call.value(99, "method").text()[0] if "method" in call.named else ""
    verb = method.lower() if method else "post" if call.get(1, "data") is not None else "get"
    request(walk, verb, call)
    return Value(kind="request", sources=_NETWORK)


def _retrieve(walk: Walk, call: Call) -> Value:
    request(walk, "get", call)
    given = call.get(1, "filename")
    if given is not None:
        walk.findings.on_paths(Does.OVERWRITE, given[0], given[1])
    return NOTHING


def _connection(walk: Walk, call: Call) -> Value:
    from gateway.inspect.python.methods import connected

    return (
        connected(walk, call)
        if call.get(0, "address", "host", "hostname") is not None
        else _socket(walk, call)
    )


def _socket(walk: Walk, call: Call) -> Value:
    del walk, call
    return Value(kind="socket", sources=frozenset((f"socket:{UNKNOWN}", "network")))


def _session(walk: Walk, call: Call) -> Value:
    del walk, call
    return Value(kind="session")


def _pip(walk: Walk, call: Call) -> Value:
    items = call.value(0).items or ()
    walk.findings.command([("pip", call.node), *((item.text()[0], call.node) for item in items)])
    return NOTHING


def _managed(walk: Walk, call: Call) -> Value:
    """A command of Django's, as `manage.py` would run it."""
    words = [("python3", call.node), ("manage.py", call.node)]
    walk.findings.command([*words, *((value.text()[0], node) for value, node in call.arguments)])
    return NOTHING


def _cloud(walk: Walk, call: Call) -> Value:
    del walk
    return Value(kind="aws", texts=(call.value(0, "service_name").text()[0],))


def _reduced(walk: Walk, call: Call) -> Value:
    del walk
    return call.value(0)


SERVICES: Mapping[str, Callable[[Walk, Call], Value]] = MappingProxyType(
    {
        **{f"requests.{verb}": _verb(verb) for verb in HTTP},
        "requests.api.request": _verb("request"),
        "urllib.request.urlopen": _urlopen,
        "urllib.request.Request": _request_object,
        "urllib.request.urlretrieve": _retrieve,
        "requests.Session": _session,
        "socket.socket": _socket,
        "socket.create_connection": _connection,
        "http.client.HTTPSConnection": _connection,
        "smtplib.SMTP": _connection,
        "ftplib.FTP": _connection,
        "telnetlib.Telnet": _connection,
        "websocket.create_connection": _connection,
        "websockets.connect": _connection,
        "asyncio.open_connection": _connection,
        "paramiko.SSHClient": _socket,
        "fabric.Connection": _connection,
        "pip.main": _pip,
        "call_command": _managed,
        "django.core.management.call_command": _managed,
        "boto3.client": _cloud,
        "boto3.Session": lambda walk, call: Value(kind="boto3"),
        "git.Repo": lambda walk, call: Value(kind="repo"),
        "psutil.Process": lambda walk, call: Value(kind="psutil", texts=call.value(0).text()),
        "psutil.process_iter": lambda walk, call: Value(
            items=(Value(kind="psutil", texts=(UNKNOWN,)),), kind="many"
        ),
        "get_ipython": lambda walk, call: Value(kind="ipython"),
        "ipython.get_ipython": lambda walk, call: Value(kind="ipython"),
        "io.StringIO": _reduced,
        "io.BytesIO": _reduced,
        "functools.reduce": lambda walk, call: Value(sources=sources(call.values)),
    }
)


def service(walk: Walk, name: str, call: Call) -> Value:
    """A function by its name, of a module that has no table of its own."""
    handler = SERVICES.get(name)
    if handler is not None:
        return handler(walk, call)
    head, _, last = name.rpartition(".")
    if head == "sh" and last != "Command":
        walk.findings.command(
            [(last.replace("_", "-"), call.node), *((v.text()[0], n) for v, n in call.arguments)]
        )
        return NOTHING
    if last == UNKNOWN and head in SENSITIVE:
        walk.findings.runs(NOTHING, call.node)
        return NOTHING
    if head.startswith(("ctypes.cdll", "ctypes.windll", "ctypes.pythonapi", "ctypes.oledll")):
        from gateway.inspect.python.methods import method

        return method(walk, Call(call.node, call.arguments, call.named, Value(kind="library"), last))
    if head in ("logging", "log", "logger"):
        for value in call.everything:
            walk.findings.shown(value, call.node)
    elif last:
        from gateway.inspect.python.methods import method

        if head:
            held = Value(sources=call.holder.sources, name=head)
            return method(walk, Call(call.node, call.arguments, call.named, held, last, call.holder_node))
    return Value(sources=sources(call.everything))


def query(walk: Walk, call: Call) -> Value:
    """A statement that a database is given."""
    value, node = call.arguments[0]
    for one in value.texts:
        if " " in one.strip():
            walk.findings.query(one, node)
    return Value(sources=sources((call.holder,)))


def orm(walk: Walk, call: Call) -> Value:
    """A method of a database's client that needs no statement."""
    statement = ORM[call.attr]
    if call.attr.startswith("flush"):
        walk.findings.command([("redis-cli", call.node), (statement, call.node)])
        return NOTHING
    target = call.value(0).text()[0] if call.value(0).texts else UNKNOWN
    walk.findings.query(statement.format(target), call.node)
    return NOTHING


def service_method(walk: Walk, call: Call) -> Value | None:
    """A method that is known by the object's origin: a cloud's client, a repository, all rows of a table."""
    holder, attr, node = call.holder, call.attr, call.node
    if holder.kind == "boto3" and attr in ("client", "resource"):
        return _cloud(walk, call)
    if holder.kind == "aws":
        return _cloud_method(walk, call)
    if attr == "delete" and _chain(call, "all", "filter", "query", "objects"):
        walk.findings.query(ORM["delete_many"].format(UNKNOWN), node)
        return NOTHING
    if attr == "drop" and not call.arguments and not call.named and holder.name and not holder.texts:
        walk.findings.query(f"DROP TABLE {UNKNOWN}", node)
        return NOTHING
    found = _KUBERNETES.match(attr)
    if found is not None and ("namespaced" in attr or found[1] in ("namespace", "node", "persistent_volume")):
        names = [value.text()[0] for value in call.values[:1]] or [UNKNOWN]
        walk.findings.command(
            [("kubectl", node), ("delete", node), (found[1].replace("_", ""), node), (names[0], node)]
        )
        return NOTHING
    if attr == "to_sql" and call.value(99, "if_exists").texts == ("replace",):
        walk.findings.query(f"DROP TABLE {call.value(0, 'name').text()[0]}", node)
        return NOTHING
    return _git(walk, call)


def _git(walk: Walk, call: Call) -> Value | None:
    import ast

    inner = call.holder_node
    if isinstance(inner, ast.Attribute) and inner.attr == "git":
        words = [("git", call.node), (call.attr.replace("_", "-"), call.node)]
        words += [(value.text()[0], node) for value, node in call.arguments]
        words += [
            ("-" * (1 + (len(name) > 1)) + name.replace("_", "-"), node)
            for name, (_, node) in call.named.items()
        ]
        walk.findings.command(words)
        return NOTHING
    return None


def _cloud_method(walk: Walk, call: Call) -> Value | None:
    holder, attr, node = call.holder, call.attr, call.node
    service_name = holder.texts[0]
    if _CLOUD.match(attr):
        words = [("aws", node), (service_name, node), (attr.replace("_", "-"), node)]
        for name, (value, at) in call.named.items():
            option = "--" + _HUMP.sub("-", name).lower()
            given = value.items if value.items is not None and not value.keys else (value,)
            words += [(option, at), *((item.text()[0], at) for item in given)]
        walk.findings.command(words)
        return NOTHING
    if attr in ("delete", "terminate") and service_name in ("s3", "ec2", "dynamodb", "rds"):
        walk.findings.command([("aws", node), (service_name, node), (f"{attr}-{UNKNOWN}", node)])
        return NOTHING
    return Value(kind="aws", texts=holder.texts) if attr[:1].isupper() else None


def _chain(call: Call, *names: str) -> bool:
    """Whether the object comes from a chain of calls of which one has such a name, and none narrows it."""
    import ast

    node, found = call.holder_node, False
    while node is not None:
        if isinstance(node, ast.Call):
            node = node.func
        elif isinstance(node, ast.Attribute):
            found = found or node.attr in names
            node = node.value
        else:
            return found
    return False
