"""Ruby."""

from __future__ import annotations

from types import MappingProxyType

from gateway.inspect.code import Code
from gateway.inspect.deed import Does
from gateway.inspect.languages import folds
from gateway.inspect.languages.doer import flat
from gateway.inspect.languages.evaluator import Evaluator
from gateway.inspect.languages.language import Call, Handler, Language
from gateway.inspect.languages.reading import read
from gateway.inspect.languages.syntax import Syntax
from gateway.inspect.python.folding import FOLDS
from gateway.inspect.value import NOTHING, Value, joined, text
from gateway.inspect.word import UNKNOWN


def _open(evaluator: Evaluator, call: Call) -> Value:
    name = call.value(0).text()[0]
    if name.startswith("|"):
        return evaluator.shell(text(name[1:]), call.spot)
    if name.startswith(("http://", "https://", "ftp://")):
        return evaluator.net(call.value(0), call.spot_of(0))
    return folds.open_file(evaluator, call)


def _join(evaluator: Evaluator, call: Call) -> Value:
    return folds.joined_list(evaluator, call)


def _pathname(evaluator: Evaluator, call: Call) -> Value:
    del evaluator
    return Value(texts=call.value(0).text(), kind="path")


def _send(evaluator: Evaluator, call: Call) -> Value:
    """A method by its name in a text."""
    name = call.value(0).text()[0] if call.value(0).texts else call.value(0).name
    holder = call.holder.name
    dotted = f"{holder}.{name}" if holder and holder not in ("Kernel", "Object", "self") else name
    return evaluator.called(Call(_canonical(dotted), call.arguments[1:], call.spot, call.holder))


def _run(evaluator: Evaluator, call: Call) -> Value:
    values = [(value, spot) for value, spot in call.arguments if not value.keys or value.items == ()]
    return folds.system(evaluator, Call(call.name, values, call.spot))


def _kill(evaluator: Evaluator, call: Call) -> Value:
    for value, spot in call.arguments[1:]:
        number = str(value.number) if value.number is not None else value.text()[0]
        if call.value(0).number != 0:
            evaluator.findings.deed(Does.KILL, number, spot)
    return NOTHING


def _pack(evaluator: Evaluator, call: Call) -> Value:
    del evaluator
    template = call.value(0).text()[0]
    values = flat(call.holder)
    if template.startswith(("c", "C", "U")):
        return joined([FOLDS["chr"]((one,)) for one in values])
    if template.startswith("H"):
        return FOLDS["bytes.fromhex"](values[:1])
    return Value(texts=(UNKNOWN,), sources=frozenset(("decoded",)))


def _unpack(evaluator: Evaluator, call: Call) -> Value:
    del evaluator
    if call.value(0).text()[0].startswith("m"):
        made = FOLDS["base64.b64decode"]((call.holder,))
        return made if call.name.endswith("1") else Value(items=(made,))
    return Value(texts=(UNKNOWN,), sources=frozenset(("decoded",)))


def _reverse(evaluator: Evaluator, call: Call) -> Value:
    del evaluator
    return text(*(one[::-1] for one in call.holder.texts)) if call.holder.texts else call.holder


def _canonical(name: str) -> str:
    name = name.replace("::", ".").removeprefix("Kernel.").removeprefix("::")
    if name == "Pathname.new":
        return "Pathname"
    return name.replace("FileUtils.Verbose.", "FileUtils.").replace("FileUtils.NoWrite.", "NoWrite.")


_TREES = ("rm_r", "rm_rf", "rmtree", "remove_dir", "remove_entry", "remove_entry_secure", "safe_unlink")
_CALLS = {
    **{f"FileUtils.{name}": "delete 0 tree" for name in _TREES},
    **dict.fromkeys(("rm_r", "rm_rf", "rmtree"), "delete 0 tree"),
    "FileUtils.rm": "delete 0",
    "FileUtils.rm_f": "delete 0",
    "FileUtils.remove": "delete 0",
    "FileUtils.remove_file": "delete 0",
    "FileUtils.rmdir": "delete 0",
    "FileUtils.cp": "read 0, overwrite 1",
    "FileUtils.cp_r": "read 0, overwrite 1",
    "FileUtils.copy": "read 0, overwrite 1",
    "FileUtils.install": "read 0, overwrite 1",
    "FileUtils.chmod": "meta 1",
    "FileUtils.chmod_R": "meta 1 tree",
    "FileUtils.chown": "meta 2",
    "FileUtils.chown_R": "meta 2 tree",
    "FileUtils.touch": "append 0",
    "FileUtils.ln_s": "meta 1",
    "FileUtils.ln_sf": "overwrite 1",
    "File.delete": "delete 0 rest",
    "File.unlink": "delete 0 rest",
    "File.truncate": "overwrite 0",
    "File.write": "overwrite 0",
    "File.binwrite": "overwrite 0",
    "IO.write": "overwrite 0",
    "IO.binwrite": "overwrite 0",
    "File.chmod": "meta 1 rest",
    "File.chown": "meta 2 rest",
    "File.symlink": "meta 1",
    "File.read": "read 0",
    "File.binread": "read 0",
    "File.readlines": "read 0",
    "File.foreach": "read 0",
    "IO.read": "read 0",
    "IO.readlines": "read 0",
    "Dir.rmdir": "delete 0",
    "Dir.delete": "delete 0",
    "Dir.unlink": "delete 0",
    "eval": "code 0",
    "instance_eval": "code 0",
    "class_eval": "code 0",
    "URI.open": "net 0",
    "Net.HTTP.get": "net 0",
    "Net.HTTP.get_response": "net 0",
    "Net.HTTP.post": "net 0",
    "Net.HTTP.post_form": "net 0",
    "Marshal.load": "code 0",
    "load": "read 0",
}
_HANDLERS: dict[str, Handler] = {
    "system": _run,
    "exec": _run,
    "spawn": _run,
    "Process.spawn": _run,
    "Process.exec": _run,
    "IO.popen": _run,
    **{
        f"Open3.{name}": _run
        for name in ("capture2", "capture2e", "capture3", "popen2", "popen2e", "popen3", "pipeline")
    },
    "PTY.spawn": _run,
    "open": _open,
    "File.open": folds.open_file,
    "File.new": folds.open_file,
    "File.rename": folds.moved,
    "FileUtils.mv": folds.moved,
    "FileUtils.move": folds.moved,
    "File.join": folds.paths,
    "File.expand_path": folds.same,
    "File.absolute_path": folds.same,
    "Dir.home": folds.fixed("~"),
    "Dir.pwd": folds.fixed("."),
    "Dir.getwd": folds.fixed("."),
    "Dir.tmpdir": folds.fixed("/tmp"),  # noqa: S108
    "Dir.mktmpdir": folds.fixed(folds.TMP),
    "Dir.glob": folds.globbed,
    "Dir[]": folds.globbed,
    "Dir.children": folds.names,
    "Dir.entries": folds.names,
    "Dir.each_child": folds.names,
    "Pathname": _pathname,
    "Base64.decode64": folds.folded("base64.b64decode"),
    "Base64.strict_decode64": folds.folded("base64.b64decode"),
    "Base64.urlsafe_decode64": folds.folded("base64.urlsafe_b64decode"),
    "TCPSocket.new": folds.host,
    "TCPSocket.open": folds.host,
    "TCPSocket": folds.host,
    "Process.kill": _kill,
    "ENV.fetch": folds.environment,
    "ENV.to_h": lambda evaluator, call: folds.ENVIRON,
    "ENV.to_a": lambda evaluator, call: folds.ENVIRON,
    "URI": folds.same,
    "URI.parse": folds.same,
    "puts": folds.printed,
    "p": folds.printed,
    "pp": folds.printed,
    "print": folds.printed,
    ".send": _send,
    ".public_send": _send,
    ".__send__": _send,
    ".join": _join,
    ".pack": _pack,
    ".unpack": _unpack,
    ".unpack1": _unpack,
    ".reverse": _reverse,
    ".chr": lambda evaluator, call: FOLDS["chr"]((call.holder,)),
    ".to_s": folds.kept,
    ".strip": folds.kept,
    ".chomp": folds.kept,
}
_LANGUAGE = Language(
    Syntax(
        comments=("#",),
        blocks=(("=begin", "=end"),),
        quotes='"',
        plain="'",
        backtick="shell",
        inner=(('"', "ruby"), ("`", "ruby")),
        name=r"[@$:]{0,2}[^\W\d]\w*[?!]?",
        words=r"%(?:x|q|Q|w|W)[^\w\s=]|(?<=[\s(=,])%[({\[]",
        heredoc=r"<<[~-]?(?:\"\w+\"|'\w+'|`\w+`|[A-Z]\w*)",
    ),
    calls=MappingProxyType(_CALLS),
    methods=MappingProxyType(
        {
            "execute": "query 0",
            "exec_query": "query 0",
            "unlink": "self 0",
            "rmtree": "self 0",
            "query": "query 0",
        }
    ),
    handlers=MappingProxyType(_HANDLERS),
    constants=MappingProxyType({"ENV": folds.ENVIRON, "__dir__": text(".")}),
    canonical=_canonical,
    joins=frozenset(("+", "<<")),
    bare=True,
    sigils=":",
    endings=frozenset(
        (";", "if", "unless", "while", "until", "and", "or", "do", "rescue", "{", "end", "&&", "||", "then")
    ),
)


def _unlinked(extent: str) -> Handler:
    from gateway.inspect.deed import Extent

    def handler(evaluator: Evaluator, call: Call) -> Value:
        if call.holder.kind == "path":
            evaluator.findings.on_paths(Does.DELETE, call.holder, call.spot, Extent(extent))
        return NOTHING

    return handler


_HANDLERS[".unlink"] = _unlinked("one")
_HANDLERS[".rmtree"] = _unlinked("tree")
_HANDLERS[".delete"] = _unlinked("one")


def read_ruby(source: str) -> Code:
    """All that Ruby code would do."""
    return read(_LANGUAGE, source)
