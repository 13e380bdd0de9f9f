CREATE SCHEMA {schema};
CREATE FUNCTION {schema}.changed() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
        DECLARE
            one record := CASE WHEN TG_OP = 'DELETE' THEN old ELSE new END;
        BEGIN
            INSERT INTO {schema}.generations AS held VALUES (one.tenant, one.kind, 1)
            ON CONFLICT (tenant, kind) DO UPDATE SET number = held.number + 1;
            PERFORM pg_notify(TG_TABLE_SCHEMA, one.kind || ' ' || encode(one.tenant, 'hex'));
            RETURN NULL;
        END $$;
CREATE TABLE {schema}.counts (
    tenant bytea NOT NULL,
    kind text NOT NULL,
    name bytea NOT NULL,
    at bigint NOT NULL,
    amount bigint NOT NULL,
    until bigint NOT NULL
);
CREATE TABLE {schema}.entries (
    tenant bytea NOT NULL,
    kind text NOT NULL,
    name bytea NOT NULL,
    value bytea NOT NULL,
    version bigint NOT NULL,
    expires bigint
);
ALTER TABLE ONLY {schema}.entries ALTER COLUMN value SET STORAGE EXTERNAL;
CREATE TABLE {schema}.generations (
    tenant bytea NOT NULL,
    kind text NOT NULL,
    number bigint NOT NULL
);
CREATE TABLE {schema}.lines (
    tenant bytea NOT NULL,
    kind text NOT NULL,
    name bytea NOT NULL,
    number bigint NOT NULL,
    value bytea NOT NULL
);
CREATE TABLE {schema}.version (
    number integer NOT NULL
);
INSERT INTO {schema}.counts VALUES ('\x61636d65', 'limit', '\x5b2272617465225d', 1000, 3, 1500);
INSERT INTO {schema}.entries VALUES ('\x7465006e616e74', 'override', '\x6e61eda0806d65', '\x00ff', 1, NULL);
INSERT INTO {schema}.entries VALUES ('\x61636d65', 'journal', '\x5b2273657373696f6e222c2263616c6c225d', '\x636f6d706c65746564', 2, 6000);
INSERT INTO {schema}.generations VALUES ('\x7465006e616e74', 'override', 1);
INSERT INTO {schema}.lines VALUES ('\x61636d65', 'audit', '\x5b5d', 1, '\x6f6e65');
INSERT INTO {schema}.lines VALUES ('\x61636d65', 'audit', '\x5b5d', 2, '\x74776f');
INSERT INTO {schema}.version VALUES (1);
ALTER TABLE ONLY {schema}.counts
    ADD CONSTRAINT counts_pkey PRIMARY KEY (tenant, kind, name, at);
ALTER TABLE ONLY {schema}.entries
    ADD CONSTRAINT entries_pkey PRIMARY KEY (tenant, kind, name);
ALTER TABLE ONLY {schema}.generations
    ADD CONSTRAINT generations_pkey PRIMARY KEY (tenant, kind);
ALTER TABLE ONLY {schema}.lines
    ADD CONSTRAINT lines_pkey PRIMARY KEY (tenant, kind, name, number);
CREATE INDEX counts_until ON {schema}.counts USING btree (until);
CREATE INDEX entries_expiring ON {schema}.entries USING btree (expires) WHERE (expires IS NOT NULL);
CREATE TRIGGER entries_added AFTER INSERT ON {schema}.entries FOR EACH ROW WHEN ((new.kind = ANY (ARRAY['approval'::text, 'override'::text]))) EXECUTE FUNCTION {schema}.changed();
CREATE TRIGGER entries_changed AFTER UPDATE ON {schema}.entries FOR EACH ROW WHEN ((new.kind = ANY (ARRAY['approval'::text, 'override'::text]))) EXECUTE FUNCTION {schema}.changed();
CREATE TRIGGER entries_removed AFTER DELETE ON {schema}.entries FOR EACH ROW WHEN ((old.kind = ANY (ARRAY['approval'::text, 'override'::text]))) EXECUTE FUNCTION {schema}.changed();
