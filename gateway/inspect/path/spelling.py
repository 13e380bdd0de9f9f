"""Spellings of a path that some programs read as another path."""

from __future__ import annotations

import re
from unicodedata import normalize
from urllib.parse import unquote_to_bytes

from gateway.frozen import frozen
from gateway.inspect.path.trait import PathTrait
from gateway.inspect.word import MARKS
from gateway.later import later

LONGEST = 4096

# Whatever none of this is found in is spelled plainly.
_HINT = later(
    r"[^\x20-\x7e]|[%\\:;&~]|[. ](?:/|\Z)|\.{4}|(?:\A|/)(?:con|prn|aux|nul|com|lpt|//)|\A//", re.IGNORECASE
)

_UNSEEN = later(
    "[\x00-\x1f\x7f-\x9f\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u2028-\u202e\u2060-\u206f"
    "\u3164\ufeff\uffa0\ufff9-\ufffb\U000e0000-\U000e0fff]"
)
# Signs of emoji and of some scripts are made with joiners.
_JOINERS = later("(?<=[^\x00-\u02ff])[\u200c\u200d](?=[^\x00-\u02ff])")
_SLASHES = dict.fromkeys(
    map(ord, "\u2044\u2215\u2571\u27cb\u29f8\uff0f\u1735\u3033\u30ce\u4e3f\u2f03\U0001d23a"), "/"
)
_BACKSLASHES = dict.fromkeys(map(ord, "\u2216\u27cd\u29f5\u29f9\ufe68\uff3c\u2572\U0001d20f"), "\\")
_DOTS = dict.fromkeys(map(ord, "\u2024\uff0e\u3002\uff61\ufe52\u0701\u0702\ua60e\U00010a50\u0660\u06f0"), ".")
_ALIKE = {**_SLASHES, **_BACKSLASHES, **_DOTS, 0x2025: "..", 0x2026: "..."}
_JAPANESE = later("[\u3040-\u30ff\u3400-\u9fff]")

_OVERLONG = later(
    r"%c[01]%([89ab][0-9a-f])|%e0%80%([89ab][0-9a-f])|%f0%80%80%([89ab][0-9a-f])", re.IGNORECASE
)
_OVERLONG_SHORT = later(r"%c([01])%([0-7][0-9a-f])", re.IGNORECASE)
_WIDE = later(r"%u([0-9a-f]{4})", re.IGNORECASE)
_ESCAPE = later(r"\\u([0-9a-fA-F]{4})|\\x([0-9a-fA-F]{2})|&#x([0-9a-fA-F]{2,4});|&#([0-9]{2,4});")
_ENTITIES = {"&sol;": "/", "&bsol;": "\\", "&period;": ".", "&lt;": "<", "&num;": "#"}
_STRUCTURE = later(r"[/\\\x00-\x1f\x7f]|(?<![^/\\])\.{1,2}(?![^/\\])")
_DOTTED = later(r"(?:\A|[/\\])(?:\.{3,}[/\\]{2}|\.\.;|\.{4,}[/\\]|\.{3}[/\\]\.[/\\])")

_DRIVE = later(r"[A-Za-z]:(?:[\\/]|[^\\/:]*[\\/]|\Z)")
_DEVICE_PATH = later(r"[\\/]{2}[?.][\\/]|\\\?\?\\")
_SHARE = later(r"\\\\[^\\/]")
_STREAM = later(r"[^/\\:]\.\w{1,8}:[^/\\]*[A-Za-z$]|::?\$[A-Za-z]|[^/\\:]:\$|\A[^/\\:]{2,}:[^/\\:]+:\$")
_SHORT_NAME = later(r"(?:\A|[/\\])[A-Z0-9_$!#%&'()@^`{}-]{1,6}~[0-9](?:\.[A-Z0-9]{1,3})?(?=[/\\]|\Z)")
_SHORT_GIT = later(r"(?:\A|[/\\])git~[0-9](?=[/\\]|\Z)", re.IGNORECASE)
_TRAILING = later(r"[^./\\ \t](?:\.+|[. ]*[ ]+|[ ]+[. ]*)(?=[/\\]|\Z)|(?:\A|[/\\]) +(?=[/\\]|\Z)")
_RESERVED = later(
    r"(?:\A|[/\\])(?:con|prn|aux|nul|conin\$|conout\$|clock\$|(?:com|lpt)[0-9\u00b9\u00b2\u00b3])"
    r"[ ]*(?:[.:][^/\\]*)?(?=[/\\]|\Z)",
    re.IGNORECASE,
)


@frozen
class Spelling:
    """One thing that is odd about a path, and the part that makes it so."""

    trait: PathTrait
    reason: str
    start: int
    end: int


def odd(text: str) -> tuple[Spelling, ...]:
    """What is odd about the spelling of a path; nothing for most."""
    if len(text) > LONGEST:
        return (Spelling(PathTrait.UNREADABLE, "the path is longer than a path can be", 0, len(text)),)
    if _HINT.search(text) is None:
        return ()
    found: list[Spelling] = []
    unseen = _UNSEEN.search(_JOINERS.sub("x", text) if not text.isascii() else text)
    if unseen is not None:
        reason = "it holds a character that is not seen"
        found.append(Spelling(PathTrait.CONTROLS, reason, unseen.start(), unseen.end()))
    if not text.isascii() and (alike := _alike(text)) is not None:
        reason = f"`{text[alike]}` looks like a separator or a dot"
        found.append(Spelling(PathTrait.LOOK_ALIKE, reason, alike, alike + 1))
    decoded = _unescaped(text)
    if decoded != text and _structure(decoded) != _structure(text):
        first = next((m.start() for m in re.finditer(r"[%\\&]", text)), 0)
        found.append(
            Spelling(PathTrait.ENCODED, f"it is encoded and reads `{shown(decoded)}`", first, len(text))
        )
        if unseen is None and _UNSEEN.search(decoded):
            reason = "a character that is not seen is encoded in it"
            found.append(Spelling(PathTrait.CONTROLS, reason, first, len(text)))
    elif (dotted := _DOTTED.search(decoded)) is not None:
        reason = "a filter that takes `../` out of it leaves `../` behind"
        found.append(
            Spelling(PathTrait.ENCODED, reason, *(dotted.span() if decoded == text else (0, len(text))))
        )
    found += _windows(text)
    return tuple(found)


def readings(text: str) -> tuple[str, ...]:
    """All paths that a text may be read as, itself first."""
    if _HINT.search(text) is None:
        return (text,)
    found = {text: None}
    plain = text
    for change in (_unescaped, _cut, _seen, _folded, _slashed, _untrailed, _filtered):
        plain = change(plain)
        found[plain] = None
        found[change(text)] = None
    return tuple(found)


def shown(text: str) -> str:
    """A path without what is not seen, cut to what fits in a sentence."""
    return _UNSEEN.sub("�", text)[:80].encode("utf-8", "replace").decode()


def _alike(text: str) -> int | None:
    """Where a character looks like a separator or dot, but is a letter or a full stop of another script."""
    japanese = _JAPANESE.search(text) is not None
    for at, char in enumerate(text):
        if char in "\u2026\u30ce\u4e3f\u3033\u0660\u06f0\u0701\u0702":
            continue
        if ord(char) in _ALIKE and not (japanese and char in "\u3002\uff0e\uff61\uff0f"):
            return at
    return None


def _structure(text: str) -> tuple[int, int]:
    """How many separators, controls and dots that stand alone there are."""
    found = _STRUCTURE.findall(text)
    return len(found), sum(each.count(".") for each in found)


def _unescaped(text: str) -> str:
    """The text decoded as often as programs in a row may do it."""
    for _ in range(4):
        after = text
        if "%" in text:
            after = _OVERLONG.sub(
                lambda m: f"%{int(m[1] or m[2] or m[3], 16) & 0x3F | _high(m[0]):02x}", after
            )
            after = _OVERLONG_SHORT.sub(lambda m: f"%{int(m[1]) << 6 | int(m[2], 16) & 0x3F:02x}", after)
            after = _WIDE.sub(lambda m: _character(int(m[1], 16)), after)
            after = unquote_to_bytes(after.encode("utf-8", "replace")).decode("utf-8", "replace")
        if "\\" in after or "&" in after:
            after = _ESCAPE.sub(_escaped, after)
            for name, char in _ENTITIES.items():
                after = after.replace(name, char)
        if after == text:
            break
        text = after
    return text


def _high(escape: str) -> int:
    return 0x40 if escape[:3].lower() == "%c1" else 0


def _escaped(match: re.Match[str]) -> str:
    code = int(match[4]) if match[4] else int(match[1] or match[2] or match[3], 16)
    return _character(code)


def _character(code: int) -> str:
    return "�" if 0xD800 <= code < 0xE000 else chr(code)


def _cut(text: str) -> str:
    return text.partition("\0")[0] or text


def _seen(text: str) -> str:
    return _UNSEEN.sub("", text)


def _folded(text: str) -> str:
    if text.isascii():
        return text
    kept = "".join(char if char in MARKS else normalize("NFKC", char.translate(_ALIKE)) for char in text)
    return normalize("NFC", kept)


def _slashed(text: str) -> str:
    return text.replace("\\", "/")


def _filtered(text: str) -> str:
    """The path that is left by a filter that takes out `../`, by one that cuts off parameters, and by old systems."""
    if _DOTTED.search(text) is None:
        return text
    return re.sub(r"(\A|/)\.{3,}(?=/)", r"\1..", re.sub(r"(\A|/)\.\.;[^/]*", r"\1..", text))


def _untrailed(text: str) -> str:
    """The names as Windows reads them: without trailing dots, spaces and streams."""
    parts = re.split(r"([/\\])", text)
    names = [re.split(r":(?![/\\])", part)[0] if len(part) > 2 else part for part in parts]
    return "".join(
        name if set(name) <= {"."} else ".." if name.strip() == ".." else name.rstrip(". ") for name in names
    )


def _windows(text: str) -> list[Spelling]:
    for pattern, reason in (
        (_DEVICE_PATH, "it is a device path of Windows, which is not checked there"),
        (_SHARE, "it names a share of another machine"),
        (_STREAM, "behind `:` stands a stream of a file on Windows"),
        (_SHORT_NAME, "it is the short form that Windows gives to a long name"),
        (_SHORT_GIT, "it is the short form that Windows gives to `.git`"),
        (_RESERVED, "it is the name of a device on Windows"),
        (_TRAILING, "Windows leaves out dots and spaces at the end of a name"),
    ):
        found = pattern.search(text) if pattern not in (_DEVICE_PATH, _SHARE) else pattern.match(text)
        if found is not None:
            return [Spelling(PathTrait.WINDOWS, reason, found.start(), found.end())]
    drive = _DRIVE.match(text)
    return (
        [] if drive is None else [Spelling(PathTrait.WINDOWS, "it names a drive of Windows", 0, drive.end())]
    )
