"""What functions of Python's modules do with their arguments: data, one entry a function."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

CALLS: Mapping[str, str] = MappingProxyType(
    {
        "os.remove": "delete 0 path",
        "os.unlink": "delete 0 path",
        "os.rmdir": "delete 0 path",
        "os.removedirs": "delete 0 name",
        "os.truncate": "overwrite 0 path",
        "os.mknod": "append 0 path",
        "os.symlink": "meta 1 dst",
        "os.link": "meta 1 dst",
        "os.chmod": "meta 0 path",
        "os.lchmod": "meta 0 path",
        "os.chown": "meta 0 path",
        "os.lchown": "meta 0 path",
        "os.chflags": "meta 0 path",
        "os.setxattr": "meta 0 path",
        "os.removexattr": "meta 0 path",
        "shutil.chown": "meta 0 path",
        "shutil.rmtree": "delete 0 path tree",
        "shutil.copyfile": "read 0 src, overwrite 1 dst",
        "shutil.copytree": "read 0 src, overwrite 1 dst",
        "shutil.make_archive": "read 2 root_dir",
        "send2trash.send2trash": "delete 0 paths tree",
        "linecache.getline": "read 0 filename",
        "linecache.getlines": "read 0 filename",
        "dotenv.dotenv_values": "read 0 dotenv_path",
        "configparser.ConfigParser.read": "read 0 filenames",
        "np.fromfile": "read 0 file",
        "np.loadtxt": "read 0 fname",
        "np.save": "overwrite 0 file",
        "np.savetxt": "overwrite 0 fname",
        "pd.read_csv": "read 0 filepath_or_buffer",
        "pd.read_json": "read 0",
        "os.system": "shell 0 command",
        "os.popen": "shell 0 cmd",
        "os.popen2": "shell 0",
        "os.popen3": "shell 0",
        "os.popen4": "shell 0",
        "subprocess.getoutput": "shell 0 cmd",
        "subprocess.getstatusoutput": "shell 0 cmd",
        "subprocess.getstatus": "shell 0",
        "asyncio.create_subprocess_shell": "shell 0 cmd",
        "asyncio.create_subprocess_exec": "command 0",
        "anyio.run_process": "command 0 command",
        "trio.run_process": "command 0 command",
        "pexpect.spawn": "shell 0 command",
        "pexpect.run": "shell 0 command",
        "pexpect.runu": "shell 0 command",
        "invoke.run": "shell 0 command",
        "fabric.api.local": "shell 0 command",
        "os.startfile": "command 0",
        "pty.spawn": "command 0 argv",
        "pd.read_sql": "query 0 sql",
        "pd.read_sql_query": "query 0 sql",
        "duckdb.sql": "query 0 query",
        "duckdb.execute": "query 0 query",
        "duckdb.query": "query 0 query",
        "spark.sql": "query 0 sqlQuery",
        "socket.gethostbyname": "net 0",
        "socket.getaddrinfo": "net 0 host",
        "webbrowser.open": "net 0 url",
        "webbrowser.open_new_tab": "net 0 url",
        "wget.download": "net 0 url",
        "pd.read_html": "net 0 io",
        "runpy.run_path": "file 0 path_name",
        "execfile": "file 0",
        "os.killpg": "kill 0",
        "winreg.DeleteKey": "registry 0",
        "winreg.DeleteKeyEx": "registry 0",
        "winreg.DeleteTree": "registry 0",
        "winreg.DeleteValue": "registry 0",
        "winreg.SetValueEx": "persist 0",
    }
)

PATH_METHODS: Mapping[str, str] = MappingProxyType(
    # methods of paths, as functions whose first argument is the path itself
    {
        "unlink": "delete 0",
        "rmdir": "delete 0",
        "removedirs": "delete 0",
        "rmtree": "delete 0 tree",
        "rmtree_p": "delete 0 tree",
        "remove": "delete 0",
        "write_text": "overwrite 0",
        "write_bytes": "overwrite 0",
        "touch": "append 0",
        "chmod": "meta 0",
        "lchmod": "meta 0",
        "symlink_to": "meta 0",
        "hardlink_to": "meta 0",
        "link_to": "meta 0",
    }
)
UNKNOWN_PATHS = frozenset(("unlink", "rmdir", "write_text", "write_bytes", "rmtree"))
"""Methods that an object of which nothing is known can only have when it is a path."""

QUERIES = frozenset(
    (
        "execute", "executemany", "executescript", "execute_sql", "exec_driver_sql", "execute_query", "run_query",
        "run_sql", "read_sql", "read_sql_query", "fetch", "fetchrow", "fetchval", "sql", "query", "raw", "mogrify",
        "execute_async", "run",
    )
)  # fmt: skip
"""Methods that send a statement to a database."""

ORM: Mapping[str, str] = MappingProxyType(
    # methods that need no statement, and the statement that they come to
    {
        "drop_all": "DROP TABLE {}",
        "drop_database": "DROP DATABASE {}",
        "dropDatabase": "DROP DATABASE {}",
        "drop_collection": "DROP TABLE {}",
        "drop_table": "DROP TABLE {}",
        "drop_tables": "DROP TABLE {}",
        "drop_index": "DROP INDEX {}",
        "drop_schema": "DROP SCHEMA {}",
        "delete_many": "DELETE FROM {}",
        "truncate_table": "TRUNCATE TABLE {}",
        "_raw_delete": "DELETE FROM {}",
        "delete_dataset": "DROP SCHEMA {}",
        "flushall": "FLUSHALL",
        "flushdb": "FLUSHDB",
    }
)

HTTP = frozenset(("get", "post", "put", "patch", "delete", "head", "options", "request", "stream"))
SHELLS = frozenset(("sh", "bash", "dash", "zsh", "ksh", "ash", "fish", "cmd", "powershell", "pwsh"))
DOWNLOADERS = frozenset(("curl", "wget", "fetch", "aria2c", "http", "xh"))
UNSENT = frozenset(
    ("headers", "auth", "cookies", "timeout", "verify", "cert", "proxies", "stream", "allow_redirects")
)
"""Arguments of a request that programs give their own secrets by."""

SENSITIVE = ("os", "shutil", "subprocess", "", "pathlib.Path")
"""Modules of which an attribute that can't be known is doubted."""
