"""What clients of databases take: data."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

PROGRAMS: Mapping[str, str] = MappingProxyType(
    {
        "psql": "-c= --command=, -d= --dbname=, -f= --file=, -l --list, -v= --set= --variable=, -V "
        "--version, -X --no-psqlrc, -1 --single-transaction, -a --echo-all, -b --echo-errors, -e "
        "--echo-queries, -E --echo-hidden, -L= --log-file=, -n --no-readline, -o= --output=, -q "
        "--quiet, -s --single-step, -S --single-line, -A --no-align, --csv, -F= "
        "--field-separator=, -H --html, -P= --pset=, -R= --record-separator=, -t --tuples-only, "
        "-T= --table-attr=, -x --expanded, -z --field-separator-zero, -0 --record-separator-zero, "
        "-h= --host=, -p= --port=, -U= --username=, -w --no-password, -W --password, --help=?",
        "mysql": "-e= --execute=, -h= --host=, -u= --user=, -p --password=?, -P= --port=, -D= --database=, "
        "-S= --socket=, -B --batch, -N --skip-column-names, -s --silent, -v --verbose, -t "
        "--table, -f --force, -E --vertical, -q --quick, -r --raw, -A --no-auto-rehash, -C "
        "--compress, --defaults-file=, --defaults-extra-file=, --protocol=, --ssl-mode=, "
        "--ssl-ca=, --delimiter=, --default-character-set=, --init-command=, --prompt=, --tee=, "
        "-H --html, -X --xml, -V --version, -? --help",
        "mysqladmin": "-f --force, -h= --host=, -u= --user=, -p --password=?, -P= --port=, -S= --socket=, "
        "--defaults-file=, --defaults-extra-file=, --protocol=, -i= --sleep=, -c= --count=, -w= "
        "--wait=, -s --silent, -v --verbose, -V --version, -? --help",
        "sqlite3": "-cmd= --cmd=, -init= --init=, -batch, -bail, -csv, -json, -line, -list, -header, "
        "-readonly, -column, -html, -box, -table, -markdown, -quote, -tabs, -echo, -interactive, "
        "-noheader, -ascii, -separator= --separator=, -newline= --newline=, -nullvalue= "
        "--nullvalue=, -vfs= --vfs=, -maxsize=, -mmap=, -version, -help",
        "sqlcmd": "-Q= --query=, -q= --initial-query=, -i= --input-file=, -o= --output-file=, -S= "
        "--server=, -U= --user-name=, -P= --password=, -d= --database-name=, -E, -b, -C, -N, -I, "
        "-r, -W, -h=, -s=, -w=, -t=, -l=, -a=, -c=, -H=, -m=, -V=, -y=, -Y=, -v=",
        "clickhouse": "-q= --query=, -h= --host=, -d= --database=, -u= --user=, -n --multiquery",
        "clickhouse-client": "-q= --query=, -h= --host=, --port=, -u= --user=, --password=, -d= --database=, -f= "
        "--format=, -n --multiquery, -m --multiline, -t --time, --queries-file=, -C= "
        "--config-file=, -s --secure, --stacktrace, --progress=?",
        "duckdb": "-c= --command=, -cmd=, -s=, -init=, -f=, -readonly, -csv, -json, -line, -box, -markdown",
        "snowsql": "-q= --query=, -f= --filename=, -a= --accountname=, -u= --username=, -d= --dbname=, -s= "
        "--schemaname=, -r= --rolename=, -w= --warehouse=, -h= --host=, -c= --connection=, -o= "
        "--option=, -D= --variable=",
        "cqlsh": "-e= --execute=, -f= --file=, -u= --username=, -p= --password=, -k= --keyspace=, --ssl, "
        "--cqlversion=, --connect-timeout=, --request-timeout=",
        "cockroach": "-e= --execute=, -d= --database=, --url=, --host=, -u= --user=, -p= --port=, "
        "--certs-dir=, --insecure, -f= --file=, --format=, --set=",
        "dropdb": "-e --echo, -f --force, -i --interactive, --if-exists, -h= --host=, -p= --port=, -U= "
        "--username=, -w --no-password, -W --password, --maintenance-db=, -V --version, -? --help",
        "usql": "-c= --command=, -f= --file=, -o= --out=, -v= --set=",
        "trino": "--execute=, -f= --file=, --server=, --catalog=, --schema=, --user=",
        "presto": "--execute=, -f= --file=, --server=, --catalog=, --schema=, --user=",
        "hive": "-e=, -f= --file=, -i=, -h=, -p=, --database=, --hiveconf=, -d= --define=",
        "beeline": "-e=, -f= --file=, -u=, -n=, -p=, -d=, -i=",
        "spark-sql": "-e=, -f= --file=, -i=, --master=, --conf=, --database=",
        "impala-shell": "-q= --query=, -f= --query_file= --file=, -i= --impalad=, -d= --database=",
        "litecli": "-e= --execute=, -D= --database=",
        "heroku": "-c= --command=, -a= --app=",
        "wrangler": "--command=, --file=, --env=",
    }
)
