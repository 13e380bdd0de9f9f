"""What a URL carries in its path and query: other URLs, to which a site may go on, and secrets or encoded data."""

from __future__ import annotations

import re
from base64 import b32decode, urlsafe_b64decode
from binascii import Error as Undecodable
from collections.abc import Iterator
from itertools import islice
from urllib.parse import unquote_plus

from gateway.later import later

_MOST_VALUES = 200
_LONGEST_VALUE = 8192

# Values that are only searched for, or shown to people.
_TEXT_NAMES = """
body caption comment content contents desc description kw keyword keywords message msg note p phrase prompt q query
question s search search_query searchterm subject summary term text title wd
"""
_TEXT = frozenset(_TEXT_NAMES.split())
_FORWARDS = later(
    r"(?:^|[_.\[-])(?:u|ur[il]|r|target|dest|destination|redir|redirect|redirect_?ur[li]|redirect_?to|return|return_?to"
    r"|return_?url|next|continue|goto|go|to|out|link|href|src|image|img|image_?url|proxy|fetch|load|feed|site|forward"
    r"|forward_?to|callback|callback_?url|webhook|endpoint|location|rurl|xml|wsdl|origin_?url|remote|open|domain)\]?$",
    re.IGNORECASE,
)
_FORWARDING_PATH = later(
    r"/(?:url|redirect|redir|out|go|goto|link|away|jump|exit|proxy|fetch|leave)(?:\.\w{2,4})?/?$",
    re.IGNORECASE,
)
_URL = later(r"[A-Za-z][A-Za-z0-9+.-]{1,20}:[/\\]{1,4}|https?:(?=[\w\[])", re.IGNORECASE)
_INNER_URL = later(r"https?:[/\\]{1,4}[^\s\"'<>{}|^`,]+", re.IGNORECASE)
_MOST_INNER = 5
_HOSTLIKE = later(
    r"[/\\]{2,}|(?:[0-9]{1,3}\.){3}[0-9]{1,3}(?:[:/]|$)|\[[0-9a-f:.]+\]|(?:[\w-]+\.)*localhost(?:[:/]|$)"
    r"|0x[0-9a-f]{8}(?:[:/]|$)|[0-9]{8,10}(?:[:/]|$)|@|[\w-]+(?:\.[\w-]+)+\.?(?:[:/]|$)",
    re.IGNORECASE,
)

_SECRET = later(
    r"(?<![A-Za-z0-9])(?:gh[pousr]_[A-Za-z0-9]{20,}|github_pat_[A-Za-z0-9_]{20,}|glpat-[A-Za-z0-9_-]{16,}"
    r"|(?:AKIA|ASIA|ABIA|ACCA)[A-Z0-9]{16}(?![A-Za-z0-9])|xox[abeoprs]-[A-Za-z0-9-]{10,}|xapp-[A-Za-z0-9-]{10,}"
    r"|(?:sk|rk|pk)_(?:live|test)_[A-Za-z0-9]{10,}|whsec_[A-Za-z0-9]{16,}|sk-(?:(?:ant|proj|or|svcacct|admin)-[A-Za-z0-9_-]{16,}|[A-Za-z0-9]{20,})"
    r"|AIza[A-Za-z0-9_-]{30,}|ya29\.[A-Za-z0-9_-]{10,}|npm_[A-Za-z0-9]{30,}|pypi-AgE[A-Za-z0-9_-]{16,}"
    r"|SG\.[A-Za-z0-9_-]{16,}\.[A-Za-z0-9_-]{16,}|hf_[A-Za-z0-9]{30,}|dop_v1_[a-f0-9]{40,}|shp(?:at|ca|pa|ss)_[a-fA-F0-9]{20,}"
    r"|hv[sb]\.[A-Za-z0-9_-]{20,}|dapi[a-f0-9]{32}|key-[a-f0-9]{32}|r8_[A-Za-z0-9]{30,}|gsk_[A-Za-z0-9]{30,}"
    r"|eyJ[A-Za-z0-9_-]{8,}\.eyJ[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]{8,}|sq0[a-z]{3}-[A-Za-z0-9_-]{20,}"
    r"|AGE-SECRET-KEY-1[A-Z0-9]{20,}|lin_api_[A-Za-z0-9]{20,}|[0-9]{8,10}:AA[A-Za-z0-9_-]{33})"
    r"|-----BEGIN[ A-Z]{0,20} PRIVATE KEY|\bssh-(?:rsa|ed25519) AAAA|(?:^|\n|\s)root:[x*!]:0:0:"
)
_SECRET_NAME = later(
    r"(?:^|[_.-])(?:pass|passwd|password|passphrase|pwd|secret|client_?secret|secret_?(?:access_?)?key|aws_?secret\w*"
    r"|private_?key|priv_?key|access_?token|auth_?token|refresh_?token|id_?token|api_?key|apikey|api_?token|bearer"
    r"|credentials?|creds|session_?token|ssh_?key|db_?pass\w*|jwt)$",
    re.IGNORECASE,
)
_TOKEN_NAME = later(
    r"(?:^|[_.-])(?:token|key|auth|authorization|session|sid|sessionid|cookie|cookies)$", re.IGNORECASE
)
_OPAQUE = later(r"[A-Za-z0-9+/=_.~-]{20,}")
_ASSIGNED = later(
    r"(?:^|[\s;&,{\"'])[\"']?[A-Za-z0-9_]{0,40}(?:SECRET|PASSWORD|PASSWD|API_?KEY|TOKEN|DATABASE_URL|PRIVATE_KEY|CREDENTIALS?)"
    r"[A-Za-z0-9_]{0,20}[\"']?\s{0,3}[=:]\s{0,3}[\"']?[^\s\"'&]{4,}",
    re.IGNORECASE,
)
_GATHERED = later(
    r"\bHOME=/|\bPATH=/|\buid=[0-9]+\(|/home/[a-z]+/\.(?:ssh|aws)|\$\(|`[^`]+`"
    r"|\$\{?[A-Za-z_]*(?:KEY|TOKEN|SECRET|PASS)[A-Za-z_]*",
)
_LOOT = later(
    r"(?:^|[_.-])(?:exfil\w*|leak|leaked|loot|stolen|steal|dump|env|environ|environment|secrets|passwords|keys|history"
    r"|clipboard|etc_passwd|shadow)$",
    re.IGNORECASE,
)
# Compressed and encrypted data as they begin in base64.
_PACKED = later(r"(?:H4sI|UEsDB|U2FsdGVkX1)[A-Za-z0-9+/_-]{16,}={0,2}")
_PLACEHOLDER = later(
    r"<.*>|\{.*\}|\$\w*|x+|\*+|(?:your|my|test|demo|example|sample|dummy|changeme|placeholder|redacted|null|none|true|false)\b.*"
    r"|.*(?:_here|-here)",
    re.IGNORECASE,
)
# Signatures of storage services, steps of signing in, and marks of pages are opaque by nature.
_OPAQUE_BY_NATURE = later(
    r"(?:x-(?:amz|goog|oss|ms|cos|tos|obs)-.*|awsaccesskeyid|googleaccessid|ossaccesskeyid|signature|policy|key-pair-id|sig|se|sv|sr"
    r"|hmac|hash|digest|integrity|checksum|etag|ver|version|rev|ref|sha|commit|state|nonce|code|code_challenge"
    r"|samlrequest|samlresponse|relaystate|cursor|after|before|start_?after|page|page_?token|next_?token|continuation\w*"
    r"|pagination\w*|scroll_?id|etoken|csrf\w*|_csrf|authenticity_token|fbclid|gclid|msclkid|utm_\w*|_ga|_gl|mc_eid|ved|ei|sca_esv"
    r"|id|ids|uuid|guid|v|t|ts|w|h|fp|crop|tk|expires?|oh|oe|_nc_\w+|efg|ccb|si|igsh\w*|pp|sxsrf|gs_lp)$",
    re.IGNORECASE,
)
_SIGNED = later(r"[?&](?:x-(?:amz|goog|oss|ms|cos|tos|obs)-signature|signature|sig)=", re.IGNORECASE)
_BASE64 = later(r"[A-Za-z0-9+/_-]{16,}={0,2}")
_HEX = later(r"(?:[0-9a-fA-F]{2}){8,}")
_BASE32 = later(r"[A-Za-z2-7]{24,}")
_LETTERS = re.compile(rb"[\t\n\r\x20-\x7e]+")
_WORDS = re.compile(rb"[A-Za-z]{3}|[0-9]{4}")
_BULK = 400
_BULKY = later(r"[A-Za-z0-9+/_=%.-]+")

# Hosts whose labels are made of hashes, keys and encoded names by whoever runs them.
_HASHED = later(
    r"(?:amazonaws\.com|cloudfront\.net|awsapprunner\.com|on\.aws|r2\.dev|r2\.cloudflarestorage\.com|workers\.dev|pages\.dev"
    r"|googleusercontent\.com|run\.app|appspot\.com|web\.app|firebaseapp\.com|googleapis\.com|azurewebsites\.net|windows\.net"
    r"|azureedge\.net|azurefd\.net|azurecontainerapps\.io|azurestaticapps\.net|vercel\.app|netlify\.app|github\.dev|gitpod\.io"
    r"|githubpreview\.dev|dweb\.link|ipfs\.io|cf-ipfs\.com|w3s\.link|nftstorage\.link|pinata\.cloud|icp0\.io|ic0\.app|sentry\.io"
    r"|akamaized\.net|akamaihd\.net|fbcdn\.net|cdninstagram\.com|herokudns\.com|herokuapp\.com|onrender\.com|fly\.dev"
    r"|translate\.goog|usercontent\.goog|supabase\.co|hf\.space|oraclecloud\.com|digitaloceanspaces\.com|ondigitalocean\.app"
    r"|webcontainer\.io|local-credentialless\.webcontainer\.io|replit\.dev|repl\.co|csb\.app|lambda-url\.[a-z0-9-]+\.on\.aws"
    r"|onion|ts\.net|arpa)$"
)


def values(path: str, query: str | None) -> Iterator[tuple[str, str, str]]:
    """The parts of a path and the parameters of a query: the name in lower case, the text as written, decoded."""
    pieces: list[tuple[str, str]] = [("", part) for part in path.split("/") if len(part) > 3]
    for parameter in re.split("[&;]", query or ""):
        name, equals, value = parameter.partition("=")
        pieces.append((name, value) if equals else ("?", parameter))
    for name, written in pieces[:_MOST_VALUES]:
        yield _plain(name).lower(), written, _plain(written[:_LONGEST_VALUE])


def forwarded(path: str, query: str | None) -> Iterator[tuple[str, str]]:
    """Each URL that a site is asked to go on to, as it is written and decoded."""
    found = _URL.search(path, 1)
    decoded = _plain(path)
    inner = found or _URL.search(decoded, 1)
    if inner is not None:
        yield path[found.start() :] if found else path, inner.string[inner.start() :]
    forwarding = _FORWARDING_PATH.search(decoded.rstrip("/") or "/") is not None
    for name, written, value in values("", query):
        if not written or (name in _TEXT and not forwarding):
            continue
        text = value.strip()
        named = forwarding or name == "?" or _FORWARDS.search(name) is not None
        if _URL.match(text) or (named and _HOSTLIKE.match(text)):
            yield written, text
        elif _INNER_URL.search(text):
            yield from ((written, inner[0]) for inner in islice(_INNER_URL.finditer(text), _MOST_INNER))
        elif named and _BASE64.fullmatch(text):
            inside = _text_of_base64(text)
            if inside and _URL.match(inside):
                yield written, inside


def leaks(path: str, query: str | None) -> Iterator[tuple[str, str]]:
    """Each part of a path or query that looks like a secret or like data, with the reason."""
    signed = query is not None and _SIGNED.search("?" + query) is not None
    for name, written, value in values(path, query):
        if not value or (signed and _OPAQUE_BY_NATURE.match(name)):
            continue
        if _SECRET.search(value):
            yield written, "it looks like a key or token"
        elif _ASSIGNED.search(value) or _GATHERED.search(value):
            yield written, "it looks like a setting of this machine"
        elif name and not _PLACEHOLDER.fullmatch(value) and _is_secret(name, value):
            yield written, f"`{name[:40]}` is the name of a secret"
        elif not (name and _OPAQUE_BY_NATURE.match(name)) and _is_data(value, named=bool(name)):
            yield written, "it is encoded data"


def leaking_labels(host: str) -> str | None:
    """The labels of a host that are encoded data, as one asks a name server of one's own to send it out."""
    if _HASHED.search(host):
        return None
    labels = host.split(".")[:-1]
    for label in labels:
        if len(label) >= 16 and not label.startswith("xn--") and _is_label_of_data(label):
            return label
    coded = [label for label in labels if len(label) >= 16 and _changes(label) >= 4]
    if len(coded) > 1:
        return coded[0]
    hexadecimal = [label for label in labels if re.fullmatch(r"(?:[0-9a-fA-F]{2}){4,}", label)]
    if len(hexadecimal) > 1 and all(_is_text(bytes.fromhex(label), 4) for label in hexadecimal):
        return hexadecimal[0]
    return None


def _is_label_of_data(label: str) -> bool:
    if _HEX.fullmatch(label):
        return len(label) >= 48 or _is_text(bytes.fromhex(label), 6)
    if _BASE64.fullmatch(label) and re.search("[0-9A-Z]", label) and _text_of_base64(label, 12):
        return True
    if _BASE32.fullmatch(label) and _text_of_base32(label):
        return True
    return len(label) >= 30 and "-" not in label and _changes(label) >= 5


def _changes(label: str) -> int:
    """How often letters and digits follow each other: seldom in words."""
    return len(re.findall(r"[a-zA-Z][0-9]|[0-9][a-zA-Z]", label))


def _is_secret(name: str, value: str) -> bool:
    if _SECRET_NAME.search(name):
        return len(value) >= 4
    if _LOOT.search(name):
        return len(value) >= 24 or re.search(r"[=:;/\s]", value) is not None
    opaque = _TOKEN_NAME.search(name) is not None and _OPAQUE.fullmatch(value) is not None
    return opaque and re.search("[0-9]", value) is not None and re.search("[A-Za-z]", value) is not None


def _is_data(value: str, named: bool) -> bool:
    if value.startswith("data:"):
        return False
    if _PACKED.fullmatch(value) or (len(value) >= _BULK and _BULKY.fullmatch(value)):
        return True
    if _HEX.fullmatch(value):
        return _is_text(bytes.fromhex(value), 8)
    if _BASE64.fullmatch(value) is None or not re.search("[A-Z]", value) or not re.search("[a-z]", value):
        return False
    return _text_of_base64(value, 12 if named else 16) is not None


def _text_of_base64(value: str, least: int = 8) -> str | None:
    plain = value.rstrip("=").replace("+", "-").replace("/", "_")
    for cut in range(2):
        shorter = plain[: len(plain) - cut]
        if len(shorter) % 4 == 1:
            continue
        try:
            data = urlsafe_b64decode(shorter + "=" * (-len(shorter) % 4))
        except (Undecodable, ValueError):
            continue
        if _is_text(data, least):
            return data.decode("ascii")
    return None


def _text_of_base32(value: str) -> bool:
    try:
        data = b32decode(value.upper() + "=" * (-len(value) % 8))
    except (Undecodable, ValueError):
        return False
    return _is_text(data, 12)


def _is_text(data: bytes, least: int) -> bool:
    """Whether bytes are a text that somebody wrote: chance makes few letters of so many in a row."""
    return len(data) >= least and _LETTERS.fullmatch(data) is not None and _WORDS.search(data) is not None


def _plain(text: str) -> str:
    for _ in range(3):
        after = unquote_plus(text, errors="replace") if "%" in text or "+" in text else text
        if after == text:
            break
        text = after
        if "%" not in text:
            break
    return text
