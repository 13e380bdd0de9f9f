"""Perl."""

from __future__ import annotations

import re
from types import MappingProxyType

from gateway.inspect.code import Code, placed
from gateway.inspect.languages import folds
from gateway.inspect.languages.doer import each, flat
from gateway.inspect.languages.evaluator import Evaluator
from gateway.inspect.languages.language import Call, Handler, Language
from gateway.inspect.languages.reading import read
from gateway.inspect.languages.syntax import Syntax
from gateway.inspect.python.folding import FOLDS
from gateway.inspect.value import NOTHING, Value, joined, text
from gateway.inspect.word import UNKNOWN
from gateway.later import later

_MODE = later(r"\s*(\+?[<>]{1,2}|\|)\s*(.*?)\s*(\|?)\s*\Z", re.DOTALL)
_FIELD = later(r"%[-\d.]*([sdcx])")
# Strings come first, so that what stands in one is none.
_GLOB = later(r"""\"(?:[^"\\\n]|\\.)*\"|'(?:[^'\\\n]|\\.)*'|<([^<>\n=;]*[*?/][^<>\n=;]*)>""")


def _open(evaluator: Evaluator, call: Call) -> Value:
    """`open`: the mode is an argument of its own, or stands in front of the name; a `|` runs a command."""
    values = call.arguments
    if len(values) > 2:
        mode = values[1][0].text()[0]
        if "|" in mode:
            return (
                evaluator.command([value for value, _ in values[2:]], call.spot)
                if len(values) > 3
                else (evaluator.shell(values[2][0], call.spot))
            )
        kind = "a" if ">>" in mode else "w" if ">" in mode or "+" in mode else "r"
        return folds.opened(evaluator, values[2][0], kind, call)
    if len(values) < 2:
        return NOTHING
    spelled = values[1][0]
    found = _MODE.match(spelled.text()[0])
    if found is None:
        one = spelled.text()[0]
        if one.rstrip().endswith("|"):
            return evaluator.shell(text(one.rstrip()[:-1]), call.spot)
        return folds.opened(evaluator, spelled, "r", call)
    mode, name = found[1], text(found[2])
    if found[2].startswith("&"):
        # Another name of a file that is open already.
        return NOTHING
    if mode == "|":
        return evaluator.shell(name, call.spot)
    return folds.opened(evaluator, name, "a" if mode == ">>" else "w" if ">" in mode else "r", call)


def _globbed(found: re.Match[str]) -> str:
    """A pattern of file names between angle brackets as a call; a string as it is."""
    return found[0] if found[1] is None else f"glob('{found[1]}')"


def sprintf(evaluator: Evaluator, call: Call) -> Value:
    """A template with its values put in."""
    del evaluator
    if not call.arguments:
        return NOTHING
    given = [value for value, _ in call.arguments[1:]]
    made: list[Value] = []
    end = 0
    template = call.value(0).text()[0]
    for i, found in enumerate(_FIELD.finditer(template)):
        made.append(text(template[end : found.start()]))
        end = found.end()
        value = given[i] if i < len(given) else text(UNKNOWN)
        made.append(FOLDS["chr"]((value,)) if found[1] == "c" and value.number is not None else value)
    return joined([*made, text(template[end:])])


def _reverse(evaluator: Evaluator, call: Call) -> Value:
    del evaluator
    values = [one for value, _ in call.arguments for one in flat(value)]
    return text(values[0].text()[0][::-1]) if len(values) == 1 else Value(items=tuple(values[::-1]))


def _join(evaluator: Evaluator, call: Call) -> Value:
    del evaluator
    values = [one for value, _ in call.arguments for one in flat(value)]
    return joined(values[1:], values[0].text()[0]) if values else NOTHING


def _pack(evaluator: Evaluator, call: Call) -> Value:
    del evaluator
    template = call.value(0).text()[0]
    if template.startswith("H"):
        return FOLDS["bytes.fromhex"]((call.value(1),))
    if template[:1] in ("C", "U", "c", "W"):
        return joined([FOLDS["chr"]((one,)) for value, _ in call.arguments[1:] for one in flat(value)])
    return Value(texts=(UNKNOWN,), sources=frozenset(("decoded",)))


def _loop(evaluator: Evaluator, call: Call) -> Value:
    """A loop whose variable nothing names."""
    evaluator.variables["_"] = each(
        Value(items=tuple(one for value, _ in call.arguments for one in flat(value)))
    )
    return NOTHING


def _kill(evaluator: Evaluator, call: Call) -> Value:
    from gateway.inspect.deed import Does

    if call.value(0).number != 0 and call.value(0).texts != ("0",):
        for value, spot in call.arguments[1:]:
            number = str(value.number) if value.number is not None else value.text()[0]
            evaluator.findings.deed(Does.KILL, number, spot)
    return NOTHING


_HANDLERS: dict[str, Handler] = {
    "open": _open,
    "system": folds.system,
    "exec": folds.system,
    "sprintf": sprintf,
    "reverse": _reverse,
    "join": _join,
    "pack": _pack,
    "kill": _kill,
    "for": _loop,
    "foreach": _loop,
    "glob": folds.globbed,
    "rename": folds.moved,
    "move": folds.moved,
    "File.Copy.move": folds.moved,
    "chr": folds.chars,
    "decode_base64": folds.folded("base64.b64decode"),
    "MIME.Base64.decode_base64": folds.folded("base64.b64decode"),
    "print": folds.printed,
    "say": folds.printed,
    "getcwd": folds.fixed("."),
    "tempdir": folds.fixed(folds.TMP),
    "IO.Socket.INET.new": lambda evaluator, call: folds.host(
        evaluator, Call("", [(_address(call), call.spot)], call.spot)
    ),
    "IO.Socket.INET": lambda evaluator, call: NOTHING,
    "sockaddr_in": lambda evaluator, call: folds.host(
        evaluator, Call("", [call.arguments[1], call.arguments[0]], call.spot)
    ) if len(call.arguments) > 1 else NOTHING,
    "inet_aton": folds.same,
    "catfile": folds.paths,
    "lc": folds.same,
}  # fmt: skip


def _address(call: Call) -> Value:
    given = call.option("PeerAddr") if call.option("PeerAddr").texts else call.option("PeerHost")
    return given if given.texts else call.value(0)


_LANGUAGE = Language(
    Syntax(
        comments=("#",),
        blocks=(("\n=pod", "\n=cut"), ("\n=begin", "\n=cut")),
        quotes='"',
        plain="'",
        backtick="shell",
        inner=(('"', "perl"), ("`", "perl")),
        name=r"[$@%&]\{?\^?\w+\}?|[$@]_|[^\W\d]\w*(?:::\w+)*",
        words=r"(?<![\w$@%>])(?:qx|qq|qw|q)\s*[^\w\s,;=)>]",
        heredoc=r"<<~?\"\w+\"|<<~?'\w+'|<<~?[A-Z]\w*",
    ),
    calls=MappingProxyType(
        {
            "unlink": "delete 0 rest",
            "rmdir": "delete 0 rest",
            "rmtree": "delete 0 tree rest",
            "remove_tree": "delete 0 tree rest",
            "File.Path.rmtree": "delete 0 tree rest",
            "File.Path.remove_tree": "delete 0 tree rest",
            "truncate": "overwrite 0",
            "chmod": "meta 1 rest",
            "chown": "meta 2 rest",
            "symlink": "meta 1",
            "sysopen": "overwrite 1",
            "copy": "read 0, overwrite 1",
            "File.Copy.copy": "read 0, overwrite 1",
            "readpipe": "shell 0",
            "eval": "code 0",
            "evalbytes": "code 0",
            "do": "read 0",
            "get": "net 0",
            "getstore": "net 0, overwrite 1",
            "LWP.Simple.get": "net 0",
        }
    ),
    methods=MappingProxyType(
        {"do": "query 0", "prepare": "query 0", "selectall_arrayref": "query 0", "spew": "overwrite 0"}
    ),
    handlers=MappingProxyType(_HANDLERS),
    constants=MappingProxyType({"%ENV": folds.ENVIRON, "$ENV": folds.ENVIRON}),
    canonical=lambda name: name.replace("::", ".").removeprefix("CORE.").removeprefix("GLOBAL."),
    joins=frozenset("."),
    bare=True,
    sigils="$@%&",
    endings=frozenset((";", "or", "and", "if", "unless", "for", "foreach", "while", "until", "xor", "||")),
)


def read_perl(source: str) -> Code:
    """All that Perl code would do."""
    # `<*.c>` is a pattern of file names.
    spelled = _GLOB.sub(_globbed, source) if "<" in source else source
    code = read(_LANGUAGE, spelled)
    return code if spelled == source else placed(code, 0, len(source))
