"""The tables of a store, as the changes that make each version from the one before; what stands here never changes.

A new version is added at the end, with a fixture of the one before under `tests/stores/data`.
"""

from __future__ import annotations

Migrations = tuple[tuple[str, ...], ...]

SQLITE: Migrations = (
    (
        """CREATE TABLE entries (
            tenant BLOB NOT NULL, kind TEXT NOT NULL, name BLOB NOT NULL,
            value BLOB NOT NULL, version INTEGER NOT NULL, expires INTEGER,
            PRIMARY KEY (tenant, kind, name)
        ) WITHOUT ROWID""",
        "CREATE INDEX entries_expiring ON entries (expires) WHERE expires IS NOT NULL",
        """CREATE TABLE counts (
            tenant BLOB NOT NULL, kind TEXT NOT NULL, name BLOB NOT NULL,
            at INTEGER NOT NULL, amount INTEGER NOT NULL, until INTEGER NOT NULL,
            PRIMARY KEY (tenant, kind, name, at)
        ) WITHOUT ROWID""",
        "CREATE INDEX counts_until ON counts (until)",
        """CREATE TABLE lines (
            tenant BLOB NOT NULL, kind TEXT NOT NULL, name BLOB NOT NULL,
            number INTEGER NOT NULL, value BLOB NOT NULL,
            PRIMARY KEY (tenant, kind, name, number)
        ) WITHOUT ROWID""",
        """CREATE TABLE generations (
            tenant BLOB NOT NULL, kind TEXT NOT NULL, number INTEGER NOT NULL,
            PRIMARY KEY (tenant, kind)
        ) WITHOUT ROWID""",
        """CREATE TRIGGER entries_added AFTER INSERT ON entries WHEN new.kind IN ('approval', 'override') BEGIN
            INSERT INTO generations VALUES (new.tenant, new.kind, 1)
            ON CONFLICT (tenant, kind) DO UPDATE SET number = number + 1;
        END""",
        """CREATE TRIGGER entries_changed AFTER UPDATE ON entries WHEN new.kind IN ('approval', 'override') BEGIN
            INSERT INTO generations VALUES (new.tenant, new.kind, 1)
            ON CONFLICT (tenant, kind) DO UPDATE SET number = number + 1;
        END""",
        """CREATE TRIGGER entries_removed AFTER DELETE ON entries WHEN old.kind IN ('approval', 'override') BEGIN
            INSERT INTO generations VALUES (old.tenant, old.kind, 1)
            ON CONFLICT (tenant, kind) DO UPDATE SET number = number + 1;
        END""",
    ),
)
"""For SQLite; the version stands in the file's header, as `user_version`."""

POSTGRES: Migrations = (
    (
        """CREATE TABLE {schema}.entries (
            tenant bytea NOT NULL, kind text NOT NULL, name bytea NOT NULL,
            value bytea NOT NULL, version bigint NOT NULL, expires bigint,
            PRIMARY KEY (tenant, kind, name)
        )""",
        # Not compressed, a piece of a large value is read without the rest.
        "ALTER TABLE {schema}.entries ALTER COLUMN value SET STORAGE EXTERNAL",
        "CREATE INDEX entries_expiring ON {schema}.entries (expires) WHERE expires IS NOT NULL",
        """CREATE TABLE {schema}.counts (
            tenant bytea NOT NULL, kind text NOT NULL, name bytea NOT NULL,
            at bigint NOT NULL, amount bigint NOT NULL, until bigint NOT NULL,
            PRIMARY KEY (tenant, kind, name, at)
        )""",
        "CREATE INDEX counts_until ON {schema}.counts (until)",
        """CREATE TABLE {schema}.lines (
            tenant bytea NOT NULL, kind text NOT NULL, name bytea NOT NULL,
            number bigint NOT NULL, value bytea NOT NULL,
            PRIMARY KEY (tenant, kind, name, number)
        )""",
        """CREATE TABLE {schema}.generations (
            tenant bytea NOT NULL, kind text NOT NULL, number bigint NOT NULL,
            PRIMARY KEY (tenant, kind)
        )""",
        # The channel is the schema's name, which the trigger knows whatever it is.
        """CREATE FUNCTION {schema}.changed() RETURNS trigger LANGUAGE plpgsql AS $$
        DECLARE
            one record := CASE WHEN TG_OP = 'DELETE' THEN old ELSE new END;
        BEGIN
            INSERT INTO {schema}.generations AS held VALUES (one.tenant, one.kind, 1)
            ON CONFLICT (tenant, kind) DO UPDATE SET number = held.number + 1;
            PERFORM pg_notify(TG_TABLE_SCHEMA, one.kind || ' ' || encode(one.tenant, 'hex'));
            RETURN NULL;
        END $$""",
        """CREATE TRIGGER entries_added AFTER INSERT ON {schema}.entries FOR EACH ROW
        WHEN (new.kind IN ('approval', 'override')) EXECUTE FUNCTION {schema}.changed()""",
        """CREATE TRIGGER entries_changed AFTER UPDATE ON {schema}.entries FOR EACH ROW
        WHEN (new.kind IN ('approval', 'override')) EXECUTE FUNCTION {schema}.changed()""",
        """CREATE TRIGGER entries_removed AFTER DELETE ON {schema}.entries FOR EACH ROW
        WHEN (old.kind IN ('approval', 'override')) EXECUTE FUNCTION {schema}.changed()""",
    ),
)
"""For PostgreSQL; the version stands in a table of the schema."""
