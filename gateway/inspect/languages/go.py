"""Go, as far as small programs go."""

from __future__ import annotations

from types import MappingProxyType

from gateway.inspect.code import Code
from gateway.inspect.deed import Does
from gateway.inspect.languages import folds
from gateway.inspect.languages.evaluator import Evaluator
from gateway.inspect.languages.language import Call, Handler, Language
from gateway.inspect.languages.reading import read
from gateway.inspect.languages.syntax import Syntax
from gateway.inspect.value import NOTHING, Value


def _command(evaluator: Evaluator, call: Call) -> Value:
    at = 1 if call.name.endswith("Context") else 0
    return evaluator.command([value for value, _ in call.arguments[at:]], call.spot)


def _kill(evaluator: Evaluator, call: Call) -> Value:
    value = call.value(0)
    evaluator.findings.deed(
        Does.KILL, str(value.number) if value.number is not None else value.text()[0], call.spot
    )
    return NOTHING


def _dial(evaluator: Evaluator, call: Call) -> Value:
    return evaluator.net(call.value(1), call.spot_of(1))


_HANDLERS: dict[str, Handler] = {
    "exec.Command": _command,
    "exec.CommandContext": _command,
    "syscall.Kill": _kill,
    "syscall.Exec": lambda evaluator, call: evaluator.command([call.value(1)], call.spot),
    "os.Rename": folds.moved,
    "filepath.Join": folds.paths,
    "path.Join": folds.paths,
    "filepath.Glob": folds.globbed,
    "os.Getenv": folds.environment,
    "os.Environ": lambda evaluator, call: folds.ENVIRON,
    "os.UserHomeDir": folds.fixed("~"),
    "os.Getwd": folds.fixed("."),
    "os.TempDir": folds.fixed("/tmp"),  # noqa: S108
    "os.MkdirTemp": folds.fixed(folds.TMP),
    "fmt.Println": folds.printed,
    "fmt.Sprint": folds.texts,
    "net.Dial": _dial,
}
_LANGUAGE = Language(
    Syntax(quotes="\"'", backtick="text"),
    calls=MappingProxyType(
        {
            "os.Remove": "delete 0",
            "os.RemoveAll": "delete 0 tree",
            "os.Truncate": "overwrite 0",
            "os.WriteFile": "overwrite 0",
            "ioutil.WriteFile": "overwrite 0",
            "os.Create": "overwrite 0",
            "os.Chmod": "meta 0",
            "os.Chown": "meta 0",
            "os.ReadFile": "read 0",
            "ioutil.ReadFile": "read 0",
            "os.Open": "read 0",
            "syscall.Unlink": "delete 0",
            "syscall.Rmdir": "delete 0",
            "syscall.Reboot": "power 0",
            "http.Get": "net 0",
            "http.Post": "net 0",
        }
    ),
    methods=MappingProxyType({"Exec": "query 0", "ExecContext": "query 1", "Query": "query 0"}),
    handlers=MappingProxyType(_HANDLERS),
)


def read_go(source: str) -> Code:
    """All that Go code would do."""
    return read(_LANGUAGE, source)
