"""Functions without effects whose result the code's text tells: paths, texts, decoders."""

from __future__ import annotations

import base64
import binascii
import codecs
import posixpath
import zlib
from collections.abc import Callable, Mapping
from types import MappingProxyType

from gateway.inspect.deed import Extent
from gateway.inspect.value import MAX_LENGTH, Value, either, joined, sources, text, wider
from gateway.inspect.word import ANY, DEEP, FULL, STAR, UNKNOWN, marked
from gateway.later import later

Arguments = tuple[Value, ...]
Fold = Callable[[Arguments], Value]
TMP = "/tmp/tmp" + UNKNOWN  # noqa: S108
# They leave ASCII as it is.
_PLAIN_ENCODINGS = frozenset(
    """
    utf8 utf8sig u8 utf ascii usascii latin1 latin l1 iso88591 iso885915 cp1252 windows1252 cp437 cp850 mbcs oem
    """.split()  # noqa: SIM905
)
_BRACKETS = later(r"\[[^\]]+\]")


def mapped(value: Value, change: Callable[[str], str]) -> Value:
    """Each string that a value may be, changed."""
    return Value(
        texts=tuple(dict.fromkeys(change(one) for one in value.text())),
        sources=sources((value,)),
        extent=value.extent,
    )


def join(arguments: Arguments) -> Value:
    """Paths joined as `os.path.join` does: an absolute one takes the place of all before it."""
    made = text("")
    for part in arguments:
        flat = part.items if part.items is not None else (part,)
        for one in flat:
            slash = text("/")
            texts = one.text()
            if all(t.startswith(("/", "~")) for t in texts):
                made = one
            elif made.texts == ("",):
                made = one if one.texts else Value(texts=texts, sources=one.sources, extent=one.extent)
            else:
                ends = all(t.endswith("/") for t in made.text())
                made = joined([made, one] if ends else [made, slash, one])
    return made


def pattern(spelled: str) -> str:
    """A pattern of file names with its signs as marks."""
    marked_up = _BRACKETS.sub(ANY, spelled).replace("**", DEEP)
    return marked_up.replace("*", STAR).replace("?", ANY)


def globbed(value: Value) -> Value:
    """The files that a pattern finds, as a list of one."""
    texts = tuple(pattern(one) for one in value.text())
    extent = Extent.TREE if any(DEEP in one for one in texts) else Extent.MANY
    found = Value(texts=texts, sources=value.sources, extent=wider(extent, value.extent))
    return Value(items=(found,), kind="many")


def below(root: Value, mark: str, extent: Extent, kind: str = "") -> Value:
    """What lies in a directory."""
    found = join((root, text(mark)))
    return Value(texts=found.texts, kind=kind, sources=found.sources, extent=wider(extent, found.extent))


def _decoder(decode: Callable[[bytes], bytes]) -> Fold:
    def fold(arguments: Arguments) -> Value:
        made: list[str] = []
        for one in arguments[0].text() if arguments else ():
            # What else is given, such as letters of another alphabet, changes what comes out.
            if marked(one) or len(one) > MAX_LENGTH * 4 or len(arguments) > 1:
                made.append(UNKNOWN)
                continue
            try:
                data = decode(one.encode("latin-1", "replace"))
            except (ValueError, binascii.Error, zlib.error, EOFError, OverflowError):
                # A library of another version or with other settings may read what this one can't.
                made.append(UNKNOWN)
                continue
            try:
                made.append(data.decode("utf-8"))
            except UnicodeDecodeError:
                made.append(data.decode("latin-1"))
        taken = sources(arguments) | {"decoded"}
        return Value(texts=tuple(dict.fromkeys(made)) or (UNKNOWN,), sources=taken)

    return fold


def _inflate(wbits: int) -> Callable[[bytes], bytes]:
    def inflate(data: bytes) -> bytes:
        unpacking = zlib.decompressobj(wbits)
        made = unpacking.decompress(data, MAX_LENGTH)
        if not unpacking.eof:
            raise ValueError("what it unpacks to is longer than what is read")
        return made

    return inflate


def recoded(value: Value, encoding: Value | None, errors: Value | None) -> Value:
    """A text in another encoding; one that is not known, or that may lose bytes, makes a text that is not known."""
    lossy = errors is not None and errors.text() != ("strict",)
    # Bytes that are no UTF-8 were read one by one.
    if lossy and any("\x7f" < char <= "\xff" for one in value.text() for char in one):
        return Value(texts=(UNKNOWN,), sources=sources((value,)) | {"decoded"})
    return _codec((value,) if encoding is None else (value, encoding))


def _codec(arguments: Arguments) -> Value:
    name = arguments[1].text()[0].lower().replace("_", "").replace("-", "") if len(arguments) > 1 else "utf8"
    if name in ("rot13", "rot"):
        return mapped(arguments[0], lambda one: codecs.encode(one, "rot13"))
    if name in ("hex", "hexcodec"):
        return _decoder(lambda data: bytes.fromhex(data.decode("latin-1")))(arguments[:1])
    if name in ("base64", "base64codec"):
        return _decoder(base64.b64decode)(arguments[:1])
    if arguments and name in _PLAIN_ENCODINGS:
        return arguments[0]
    return Value(texts=(UNKNOWN,), sources=sources(arguments) | {"decoded"})


def _chr(arguments: Arguments) -> Value:
    number = arguments[0].number if arguments else None
    return text(chr(number)) if number is not None and 0 <= number < 0xD800 else text(UNKNOWN)


def _ord(arguments: Arguments) -> Value:
    value = arguments[0].text()[0] if arguments else ""
    return Value(number=ord(value)) if len(value) == 1 and not marked(value) else Value()


def _bytes(arguments: Arguments) -> Value:
    if not arguments:
        return text("")
    items = arguments[0].items
    if items is None:
        return arguments[0] if arguments[0].texts else text(UNKNOWN)
    return joined([_chr((item,)) for item in items]) if items else text("")


def _number(arguments: Arguments) -> Value:
    if not arguments:
        return Value()
    if arguments[0].number is not None:
        return arguments[0]
    base = arguments[1].number if len(arguments) > 1 else 10
    value = arguments[0].text()[0]
    if base is None or not 2 <= base <= 36 or len(value) > 20:
        return Value()
    try:
        return Value(number=int(value, base))
    except ValueError:
        return Value()


def _same(arguments: Arguments) -> Value:
    return arguments[0] if arguments else text("")


def _path(arguments: Arguments) -> Value:
    found = join(arguments) if arguments else text(".")
    return Value(texts=found.text(), kind="path", sources=found.sources, extent=found.extent)


def _tmp(arguments: Arguments) -> Value:
    del arguments
    return Value(texts=(TMP,))


def _dirname(arguments: Arguments) -> Value:
    return mapped(arguments[0], parent) if arguments else text(UNKNOWN)


def parent(path: str) -> str:
    """The directory of a path."""
    return path if path == UNKNOWN else posixpath.dirname(path) or "."


def _fixed(value: str) -> Fold:
    return lambda arguments: text(value)


def _listdir(arguments: Arguments) -> Value:
    del arguments
    return Value(items=(Value(texts=(FULL,), extent=Extent.MANY, kind="entry"),), kind="many")


def _scandir(arguments: Arguments) -> Value:
    root = arguments[0] if arguments else text(".")
    return Value(items=(below(root, FULL, Extent.MANY, "path"),), kind="many")


def _walk(arguments: Arguments) -> Value:
    root = arguments[0] if arguments else text(".")
    names = Value(items=(Value(texts=(FULL,), extent=Extent.TREE),), kind="many")
    place = below(root, DEEP, Extent.TREE)
    return Value(items=(Value(items=(place, names, names)),), kind="many")


def _glob(arguments: Arguments) -> Value:
    return globbed(arguments[0] if arguments else text(UNKNOWN))


def _list(arguments: Arguments) -> Value:
    if not arguments:
        return Value(items=())
    value = arguments[0]
    if value.kind == "environ":
        # Only the names.
        return Value(items=(text(UNKNOWN),), kind="many")
    if value.items is None and len(value.texts) == 1 and not marked(value.texts[0]):
        return Value(items=tuple(text(char) for char in value.texts[0][:256]))
    return value


def _reversed(arguments: Arguments) -> Value:
    value = _list(arguments)
    return Value(items=value.items[::-1], kind=value.kind) if value.items is not None else value


def _zip(arguments: Arguments) -> Value:
    rows = zip(*(value.items or () for value in arguments), strict=False)
    return Value(items=tuple(Value(items=row) for row in rows))


def _enumerate(arguments: Arguments) -> Value:
    value = arguments[0] if arguments else Value()
    return Value(items=tuple(Value(items=(Value(), item)) for item in value.items or ()), kind=value.kind)


def _replaced(arguments: Arguments) -> Value:
    return either(arguments)


def _range(arguments: Arguments) -> Value:
    numbers = [value.number for value in arguments[:3] if value.number is not None]
    if not numbers or len(numbers) < len(arguments) or 0 in numbers[2:]:
        return Value()
    given = range(*numbers)
    return Value(items=tuple(Value(number=number) for number in given[:64]))


_b64 = _decoder(lambda data: base64.b64decode(data + b"=" * (-len(data) % 4)))
_B64_URL = _decoder(lambda data: base64.urlsafe_b64decode(data + b"=" * (-len(data) % 4)))

FOLDS: Mapping[str, Fold] = MappingProxyType(
    {
        "os.path.join": join,
        "os.path.expanduser": _same,
        "os.path.expandvars": lambda a: mapped(
            _same(a), lambda one: one.replace("${HOME}", "~").replace("$HOME", "~")
        ),
        "os.path.abspath": _same,
        "os.path.realpath": _same,
        "os.path.normpath": lambda a: mapped(_same(a), posixpath.normpath),
        "os.path.dirname": _dirname,
        "os.path.basename": lambda a: mapped(_same(a), posixpath.basename),
        "os.fspath": _same,
        "os.fsencode": _same,
        "os.fsdecode": _same,
        "os.getcwd": _fixed("."),
        "os.getcwdb": _fixed("."),
        "os.listdir": _listdir,
        "os.scandir": _scandir,
        "os.walk": _walk,
        "os.fwalk": _walk,
        "glob.glob": _glob,
        "glob.iglob": _glob,
        "pathlib.Path": _path,
        "pathlib.Path.home": lambda a: Value(texts=("~",), kind="path"),
        "pathlib.Path.cwd": lambda a: Value(texts=(".",), kind="path"),
        "tempfile.mkdtemp": _tmp,
        "tempfile.mktemp": _tmp,
        "tempfile.mkstemp": lambda a: Value(items=(Value(), _tmp(a))),
        "tempfile.gettempdir": _fixed("/tmp"),  # noqa: S108
        "tempfile.TemporaryDirectory": _tmp,
        "tempfile.NamedTemporaryFile": lambda a: Value(texts=(TMP,), kind="tmpfile"),
        "getpass.getuser": _fixed(UNKNOWN),
        "str": lambda a: _same(a) if not a or a[0].texts or a[0].number is None else text(str(a[0].number)),
        "repr": _same,
        "bytes": _bytes,
        "bytearray": _bytes,
        "bytes.fromhex": _decoder(lambda data: bytes.fromhex(data.decode("latin-1"))),
        "bytearray.fromhex": _decoder(lambda data: bytes.fromhex(data.decode("latin-1"))),
        "binascii.unhexlify": _decoder(binascii.unhexlify),
        "binascii.a2b_hex": _decoder(binascii.unhexlify),
        "binascii.a2b_base64": _b64,
        "base64.b64decode": _b64,
        "base64.standard_b64decode": _b64,
        "base64.decodebytes": _b64,
        "base64.decodestring": _b64,
        "base64.urlsafe_b64decode": _B64_URL,
        "base64.b32decode": _decoder(base64.b32decode),
        "base64.b16decode": _decoder(lambda data: base64.b16decode(data, casefold=True)),
        "base64.b85decode": _decoder(base64.b85decode),
        "base64.a85decode": _decoder(base64.a85decode),
        "zlib.decompress": _decoder(_inflate(15)),
        "gzip.decompress": _decoder(_inflate(31)),
        "codecs.decode": _codec,
        "codecs.encode": _codec,
        "chr": _chr,
        "unichr": _chr,
        "ord": _ord,
        "int": _number,
        "list": _list,
        "tuple": _list,
        "set": _list,
        "frozenset": _list,
        "sorted": _list,
        "iter": _list,
        "reversed": _reversed,
        "zip": _zip,
        "enumerate": _enumerate,
        "range": _range,
        "itertools.chain": lambda a: Value(items=tuple(i for value in a for i in value.items or ())),
        "tqdm.tqdm": _same,
        "tqdm": _same,
        "sqlalchemy.text": _same,
        "textwrap.dedent": _same,
        "ctypes.c_char_p": _same,
        "shlex.quote": _same,
        "copy.copy": _same,
        "copy.deepcopy": _same,
        "print": lambda a: Value(),
        "next": lambda a: either((*(a[0].items or (a[0],)), *a[1:])) if a else Value(),
        "max": _replaced,
        "min": _replaced,
        "pprint.pformat": _same,
        "json.dumps": lambda a: Value(texts=(UNKNOWN,), sources=sources(a)),
        "dict": lambda a: a[0] if a else Value(items=()),
    }
)
CONSTANTS: Mapping[str, Value] = MappingProxyType(
    {
        "os.sep": text("/"),
        "os.path.sep": text("/"),
        "os.curdir": text("."),
        "os.pardir": text(".."),
        "os.devnull": text("/dev/null"),
        "os.linesep": text("\n"),
        "sys.executable": text("python3"),
        "os.environ": Value(kind="environ", sources=frozenset(("environ",))),
        "os.environb": Value(kind="environ", sources=frozenset(("environ",))),
        "string.ascii_lowercase": text("abcdefghijklmnopqrstuvwxyz"),
        "string.ascii_letters": text("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"),
        "signal.SIGKILL": Value(number=9),
        "signal.SIGTERM": Value(number=15),
        "signal.SIGSTOP": Value(number=19),
        "signal.SIGINT": Value(number=2),
    }
)
