PRAGMA application_id = 1734440037;
PRAGMA user_version = 1;
BEGIN TRANSACTION;
CREATE TABLE counts (
            tenant BLOB NOT NULL, kind TEXT NOT NULL, name BLOB NOT NULL,
            at INTEGER NOT NULL, amount INTEGER NOT NULL, until INTEGER NOT NULL,
            PRIMARY KEY (tenant, kind, name, at)
        ) WITHOUT ROWID;
INSERT INTO "counts" VALUES(X'61636D65','limit',X'5B2272617465225D',1000,3,1500);
CREATE TABLE entries (
            tenant BLOB NOT NULL, kind TEXT NOT NULL, name BLOB NOT NULL,
            value BLOB NOT NULL, version INTEGER NOT NULL, expires INTEGER,
            PRIMARY KEY (tenant, kind, name)
        ) WITHOUT ROWID;
INSERT INTO "entries" VALUES(X'61636D65','journal',X'5B2273657373696F6E222C2263616C6C225D',X'636F6D706C65746564',2,6000);
INSERT INTO "entries" VALUES(X'7465006E616E74','override',X'6E61EDA0806D65',X'00FF',1,NULL);
CREATE TABLE generations (
            tenant BLOB NOT NULL, kind TEXT NOT NULL, number INTEGER NOT NULL,
            PRIMARY KEY (tenant, kind)
        ) WITHOUT ROWID;
INSERT INTO "generations" VALUES(X'7465006E616E74','override',1);
CREATE TABLE lines (
            tenant BLOB NOT NULL, kind TEXT NOT NULL, name BLOB NOT NULL,
            number INTEGER NOT NULL, value BLOB NOT NULL,
            PRIMARY KEY (tenant, kind, name, number)
        ) WITHOUT ROWID;
INSERT INTO "lines" VALUES(X'61636D65','audit',X'5B5D',1,X'6F6E65');
INSERT INTO "lines" VALUES(X'61636D65','audit',X'5B5D',2,X'74776F');
CREATE INDEX entries_expiring ON entries (expires) WHERE expires IS NOT NULL;
CREATE INDEX counts_until ON counts (until);
CREATE TRIGGER entries_added AFTER INSERT ON entries WHEN new.kind IN ('approval', 'override') BEGIN
            INSERT INTO generations VALUES (new.tenant, new.kind, 1)
            ON CONFLICT (tenant, kind) DO UPDATE SET number = number + 1;
        END;
CREATE TRIGGER entries_changed AFTER UPDATE ON entries WHEN new.kind IN ('approval', 'override') BEGIN
            INSERT INTO generations VALUES (new.tenant, new.kind, 1)
            ON CONFLICT (tenant, kind) DO UPDATE SET number = number + 1;
        END;
CREATE TRIGGER entries_removed AFTER DELETE ON entries WHEN old.kind IN ('approval', 'override') BEGIN
            INSERT INTO generations VALUES (old.tenant, old.kind, 1)
            ON CONFLICT (tenant, kind) DO UPDATE SET number = number + 1;
        END;
COMMIT;
