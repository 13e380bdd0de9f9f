"""What programs take on their command line: data, one line a program or subcommand, in one module a field.

A line has the options and, behind `|`, what is done with the operands:

    "sort": "-o= --output=write, -k= --key=, -r --reverse | read*"

`-k= --key=` takes a value, `--color=?` only an attached one; the first long spelling is the name that patterns use.
What stands behind `=` is what is done with the value. Operands are told in order, `*` marks the one that takes all that
are left. What is done is `read`, `write`, `append`, `delete`, `empty` (a directory goes that holds nothing), `make`
(new and empty), `meta` (mode, owner), `text` or `script` (no path), `url`, or nothing that is known. `open` reads and
writes, `edit` writes only with an option such as `in-place`, `pour` writes, or appends with `append`, and `pack`
writes, unless told to keep.
An option that does what one of the other operands is there for stands in its place: `grep -e TEXT FILE`.
"""

from __future__ import annotations

from functools import cache

from gateway.frozen import frozen
from gateway.inspect.carriers import WRAPPERS
from gateway.inspect.operands import READERS, TEXT
from gateway.inspect.options import Options, options
from gateway.inspect.programs import (
    cloud,
    databases,
    files,
    git,
    infrastructure,
    network,
    packages,
    system,
    text,
)
from gateway.inspect.programs.names import ALIASES, CASELESS

__all__ = ["ALIASES", "CASELESS", "PROGRAMS", "Spec", "spec"]

PROGRAMS: dict[str, str] = {}
for _field in (files, text, git, databases, system, network, infrastructure, cloud, packages):
    PROGRAMS |= _field.PROGRAMS
_WITH_SUBCOMMANDS = frozenset(name.partition(" ")[0] for name in PROGRAMS if " " in name)


@frozen
class Spec:
    """What a program takes; `subcommands` says that what it takes depends on its first operand."""

    options: Options
    operands: tuple[str, ...]
    subcommands: bool


@cache
def spec(name: str) -> Spec:
    """What is known of a program, or of a subcommand as `git push`; nothing of most."""
    line = PROGRAMS.get(name)
    if line is None and name in WRAPPERS:
        line = WRAPPERS[name][0]
    if line is None:
        line = "| read*" if name in READERS else "| text*" if name in TEXT else ""
    taken, _, roles = line.partition("|")
    return Spec(options(taken), tuple(roles.split()), name in _WITH_SUBCOMMANDS)


def roles(known: Spec, given: frozenset[str], count: int) -> tuple[str, ...]:
    """What is done with each of so many operands, where the options in `given` are there too; `` for nothing known."""
    done = {known.options.roles[name] for name in given if name in known.options.roles}
    wanted = tuple(role for role in known.operands if role.endswith("*") or role not in done)
    at = next((i for i, role in enumerate(wanted) if role.endswith("*")), None)
    if at is None:
        return (*wanted, *("",) * count)[:count]
    first, many, last = wanted[:at], wanted[at][:-1], wanted[at + 1 :]
    # The last operands are there for their own purpose even where few are given.
    last = last[-max(count - len(first), 0) or len(last) :] if count > len(first) else ()
    between = max(count - len(first) - len(last), 0)
    return (*first[:count], *(many,) * between, *last)[:count]
