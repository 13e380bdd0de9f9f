"""What `git` takes, one line a subcommand: data."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

PROGRAMS: Mapping[str, str] = MappingProxyType(
    {
        "git": "-C=, -c=, --git-dir=, --work-tree=, --namespace=, --super-prefix=, --config-env=, "
        "--attr-source=, --list-cmds=, --exec-path=?, -p --paginate, -P --no-pager, --bare, "
        "--no-replace-objects, --literal-pathspecs, --glob-pathspecs, --noglob-pathspecs, "
        "--icase-pathspecs, --no-optional-locks, --no-advice, -h --help, -v --version",
        "git push": "-f --force, --force-with-lease=?, --no-force-with-lease, --force-if-includes, "
        "--no-force-if-includes, --mirror, --all, --branches, --tags, --follow-tags, "
        "--no-follow-tags, -d --delete, --prune, -n --dry-run, --no-dry-run, --porcelain, -q "
        "--quiet, -v --verbose, -u --set-upstream, --signed=?, --no-signed, --atomic, --no-atomic, -o= "
        "--push-option=, --receive-pack=, --exec=, --repo=, --progress, --thin, --no-thin, "
        "--verify, --no-verify, -4 --ipv4, -6 --ipv6, --recurse-submodules=, "
        "--no-recurse-submodules, -h --help",
        "git send-pack": "-f --force, --mirror, --all, -n --dry-run, --no-dry-run, --receive-pack=, --exec=, "
        "--remote=, --stdin, --atomic, --thin, -q --quiet, -v --verbose, --force-with-lease=?, --push-option=",
        "git reset": "--hard, --soft, --mixed, --merge, --keep, -N --intent-to-add, -q --quiet, --no-quiet, -p "
        "--patch, --refresh, --no-refresh, --pathspec-from-file=, --pathspec-file-nul, "
        "--recurse-submodules=?, --no-recurse-submodules, -h --help",
    }
)
