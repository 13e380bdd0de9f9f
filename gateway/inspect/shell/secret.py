"""What a command prints of secrets: files that hold them, the environment, and programs that print tokens."""

from __future__ import annotations

from typing import TYPE_CHECKING

from gateway.glob import fits
from gateway.inspect.operands import TEXT
from gateway.inspect.path.trait import PathTrait
from gateway.inspect.path.traits import named
from gateway.inspect.place import Place
from gateway.inspect.shell.invocation import Simple
from gateway.inspect.shell.names import secret_name
from gateway.inspect.word import SECRET, certain, plain

if TYPE_CHECKING:
    from gateway.inspect.shell.walk import Walk

_MENTIONS = """
[ [[ basename chgrp chmod chown cksum cmp du dirname file find getfacl lsattr ls md5sum mkdir namei readlink realpath
rm rmdir sha1sum sha256sum sha512sum stat sum test touch tree wc which
"""
_TELLS_NOTHING = TEXT | frozenset(_MENTIONS.split())
# Programs that print a secret with these words, `*` for any.
_PRINTERS: dict[str, tuple[str, ...]] = {
    "gh": ("auth token",),
    "glab": ("auth token",),
    "gcloud": ("auth print-access-token", "auth print-identity-token", "auth application-default print-access-token",
               "secrets versions access"),
    "az": ("account get-access-token", "keyvault secret show", "acr credential show", "storage account keys"),
    "aws": ("configure get *secret*", "configure get *token*", "configure export-credentials", "sts assume-role*",
            "sts get-session-token", "secretsmanager get-secret-value",
            "ssm get-parameter*", "ecr get-login-password", "iam create-access-key"),
    "kubectl": ("get secret*", "create token", "config view --raw"),
    "oc": ("get secret*", "whoami -t", "create token"),
    "vault": ("read", "kv get", "token create", "print token"),
    "op": ("read", "item get", "document get"),
    "doppler": ("secrets", "secrets get", "secrets download"),
    "pass": ("show",),
    "gopass": ("show",),
    "bw": ("get password", "get item", "get notes", "export"),
    "security": ("find-generic-password", "find-internet-password", "dump-keychain", "export"),
    "secret-tool": ("lookup", "search"),
    "npm": ("token create", "config get *auth*", "config get *oken*", "config get *assword*"),
    "yarn": ("config get *oken*",),
    "age": ("-d", "--decrypt"),
    "terraform": ("state pull", "output *password*", "output *secret*", "output *token*"),
    "tofu": ("state pull",),
    "lpass": ("show",),
    "keyctl": ("print", "pipe", "read"),
    "rbw": ("get",),
    "keyring": ("get",),
    "kwallet-query": ("-r",),
    "chamber": ("read", "export"),
    "infisical": ("secrets", "export"),
    "ansible-vault": ("view",),
    "railway": ("variables",),
    "netlify": ("env:get", "env:list"),
    "heroku": ("auth:token", "config", "config:get"),
    "flyctl": ("auth token",),
    "fly": ("auth token",),
    "doctl": ("auth token",),
    "sops": ("-d", "--decrypt", "decrypt"),
    "gpg": ("-d", "--decrypt", "--export-secret-keys", "--export-secret-subkeys"),
    "git": ("credential fill", "config --get *token*", "config --get *password*", "config --get *extraheader*"),
    "docker": ("run env", "exec * env"),
}  # fmt: skip
# These show the names alone of a file that has a variable a line.
_NAMES_ONLY = frozenset(
    f"{program} {words}"
    for program, spellings in {
        "cut": (
            "-d= -f1",
            "-d = -f1",
            "-d= -f 1",
            "-d = -f 1",
            "-f1 -d=",
            "-f1 -d =",
            "-f 1 -d=",
            "-f 1 -d =",
        ),
        "sed": ("s/=.*//", "s/=.*$//", "-E s/=.*//"),
        "grep": (
            "-o ^[A-Z_]*",
            "-o ^[A-Z_]*=",
            "-oE ^[A-Z_]+",
            "-oE ^[A-Z_]+=",
            "-o ^[^=]*",
            "-oE ^[^=]+",
            "-o ^[A-Z0-9_]*",
        ),
        "awk": ("-F= {print $1}", "-F = {print $1}"),
    }.items()
    for words in spellings
)


def tells_secret(walk: Walk, simple: Simple, name: str) -> bool:
    """Whether what a command prints comes from a secret."""
    words = [plain(word.value) for word in simple.words[1:]]
    if name in ("env", "printenv", "set") and _dumps(name, words):
        return True
    if any(_fits(path.split(), words) for path in _PRINTERS.get(name, ())):
        return True
    if name in _TELLS_NOTHING:
        return any(SECRET in word.value for word in simple.words[1:]) and name in ("echo", "printf", "print")
    if words and ".env" in words[-1] and f"{name} {' '.join(words[:-1])}" in _NAMES_ONLY:
        return False
    place = Place(walk.scope.cwd, walk.scope.home, (), str)
    given = [word for word in words if word and not word.startswith("-") and len(word) < 4096]
    given += [plain(each.target.value) for each in simple.redirects if each.operator == "<"]
    return any(PathTrait.SECRET in named(word, place) for word in given)


def _dumps(name: str, words: list[str]) -> bool:
    """Whether the whole environment is printed, or one variable of it that is a secret."""
    given = [word for word in words if not word.startswith("-")]
    if name == "printenv":
        return not given or any(map(secret_name, given))
    return not words or (name == "env" and words in (["-0"], ["--null"]))


def _fits(path: list[str], words: list[str]) -> bool:
    given = [certain(word) for word in words if not word.startswith("-") or word in path]
    return len(given) >= len(path) and all(map(fits, path, given))
