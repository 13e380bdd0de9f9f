"""What clients of databases take: data."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

_KAFKA = (
    "--bootstrap-server=, --command-config=, --zookeeper=, --topic=, --group=, --partitions=, --config=, "
    "--replication-factor=, --to-offset=, --to-datetime=, --shift-by=, --by-duration=, --from-file=, --timeout=, "
    "--delete, --list, --describe, --create, --alter, --reset-offsets, --delete-offsets, --to-earliest, --to-latest, "
    "--execute, --dry-run, --all-topics, --all-groups, --if-exists, --help"
)
_SEQUELIZE = (
    "--env=, --config=, --options-path=, --migrations-path=, --seeders-path=, --models-path=, --url=, --to=, "
    "--name=, "
    "--seed=, --debug, --help"
)

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
        "pscale": "--org=, --role=, -f= --format=, --remote-addr=, --local-addr=",
        "sqlcl": "-s --silent, -l=, -S, -L",
        "sqlplus": "-s -S --silent, -l -L --logon, -m= -M=, -r= -R=",
        "ksql": "-e= --execute=, -f= --file=, -u= --user=, -p= --password=",
        "createuser": "-s --superuser, -S --no-superuser, -d --createdb, -D, -r --createrole, -R, -P --pwprompt, -h= "
        "--host=, -p= --port=, -U= --username=, -g= --role= --member-of=, -c= --connection-limit=, -e --echo, "
        "--replication, --bypassrls, -l, -L, -i, -I, -w, -W, --interactive, -V --version, -? --help",
        "dropuser": "-e --echo, -i --interactive, --if-exists, -h= --host=, -p= --port=, -U= --username=, -w, -W, "
        "-V --version, -? --help",
        "pg_dropcluster": "--stop",
        "pg_resetwal": "-f --force, -D= --pgdata=, -n --dry-run",
        "pg_ctl": "-D= --pgdata=, -m= --mode=, -l= --log=, -o= --options=, -t= --timeout=, -w, -W, -s --silent",
        "wrangler": "--command=, --file=, --env= -e=, -c= --config=, --cwd=, --name=, --binding=, --namespace-id=, "
        "--persist-to=, --local, --remote, --preview, -y --yes, --force, --dry-run, -h --help",
        "heroku": "-c= --command=, -a= --app=, -r= --remote=, --confirm=, -t= --team=, -s= --space=, --size=, "
        "--name=, -f= --file=, --force, -j --json, --as=, -h --help",
        "supabase": "--sql=, -q= --query=, --command=, -f= --file=, --linked, --local, --db-url=, --project-ref=, "
        "--workdir=, --experimental, --yes, --debug, "
        "-p= --password=, --schema= -s=, --dns-resolver=, --profile=, --version=, --last=, --include-all, --dry-run, "
        "-h --help",
        "prisma": "--schema=, --file=, --url=, --name= -n=, --force -f, --force-reset, --accept-data-loss, "
        "--skip-generate, --skip-seed, --stdin, --preview-feature, --create-only, --config=, -h --help",
        "pg_restore": "-c --clean, -C --create, -d= --dbname=, -e --exit-on-error, -f= --file=, -F= --format=, -h= "
        "--host=, -I= --index=, -j= --jobs=, -l --list, -L= --use-list=, -n= --schema=, -N= --exclude-schema=, -O "
        "--no-owner, -p= --port=, -P= --function=, -s --schema-only, -S= --superuser=, -t= --table=, -T= "
        "--trigger=, -U= --username=, -v --verbose, -w --no-password, -W --password, -x --no-privileges, -1 "
        "--single-transaction, -a --data-only, --if-exists, --role=, --section=, -V --version, -? --help",
        "mongosh": "--eval=, -f= --file=, --host=, --port=, -u= --username=, -p= --password=, --db=, "
        "--authenticationDatabase=, --authenticationMechanism=, --quiet, --norc, --nodb, --shell, --json=?, --tls, "
        "--tlsCAFile=, --tlsCertificateKeyFile=, --apiVersion=, --retryWrites=, --version, -h --help",
        "mongorestore": "--drop, --db= -d=, --collection= -c=, --uri=, --host= -h=, --port=, -u= --username=, -p= "
        "--password=, --authenticationDatabase=, --archive=?, --gzip, --dir=, --nsInclude=, --nsExclude=, --nsFrom=, "
        "--nsTo=, --dryRun, --numParallelCollections= -j=, --oplogReplay, --quiet, --help",
        "mongoimport": "--drop, --db= -d=, --collection= -c=, --uri=, --host= -h=, --port=, -u= --username=, -p= "
        "--password=, --file=, --type=, --mode=, --fields= -f=, --headerline, --jsonArray, --help",
        "redis-cli": "-h=, -p=, -s=, -a= --pass=, --user=, -u=, -n=, -r=, -i=, -x, -X=, -d=, -D=, -c, -e, -t=, -2, "
        "-3, --raw, --no-raw, --csv, --json, --quoted-json, --stat, --latency, --bigkeys, --memkeys, --hotkeys, "
        "--scan, --pattern=, --quoted-pattern=, --count=, --intrinsic-latency=, --eval=, --rdb=, --pipe, --tls, "
        "--sni=, --cacert=, --cacertdir=, --cert=, --key=, --insecure, --no-auth-warning, --askpass, --cluster=, "
        "--verbose, --help, --version",
        "kafka-topics": _KAFKA,
        "kafka-topics.sh": _KAFKA,
        "kafka-consumer-groups": _KAFKA,
        "kafka-consumer-groups.sh": _KAFKA,
        "rabbitmqctl": "-n= --node=, -p= --vhost=, -t= --timeout=, -q --quiet, -s --silent, --longnames, --help",
        "rabbitmqadmin": "-H= --host=, -P= --port=, -u= --username=, -p= --password=, -V= --vhost=, -c= --config=, "
        "-f= "
        "--format=, --name=, -s --ssl, -q --quiet, -N= --node=, --base-uri=, --help",
        "nats": "-s= --server=, --user=, --password=, --creds=, --nkey=, --context=, --timeout=, -f --force, "
        "--subject=, --keep=, --seq=, --help",
        "rails": "-e= --environment=, -f= --rakefile=, -t --trace=?, -q --quiet, -s --silent, -n --dry-run, -T "
        "--tasks=?, -P --prereqs, -j= --jobs=, -R= --rakelibdir=, -A --all, -h --help",
        "alembic": "-c= --config=, -n= --name=, -x=, --raiseerr, --sql, --tag=, -h --help",
        "flyway": "-url=, -user=, -password=, -configFiles=, -locations=, -schemas=, -environment=, "
        "-cleanDisabled=, -target=, -help --help",
        "liquibase": "--defaults-file= --defaultsFile=, --url=, --username=, --password=, --changelog-file= "
        "--changeLogFile=, --requires-confirmation=, --schemas=, --count=, --tag=, --force=?, --log-level=, -h "
        "--help",
        "knex": "--knexfile=, --env=, --cwd=, --client=, --connection=, --migrations-directory=, --all, --esm, "
        "--help",
        "sequelize": _SEQUELIZE,
        "sequelize-cli": _SEQUELIZE,
        "typeorm": "-d= --dataSource=, -f= --config=, -c= --connection=, -t= --transaction=, --fake, -h --help",
        "mix": "-r= --repo=, -n= --step=, --all, --to=, --quiet, --force, --force-drop, --no-compile, --prefix=, "
        "--help",
        "migrate": "-path= --path=, -database= --database=, -source= --source=, -lock-timeout=, -prefetch=, "
        "-verbose, "
        "-help --help, -f --force, -all --all",
        "goose": "-dir= --dir=, -table= --table=, -s, -v, -timeout=, -certfile=, -no-versioning, -env=, -h --help",
        "restic": "-r= --repo=, --repository-file=, -p= --password-file=, --password-command=, -o= --option=, "
        "--cache-dir=, --cacert=, --key-hint=, --limit-download=, --limit-upload=, --tls-client-cert=, -l= "
        "--keep-last=, -H= --keep-hourly=, -d= --keep-daily=, -w= --keep-weekly=, -m= --keep-monthly=, -y= "
        "--keep-yearly=, --keep-within=, --keep-tag=, --host=, --tag=, --path=, -g= --group-by=, -n --dry-run, "
        "--prune, --max-unused=, --max-repack-size=, -q --quiet, -v --verbose, --json, --no-lock, --exclude= -e=, -h "
        "--help",
        "borg": "--remote-path=, --rsh=, --lock-wait=, --umask=, --repo= -r=, -n --dry-run, --stats -s, --list, -a= "
        "--glob-archives=, -P= --prefix=, --keep-within=, --keep-last=, -H= --keep-hourly=, -d= --keep-daily=, -w= "
        "--keep-weekly=, -m= --keep-monthly=, -y= --keep-yearly=, --first=, --last=, --force, --cache-only, -p "
        "--progress, -v --verbose, -h --help",
        "zfs": "-H, -n --dry-run, -v, -p, -r, -R, -f, -d, -t=, -o=, -s=, -S=",
        "pgbackrest": "--stanza=, --config=, --config-path=, --repo=, --set=, --type=, --target=, "
        "--log-level-console=, "
        "--delta, --force, --dry-run, --repo1-retention-full=, --help",
        "duplicity": "--archive-dir=, --name=, --encrypt-key=, --sign-key=, --file-prefix=, --s3-endpoint-url=, "
        "--force, --dry-run, --time= -t=, --help",
        "kopia": "--config-file=, --password=, -p=, --delete, --unsafe-ignore-source, --all-snapshots-for-source, "
        "--safety=, --full, --help",
    }
)
