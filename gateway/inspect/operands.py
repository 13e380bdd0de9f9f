"""What programs do with the files that they are given, as far as the guard has to know: data."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

_READERS = """
[ ack actionlint ag ajv b2sum b3sum bandit base32 base64 basename bat batcat cat cd check-jsonschema cksum
cloc cmp colordiff column comm conftest cut delta df diff dir dirname du egrep expand fgrep file flake8 fold
getfacl gitleaks grep head hexdump hexyl icdiff iconv jq jsonlint kubeconform less lint ls lsattr
md5sum mdless more mypy namei nl od opa paste pr pushd pygmentize pylint pyright readlink realpath rev rg
scc semgrep sha1sum sha224sum sha256sum sha384sum sha512sum shasum shellcheck spectral stat strings sum
tac tail test tokei tokenize tsc type vale wc which xmllint yajsv yamllint zcat zgrep
"""
READERS: frozenset[str] = frozenset(_READERS.split())
"""Programs that never write the files that they are given as operands."""

WRITING: Mapping[str, tuple[str, str]] = MappingProxyType(
    # programs that only look, unless one of some options is given: their options, and which of those write
    {
        "sed": ("-e= --expression=, -f= --file=, -i --in-place=?, -l=", "in-place"),
        "yq": ("-i --inplace, --in-place, -s= --split-exp=, -I=, -o=, -p=", "inplace in-place split-exp"),
        "sort": ("-o= --output=, -k= --key=, -t= --field-separator=, -S=, -T=", "output"),
        "tree": ("-o=, -L=, -P=, -I=", "o"),
        "awk": ("-i= --include=, -f= --file=, -v= --assign=, -F= --field-separator=", "include"),
        "gawk": ("-i= --include=, -f= --file=, -v= --assign=, -F= --field-separator=", "include"),
        "mawk": ("-f=, -v=, -F=", ""),
        "nawk": ("-f=, -v=, -F=", ""),
        "prettier": ("-w --write", "write"),
        "eslint": ("--fix, -o= --output-file=", "fix output-file"),
        "stylelint": ("--fix, -o= --output-file=", "fix output-file"),
        "markdownlint": ("-f --fix, -o= --output=", "fix output"),
        "codespell": ("-w --write-changes", "write-changes"),
        "gofmt": ("-w", "w"),
        "shfmt": ("-w --write", "write"),
        "rubocop": ("-a --autocorrect, -A --autocorrect-all, -o= --out=", "autocorrect autocorrect-all out"),
        "ruff": ("--fix, -o= --output-file=, --add-noqa", "fix output-file add-noqa"),
        "git": ("--output=, -o=", "output"),
    }
)

CHECKING: Mapping[str, frozenset[str]] = MappingProxyType(
    # programs that rewrite their operands unless one of these words is given
    {
        "black": frozenset(("--check", "--diff")),
        "isort": frozenset(("-c", "--check", "--check-only", "--diff", "-d")),
        "taplo": frozenset(("lint", "check", "--check")),
    }
)

SECOND: frozenset[str] = frozenset(("uniq", "xxd", "json.tool"))
"""Programs that read their first operand and write the second."""

COPIERS: Mapping[str, str] = MappingProxyType(
    # programs that read all operands but the last, and write that, or the directory that an option names
    {
        "cp": "-t= --target-directory=, -S= --suffix=, -T --no-target-directory, -r -R --recursive, -a --recursive, "
        "-l --link, -s --link --symbolic-link",
        "scp": "-P=, -i=, -o=, -F=, -J=, -c=, -l=, -S=, -r --recursive",
        "rsync": "-e= --rsh=, -f= --filter=, --exclude=, --include=, --files-from=, -T= --temp-dir=, "
        "--backup-dir=, --link-dest=, -a --recursive, -r --recursive, --del --delete, --delete-before, --delete-after, "
        "--delete-during, --delete-delay, --delete-excluded, --remove-source-files",
        "install": "-t= --target-directory=, -m= --mode=, -o= --owner=, -g= --group=, -S= --suffix=, -d, -D",
        "mv": "-t= --target-directory=, -S= --suffix=, -T --no-target-directory, -f, -i, -n",
        "ln": "-t= --target-directory=, -S= --suffix=, -T --no-target-directory, -s, -f, -n",
    }
)

_TEXT = """
: alias echo export false help local man print printf read set trap true
"""
TEXT: frozenset[str] = frozenset(_TEXT.split())
"""Programs whose words are no paths."""

_GIT_READS = """
archive log show diff status add commit blame grep ls-files ls-tree rev-parse describe shortlog branch tag fetch push
remote config-get cat-file merge-base reflog
"""
GIT_READS: frozenset[str] = frozenset(_GIT_READS.split())
"""Subcommands of `git` that leave the files of the working tree alone."""

_REMOVERS = """
del-cli gio gvfs-rm gvfs-trash kioclient premove rimraf shred srm trash trash-put wipe
"""
REMOVERS: frozenset[str] = frozenset(_REMOVERS.split())
"""Programs that take a directory with all that lies below it."""

_OWN_READS = """
check demo diff doctor explain functions help hook inspect lint patterns schema test tools version
"""
OWN_READS: frozenset[str] = frozenset(_OWN_READS.split())
"""The gateway's own commands that change nothing."""

_REMOVALS = """
apt apt-get brew conda dnf mamba micromamba pdm pip pip3 pipx poetry uv
"""
REMOVALS: frozenset[str] = frozenset(_REMOVALS.split())
"""Programs that could remove the installed gateway."""

STOPPERS: frozenset[str] = frozenset(("pkill", "killall", "skill"))
"""Programs that end others by their name."""

CODE: Mapping[str, str] = MappingProxyType(
    # interpreters, and the options that hold code
    {
        "python": "-c=",
        "pypy": "-c=",
        "node": "-e= --eval=, -p= --print=",
        "nodejs": "-e= --eval=, -p= --print=",
        "deno": "-e= --eval=",
        "bun": "-e= --eval=",
        "perl": "-e=, -E=",
        "ruby": "-e=",
        "php": "-r=",
        "lua": "-e=",
        "osascript": "-e=",
        "Rscript": "-e=",
        "awk": "-v= --assign=, -F= --field-separator=, -f= --file=, -e= --expression=",
        "gawk": "-v= --assign=, -F= --field-separator=, -f= --file=, -e= --expression=",
        "mawk": "-v= --assign=, -F= --field-separator=, -f= --file=",
        "nawk": "-v= --assign=, -F= --field-separator=, -f= --file=",
        "sed": "-e= --expression=, -f= --file=, -i --in-place=?, -n, -E, -r, -s, -u, -z, -l=",
    }
)

SCRIPTED: frozenset[str] = frozenset(("awk", "gawk", "mawk", "nawk", "sed"))
"""Interpreters whose code is the first operand where no option gives it."""
