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
        "heroku": "-c= --command=, -a= --app=, --confirm=, -f= --file=",
        "wrangler": "--command=, --file=, -e= --env=, -c= --config=, --persist-to=, --cwd=",
        "mysqlsh": "-e= --execute=, -f= --file=, --sql, --sqlc, --js, --py, -h= --host=, -u= --user=, -P= --port=, "
        "-D= --schema= --database=, -p --password=?, -i= --interactive=?, --uri=",
        "dolt": "-q= --query=, -f= --file=, -r= --result-format=, -b --batch",
        "turso": "--location=, --instance=, --proxy=",
        "mssql-cli": "-Q= --query=, -i= --input_file=, -o= --output_file=, -S= --server=, "
        "-U= --username=, -d= --database=",
        "osql": "-Q=, -q=, -i= --input-file=, -S=, -U=, -P=, -d=, -E, -o=",
        "tsql": "-H=, -S=, -p=, -U=, -P=, -D=, -o=, -I=, -J=",
        "bcp": "-S=, -U=, -P=, -d=, -f=, -t=, -r=, -T, -c, -n",
        "snow": "-q= --query=, -f= --filename=, -c= --connection=, -i --stdin, --database=, --schema=, --role=, "
        "--warehouse=, --account=, --user=, --format=",
        "bq": "--project_id=, --location=, --dataset_id=, --format=, --job_id=, --api=, -q --quiet, "
        "-n= --max_results=, --destination_table=, --dry_run --dry-run, --nodry_run, --use_legacy_sql=?, "
        "--nouse_legacy_sql, --batch=?, "
        "--parameter=, --maximum_bytes_billed=, --time_partitioning_field=, --label=, --replace=?, --append_table=?, "
        "-f --force=?, -r --recursive=?, -t --table=?, -d --dataset=?, -m --model=?, --source_format=, --schema=, "
        "--autodetect=?, --skip_leading_rows=, --field_delimiter=, --clustering_fields=",
        "supabase": "--sql=, -q= --query=, --command=, --db-url=, --linked, --local, -f= --file=, -p= --password=, "
        "-s= --schema=, --project-ref=, --workdir=",
        "prisma": "--file=, --schema=, --url=, --stdin",
        "fly": "-a= --app=, -c= --config=, -d= --database=, -u= --user=, -p= --password=, --command=, -o= --org=",
        "railway": "-e= --environment=, -s= --service=, -p= --project=, --command=",
        "pscale": "--org=, --role=, -f= --format=, --remote-addr=, --local-addr=",
        "aws": "--profile=, --region=, --output=, --query=, --endpoint-url=, --sql=, --query-string=, "
        "--query-statement=, --resource-arn=, --secret-arn=, --database=, --cluster-identifier=, --workgroup-name=, "
        "--db-user=, --work-group=, --query-execution-context=, --result-configuration=",
        "gcloud": "--project=, --instance=, --sql=, --format=, --region=, --account=, --configuration=",
        "sqlcl": "-s --silent, -l=, -S, -L",
        "sqlplus": "-s -S --silent, -l -L --logon, -m= -M=, -r= -R=",
        "ksql": "-e= --execute=, -f= --file=, -u= --user=, -p= --password=",
        "pg_restore": "-c --clean, -C --create, -d= --dbname=, -f= --file=, -l --list, -n= --schema=, -t= --table=, -a "
        "--data-only, -s --schema-only, -h= --host=, -p= --port=, -U= --username=, -j= --jobs=, -F= --format=, "
        "-L= --use-list=, -O --no-owner, -x --no-privileges, -1 --single-transaction, --if-exists, -v --verbose, "
        "-w, -W, -e, -I= --index=, -P= --function=, -T= --trigger=, -S= --superuser=, --role=, --section=, "
        "-N= --exclude-schema=",
        "createuser": "-s --superuser, -S --no-superuser, -d --createdb, -D, -r --createrole, -R, -P --pwprompt, -h= "
        "--host=, -p= --port=, -U= --username=, -g= --role= --member-of=, -c= --connection-limit=, -e --echo, "
        "--replication, --bypassrls, -l, -L, -i, -I, -w, -W, --interactive, -V --version, -? --help",
        "dropuser": "-e --echo, -i --interactive, --if-exists, -h= --host=, -p= --port=, -U= --username=, -w, -W, "
        "-V --version, -? --help",
        "pg_dropcluster": "--stop",
        "pg_resetwal": "-f --force, -D= --pgdata=, -n --dry-run",
        "pg_ctl": "-D= --pgdata=, -m= --mode=, -l= --log=, -o= --options=, -t= --timeout=, -w, -W, -s --silent",
    }
)
