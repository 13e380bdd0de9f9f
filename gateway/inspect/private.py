"""Names of files and variables that hold secrets, as code in programming languages reads them."""

from __future__ import annotations

import re

from gateway.later import later

ENVIRONMENT = "/proc/self/environ"
"""The file that stands for all variables of a process."""

_FILE = later(
    r"(?:\A|/)(?:\.env(?:\.(?!example|sample|template|dist)[\w.-]+)?|\.netrc|\.pgpass|\.npmrc|\.pypirc|"
    r"\.git-credentials|id_(?:rsa|dsa|ecdsa|ed25519)|[^/]*\.(?:pem|p12|pfx|key|kdbx)|shadow|sudoers|"
    r"credentials(?:\.\w+)?|secrets?(?:\.\w+)?|kubeconfig|environ|[^/]*(?:token|password|passwd)[^/]*)\Z"
    r"|(?:\A|/)\.(?:ssh|aws|gnupg|kube|docker|azure|config/gcloud|config/gh)(?:/|\Z)",
    re.IGNORECASE,
)
_PUBLIC = later(r"\.pub\Z|(?:known_hosts|/\.ssh/config)\Z")
_VARIABLE = later(
    r"(?:\A|_)(?:SECRETS?|TOKEN|PASSWORD|PASSWD|PASS|PWD_?HASH|APIKEY|KEY|CREDENTIALS?|PRIVATE|DSN)(?:_|\Z)"
    r"|\A(?:DATABASE|REDIS|MONGO(?:DB)?)_UR[IL]\Z",
    re.IGNORECASE,
)


def private_file(path: str) -> bool:
    """Whether a file holds secrets by its name."""
    return bool(_FILE.search(path)) and not _PUBLIC.search(path)


def private_variable(name: str) -> bool:
    """Whether a variable of the environment holds a secret by its name."""
    return bool(_VARIABLE.search(name))
