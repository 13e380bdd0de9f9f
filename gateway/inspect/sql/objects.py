"""Statements on what a database is made of: DROP, TRUNCATE, CREATE, ALTER, and rights."""

from __future__ import annotations

from collections.abc import Iterator

from gateway.inspect.sql.cut import Tokens, word
from gateway.inspect.sql.kinds import SqlKind
from gateway.inspect.sql.rows import named, on_all
from gateway.inspect.sql.words import ADMIN_WORDS, BETWEEN, DROPS, UNTRUSTED
from gateway.inspect.word import UNKNOWN

Said = tuple[SqlKind, str, int]
"""A kind, what the statement acts on, and the index after that."""

_SKIPPED = frozenset(("IF", "EXISTS", "NOT", "ONLY", "CONCURRENTLY", "ONLINE", "OR", "REPLACE"))
_TEMPORARY = frozenset(("TEMP", "TEMPORARY"))
_REPLACED = frozenset(
    ("TABLE", "DATABASE", "SCHEMA", "STAGE", "DATASET", "WAREHOUSE", "INTEGRATION", "DICTIONARY")
)
_REACHING = frozenset(
    (
        "ASSEMBLY",
        "SUBSCRIPTION",
        "DIRECTORY",
        "SERVER",
        "LIBRARY",
        "CREDENTIAL",
        "INTEGRATION",
        "WRAPPER",
        "ENDPOINT",
    )
)
_ACCOUNTS = frozenset(("USER", "ROLE", "LOGIN", "GROUP"))
_PRIVATE_KINDS_WORDS = """
SEQUENCE FUNCTION PROCEDURE VIEW TRIGGER POLICY RULE EXTENSION SERVER PUBLICATION SUBSCRIPTION
"""
_PRIVATE_KINDS = frozenset(_PRIVATE_KINDS_WORDS.split())
_KEPT = frozenset(("DEFAULT", "NOT", "IDENTITY", "EXPRESSION"))
_OBJECTS_WORDS = """
CONSTRAINT INDEX KEY FOREIGN CHECK PRIMARY UNIQUE PERIOD STATISTICS PROJECTION ROW MASKING TAG TTL SEARCH
"""
_OBJECTS = frozenset(_OBJECTS_WORDS.split())
_WHOLE = frozenset((SqlKind.DELETE_ALL, SqlKind.UPDATE_ALL, SqlKind.UNREADABLE))
_PARTS = frozenset(("COLUMN", "PARTITION", "PARTITIONS", "SUBPARTITION", "("))
_LEADING = frozenset(("ON", "WITH", "CHECK", "NOCHECK", "IF", "EXISTS", "ONLINE", "OFFLINE", "IGNORE"))
_CHANGES_WORDS = """
RENAME DETACH EXCHANGE SWAP SWITCH DISABLE NOCHECK DISCARD MODIFY CHANGE
"""
_CHANGES = frozenset(_CHANGES_WORDS.split())
NOT_READ = "its condition can't be read"


def drop(s: Tokens) -> Iterator[Said]:
    """DROP of whatever object."""
    i, temporary = 1, False
    while word(s, i) in BETWEEN or word(s, i) in _TEMPORARY:
        temporary = temporary or word(s, i) in _TEMPORARY
        i += 1
    what = word(s, i)
    if what == UNKNOWN:
        yield SqlKind.UNREADABLE, "", len(s)
        return
    kind = DROPS.get(what)
    if kind is None or temporary:
        yield SqlKind.DDL, "", len(s)
        return
    words = [what]
    i += 1
    while word(s, i) in DROPS and DROPS[word(s, i)] is SqlKind.DROP_OBJECT and kind is SqlKind.DROP_OBJECT:
        words.append(word(s, i))
        i += 1
    if what in ("FOREIGN", "EXTERNAL", "JAVA") and word(s, i) == "TABLE":
        i += 1
    while word(s, i) in _SKIPPED or (what == "OWNED" and word(s, i) == "BY"):
        i += 1
    name, after = named(s, i)
    told = " ".join((*(w.lower() for w in words), name))
    if kind is SqlKind.ALTER_USER:
        yield kind, f"drop {told}", after
    elif kind is SqlKind.DROP_OBJECT:
        yield kind, told, after
    else:
        yield kind, name, after


def truncate(s: Tokens) -> Iterator[Said]:
    """TRUNCATE, with or without TABLE."""
    i = 1
    while word(s, i) in ("TABLE", "DATABASE", "ONLY", "IF", "EXISTS", "ALL", "TABLES", "FROM"):
        i += 1
    name, after = named(s, i)
    yield SqlKind.TRUNCATE, name, after


def create(s: Tokens, dialect: str) -> Iterator[Said]:
    """CREATE: accounts, what reaches out of the server, what is put in the place of another."""
    i, words = 1, []
    while i < len(s) and (word(s, i) in BETWEEN or word(s, i) in _TEMPORARY or word(s, i) in _SKIPPED):
        words.append(word(s, i))
        i += 1
    while word(s, i) in ("TRUSTED", "PROCEDURAL", "UNLOGGED", "SECURE", "SHARED", "PUBLIC", "API", "STORAGE"):
        words.append(word(s, i))
        i += 1
    what, rest = word(s, i), {t.word for t in s}
    k = i + 1
    while word(s, k) in _SKIPPED:
        k += 1
    name, after = named(s, k)
    told = f"{what.lower()} {name}".strip()
    if what in _ACCOUNTS:
        strong = not ADMIN_WORDS.isdisjoint(rest) or ("IN" in rest and "ROLE" in rest and what == "ROLE")
        yield (SqlKind.GRANT_ADMIN if strong else SqlKind.CREATE_USER), told, after
    elif (
        what in _REACHING
        or (what == "DATABASE" and word(s, k) == "LINK")
        or (what == "DATA" and "WRAPPER" in rest)
    ) or (what in ("EXTENSION", "LANGUAGE") and name.upper() in UNTRUSTED):
        yield SqlKind.OS, f"create {told}", after
    elif what == "MATERIALIZED" and "REPLACE" in words:
        yield SqlKind.REPLACE_TABLE, f"materialized view {name}", after
    elif (
        "REPLACE" in words and what in _REPLACED and _TEMPORARY.isdisjoint(words) and not name.startswith("#")
    ):
        yield SqlKind.REPLACE_TABLE, told, after
    elif _unsafe_code(s, rest):
        yield SqlKind.OS, f"create {told}", after
    else:
        yield SqlKind.DDL, "", len(s)


def _unsafe_code(s: Tokens, rest: set[str]) -> bool:
    if "SONAME" in rest:
        return True
    return any(
        t.word == "LANGUAGE" and i + 1 < len(s) and (s[i + 1].name or s[i + 1].text).upper() in UNTRUSTED
        for i, t in enumerate(s)
    )


def alter(s: Tokens, dialect: str) -> Iterator[Said]:
    """ALTER of whatever object."""
    i = 1
    while word(s, i) in BETWEEN or word(s, i) in ("MATERIALIZED", "FOREIGN"):
        i += 1
    what = word(s, i)
    k = i + 1
    while word(s, k) in _SKIPPED or (what == "TABLE" and word(s, k) == "ONLY"):
        k += 1
    name, after = named(s, k)
    rest = [word(s, x) for x in range(after, len(s))]
    told = f"{what.lower()} {name}".strip()
    if what in _ACCOUNTS or (what == "SERVER" and word(s, k) == "ROLE"):
        yield _account(told, rest, after)
    elif what == "SYSTEM":
        given = {t.name.upper() for t in s}
        runs = any(g.endswith(("_COMMAND", "_LIBRARIES")) for g in given)
        yield (SqlKind.OS if runs else SqlKind.ADMIN), "alter system", after
    elif what in (
        "DATABASE",
        "ACCOUNT",
        "WAREHOUSE",
        "INSTANCE",
        "SERVER",
        "PUBLICATION",
        "SUBSCRIPTION",
        "RESOURCE",
    ):
        yield SqlKind.ADMIN, f"alter {told}", after
    elif what == "DEFAULT" and word(s, k - 0) == "PRIVILEGES":
        yield SqlKind.GRANT_ADMIN, "default privileges", after
    elif what == "AUTHORIZATION":
        yield SqlKind.GRANT_ADMIN, "authorization", after
    elif what == "SEQUENCE" and ("RESTART" in rest or "RESTART" in (word(s, k), word(s, k + 1))):
        yield SqlKind.ADMIN, f"alter {told}", after
    elif what == "TABLE":
        yield from _table(s, name, after, dialect)
    elif (
        what in ("VIEW", "INDEX", "TYPE", "SCHEMA", *_PRIVATE_KINDS)
        and (
            "RENAME" in rest or "OWNER" in rest or "DISABLE" in rest or (what == "POLICY" and "USING" in rest)
        )
    ) or (what == "EVENT" and "DISABLE" in rest):
        yield SqlKind.ALTER, told, after
    else:
        yield SqlKind.DDL, "", len(s)


def _account(told: str, rest: list[str], after: int) -> Said:
    if not ADMIN_WORDS.isdisjoint(rest):
        return SqlKind.GRANT_ADMIN, told, after
    plain = rest[:1] in (["SET"], ["RESET"], ["UNSET"]) and not {
        "PASSWORD",
        "DEFAULT_ROLE",
        "RSA_PUBLIC_KEY",
    } & set(rest)
    if plain:
        return SqlKind.ADMIN, f"alter {told}", after
    return SqlKind.ALTER_USER, f"alter {told}", after


def _table(s: Tokens, name: str, after: int, dialect: str) -> Iterator[Said]:
    """The parts of ALTER TABLE, one at a time."""
    some, depth, fresh = False, 0, True
    for i in range(after, len(s)):
        current = word(s, i)
        if s[i].kind == "other":
            depth += (current == "(") - (current == ")")
        if depth == 0 and (fresh or (current == "DROP" and word(s, i + 1) in _PARTS)):
            found = _part(s, i, name, dialect)
            if found is not None:
                some = True
                yield found
                if found[0] in _WHOLE:
                    return
        fresh = depth == 0 and (
            current == "," or (fresh and current in _LEADING) or word(s, i - 1) == "CLUSTER"
        )
    if not some:
        yield SqlKind.DDL, "", len(s)


def _part(s: Tokens, i: int, name: str, dialect: str) -> Said | None:
    current, following = word(s, i), word(s, i + 1)
    if current == "DROP":
        return _dropped(s, i, name)
    if current in ("TRUNCATE", "CLEAR") and following in _PARTS:
        return SqlKind.TRUNCATE, f"{following.lower()} of {name}", i + 2
    if current in ("DELETE", "UPDATE"):
        every = SqlKind.DELETE_ALL if current == "DELETE" else SqlKind.UPDATE_ALL
        where = next((k for k in range(i, len(s)) if word(s, k) == "WHERE"), None)
        kind = every if where is None else on_all(s[where + 1 :], dialect, name, every)
        return (kind, NOT_READ if kind is SqlKind.UNREADABLE else name, i + 1)
    if current == "DISABLE" and following == "KEYS":
        return None
    if (current == "DISABLE" and following == "ROW") or (current == "NO" and following == "FORCE"):
        return SqlKind.ALTER_DROP, f"table {name} to have no row level security", i + 2
    if current == "SET" and following == "UNUSED":
        return SqlKind.ALTER_DROP, f"table {name} set unused", i + 2
    loose = current == "SET" and following in ("SCHEMA", "UNLOGGED", "TABLESPACE")
    if current in _CHANGES or loose or (current == "OWNER" and following == "TO"):
        return SqlKind.ALTER, f"table {name} {current.lower()} {following.lower()}".strip(), i + 2
    if current == "ALTER" and _new_type(s, i):
        return SqlKind.ALTER, f"table {name} alter column", i + 2
    return None


def _new_type(s: Tokens, i: int) -> bool:
    """Whether ALTER COLUMN gives another type."""
    at = i + 1 + (word(s, i + 1) == "COLUMN")
    if word(s, at) in ("IF", "INDEX", "CHECK", "CONSTRAINT"):
        return False
    _, after = named(s, at)
    first, second = word(s, after), word(s, after + 1)
    if first == "SET":
        return second == "DATA"
    return first not in ("DROP", "ADD", "RESTART", "RESET", "COMMENT", "SET", "")


def _dropped(s: Tokens, i: int, name: str) -> Said | None:
    what = word(s, i + 1)
    if what in _KEPT:
        return None
    k = i + 2 if what in ("COLUMN", "PARTITION", "PARTITIONS", "SUBPARTITION") or what in _OBJECTS else i + 1
    while word(s, k) in _SKIPPED or word(s, k) in ("KEY", "ACCESS", "POLICY", "OPTIMIZATION"):
        k += 1
    item, after = named(s, k)
    if what in _OBJECTS:
        return SqlKind.DROP_OBJECT, f"{what.lower()} {item} of {name}".replace("  ", " "), after
    shown = what.lower() + " " if what in ("PARTITION", "PARTITIONS", "SUBPARTITION") else "column "
    return SqlKind.ALTER_DROP, f"table {name} drop {shown}{item}".strip(), max(after, i + 2)


def rights(s: Tokens) -> Iterator[Said]:
    """GRANT, REVOKE and DENY."""
    verb = s[0].word
    words = [word(s, i) for i in range(len(s))]
    names = {t.name.upper() for t in s} | {t.text.upper() for t in s if t.kind == "string"}
    told = " ".join(t.text for t in s[1:9])
    if verb != "GRANT":
        yield SqlKind.REVOKE, told if verb == "REVOKE" else f"({verb.lower()}) {told}", len(s)
        return
    everything = words[1:2] in (["ALL"], ["ALTER"], ["CONTROL"], ["IMPERSONATE"]) or (
        "OPTION" in words and "WITH" in words
    )
    wide = everything or not ADMIN_WORDS.isdisjoint(names) or not {"PUBLIC", "%"}.isdisjoint(names)
    wide = wide or any(name.endswith((".ADMIN", "/OWNER", "/EDITOR", "DATAOWNER")) for name in names)
    # Without an object it is a role that is given, with all its rights.
    role = "ON" not in words
    yield (SqlKind.GRANT_ADMIN if wide or role else SqlKind.GRANT), told, len(s)
