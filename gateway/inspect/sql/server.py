"""Statements on the server itself, and the functions that reach files, programs and the network."""

from __future__ import annotations

import re
from collections.abc import Iterator

from gateway.inspect.sql.cut import Tokens, word
from gateway.inspect.sql.kinds import SqlKind
from gateway.inspect.sql.objects import Said
from gateway.inspect.sql.rows import named
from gateway.inspect.sql.words import (
    ADMIN_CALLS,
    ADMIN_VERBS,
    DBCC,
    LOCAL_TABLES,
    OS_CALLS,
    OS_NAMES,
    RIGHTS_CALLS,
    SYSTEM_READS,
    TABLE_CALLS,
    WRITE_CALLS,
)
from gateway.later import later

_READS_WORDS = """
SELECT VALUES TABLE SHOW DESC DESCRIBE EXPLAIN USE WITH BEGIN START COMMIT END ROLLBACK SAVEPOINT RELEASE ABORT
DECLARE FETCH CLOSE OPEN MOVE LIST LS HELP PRINT CHECKPOINT SUMMARIZE DEALLOCATE LISTEN UNLISTEN DISCARD RESET
HANDLER LET REVERT UNLOCK IF WHILE RETURN FROM PIVOT ANALYZE
"""
_READS = frozenset(_READS_WORDS.split())
_DDL_WORDS = """
COMMENT REFRESH REINDEX OPTIMIZE CLUSTER INSTALL UNDROP ENABLE VACUUM
"""
_DDL = frozenset(_DDL_WORDS.split())
_GUARDS = later(
    r"(?:GLOBAL|PERSIST|PERSIST_ONLY|ROLE|AUTHORIZATION|SQL_LOG_BIN|SESSION_REPLICATION_ROLE|ROW_SECURITY|READ_ONLY"
    r"|SUPER_READ_ONLY|DEFAULT_TRANSACTION_READ_ONLY|TRANSACTION_READ_ONLY|ALLOW_SYSTEM_TABLE_MODS|LOCAL_INFILE"
    r"|SQL_SAFE_UPDATES|ZERO_DAMAGED_PAGES|@@GLOBAL)"
)
_REMOTE = later(r"(?:s3[an]?|gcs|gs|azure|abfss?|wasbs?|https?|hdfs|ftp|file)://|\\\\|//", re.IGNORECASE)
_PLACED = later(r"[/~\\]|[a-z]:|\.\.|\$", re.IGNORECASE)
_BASES = later(r"(?:[\w.-]+/)*[\w-][\w.-]*\.(?:db|sqlite3?|duckdb|ddb|bak|backup)|:memory:|", re.IGNORECASE)
_OFFICIAL_WORDS = """
HTTPFS JSON PARQUET ICU FTS SPATIAL EXCEL INET SQLITE POSTGRES MYSQL TPCH TPCDS AUTOCOMPLETE
"""
_OFFICIAL = frozenset(_OFFICIAL_WORDS.split())
_SQLITE_RISKS = frozenset(
    ("WRITABLE_SCHEMA", "TEMP_STORE_DIRECTORY", "DATA_STORE_DIRECTORY", "TRUSTED_SCHEMA")
)
_RUNS_META = later(
    r"\\!|\\copy\b.*\bprogram\b|\\(?:o|g|w|out)\s*\||\.(?:shell|system|load|excel|restore|archive|ar)\b|:?!!"
    r"|\.(?:once|output|import|read|open)\s*['\"]?\|",
    re.IGNORECASE,
)


def other(s: Tokens, dialect: str) -> Iterator[Said]:
    """Statements that begin with neither rows nor objects."""
    verb, following = word(s, 0), word(s, 1)
    told = " ".join(t.text for t in s[:4])[:60].lower()
    if verb == "SET":
        yield _setting(s), told, len(s)
    elif verb in (
        "COPY",
        "UNLOAD",
        "EXPORT",
        "LOAD",
        "PUT",
        "GET",
        "BULK",
        "BACKUP",
        "RESTORE",
        "INSTALL",
        "ATTACH",
    ):
        yield _moved(s, verb, dialect), told, len(s)
    elif verb == "VACUUM":
        yield _vacuum(s, following), told, len(s)
    elif verb == "PRAGMA":
        name, _ = named(s, 1)
        sets = any(t.text in ("=", "(") for t in s)
        risky = name.upper().rpartition(".")[2] in _SQLITE_RISKS and sets
        keyed = name.upper() in ("KEY", "REKEY", "HEXKEY", "HEXREKEY") and sets
        kind = SqlKind.OS if risky else SqlKind.ADMIN if keyed else SqlKind.READ
        yield kind, told, len(s)
    elif verb == "DBCC":
        yield (SqlKind.ADMIN if following in DBCC else SqlKind.READ), told, len(s)
    elif verb == "HOST":
        yield SqlKind.OS, told, len(s)
    elif verb in ("RENAME", "EXCHANGE") or (verb == "DISABLE" and following in ("TRIGGER", "ALL")):
        yield SqlKind.ALTER, told, len(s)
    elif verb == "PURGE" and following in ("TABLE", "RECYCLEBIN", "DBA_RECYCLEBIN", "INDEX", "TABLESPACE"):
        yield SqlKind.DROP_TABLE, named(s, 2)[0], len(s)
    elif (verb == "USE" and following in ("ROLE", "SECONDARY")) or (
        verb in ADMIN_VERBS and _applies(s, verb, following)
    ):
        yield SqlKind.ADMIN, told, len(s)
    elif verb in _READS:
        yield _read(s), told, len(s)
    elif verb in _DDL:
        yield SqlKind.DDL, "", len(s)


def _applies(s: Tokens, verb: str, following: str) -> bool:
    needed = ADMIN_VERBS[verb]
    if following in ("=", ",", ".", ")"):
        return False
    if verb in ("REMOVE", "RM"):
        return len(s) > 1 and (s[1].text.startswith("@") or s[1].kind == "string")
    return not needed or following in needed


def _read(s: Tokens) -> SqlKind:
    """SELECT that may write a file or a table."""
    for i, token in enumerate(s):
        if token.word == "INTO":
            if word(s, i + 1) in ("OUTFILE", "DUMPFILE"):
                return SqlKind.OS
            if s[0].word in ("SELECT", "WITH") and word(s, i - 1) not in ("INSERT", "MERGE", "REPLACE"):
                return SqlKind.DDL
    return SqlKind.READ


def _setting(s: Tokens) -> SqlKind:
    words = {t.name.upper() for t in s[1:5]}
    if "PASSWORD" in words or ("DEFAULT" in words and "ROLE" in words):
        return SqlKind.ALTER_USER
    named_guard = any(_GUARDS.fullmatch(w) for w in words if w)
    writes = "TRANSACTION" in words and any(
        t.word == "READ" and word(s, i + 1) == "WRITE" for i, t in enumerate(s)
    )
    if {"CHARACTERISTICS"} & words and any(t.word == "WRITE" for t in s):
        writes = True
    return SqlKind.ADMIN if named_guard or writes else SqlKind.READ


def _strings(s: Tokens) -> list[str]:
    return [t.text for t in s if t.kind == "string" or t.text.startswith('"')]


def _moved(s: Tokens, verb: str, dialect: str) -> SqlKind:
    """Statements that move data between the server and files or hosts."""
    words = [t.word for t in s]
    given = [text.strip('"') for text in _strings(s)]
    if verb == "ATTACH":
        if any(not _BASES.fullmatch(text) for text in given):
            return SqlKind.OS
        kept = dialect == "duckdb" or given in ([":memory:"], [""])
        return SqlKind.READ if kept else SqlKind.ADMIN
    if verb == "INSTALL":
        name = s[1].name.upper() if len(s) > 1 else ""
        return SqlKind.DDL if name in _OFFICIAL and "FROM" not in words else SqlKind.OS
    if verb in ("BACKUP", "RESTORE", "BULK", "UNLOAD"):
        return SqlKind.OS
    if verb == "EXPORT":
        return SqlKind.ADMIN if words[1:2] == ["DATABASE"] and not _outside(given) else SqlKind.OS
    if verb == "GET":
        return SqlKind.OS if given or "@" in s[1].text[:1] else SqlKind.READ
    if verb == "PUT":
        return SqlKind.OS
    if verb == "LOAD":
        if words[1:2] == ["DATA"] and "FILES" in words:
            return SqlKind.WRITE
        official = len(s) == 2 and (s[1].name or s[1].text).upper() in _OFFICIAL
        return SqlKind.READ if official else SqlKind.OS
    return _copied(s, words, given, dialect)


def _outside(given: list[str]) -> bool:
    return any(_PLACED.match(text) or _REMOTE.search(text) for text in given)


def _copied(s: Tokens, words: list[str], given: list[str], dialect: str) -> SqlKind:
    if "PROGRAM" in words:
        return SqlKind.OS
    if words[1:2] == ["INTO"]:
        to_stage = len(s) > 2 and (s[2].kind in ("string", "variable") or s[2].text == "@")
        if not to_stage:
            return SqlKind.WRITE
        return SqlKind.OS if s[2].kind == "string" else SqlKind.ADMIN
    depth, direction = 0, 0
    for i, token in enumerate(s):
        depth += (token.text == "(") - (token.text == ")") if token.kind == "other" else 0
        if depth == 0 and token.word in ("FROM", "TO"):
            direction = i
            break
    if not direction:
        return SqlKind.WRITE
    if word(s, direction + 1) in ("STDIN", "STDOUT", "PSTDIN", "PSTDOUT"):
        return SqlKind.READ if s[direction].word == "TO" else SqlKind.WRITE
    if dialect == "redshift" and s[direction].word == "FROM":
        return SqlKind.WRITE
    if dialect == "duckdb":
        return SqlKind.OS if _outside(given[:1]) else SqlKind.WRITE
    return (
        SqlKind.OS
        if s[direction + 1 :] and s[direction + 1].kind in ("string", "name", "other")
        else SqlKind.WRITE
    )


def _vacuum(s: Tokens, following: str) -> SqlKind:
    into = next((i for i, t in enumerate(s) if t.word == "INTO"), None)
    if into is not None:
        files = [t.text.strip('"') for t in s[into + 1 :]]
        return SqlKind.ADMIN if files and _BASES.fullmatch(files[0]) else SqlKind.OS
    return SqlKind.ADMIN if "FULL" in {t.word for t in s} else SqlKind.DDL


def meta(text: str) -> bool:
    """Whether a command of the client starts a program or loads one."""
    return _RUNS_META.match(text) is not None


_CALLED = OS_CALLS | TABLE_CALLS | ADMIN_CALLS | WRITE_CALLS | RIGHTS_CALLS
_FAMILIES = ("XP_", "SP_", "UTL_", "DBMS_", "LIB_", "SYSTEM$")


def calls(piece: Tokens, dialect: str) -> Iterator[Said]:
    """The functions and procedures of a piece that reach out, hold the server up or give rights."""
    for i, token in enumerate(piece):
        name = token.word or (token.name.upper() if token.kind == "name" else "")
        if name not in _CALLED and not name.startswith(_FAMILIES):
            continue
        called = word(piece, i + 1) == "("
        by_name = _procedure(piece, i)
        if OS_NAMES.fullmatch(name) and (
            called or by_name or word(piece, i + 1) == "." or word(piece, i - 1) == "."
        ):
            yield SqlKind.OS, token.name, i + 1
        elif name in OS_CALLS and (called or by_name):
            if not (name in ("HTTP", "READ_TEXT", "READ_BLOB") and _harmless_file(piece, i, dialect)):
                yield SqlKind.OS, token.name, i + 1
        elif name in TABLE_CALLS and called and _table_call(piece, i, dialect):
            yield SqlKind.OS, f"{token.name}(…)", i + 1
        elif (
            name in ADMIN_CALLS
            and (called or by_name)
            and word(piece, i - 1) not in ("FUNCTION", "PROCEDURE")
        ) or (name.startswith("SYSTEM$") and called and not SYSTEM_READS.fullmatch(name)):
            yield SqlKind.ADMIN, token.name, i + 1
        elif name in RIGHTS_CALLS and (called or by_name):
            yield SqlKind.GRANT_ADMIN, token.name, i + 1
        elif name in WRITE_CALLS and called:
            yield SqlKind.WRITE, token.name, i + 1
        elif name == "SP_RENAME" and by_name:
            yield SqlKind.ALTER, token.name, i + 1
        elif name in ("DBMS_LOCK", "DBMS_SESSION") and word(piece, i + 2) == "SLEEP":
            yield SqlKind.ADMIN, f"{token.name}.sleep", i + 1


def _procedure(piece: Tokens, i: int) -> bool:
    """Whether a name is called as a procedure: first in its batch, after EXEC or CALL, or with a path before it."""
    at = i
    while word(piece, at - 1) == "." and max(1, i - 8) < at:
        at -= 1
        while word(piece, at - 1) == ".":
            at -= 1
        at -= 1
    return at <= 0 or word(piece, at - 1) in ("EXEC", "EXECUTE", "CALL", "BEGIN", "=", "THEN", "ELSE")


def _table_call(piece: Tokens, i: int, dialect: str) -> bool:
    name = piece[i].word
    before = word(piece, i - 1)
    if before not in ("FROM", "JOIN", "FUNCTION", ",", "="):
        return False
    if before == "=" and word(piece, i - 2) != "ENGINE":
        return False
    if before == "," and dialect != "clickhouse":
        return False
    return name not in LOCAL_TABLES


def _harmless_file(piece: Tokens, i: int, dialect: str) -> bool:
    given = piece[i + 2].text if i + 2 < len(piece) and piece[i + 2].kind == "string" else "/"
    return dialect == "duckdb" and not _outside([given])
