"""PHP."""

from __future__ import annotations

from types import MappingProxyType

from gateway.inspect.code import Code
from gateway.inspect.languages import folds
from gateway.inspect.languages.doer import flat
from gateway.inspect.languages.evaluator import Evaluator
from gateway.inspect.languages.language import Call, Handler, Language
from gateway.inspect.languages.reading import read
from gateway.inspect.languages.syntax import Syntax
from gateway.inspect.python.folding import FOLDS
from gateway.inspect.value import NOTHING, Value, joined, text
from gateway.inspect.word import UNKNOWN
from gateway.later import later

_TAGS = later(r"<\?(?:php|=)?|\?>")


def _map(evaluator: Evaluator, call: Call) -> Value:
    """A function by its name, called for each of many."""
    at = 1 if call.name.endswith("walk") else 0
    function, given = call.value(at), call.value(1 - at)
    name = function.texts[0] if function.texts else ""
    for one in given.items or (given,):
        evaluator.called(Call(name, [(one, call.spot_of(1 - at))], call.spot))
    return NOTHING


def _call(evaluator: Evaluator, call: Call) -> Value:
    name = call.value(0).text()[0]
    given = call.arguments[1:]
    if call.name.endswith("array"):
        given = [(one, call.spot) for one in flat(call.value(1))]
    if name == UNKNOWN:
        evaluator.findings.runs(call.value(0), call.spot)
        return NOTHING
    return evaluator.called(Call(name, given, call.spot))


def _get(evaluator: Evaluator, call: Call) -> Value:
    value = call.value(0)
    if value.text()[0].startswith(("http://", "https://", "ftp://")):
        return evaluator.net(value, call.spot_of(0))
    if value.text()[0].startswith("php://"):
        return Value(texts=(UNKNOWN,))
    return evaluator.read(value, call.spot_of(0))


def _implode(evaluator: Evaluator, call: Call) -> Value:
    del evaluator
    return joined(list(flat(call.value(1))), call.value(0).text()[0])


def _reverse(evaluator: Evaluator, call: Call) -> Value:
    del evaluator
    return text(*(one[::-1] for one in call.value(0).text()))


def _rot(evaluator: Evaluator, call: Call) -> Value:
    del evaluator
    return FOLDS["codecs.decode"]((call.value(0), text("rot13")))


def _curl(evaluator: Evaluator, call: Call) -> Value:
    return evaluator.net(call.value(0), call.spot_of(0)) if call.arguments else NOTHING


def _posix_kill(evaluator: Evaluator, call: Call) -> Value:
    from gateway.inspect.deed import Does

    value = call.value(0)
    evaluator.findings.deed(
        Does.KILL, str(value.number) if value.number is not None else value.text()[0], call.spot
    )
    return NOTHING


_HANDLERS: dict[str, Handler] = {
    "array_map": _map,
    "array_walk": _map,
    "array_filter": _map,
    "call_user_func": _call,
    "call_user_func_array": _call,
    "rename": folds.moved,
    "fopen": folds.open_file,
    "file_get_contents": _get,
    "file": _get,
    "readfile": _get,
    "glob": folds.globbed,
    "scandir": folds.names,
    "implode": _implode,
    "join": _implode,
    "strrev": _reverse,
    "str_rot13": _rot,
    "chr": folds.chars,
    "base64_decode": folds.folded("base64.b64decode"),
    "hex2bin": folds.folded("bytes.fromhex"),
    "gzinflate": lambda evaluator, call: Value(texts=(UNKNOWN,), sources=frozenset(("decoded",))),
    "gzuncompress": folds.folded("zlib.decompress"),
    "getenv": folds.environment,
    "getcwd": folds.fixed("."),
    "sys_get_temp_dir": folds.fixed("/tmp"),  # noqa: S108
    "tempnam": folds.fixed(folds.TMP),
    "dirname": folds.folded("os.path.dirname"),
    "realpath": folds.same,
    "escapeshellarg": folds.same,
    "escapeshellcmd": folds.same,
    "trim": folds.same,
    "curl_init": _curl,
    "fsockopen": folds.host,
    "pfsockopen": folds.host,
    "stream_socket_client": folds.host,
    "print_r": folds.printed,
    "var_dump": folds.printed,
    "print": folds.printed,
    "echo": folds.printed,
    "json_encode": folds.same,
    "posix_kill": _posix_kill,
    "create_function": lambda evaluator, call: evaluator.code(call.value(1), call.spot),
    "proc_open": folds.system,
    "pcntl_exec": lambda evaluator, call: evaluator.command(
        [value for value, _ in call.arguments], call.spot
    ),
}
_LANGUAGE = Language(
    Syntax(
        comments=("//", "#"),
        quotes='"',
        plain="'",
        backtick="shell",
        inner=(('"', "php"), ("`", "php")),
        name=r"\$?[^\W\d]\w*(?:\\\w+)*",
        heredoc=r"<<<\s*(?:\"\w+\"|'\w+'|\w+)",
    ),
    calls=MappingProxyType(
        {
            "unlink": "delete 0",
            "rmdir": "delete 0",
            "shell_exec": "shell 0",
            "exec": "shell 0",
            "system": "shell 0",
            "passthru": "shell 0",
            "popen": "shell 0",
            "expect_popen": "shell 0",
            "file_put_contents": "overwrite 0",
            "copy": "read 0, overwrite 1",
            "move_uploaded_file": "overwrite 1",
            "touch": "append 0",
            "chmod": "meta 0",
            "chown": "meta 0",
            "chgrp": "meta 0",
            "symlink": "meta 1",
            "ftruncate": "overwrite 0",
            "parse_ini_file": "read 0",
            "highlight_file": "read 0",
            "show_source": "read 0",
            "eval": "code 0",
            "assert": "code 0",
            "include": "read 0",
            "require": "read 0",
            "mysqli_query": "query 1",
            "mysql_query": "query 0",
            "pg_query": "query 1",
        }
    ),
    methods=MappingProxyType(
        {
            "query": "query 0",
            "exec": "query 0",
            "statement": "query 0",
            "unprepared": "query 0",
            "execute": "query 0",
        }
    ),
    handlers=MappingProxyType(_HANDLERS),
    constants=MappingProxyType(
        {"$_ENV": folds.ENVIRON, "$_SERVER": folds.ENVIRON, "__DIR__": text("."), "PHP_EOL": text("\n")}
    ),
    canonical=lambda name: name.replace("\\", "").replace("::", "."),
    joins=frozenset("."),
    bare=True,
    sigils="$",
    endings=frozenset((";", "or", "and", "?")),
)


def read_php(source: str) -> Code:
    """All that PHP code would do."""
    return read(_LANGUAGE, _TAGS.sub(lambda found: ";".ljust(len(found[0])), source))
