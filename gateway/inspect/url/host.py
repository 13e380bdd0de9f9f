"""The host of a URL as programs come to read it: decoded, folded, and compared with what it looks like."""

from __future__ import annotations

from ipaddress import IPv4Address, IPv6Address
from unicodedata import category, decimal, name, normalize
from urllib.parse import unquote_to_bytes

from gateway.frozen import frozen
from gateway.inspect.url.address import ends_in_number, kinds_of, read_ipv4, read_ipv6
from gateway.inspect.url.kind import UrlKind
from gateway.inspect.url.names import kinds_of_name
from gateway.later import later

_LONGEST = 253
_DOTS = dict.fromkeys(map(ord, "\u3002\uff0e\uff61"), ".")
# What is not seen, and what programs leave out of names: joiners, variation selectors, soft hyphens and the like.
_UNSEEN = later(
    "[\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u202a-\u202e\u2060-\u206f\u3164"
    "\ufe00-\ufe0f\ufeff\uffa0\U000e0000-\U000e0fff]"
)
_CONTROL = later(r"[\x00-\x20\x7f-\xa0\u2028\u2029]")
_NAME = later(r"[a-z0-9_.-]+")
_BREAKS = later(r"[^\w.-]+")
_LABELS_WITH_MIDDLE_SIGNS = frozenset("\u00b7\u30fb\u0f0b")
_APART = frozenset(
    ("LATIN", "CYRILLIC", "GREEK", "ARMENIAN", "CHEROKEE", "COPTIC", "GEORGIAN", "LISU", "DESERET")
)
# Letters that look like Latin ones, in alphabets in which whole words can be made of them.
_LIKE_LATIN = {
    "CYRILLIC": frozenset("асеорхуіјѕһӏԁԛԝү"),
    "GREEK": frozenset("ονρυ"),
    "ARMENIAN": frozenset("օսոհցգք"),
    "CHEROKEE": frozenset(),
    "LISU": frozenset(),
}
_PHONETIC = later("[\u0250-\u02af\u1d00-\u1d7f\ua7ae]")
_ADDRESS_KINDS = {
    UrlKind.LOOPBACK: "the machine itself",
    UrlKind.PRIVATE: "a private network",
    UrlKind.LINK_LOCAL: "the local link",
    UrlKind.METADATA: "a cloud's metadata service",
    UrlKind.CGNAT: "a provider's inner network",
    UrlKind.MULTICAST: "a group of hosts",
    UrlKind.RESERVED: "a range that no public host is in",
    UrlKind.EMBEDDED: "an IPv6 address that carries an IPv4 address",
}


@frozen
class Host:
    """The canonical name, the addresses it may be, and what there is to say about it."""

    name: str
    addresses: tuple[IPv4Address | IPv6Address, ...]
    kinds: tuple[tuple[UrlKind, str], ...]


def read_host(written: str) -> Host:
    """A host as it stands in a URL, in brackets if it is an IPv6 address."""
    kinds: list[tuple[UrlKind, str]] = []
    decoded = _decoded(written)
    plain = _without_emoji_style(decoded)
    if decoded != written:
        kinds.append((UrlKind.ENCODED_HOST, f"the host is encoded and reads `{_shown(decoded)}`"))
    folded = _folded(decoded)
    if folded != normalize("NFC", plain).lower():
        kinds.append((UrlKind.IDN, f"its characters are read as `{_shown(folded)}`"))
    if _UNSEEN.search(plain) or _CONTROL.search(plain):
        kinds.append((UrlKind.CONTROLS, "the host holds characters that are not seen"))
    host = folded.rstrip(".")
    if folded.endswith("..") or not host:
        kinds.append((UrlKind.AMBIGUOUS, "parts of its name are empty"))
    if ":" in host or host.startswith("[") or host.endswith("]"):
        return _addressed(host, kinds)
    digits = "".join(str(decimal(c, c)) for c in host)
    if digits != host and ends_in_number(digits):
        kinds.append((UrlKind.IDN, f"its digits are read as `{digits}`"))
        host = digits
    if ends_in_number(host):
        return _addressed(host, kinds)
    ascii_host = _to_ascii(host)
    readable = _to_unicode(host)
    if _NAME.fullmatch(ascii_host) is None or any(not label for label in ascii_host.split(".")):
        kinds.append((UrlKind.AMBIGUOUS, "it is no name that all programs read alike"))
        kinds += _pieces(host)
    if len(ascii_host) > _LONGEST:
        kinds.append((UrlKind.AMBIGUOUS, "it is longer than a name can be"))
    kinds += _look(readable)
    kinds += kinds_of_name(ascii_host)
    return Host(ascii_host, (), tuple(kinds))


def _addressed(host: str, kinds: list[tuple[UrlKind, str]]) -> Host:
    reading = read_ipv6(host) if not ends_in_number(host) else read_ipv4(host)
    kinds += reading.kinds
    for address in reading.addresses:
        found = kinds_of(address)
        kinds += [(kind, f"{address} is {words}") for kind, words in _ADDRESS_KINDS.items() if kind in found]
    if not reading.addresses:
        kinds += _pieces(host)
    one = str(reading.addresses[0]) if len(reading.addresses) == 1 else host
    return Host(one, reading.addresses, tuple(kinds))


def _pieces(host: str) -> list[tuple[UrlKind, str]]:
    """What the parts of a broken host are: a program that stops at the break takes the host from one of them."""
    found: list[tuple[UrlKind, str]] = []
    pieces = [piece for piece in _BREAKS.split(host) if piece]
    if pieces and pieces != [host]:
        for piece in (pieces[0], pieces[-1]):
            inner = piece.strip("[].")
            if ends_in_number(inner):
                found += _addressed(inner, []).kinds
            elif "." in inner or inner == "localhost":
                found += kinds_of_name(inner)
    return found


def _decoded(text: str) -> str:
    for _ in range(3):
        if "%" not in text or (text.startswith("[") and "%" in text and "]" in text):
            break
        after = unquote_to_bytes(text).decode("utf-8", "replace")
        if after == text:
            break
        text = after
    return text


def _folded(text: str) -> str:
    """The host as UTS 46 maps it: compatible forms made plain, in lower case, without what is not seen."""
    if text.isascii():
        return text.lower()
    seen = _UNSEEN.sub("", text).translate(_DOTS)
    return normalize("NFKC", normalize("NFKC", seen).lower()).translate(_DOTS)


def _without_emoji_style(text: str) -> str:
    """The text without the mark that makes a sign an emoji: it changes neither the name nor its look."""
    if "\ufe0f" not in text:
        return text
    pairs = zip("x" + text, text, strict=False)
    return "".join(char for before, char in pairs if char != "\ufe0f" or category(before) != "So")


def _to_ascii(host: str) -> str:
    if host.isascii():
        return host
    labels = (label if label.isascii() else _punycode(label) for label in host.split("."))
    return ".".join(labels)


def _punycode(label: str) -> str:
    return "xn--" + label.encode("punycode", "surrogatepass").decode("ascii", "replace")


def _to_unicode(host: str) -> str:
    if "xn--" not in host:
        return host
    labels = []
    for label in host.split("."):
        try:
            plain = label.removeprefix("xn--").encode("ascii").decode("punycode")
            labels.append(plain if label.startswith("xn--") else label)
        except (UnicodeError, ValueError, OverflowError):
            labels.append(label)
    return ".".join(labels)


def _look(host: str) -> list[tuple[UrlKind, str]]:
    """Whether a name, with its Unicode letters, passes for another."""
    if host.isascii():
        return []
    top = host.rpartition(".")[2]
    for label in host.split("."):
        if label.isascii():
            continue
        alien = [c for c in label if category(c)[0] in "PSZC" and c not in "-_" and category(c) != "So"]
        if any(c not in _LABELS_WITH_MIDDLE_SIGNS for c in alien):
            return [(UrlKind.IDN, f"`{_shown(label)}` holds signs that are no part of a name")]
        scripts = {_script(c) for c in label if category(c)[0] == "L"}
        if len(scripts & _APART) > 1 or (_PHONETIC.search(label) and "LATIN" in scripts):
            return [(UrlKind.LOOK_ALIKE, f"`{_shown(label)}` mixes letters of several alphabets")]
        for script in scripts & _LIKE_LATIN.keys():
            alike = _LIKE_LATIN[script]
            letters = [c for c in label if category(c)[0] == "L"]
            if top.isascii() and (not alike or all(c in alike for c in letters)):
                return [(UrlKind.LOOK_ALIKE, f"`{_shown(label)}` looks like a name in Latin letters")]
    return []


def _script(char: str) -> str:
    return name(char, "").partition(" ")[0]


def _shown(text: str) -> str:
    """A text without what is not seen, cut to what fits in a sentence."""
    return _CONTROL.sub("�", _UNSEEN.sub("", text))[:80].encode("utf-8", "replace").decode()
