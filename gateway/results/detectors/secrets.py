"""Keys, tokens and passwords in the known formats of clouds, code hosts, chats, payments, and in URLs and headers."""

from __future__ import annotations

import re
from typing import Any

from gateway.later import later
from gateway.results.detectors.format import START, Format
from gateway.results.detectors.likely import basic, is_mixed, mixed, placeholder, token

FIELDS: tuple[str, ...] = (
    "authorization",
    "proxy-authorization",
    "x-api-key",
    "aws_secret_access_key",
    "aws_session_token",
    "secretaccesskey",
    "sessiontoken",
    "client_secret",
)
"""Headers and fields that hold nothing but a secret."""
NUMBERS = False

_A36 = "q7Zk0uYbV3nTgL5xWmP8sRc1dEhJ2aFo9iKt"
_HEX64 = "9f86d081884c7d659a2feaa0c55ad015" + "a3bf4f1b2b0b822cd15d6c15b0f00a08"
_KEY = "-----"  # examples are put together, so that no scanner of repositories takes them for real ones
_LONGEST_KEY = 20_000

_BODY = later(r"[A-Za-z0-9+/]{4,}+={0,2}")
_KEY_LINE = later(
    r"[ \t>|\"'#*]*+(?:(?:[^\n]{0,40}[^A-Za-z0-9+/=\n])?[A-Za-z0-9+/=]{40,}+"
    r"|[A-Za-z-]{3,40}: [^\n]*+|[A-Za-z0-9+/=]{1,80}+)?[\"'\\+, ]*+"
)
_INSIDE = later(r"[a-z][A-Z]|[0-9+/=]")
"""What hardly any word has inside."""


def _key_end(text: str, at: int) -> int | None:
    """The end of the private key whose first line ends here, if it is one: with letters of a key below it."""
    last = text.find("-----BEGIN", at, at + _LONGEST_KEY)
    last = min(len(text), at + _LONGEST_KEY) if last < 0 else last
    end = text.find("-----END", at, last)
    if end >= 0:
        if not _is_key(text[at:end]):
            return None
        closed = text.find("-----", end + 8, end + 80)
        return closed + 5 if closed >= 0 else end + 8
    line = end = at
    while line < last:
        following = text.find("\n", line, last)
        following = last if following < 0 else following
        content = text[line:following].rstrip("\r")
        letters = _KEY_LINE.match(content)
        if line > at and letters is not None and letters.end() < len(content):
            if _INSIDE.search(letters[0]):
                end = line + len(letters[0].rstrip())
            break
        end = following
        line = following + 1
    return end if _is_key(text[at:end]) else None


def _is_key(body: str) -> bool:
    if "Proc-Type:" in body or "DEK-Info:" in body:
        return True
    chunks = _BODY.findall(body)
    if any(len(chunk) >= 40 and mixed(chunk) for chunk in chunks):
        return True
    first = chunks[0] if chunks else ""
    return first[:2] in _FIRST and (first.startswith("MII") or not (first.isalpha() and first.isupper()))


_FIRST = frozenset(("MC", "MD", "ME", "MF", "MG", "MH", "MI"))
"""How every private key begins that is not encrypted in a way of its own."""


def _is_key_id(match: Any) -> bool:
    return "EXAMPLE" not in match[1] and not match.string[match.end(1) : match.end(1) + 1].isalnum()


def _is_aws_key(match: Any) -> bool:
    following = match.string[match.end() : match.end() + 1]
    return mixed(match[1]) and not (following.isalnum() or (following and following in "/+"))


_PORT = later(r"[0-9]{1,5}")


def _is_password(match: Any) -> bool:
    user, password = match[0].partition("://")[2].partition(":")[0], match[1]
    if not user:  # as in `:user:password@`
        password = password.rpartition(":")[2]
    if placeholder(password) or (placeholder(user) and user[:1] in "{<[$%("):
        return False
    if _PORT.fullmatch(password):
        return (
            "." not in user
            and user not in ("localhost", "")
            and not match.string.startswith("sha256:", match.end())
        )
    return True


def _is_password_with_slash(match: Any) -> bool:
    user, password = match[0].partition("://")[2].partition(":")[0], match[1]
    port = _PORT.match(re.split("[/?#]", password, maxsplit=1)[0])
    return "." not in user and not port and token(password, 6)


def _is_basic(match: Any) -> bool:
    return basic(match[1].split(None, 1)[-1])


def _is_scheme(match: Any) -> bool:
    return token(match[1].split(None, 1)[-1], 8)


def _is_raw(match: Any) -> bool:
    value, following = match[1], match.string[match.end() : match.end() + 1]
    if following and following in "([.{$%<":
        return False
    several = any(c.isupper() for c in value) and any(c.islower() for c in value)
    return (
        token(value, 16)
        and (several or not any(c in value for c in "_-"))
        and any(c.isdigit() for c in value)
    )


def _is_bearer(match: Any) -> bool:
    return token(match[1], 20)


_HEADER = r"(?i:authorization|x-api-key|x-auth-token|x-amz-security-token|x-goog-api-key|private-token)"
_IS = r"\\*[\"'`]?[\])]?\s*(?:=>|[:=,])\s*(?:\[\s*)?[bru]?\\*[\"'`]?"
"""What stands between a header's name and its value, in a header, in data and in program code."""

FORMATS: tuple[Format, ...] = (
    # --- clouds ---
    Format(
        "AWS access key id",
        START + r"((?:AKIA|ASIA|ABIA|ACCA)[A-Z2-7]{16})",
        ("AKIA" + "IOSFODNN7QXGMPLT", "id=ASIA" + "Y34FZKBOKMUTVV7A;"),
        ("AKIA", "AKIAiosfodnn7example", "AKIA" + "IOSFODNN7EXAMPLE"),
        _is_key_id,
    ),
    Format(
        "AWS secret access key",
        r"(?i:aws_?secret_?(?:access_?)?key|secret_?access_?key)[^A-Za-z0-9/+\n]{1,60}([A-Za-z0-9/+]{40})",
        ("aws_secret_access_key = wJalrXUtnFEMI/K7MDENG/bPxRfiCY" + "q7Zk0uYbV3",),
        ("the aws_secret_access_key is kept elsewhere", "aws_secret_access_key = <your-key>"),
        _is_aws_key,
        broad=r"(?i:secret_?(?:access_?)?key)",
    ),
    Format("Google API key", r"AIza[0-9A-Za-z_-]{35}", ("AIza" + _A36[:35],), ("AIza" + _A36[:20],)),
    Format("Google access token", r"ya29\.[0-9A-Za-z_-]{20,}", ("ya29." + _A36,), ("ya29.short",)),
    Format(
        "Azure storage key",
        r"(?i:accountkey)=([A-Za-z0-9+/]{80,}={0,2})",
        ("AccountName=shop;AccountKey=" + _A36 * 2 + "abcdefghijklmn==;",),
        ("AccountKey=none",),
    ),
    Format("DigitalOcean token", r"do[opr]_v1_[a-f0-9]{64}", ("dop_v1_" + _HEX64,), ("dop_v1_beta",)),
    # --- code hosts and package registries ---
    Format(
        "GitHub token", r"gh[pousr]_[A-Za-z0-9]{36,}", ("ghp_" + _A36, "(gho_" + _A36 + ")"), ("ghp_short",)
    ),
    Format(
        "GitHub fine-grained token",
        r"github_pat_[A-Za-z0-9_]{40,}",
        ("github_pat_" + _A36 + "_" + _A36,),
        ("github_pat_is_a_prefix",),
    ),
    Format(
        "GitLab token",
        r"gl(?:pat|dt|rt|ptt|ft|soat|cbt|agent)-[A-Za-z0-9_-]{20,}",
        ("glpat-" + _A36[:20],),
        ("glpat-short",),
    ),
    Format("npm token", r"npm_[A-Za-z0-9]{36}", ("npm_" + _A36,), ("npm_config_registry",)),
    Format("PyPI token", r"pypi-AgE[A-Za-z0-9_-]{50,}", ("pypi-AgE" + _A36 * 2,), ("pypi-server",)),
    # --- chats ---
    Format(
        "Slack token",
        r"xox[abeoprs]-[A-Za-z0-9-]{10,}",
        ("xoxb" + "-2409-8812-" + _A36,),
        ("xoxb-", "xoxz-0123456789"),
    ),
    Format("Slack app token", r"xapp-[0-9]-[A-Za-z0-9-]{10,}", ("xapp" + "-1-A0B1-" + _A36,), ("xapp-1",)),
    Format(
        "Slack webhook",
        r"hooks\.slack\.com/services/([A-Za-z0-9/]{30,})",
        ("https://hooks.slack.com/services/" + "T0001/B0002/" + _A36,),
        ("https://hooks.slack.com/services/",),
    ),
    Format(
        "Telegram bot token",
        r"(?:^|[^0-9])([0-9]{8,10}:AA[A-Za-z0-9_-]{33})",
        ("123456789:AA" + _A36[:33],),
        ("12:AA",),
        broad=r"[0-9]{8,10}:AA[A-Za-z0-9_-]{33}",
    ),
    # --- payments and mail ---
    Format(
        "Stripe key",
        START + r"((?:sk|rk)_(?:live|test)_[A-Za-z0-9]{16,}|whsec_[A-Za-z0-9]{24,})",
        ("sk_live_" + _A36, "whsec_" + _A36),
        ("sk_live_", "pk_live_0123456789abcdef"),
        is_mixed,
    ),
    Format("Square token", r"sq0(?:atp|csp)-[A-Za-z0-9_-]{22,}", ("sq0atp-" + _A36[:22],), ("sq0atp-",)),
    Format(
        "SendGrid key",
        START + r"(SG\.[A-Za-z0-9_-]{16,}\.[A-Za-z0-9_-]{16,})",
        ("SG." + _A36[:22] + "." + _A36,),
        ("SG.short.name", "LOGMSG.some_long_identifier.another_long_identifier"),
        lambda match: mixed(match[1][3:]) and any(c.isdigit() for c in match[1]),
    ),
    # --- models ---
    Format(
        "model provider's key",
        r"sk-(?:ant|proj|svcacct|or-v1)-[A-Za-z0-9_-]{20,}",
        ("sk-ant-" + _A36,),
        ("sk-ant-", "sk-proj-some-long-name-of-a-css-class"),
        is_mixed,
    ),
    Format(
        "model provider's older key",
        START + r"(sk-[A-Za-z0-9]{32,})",
        ("sk-" + _A36,),
        ("task-" + _A36, "sk-some-long-name-of-a-css-class"),
        lambda match: mixed(match[1]),
    ),
    Format(
        "Hugging Face token",
        START + r"(hf_[A-Za-z0-9]{30,})",
        ("hf_" + _A36[:34],),
        ("hf_hub_download",),
        is_mixed,
    ),
    # --- of no particular provider ---
    Format(
        "JSON web token",
        r"eyJ[A-Za-z0-9_-]{10,}\.eyJ[A-Za-z0-9_-]{10,}\.[A-Za-z0-9_-]*",
        ("eyJhbGciOiJIUzI1NiJ9." + "eyJzdWIiOiIxMjM0NTY3ODkwIn0." + _A36,),
        ("eyJhbGciOiJIUzI1NiJ9",),
    ),
    Format(
        "private key",
        r"-----BEGIN (?:[A-Z0-9]+ ){0,3}PRIVATE KEY(?: BLOCK)?-----",
        (
            f"{_KEY}BEGIN RSA PRIVATE KEY{_KEY}\nMIIEpAIB\n{_KEY}END RSA PRIVATE KEY{_KEY}",
            f"{_KEY}BEGIN PRIVATE KEY{_KEY}\nMIIEpAIBAAKC",
            f"{_KEY}BEGIN EC PRIVATE KEY{_KEY}\nProc-Type: 4,ENCRYPTED\n\n{_A36}\n",
        ),
        (
            f"{_KEY}BEGIN PUBLIC KEY{_KEY}\nMIIB",
            f"BEGIN = '{_KEY}BEGIN RSA PRIVATE KEY{_KEY}'\nx = 1\nEND = '{_KEY}END RSA PRIVATE KEY{_KEY}'",
        ),
        ends=_key_end,
    ),
    Format(
        "password in a URL",
        r"[A-Za-z0-9+.-]://[^/\s:@?#\"'`<>,\\]*:([^\s/?#\"'`<>,\\]+)@",
        ("postgres://shop:hunter2@db/shop", "https://:s3same@host", "redis://u:p@ssw0rd@db"),
        (
            "https://host:8080/a@b",
            "see http://a.example/x: mail me@x.example",
            "https://user:pass@host",
            "https://{user}:{password}@host",
            "docker://registry:5000@sha256:abc",
        ),
        _is_password,
    ),
    Format(
        "password with a slash in a URL",
        r"[A-Za-z0-9+.-]://[^/\s:@?#\"'`<>,.\\]+:([^\s\"'`<>,@\\]*[/?#][^\s\"'`<>,@\\]*)@[A-Za-z0-9]",
        ("postgres://u:pa/ssw0rd@db/x",),
        ("https://localhost:8080/a1b2c3@v1",),
        _is_password_with_slash,
    ),
    Format(
        "Basic authorization",
        r"(?i:authorization)" + _IS + r"((?i:basic)\s+[A-Za-z0-9+/_-]+={0,2})",
        ("Authorization: Basic dXNlcjpwYXNz", "[(b'authorization', b'Basic dXNlcjpwYXNz')]"),
        ("Authorization - Basic concepts", "authorization: basic ...", '"Authorization", "Basic $encoded"'),
        _is_basic,
        broad=r"(?i:authorization)",
    ),
    Format(
        "authorization with a token",
        r"(?i:authorization)" + _IS + r"((?i:bearer|token|negotiate|apikey|key|bot|oauth)\s+[^\s'\"`\\,;]+)",
        ("curl -H 'Authorization: token abc3f9cd2'", f"Authorization: Bearer {_A36}"),
        (
            "Authorization is needed",
            "authorization: none",
            "No authorization token could be found.",
            "Add authorization: token refresh",
            "Authorization: Bearer ${TOKEN}",
            "'Authorization: Bearer %s' % token",
        ),
        _is_scheme,
        broad=r"(?i:authorization)",
    ),
    Format(
        "Digest authorization",
        r"(?i:authorization)" + _IS + r"((?i:digest)\s+[A-Za-z]+=[^\n]*response=[^\n]*)",
        ('Authorization: Digest username="M", response="6629fae49393a05397450978507c4ef1"',),
        ("Authorization: Digest scheme",),
        broad=r"(?i:authorization)",
    ),
    Format(
        "header with a key",
        START + _HEADER + _IS + r"([A-Za-z0-9_+/=~-]{16,})",
        ("> x-api-key: " + _A36, "Authorization: 3f9cD2kQ8vX1mZ7tR5wY99"),
        (
            "authorization_token = request",
            "x-api-key: apiKeyHeaderName",
            "authorization: req.headers",
            '"EndpointAuthorization": "e72be424d109da1d"',
        ),
        _is_raw,
        broad=_HEADER,
    ),
    Format(
        "bearer token",
        START + r"(?i:bearer)\s+([A-Za-z0-9._~+/-]{20,}=*)",
        ("Bearer " + _A36,),
        ("a bearer of good news", "the Bearer authentication/authorization scheme", "Bearer\n" + "-" * 20),
        _is_bearer,
        broad=r"(?i:bearer)(?:\s|\\)",
    ),
)
