"""Words of SQL and what they stand for: data."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from gateway.inspect.sql.kinds import SqlKind
from gateway.later import later

_OBJECTS = """
AGGREGATE ALERT ASSEMBLY ASYMMETRIC CAST CERTIFICATE COLLATION CONSTRAINT CONVERSION CREDENTIAL DICTIONARY DIRECTORY
DOMAIN ENDPOINT EVENT EXTENSION FULLTEXT FUNCTION INDEX INTEGRATION JAVA JOB LANGUAGE LIBRARY MACRO MASKING
MATERIALIZED MODEL NETWORK OPERATOR PACKAGE PIPE POLICY PROC PROCEDURE PROFILE PROJECTION PUBLIC PUBLICATION QUEUE
RESOURCE ROW RULE SEARCH SECRET SECURITY SEQUENCE SERVER SERVICE SHARE SPATIAL STATISTICS STREAM SUBSCRIPTION
SYMMETRIC SYNONYM TAG TASK TEXT TRANSFORM TRIGGER TYPE UNIQUE VIEW WAREHOUSE WRAPPER DATA
"""
DROPS: Mapping[str, SqlKind] = MappingProxyType(
    {
        **dict.fromkeys(_OBJECTS.split(), SqlKind.DROP_OBJECT),
        **dict.fromkeys(("TABLE", "TABLES", "STAGE", "COLLECTION", "BUCKET"), SqlKind.DROP_TABLE),
        **dict.fromkeys(
            ("DATABASE", "KEYSPACE", "CATALOG", "TABLESPACE", "PLUGGABLE", "FILEGROUP"), SqlKind.DROP_DATABASE
        ),
        **dict.fromkeys(("SCHEMA", "DATASET", "OWNED"), SqlKind.DROP_SCHEMA),
        **dict.fromkeys(("USER", "ROLE", "LOGIN", "GROUP"), SqlKind.ALTER_USER),
    }
)
"""What a DROP of an object is."""

_BETWEEN_WORDS = """
FOREIGN TEMPORARY TEMP EXTERNAL TRANSIENT DYNAMIC ICEBERG SNAPSHOT HYBRID VIRTUAL GLOBAL
"""
BETWEEN = frozenset(_BETWEEN_WORDS.split())
"""What can stand between DROP or CREATE and the object."""
_OBJECTS_OF_ALTER_WORDS = """
INDEX CONSTRAINT STATISTICS PROJECTION POLICY RULE TRIGGER SEARCH ROW MASKING TAG PUBLIC UNIQUE TYPE
"""
OBJECTS_OF_ALTER = frozenset(_OBJECTS_OF_ALTER_WORDS.split())
"""What ALTER TABLE can drop."""

_VERBS = """
ABORT ALTER ANALYZE ATTACH AUDIT BACKUP BEGIN BULK CALL CHANGE CHECKPOINT CLUSTER COMMIT COPY CREATE DBCC DEALLOCATE
DECLARE DELETE DENY DESC DESCRIBE DETACH DISABLE DISCARD DO DROP ENABLE EXCHANGE EXEC EXECUTE EXPLAIN EXPORT FETCH
FLASHBACK FLUSH GET GRANT HANDLER HELP HOST IMPORT INSERT INSTALL KILL LET LIST LISTEN LOAD LOCK MERGE NOAUDIT
NOTIFY OPTIMIZE PRAGMA PREPARE PRINT PURGE PUT REASSIGN RECONFIGURE REFRESH REINDEX RELEASE REMOVE RENAME REPAIR
REPLACE RESET RESTORE REVERT REVOKE RM ROLLBACK SAVEPOINT SELECT SET SHOW SHUTDOWN START STOP SUMMARIZE SYSTEM
TRUNCATE UNDROP UNINSTALL UNLOAD UNLOCK UPDATE USE VACUUM VALUES WAITFOR WITH
"""
VERBS = frozenset(_VERBS.split())
"""What statements start with."""
_HELD_WORDS = """
DELETE UPDATE INSERT MERGE TRUNCATE DROP ALTER EXEC EXECUTE
"""
HELD = frozenset(_HELD_WORDS.split())
"""Statements that can follow a bracket or a label."""

_DEFINES_WORDS = """
FUNCTION PROCEDURE PROC TRIGGER EVENT TASK RULE JOB PACKAGE MACRO
"""
DEFINES = frozenset(_DEFINES_WORDS.split())
"""Objects that hold statements to run later."""

ADMIN_VERBS: Mapping[str, tuple[str, ...]] = MappingProxyType(
    # what the next word has to be; nothing where any will do
    {
        "SHUTDOWN": (),
        "KILL": (),
        "RESET": ("MASTER", "SLAVE", "REPLICA", "BINARY", "PERSIST", "QUERY"),
        "FLUSH": (),
        "PURGE": (),
        "STOP": ("SLAVE", "REPLICA", "GROUP_REPLICATION"),
        "START": ("SLAVE", "REPLICA", "GROUP_REPLICATION"),
        "CHANGE": ("MASTER", "REPLICATION"),
        "LOCK": (),
        "RECONFIGURE": (),
        "DETACH": (),
        "SYSTEM": (),
        "WAITFOR": (),
        "AUDIT": (),
        "NOAUDIT": (),
        "UNINSTALL": (),
        "IMPORT": (),
        "REASSIGN": (),
        "SECURITY": (),
        "FLASHBACK": (),
        "REPAIR": (),
        "CANCEL": (),
        "CLONE": (),
        "BINLOG": (),
        "REMOVE": (),
        "RM": (),
    }
)
_DBCC_WORDS = """
SHRINKDATABASE SHRINKFILE DROPCLEANBUFFERS FREEPROCCACHE WRITEPAGE CHECKIDENT TRACEON DBREPAIR
"""
DBCC = frozenset(_DBCC_WORDS.split())

_OS_CALLS = """
pg_read_file pg_read_binary_file pg_ls_dir pg_stat_file pg_file_write pg_file_unlink pg_file_rename pg_file_sync
pg_write_file lo_import lo_export dblink dblink_exec dblink_connect dblink_connect_u dblink_send_query load_file
load_extension writefile readfile fsdir fts3_tokenizer sys_exec sys_eval sys_get sys_set http_get http_post http_put
http_delete http query_export_to_s3 table_import_from_s3 openrowset opendatasource openquery bfilename httpuritype
read_text read_blob getenv system_exec shell_exec postgres_execute mysql_execute
"""
OS_CALLS = frozenset(_OS_CALLS.upper().split())
"""Functions and procedures that reach files, programs or the network."""
OS_NAMES = later(
    r"XP_\w+|SP_OA\w+|SP_CONFIGURE|SP_ADDEXTENDEDPROC|SP_ADD_JOB\w*|SP_START_JOB|SP_ADDLINKEDSERVER\w*|SP_EXECUTE_EXTERNAL_SCRIPT"
    r"|UTL_(?:FILE|HTTP|TCP|SMTP|INADDR|MAIL)|DBMS_(?:SCHEDULER|JOB|XSLPROCESSOR|JAVA|LDAP|ADVISOR|PIPE"
    r"|CLOUD|DATAPUMP|NETWORK_ACL_ADMIN|FILE_TRANSFER)|LIB_MYSQLUDF\w*"
)
"""Procedures and packages that do so however they are called."""
_TABLE_CALLS_WORDS = """
URL FILE S3 S3CLUSTER REMOTE REMOTESECURE MYSQL POSTGRESQL MONGODB HDFS HDFSCLUSTER EXECUTABLE JDBC ODBC SQLITE
REDIS GCS AZUREBLOBSTORAGE ICEBERG DELTALAKE HUDI URLCLUSTER FILECLUSTER CLUSTER
"""
TABLE_CALLS = frozenset(_TABLE_CALLS_WORDS.split())
"""Functions that stand for a table elsewhere."""
LOCAL_TABLES = frozenset(("CLUSTER",))

_ADMIN_CALLS = """
pg_terminate_backend pg_cancel_backend pg_reload_conf pg_rotate_logfile pg_switch_wal pg_switch_xlog pg_promote
pg_drop_replication_slot pg_create_physical_replication_slot pg_create_logical_replication_slot pg_sleep
pg_sleep_for pg_sleep_until pg_advisory_lock pg_advisory_xact_lock pg_stat_reset pg_stat_statements_reset
pg_logical_emit_message pg_replication_origin_drop pg_start_backup pg_stop_backup pg_backup_start
pg_wal_replay_pause pg_nextoid sleep benchmark get_lock setval set_config sp_detach_db sp_attach_db sp_dropserver
sp_dropdevice sp_kill sp_delete_job sp_delete_backuphistory sp_cycle_errorlog sp_dboption sp_removedbreplication
master_pos_wait schedule unschedule pg_rewind pg_export_snapshot lo_unlink
"""
ADMIN_CALLS = frozenset(_ADMIN_CALLS.upper().split())
"""Functions that stop or change a server, or hold it up."""
SYSTEM_READS = later(
    r"SYSTEM\$(?:TYPEOF|CLUSTERING_\w+|STREAM_HAS_DATA|ESTIMATE\w*|EXPLAIN\w*|GET_\w+|LAST_\w+|PIPE_STATUS|ALLOWLIST\w*"
    r"|WHITELIST|VERIFY\w*|STREAM_GET_TABLE_TIMESTAMP|QUERY_REFERENCE|REFERENCE|WAIT_FOR\w+|CURRENT_USER\w*)"
)
_WRITE_CALLS_WORDS = """
NEXTVAL LO_CREATE LO_CREAT LO_PUT LOWRITE LO_FROM_BYTEA PG_NOTIFY LO_TRUNCATE CURSOR_TO_XML
"""
WRITE_CALLS = frozenset(_WRITE_CALLS_WORDS.split())
"""Functions that change something, as ordinary statements do."""
_RIGHTS_CALLS_WORDS = """
SP_ADDSRVROLEMEMBER SP_ADDROLEMEMBER SP_ADDLOGIN SP_PASSWORD SP_ADDUSER SP_GRANTDBACCESS SP_DROPLOGIN
SP_CHANGEDBOWNER SP_DROPUSER SP_REVOKEDBACCESS SP_DROPROLEMEMBER SP_DROPSRVROLEMEMBER
"""
RIGHTS_CALLS = frozenset(_RIGHTS_CALLS_WORDS.split())
_TEXT_CALLS_WORDS = """
SP_EXECUTESQL SP_SQLEXEC DBLINK_EXEC DBLINK DBLINK_SEND_QUERY OPENQUERY QUERY_TO_XML EXEC_SQL EXTERNAL_QUERY
SP_MSFOREACHTABLE SP_MSFOREACHDB EXECUTE_IMMEDIATE EXEC_DDL_STATEMENT RUN_COMMAND_ON_WORKERS SCHEDULE
POSTGRES_EXECUTE MYSQL_EXECUTE QUERY EVAL PARSE
"""
TEXT_CALLS = frozenset(_TEXT_CALLS_WORDS.split())
"""Calls that run the text that they are given as SQL."""
_UNTRUSTED_WORDS = """
PLPYTHONU PLPYTHON2U PLPYTHON3U PLPERLU PLTCLU PLSH C PLRU PLR PLJAVAU PLJAVA DBLINK FILE_FDW ADMINPACK LO
POSTGRES_FDW PG_CRON HTTP PG_NET AWS_S3 AWS_LAMBDA PLRUST PLV8U MYSQL_FDW PG_EXECUTE
"""
UNTRUSTED = frozenset(_UNTRUSTED_WORDS.split())
"""Languages and extensions that reach out of a PostgreSQL server."""
_ADMIN_WORDS_WORDS = """
SUPERUSER CREATEROLE CREATEDB REPLICATION BYPASSRLS SYSADMIN SECURITYADMIN ACCOUNTADMIN SYSDBA DBA SYSOPER
SERVERADMIN DB_OWNER DB_SECURITYADMIN ORGADMIN USERADMIN SUPER RDS_SUPERUSER CLOUDSQLSUPERUSER IMPERSONATE CONTROL
OWNERSHIP
"""
ADMIN_WORDS = frozenset(_ADMIN_WORDS_WORDS.split())
"""Rights that reach everything."""
SYSTEM_TABLES = later(
    r"(?:MYSQL\.(?:USER|DB|GLOBAL_PRIV|TABLES_PRIV|GLOBAL_GRANTS|PROC|FUNC|PLUGIN)|(?:PG_CATALOG\.)?PG_(?:AUTHID|SHADOW|ROLES|AUTH_MEMBERS"
    r"|CLASS|PROC|DATABASE|LARGEOBJECT|TRIGGER|ATTRIBUTE|POLICY)|(?:\w+\.)?SQLITE_(?:MASTER|SCHEMA|SEQUENCE)|SYS\.USER\$)"
)
