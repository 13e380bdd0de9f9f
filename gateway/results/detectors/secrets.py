"""Keys, tokens and passwords in the known formats of clouds, code hosts, chats, payments, and in URLs and headers."""

from __future__ import annotations

from gateway.results.detectors.format import Format

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

_A36 = "q7Zk0uYbV3nTgL5xWmP8sRc1dEhJ2aFo9iKt"
_HEX64 = "9f86d081884c7d659a2feaa0c55ad015" + "a3bf4f1b2b0b822cd15d6c15b0f00a08"
_KEY = "-----"  # examples are put together, so that no scanner of repositories takes them for real ones

FORMATS: tuple[Format, ...] = (
    # --- clouds ---
    Format(
        "AWS access key id",
        r"(?:AKIA|ASIA|ABIA|ACCA)[A-Z2-7]{16}",
        ("AKIA" + "IOSFODNN7EXAMPLE", "id=ASIA" + "Y34FZKBOKMUTVV7A;"),
        ("AKIA", "AKIAiosfodnn7example"),
    ),
    Format(
        "AWS secret access key",
        r"(?i:aws_?secret_?(?:access_?)?key)[^A-Za-z0-9/+]{1,8}([A-Za-z0-9/+]{40})",
        ("aws_secret_access_key = wJalrXUtnFEMI/K7MDENG/bPxRfiCY" + "EXAMPLEKEY",),
        ("the aws_secret_access_key is kept elsewhere",),
        broad=r"(?i:aws_?secret_?(?:access_?)?key)",
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
    Format("PyPI token", r"pypi-[A-Za-z0-9_-]{50,}", ("pypi-" + _A36 * 2,), ("pypi-server",)),
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
        "Telegram bot token", r"\b[0-9]{8,10}:AA[A-Za-z0-9_-]{33}", ("123456789:AA" + _A36[:33],), ("12:AA",)
    ),
    # --- payments and mail ---
    Format(
        "Stripe key",
        r"(?:sk|rk)_(?:live|test)_[A-Za-z0-9]{16,}|whsec_[A-Za-z0-9]{24,}",
        ("sk_live_" + _A36, "whsec_" + _A36),
        ("sk_live_", "pk_live_0123456789abcdef"),
    ),
    Format("Square token", r"sq0(?:atp|csp)-[A-Za-z0-9_-]{22,}", ("sq0atp-" + _A36[:22],), ("sq0atp-",)),
    Format(
        "SendGrid key",
        r"SG\.[A-Za-z0-9_-]{16,}\.[A-Za-z0-9_-]{16,}",
        ("SG." + _A36[:22] + "." + _A36,),
        ("SG.short.name",),
    ),
    # --- models ---
    Format(
        "model provider's key",
        r"\bsk-(?:ant|proj|svcacct|or-v1)-[A-Za-z0-9_-]{20,}|\bsk-[A-Za-z0-9]{32,}",
        ("sk-ant-" + _A36, "sk-" + _A36),
        ("task-" + _A36[:20], "sk-some-long-name-of-a-css-class"),
    ),
    Format("Hugging Face token", r"\bhf_[A-Za-z0-9]{30,}", ("hf_" + _A36[:34],), ("hf_hub_download",)),
    # --- of no particular provider ---
    Format(
        "JSON web token",
        r"eyJ[A-Za-z0-9_-]{10,}\.eyJ[A-Za-z0-9_-]{10,}\.[A-Za-z0-9_-]*",
        ("eyJhbGciOiJIUzI1NiJ9." + "eyJzdWIiOiIxMjM0NTY3ODkwIn0." + _A36,),
        ("eyJhbGciOiJIUzI1NiJ9",),
    ),
    Format(
        "private key",
        r"-----BEGIN (?:[A-Z0-9]+ ){0,3}PRIVATE KEY(?: BLOCK)?-----"
        r"(?:(?s:.*?)-----END (?:[A-Z0-9]+ ){0,3}PRIVATE KEY(?: BLOCK)?-----|[A-Za-z0-9+/=:,.\\\s-]*)",
        (
            f"{_KEY}BEGIN RSA PRIVATE KEY{_KEY}\nMIIEpAIB\n{_KEY}END RSA PRIVATE KEY{_KEY}",
            f"{_KEY}BEGIN PRIVATE KEY{_KEY}\nMIIEpAIBAAKC",
        ),
        (f"{_KEY}BEGIN PUBLIC KEY{_KEY}\nMIIB",),
        broad=r"-----BEGIN (?:[A-Z0-9]+ ){0,3}PRIVATE KEY",
    ),
    Format(
        "password in a URL",
        r"[A-Za-z0-9+.-]://[^/\s:@?#]*:([^\s@/]+)@",
        ("postgres://shop:hunter2@db/shop", "https://:token@host"),
        ("https://host:8080/a@b", "see http://a.example/x: mail me@x.example"),
    ),
    Format(
        "authorization header",
        r"(?i:authorization)[^A-Za-z0-9\n]{1,6}((?i:basic|bearer|token|digest|negotiate|apikey)\s+[^\s'\"\\,;]+)",
        ("Authorization: Basic dXNlcjpwYXNz", "curl -H 'Authorization: token abc'"),
        ("Authorization is needed", "authorization: none"),
        broad=r"(?i:authorization)",
    ),
    Format(
        "bearer token",
        r"\b(?i:bearer)\s+([A-Za-z0-9._~+/-]{20,}=*)",
        ("Bearer " + _A36,),
        ("a bearer of good news", "the bearer understands"),
        broad=r"(?i:bearer)(?:\s|\\[nrtf])+[A-Za-z0-9._~+/-]{20,}",
    ),
)
