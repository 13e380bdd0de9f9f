"""What the command lines of clouds and services take: data."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

_SERVICE = (
    "-a= --app=, -c= --config=, -r= --region=, -t= --token=, -o= --org=, -s= --scope=, -p= --project=, --profile=, "
    "--context=, --output=, -y --yes, -f --force, --json, --dry-run, --access-token=, --name= -n=, --help"
)

PROGRAMS: Mapping[str, str] = MappingProxyType(
    {
        "aws": "--sql=, --query-string=, --query-statement=, --resource-arn=, --secret-arn=, --database=, "
        "--cluster-identifier=, --workgroup-name=, --db-user=, --work-group=, --query-execution-context=, "
        "--result-configuration=, --profile=, --region=, --output=, --query=, --endpoint-url=, --cli-input-json=, "
        "--cli-input-yaml=, "
        "--color=, --ca-bundle=, --cli-read-timeout=, --cli-connect-timeout=, --cli-binary-format=, --debug, "
        "--no-verify-ssl, --no-paginate, --no-sign-request, --no-cli-pager, --no-cli-auto-prompt, --max-items=, "
        "--page-size=, --starting-token=, --filters=, --generate-cli-skeleton=?, --dry-run, --dryrun, --recursive, "
        "--quiet, --delete, --exclude=, --include=, --acl=, --storage-class=, --sse=, --source-region=, --force, "
        "--cidr=, --protocol=, --port=, --group-id=, --ip-permissions=, --policy-arn=, --user-name=, --role-name=, "
        "--group-name=, --policy-document=, --policy-name=, --instance-ids=, --min-size=, --max-size=, "
        "--desired-capacity=, --desired-count=, --bucket=, --key=, --name=, --secret-id=, --names=, --path=, "
        "--with-decryption, --no-with-decryption, --change-batch=, --publicly-accessible, --attribute=, "
        "--principal=, --action=, --statement-id=, --versioning-configuration=, "
        "--public-access-block-configuration=, "
        "--request-items=, --groups=, --group-names=, --operation-type=, --launch-permission=, --status=, "
        "--cluster=, --service=, --parameters=, --document-name=, --targets=, --retention-in-days=, "
        "--function-name=, "
        "--stack-name=, --include-value, --start-timeout=, --hosted-zone-id=, --access-key-id=, --policy=, "
        "--lifecycle-configuration=, --auth-type=",
        "gcloud": "--sql=, --project=, --account=, --format=, --filter=, --region=, --zone=, --location=, "
        "--configuration=, "
        "--verbosity=, --billing-project=, --impersonate-service-account=, --flags-file=, --limit=, --sort-by=, "
        "--page-size=, --trace-token=, --access-token-file=, -q --quiet, --cluster=, --instance= -i=, --member=, "
        "--role=, --secret=, --keyring=, --key=, --version=, --num-nodes=, --size=, --min-instances=, "
        "--max-instances=, --command=, --node-pool=, --policy-id=, --database=, --dataset=, --source-ranges=, "
        "--allow=, --network=, --to-revisions=, --async, -r -R --recursive, --continue-on-error -c, "
        "--delete-unmatched-destination-objects, --all, --dry-run, --type=, --name=, --ttl=, --rrdatas=, "
        "--iam-account=, --add-roles=, --predefined-acl=, --condition=, --delete-backups, -h --help, "
        "--lifecycle-file=, "
        "--ssh-flag=, --tunnel-through-iap, --service=, --user=, --keyring=, --purpose=, --repository=, --package=",
        "gsutil": "-m, -q, -D, -DD, -o=, -h=, -i=, -u=, -r -R --recursive, -d, -f, -n, -a, -c, -e, -j=, -x=, -y=, "
        "-C, "
        "-p, -P, -U, -v, --help",
        "bq": "--api=, --dry-run, --nodry_run, --maximum_bytes_billed=, --time_partitioning_field=, --label=, "
        "--append_table=?, --source_format=, --schema=, --autodetect=?, --skip_leading_rows=, --field_delimiter=, "
        "--clustering_fields=, --project_id=, --dataset_id=, --location=, --format=, --bigqueryrc=, --job_id=, "
        "--job_property=, "
        "--service_account=, -r --recursive=?, -f --force=?, -t --table=?, -d --dataset=?, -m --model=?, -s= "
        "--max_rows=, -n= --max_rows=, --dry_run=?, --nouse_legacy_sql, --use_legacy_sql=?, --destination_table=, "
        "--replace=?, --expiration=, --default_table_expiration=, --parameter=, --batch=?, --quiet=?, --headless=?, "
        "--help=?",
        "az": "-g= --resource-group=, -n= --name=, -o= --output=, --query=, --subscription=, --verbose, --debug, "
        "--only-show-errors, -y --yes, --no-wait, -s= --server=, --account-name=, --account-key=, "
        "--connection-string=, "
        "-c= --container-name=, --source=, --pattern=, --ids=, --vault-name=, --mode=, --role=, --assignee=, "
        "--scope=, "
        "--public-access=, -l= --location=, -u= --uri= --url=, -m= --method=, -b= --body=, --headers=, --id=, "
        "--auth-mode=, --file=, -f= --template-file=, -p= --parameters=, --dryrun, --slot=, --target-slot=, "
        "--start-ip-address=, --end-ip-address=, --source-address-prefixes=, --node-count=, --sas-token=, -h --help, "
        "--assignee-object-id=, --assignee-principal-type=, --delete-destination=, --registry= -r=, --image=, -t=, "
        "--cluster=, --database-name=, --key-name=, --secret-name=, --namespace-name=, --zone-name= -z=, "
        "--record-set-name=, --nsg-name=, --access=, --priority=, --destination-port-ranges=, --output-folder=, "
        "--replicas=, --min-replicas=, --max-replicas=, --instance-count=, --number-of-workers=",
        "rclone": "-n --dry-run, -i --interactive, -v --verbose, -q --quiet, -P --progress, --config=, --rmdirs, "
        "--min-age=, --max-age=, --min-size=, --max-size=, --include=, --exclude=, --filter=, -f= --filter=, "
        "--include-from=, --exclude-from=, --filter-from=, --files-from=, --transfers=, --checkers=, --bwlimit=, "
        "--log-file=, --log-level=, --backup-dir=, --suffix=, --max-depth=, --retries=, --timeout=, --max-delete=, "
        "--delete-before, --delete-during, --delete-after, --delete-excluded, --stats=, --checksum -c, --size-only, "
        "--dedupe-mode=, --track-renames, --fast-list, -u --update, -l --links, -L --copy-links, -h --help, "
        "--user-agent=",
        "mc": "-C= --config-dir=, -q --quiet, --json, --insecure, -r --recursive, --force, --dangerous, --versions, "
        "--older-than=, --newer-than=, --incomplete -I, --fake, --dry-run, --stdin, --bypass, --remove, --overwrite, "
        "-w --watch, --exclude=, --id=, --vid= --version-id=, --purge, --rewind=, -h --help",
        "s3cmd": "-c= --config=, --access_key=, --secret_key=, -n --dry-run, -r --recursive, -f --force, "
        "--delete-removed, --no-delete-removed, --acl-public -P, --acl-private, --exclude=, --include=, --rexclude=, "
        "--exclude-from=, --host=, --host-bucket=, --region=, --storage-class=, --expiry-days=, --expiry-prefix=, "
        "-v --verbose, -q --quiet, -s --ssl, --no-ssl, --max-delete=, --delete-after, -h --help",
        "s5cmd": "--endpoint-url=, --profile=, --credentials-file=, --numworkers=, --log=, --retry-count= -r=, "
        "--dry-run, --json, --stat, --no-sign-request, --exclude=, --include=, --delete, --size-only, -h --help",
        "b2": "--bucket=, --dry-run --dryRun, --versions, --recursive -r, --no-progress, --threads=, --keepDays=, "
        "--keep-days=, --delete, --replaceNewer, --exclude-regex=, --include=, --exclude=, --profile=, -q --quiet, "
        "-h --help",
        "azcopy": "--recursive=?, --dry-run=?, --delete-destination=?, --include-pattern=, --exclude-pattern=, "
        "--include-path=, --exclude-path=, --from-to=, --log-level=, --output-type=, --cap-mbps=, --list-of-files=, "
        "--trusted-microsoft-suffixes=, --delete-snapshots=, --mirror-mode=?, --help -h",
        "fly": "-d= --database=, -u= --user=, -p= --password=, --command=, -C= --command=, -a= --app=, -c= "
        "--config=, -t= --access-token=, -o= --org=, -r= --region=, -y --yes, -f --force, -s= "
        "--select=, --json -j, --verbose, --dockerfile=, --image= -i=, --target=, -h --help",
        "vercel": "-t= --token=, -S= --scope=, -A= --local-config=, -Q= --global-config=, --cwd=, -d --debug, -y "
        "--yes, "
        "-s --safe, -f --force, --prod, -e= --env=, -b= --build-env=, --git-branch=, --environment=, -h --help",
        "netlify": "-s= --site=, --auth=, -f --force, -d= --dir=, --context=, --filter=, -m= --message=, --scope=, "
        "--json, --prod -p, --data=, -h --help",
        "railway": "--command=, -s= --service=, -e= --environment=, -p= --project=, -v= --volume=, -y --yes, "
        "--json, -k --kv, "
        "-h --help",
        "doctl": "-t= --access-token=, -u= --api-url=, -c= --config=, --context=, -o= --output=, -f --force, -v "
        "--verbose, --format=, --no-header, --dangerous, --interactive, --http-retry-max=, -h --help",
        "hcloud": "--context=, --config=, --endpoint=, -o= --output=, --poll-interval=, -q --quiet, --all, -l= "
        "--selector=, -h --help",
        "linode-cli": "--json, --text, --format=, --page=, --as-user=, --no-headers, --delimiter=, --version, "
        "--help -h",
        "firebase": "-P= --project=, --account=, --token=, -c= --config=, -j --json, --non-interactive, --debug, -i "
        "--interactive, -f --force, -y --yes, -r --recursive, --shallow, --all-collections, --database=, "
        "--instance=, "
        "-d= --data=, --region=, --only=, --except=, -h --help",
        "stripe": "--api-key=, --project-name= -p=, --config=, --device-name=, --log-level=, --color=, --live, -c "
        "--confirm, -d= --data=, -e= --expand=, -i= --idempotency=, -v= --stripe-version=, --dark-style, -h --help",
        "sentry-cli": "--auth-token=, -o= --org=, -p= --project=, --url=, --log-level=, --quiet, --help",
        "cloudflared": "--config=, --origincert=, --loglevel=, --logfile=, -f --force, --help",
        "fastly": "-t= --token=, -s= --service-id=, --service-name=, --version=, --all, --key=, --force, -i "
        "--accept-defaults, "
        "-y --auto-yes, -v --verbose, -f, --help",
        "vault": "-address= --address=, -namespace= --namespace= -ns=, -ca-cert=, -ca-path=, -client-cert=, "
        "-client-key=, -field= --field=, -format= --format=, -mount= --mount=, -versions= --versions=, -version=, "
        "-policy= --policy=, -ttl=, -path=, -output-curl-string, -force -f --force, -prefix --prefix, -self, "
        "-accessor, -method=, -wrap-ttl=, -cas=, -help -h --help",
        "op": "--account=, --vault=, --fields= --field=, --format=, --session=, --config=, --reveal, --otp, "
        "--cache=?, "
        "--archive, --categories=, --tags=, -o= --out-file=, -i= --in-file=, -n --no-newline, -f --force, -h --help",
        "doppler": "-p= --project=, -c= --config=, -t= --token=, --scope=, --configuration=, --api-host=, --json, "
        "--only-names, --plain, --no-file, --format=, --raw, -y --yes, --silent, --type=, -h --help",
        "bw": "--session=, --organizationid=, --folderid=, --collectionid=, --itemid=, --search=, --format=, "
        "--output=, "
        "--raw, --response, --quiet, --pretty, --permanent -p, --passwordenv=, --passwordfile=, -h --help",
        "sops": "-d --decrypt, -e --encrypt, -i --in-place, -r --rotate, -s --show-master-keys, --extract=, "
        "--output=, --output-type=, --input-type=, -k= --kms=, --pgp= -p=, -a= --age=, --config=, --set=, --verbose, "
        "--ignore-mac, -h --help, --version -v",
        "security": "-a=, -s=, -l=, -c=, -C=, -D=, -G=, -j=, -r=, -p=, -w=?, -g, -k=, -f=, -t=, -o=, -P=, -x, -d, "
        "-i, -q, -h",
        "gpg": "--batch, --yes, --no-tty, -o= --output=, -r= --recipient=, -u= --local-user=, --homedir=, "
        "--passphrase=, --passphrase-file=, --passphrase-fd=, --pinentry-mode=, --keyserver=, --default-key=, "
        "--delete-secret-keys --delete-secret-key, --delete-secret-and-public-key --delete-secret-and-public-keys, "
        "--delete-keys --delete-key, --export-secret-keys --export-secret-key, --export-secret-subkeys, -d "
        "--decrypt, "
        "-e --encrypt, -s --sign, -a --armor, -b --detach-sign, -c --symmetric, --verify, --import, --export, "
        "--list-keys -k, --list-secret-keys -K, --gen-key, --full-generate-key, --quick-generate-key, --edit-key, "
        "--trust-model=, --status-fd=, -q --quiet, -v --verbose, --dry-run -n, -h --help, --version",
        "ssh-keygen": "-t=, -b=, -f=, -N=, -C=, -P=, -m=, -a=, -E=, -I=, -n=, -s=, -V=, -z=, -O=, -R=, -F=, -r=, "
        "-Y=, "
        "-D=, -w=, -l, -y, -e, -i, -p, -c, -q, -v, -L, -B, -H, -k, -Q, -A, -h, -U",
        "ssh-add": "-D, -d, -l, -L, -k, -K, -A, -c, -x, -X, -q, -t=, -e=, -s=, -S=, -T=, -E=, -h=, "
        "--apple-use-keychain, "
        "--apple-load-keychain",
        "render": _SERVICE,
        "koyeb": _SERVICE,
        "scw": _SERVICE,
        "civo": _SERVICE,
        "exo": _SERVICE,
        "oci": _SERVICE + ", --compartment-id=, -c= --compartment-id=, -bn= --bucket-name=, --bucket-name=, "
        "--namespace=, --query=, --instance-id=",
        "ibmcloud": _SERVICE,
        "aliyun": _SERVICE,
        "vultr-cli": _SERVICE,
        "circleci": _SERVICE,
        "ldcli": _SERVICE + ", --flag=, --environment=",
    }
)
