"""What a statement of SQL would do, in the words that patterns use."""

from __future__ import annotations

from enum import Enum
from types import MappingProxyType

from gateway.frozen import frozen


class SqlKind(Enum):
    """Kinds of statements that patterns can name."""

    DROP_TABLE = "drop table"
    DROP_DATABASE = "drop database"
    DROP_SCHEMA = "drop schema"
    DROP_OBJECT = "drop object"
    """An index, a view, a function, a constraint: nothing that holds rows of its own."""
    TRUNCATE = "truncate"
    DELETE_ALL = "delete all"
    UPDATE_ALL = "update all"
    REPLACE_TABLE = "replace table"
    """A table, schema or stage is put in the place of one that may exist."""
    REPLACE = "replace"
    """Rows are put in the place of others."""
    ALTER_DROP = "alter drop"
    ALTER = "alter"
    """A change of a table that others may rely on: renamed, detached, another type, a trigger switched off."""
    GRANT_ADMIN = "grant admin"
    """Rights that reach all objects or all users, or that can be passed on."""
    GRANT = "grant"
    REVOKE = "revoke"
    CREATE_USER = "create user"
    ALTER_USER = "alter user"
    OS = "os"
    """Files, programs or the network are reached from inside the server."""
    ADMIN = "admin"
    DYNAMIC = "dynamic"
    """A text that is only known when it runs is run as SQL."""
    STORED = "stored"
    """A trigger, event or routine destroys something when it runs later."""
    READ = "read"
    WRITE = "write"
    DDL = "ddl"
    UNREADABLE = "unreadable"


HARMLESS = frozenset((SqlKind.READ, SqlKind.WRITE, SqlKind.DDL))
"""What people do with a database all day."""

_SAID = MappingProxyType(
    {
        SqlKind.DROP_OBJECT: "drop",
        SqlKind.DELETE_ALL: "delete from",
        SqlKind.UPDATE_ALL: "update",
        SqlKind.REPLACE_TABLE: "create or replace",
        SqlKind.ALTER_DROP: "alter",
        SqlKind.GRANT_ADMIN: "grant",
        SqlKind.CREATE_USER: "create",
        SqlKind.ALTER_USER: "",
        SqlKind.OS: "",
        SqlKind.ADMIN: "",
        SqlKind.DYNAMIC: "",
        SqlKind.STORED: "",
    }
)


@frozen
class Statement:
    """One statement, what it acts on, and where it stands in the text."""

    kind: SqlKind
    target: str
    start: int
    end: int

    @property
    def said(self) -> str:
        """The statement in short, as a reason tells it."""
        said = _SAID.get(self.kind, self.kind.value)
        if self.kind is SqlKind.REPLACE_TABLE and self.target.startswith("insert "):
            said = ""
        elif self.kind is SqlKind.GRANT_ADMIN and self.target.startswith(("user ", "role ", "login ")):
            said = "grant every right to"
        return f"{said} {self.target}".strip()
