"""What tools take that build and tear down infrastructure: data."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

_TERRAFORM = (
    "-auto-approve --auto-approve, -destroy --destroy, -help --help, -version --version, -chdir= --chdir=, "
    "-var= --var=, -var-file= --var-file=, -target= --target=, -replace= --replace=, -exclude= --exclude=, "
    "-state= --state=, -state-out=, -backup=, -lock=, -lock-timeout=, -parallelism=, -out=, -backend-config=, "
    "-input=, -refresh=, -json, -no-color, -compact-warnings, -force --force, -dry-run --dry-run, -refresh-only"
)
_KUBECTL = (
    "-n= --namespace=, --context=, --cluster=, --kubeconfig=, -s= --server=, --token=, --user=, --as=, "
    "--as-group=, --as-uid=, --certificate-authority=, --client-key=, --client-certificate=, "
    "--request-timeout=, -v= --v=, --vmodule=, --cache-dir=, --tls-server-name=, --profile=, "
    "--profile-output=, --username=, --password=, -l= --selector=, -f= --filename=, -o= --output=, -k= "
    "--kustomize=, --grace-period=, --timeout=, --field-selector=, --raw=, -c= --container=, --replicas=, "
    "--current-replicas=, --resource-version=, -p= --patch=, --patch-file=, --type=, --overrides=, "
    "--override-type=, --image=, --template=, --field-manager=, --pod-selector=, --skip-wait-for-delete-timeout=, "
    "--clusterrole=, --role=, --serviceaccount=, --group=, --address=, --accept-hosts=, --port=, --target=, "
    "--restart=, --env=, --labels=, -L= --label-columns=, --sort-by=, --to-revision=, --custom=, --subresource=, "
    "--chunk-size=, --tail=, --since=, --prune-allowlist=, --dry-run=?, --cascade=?, -A --all-namespaces, "
    "--all, --force, --now, --wait=?, -R --recursive, --ignore-not-found=?, -i --stdin=?, -t --tty=?, -q "
    "--quiet, --rm=?, -w --watch, --show-labels, --prune=?, --validate=?, --server-side, --privileged=?, "
    "--attach=?, -h --help"
)
_RUN = (
    "-v= --volume=, --mount=, --privileged=?, --pid=, --ipc=, --uts=, --userns=, --cgroupns=, --network= --net=, "
    "--cap-add=, --cap-drop=, --security-opt=, --device=, --device-cgroup-rule=, --volumes-from=, --tmpfs=, "
    "-e= --env=, --env-file=, -p= --publish=, -P --publish-all, --name=, -u= --user=, -w= --workdir=, -l= "
    "--label=, --label-file=, --entrypoint=, --rm, -i --interactive, -t --tty, -d --detach, --init, -h= "
    "--hostname=, --add-host=, --dns=, --dns-search=, --dns-option=, --link=, --restart=, --memory= -m=, --cpus=, "
    "--cpu-shares= -c=, --cpuset-cpus=, --cpu-quota=, --memory-swap=, --shm-size=, --ulimit=, --gpus=, --runtime=, "
    "--platform=, --pull=, --log-driver=, --log-opt=, --expose=, --group-add=, --ip=, --mac-address=, "
    "--network-alias=, --cidfile=, --stop-signal=, --stop-timeout=, --sysctl=, --health-cmd=, "
    "--health-interval=, --health-retries=, --health-timeout=, --health-start-period=, --isolation=, --pids-limit=, "
    "--blkio-weight=, -a= --attach=, --read-only, --no-healthcheck, --oom-kill-disable, -q --quiet, --sig-proxy=?, "
    "--detach-keys=, --domainname=, --storage-opt=, --volume-driver=, --cgroup-parent=, --annotation=, --pod=, "
    "--secret=, --systemd=, --replace, --help"
)
_COMPOSE = (
    "-f= --file=, -p= --project-name=, --profile=, --env-file=, --project-directory=, --ansi=, --progress=, "
    "--parallel=, --compatibility, --dry-run, -v --volumes, --rmi=, --remove-orphans, -t= --timeout=, "
    "-s --stop, --signal=, -a --all, -q --quiet, -d --detach, --build, -T --no-tty, -e= --env=, -w= --workdir=, "
    "-u= --user=, --index=, --scale=, --entrypoint=, --name=, --privileged, --force, --rm, --no-deps, -h --help"
)
_OBJECTS = (
    "-f --force, -v --volumes, -l --link, -a --all, -q --quiet, --filter=, --format=, --volumes, -t= --time=, "
    "-s= --signal=, --help"
)

PROGRAMS: Mapping[str, str] = MappingProxyType(
    {
        "terraform": _TERRAFORM,
        "terragrunt": _TERRAFORM
        + ", --all -a, --terragrunt-non-interactive --non-interactive, --terragrunt-working-dir= "
        "--working-dir=, --terragrunt-config= --config=, --terragrunt-include-dir=, --terragrunt-exclude-dir=, "
        "--queue-include-dir=, --queue-exclude-dir=, --terragrunt-parallelism=, --terragrunt-log-level= "
        "--log-level=, --terragrunt-iam-role=, --terragrunt-source=, -h",
        "atmos": "-s= --stack=, -auto-approve --auto-approve, --dry-run, --logs-level=, --logs-file=, -f= --file=, "
        "--from-plan, --planfile=, -h --help",
        "pulumi": "-s= --stack=, -C= --cwd=, --color=, -y --yes, -f --skip-preview, -t= --target=, -v= --verbose=, "
        "-m= --message=, --preview-only, --non-interactive, -r --refresh, -p= --parallel=, -c= --config=, "
        "--config-file=, --exclude=, --target-dependents, --diff, --json, --show-secrets, --remove, --run-program, "
        "--force, -h --help",
        "cdk": "-a= --app=, -c= --context=, -p= --plugin=, -o= --output=, --profile=, -r= --role-arn=, "
        "--require-approval=, -f --force, --all, -e --exclusively, --toolkit-stack-name=, --progress=, "
        "--parameters=, -O= --outputs-file=, --concurrency=, --method=, --hotswap, -h --help",
        "cdktf": "--auto-approve, -a= --app=, -o= --output=, --parallelism=, --var=, --var-file=, --log-level=, -h "
        "--help",
        "serverless": "-s= --stage=, -r= --region=, -c= --config=, --aws-profile=, --param=, -f= --function=, "
        "--verbose, --force, --help",
        "sam": "--stack-name=, --region=, --profile=, --config-env=, --config-file=, --s3-bucket=, --s3-prefix=, "
        "--no-prompts, -h --help",
        "ansible": "-m= --module-name=, -a= --args=, -i= --inventory=, -l= --limit=, -u= --user=, -e= "
        "--extra-vars=, -f= --forks=, -t= --tree=, -c= --connection=, -T= --timeout=, -P= --poll=, -B= "
        "--background=, -M= --module-path=, --private-key= --key-file=, --become-user=, --become-method=, "
        "--vault-password-file=, --vault-id=, --ssh-common-args=, --playbook-dir=, -b --become, -K "
        "--ask-become-pass, -k --ask-pass, -C --check, -D --diff, -o --one-line, -v --verbose, --list-hosts, "
        "--syntax-check, -h --help",
        "ansible-playbook": "-i= --inventory=, -l= --limit=, -u= --user=, -e= --extra-vars=, -f= --forks=, -t= "
        "--tags=, --skip-tags=, -c= --connection=, -T= --timeout=, -M= --module-path=, --private-key= "
        "--key-file=, --become-user=, --become-method=, --vault-password-file=, --vault-id=, --start-at-task=, "
        "--ssh-common-args=, -b --become, -K --ask-become-pass, -k --ask-pass, -C --check, -D --diff, -v "
        "--verbose, --list-hosts, --list-tasks, --list-tags, --syntax-check, --step, -h --help",
        "nomad": "-address= --address=, -region= --region=, -namespace= --namespace=, -token= --token=, -purge "
        "--purge, -yes -y --yes, -detach --detach, -global --global, -enable --enable, -force --force, -help --help",
        "vagrant": "-f --force, -g --graceful, -p= --provider=, --no-tty, -h --help",
        "packer": "-force --force, -var= --var=, -var-file= --var-file=, -only= --only=, -except= --except=, "
        "-on-error= --on-error=, -parallel-builds=, -debug, -color=, -help --help",
        "kubectl": _KUBECTL,
        "oc": _KUBECTL,
        "helm": "-n= --namespace=, --kube-context=, --kubeconfig=, --kube-apiserver=, --kube-token=, "
        "--kube-as-user=, --registry-config=, --repository-cache=, --repository-config=, -f= --values=, --set=, "
        "--set-string=, --set-file=, --set-json=, --version=, --timeout=, --repo=, --description=, --post-renderer=, "
        "--history-max=, --keep-history, --cascade=, --dry-run=?, --force, -i --install, --atomic, --wait=?, "
        "--username=, --password=, -o= --output=, --revision=, --max=, --no-hooks, --cleanup-on-fail, -h --help",
        "helmfile": "-e= --environment=, -f= --file=, -l= --selector=, -n= --namespace=, --kube-context=, "
        "--args=, --set=, --state-values-set=, --state-values-file=, -b= --helm-binary=, --log-level=, -i "
        "--interactive, --concurrency=, -h --help",
        "flux": "-n= --namespace=, --context=, --kubeconfig=, --timeout=, -s --silent, --dry-run, --keep-namespace, "
        "--export, -h --help",
        "argocd": "--server=, --auth-token=, --grpc-web, --insecure, -y --yes, --cascade=?, -p= "
        "--propagation-policy=, --prune, --force, --replace, --revision=, --core, -N= --app-namespace=, -l= "
        "--selector=, --dry-run, --project=, -o= --output=, --resource=, --timeout=, --prompts-enabled=, -h --help",
        "velero": "-n= --namespace=, --kubeconfig=, --kubecontext=, -l= --selector=, --all, --confirm, --force, -h "
        "--help",
        "kubeadm": "-f --force, --cri-socket=, --kubeconfig=, --cert-dir=, --dry-run, --ignore-preflight-errors=, "
        "-v= "
        "--v=, --rootfs=, -h --help",
        "eksctl": "--name= -n=, --cluster=, --region= -r=, --profile= -p=, -f= --config-file=, --approve, --wait=? "
        "-w, "
        "--force, --disable-nodegroup-eviction, -v= --verbose=, -h --help",
        "kops": "--name=, --state=, --yes -y, --config=, -v= --v=, --unregister, -h --help",
        "etcdctl": "--endpoints=, --cacert=, --cert=, --key=, --user=, --password=, --prefix, --from-key, "
        "--data-dir=, "
        "--command-timeout=, --dial-timeout=, -w= --write-out=, --range-end=, -h --help",
        "docker": "-H= --host=, -c= --context= --connection=, --config=, -l= --log-level=, -D --debug, --tls, "
        "--tlsverify=?, --tlscacert=, --tlscert=, --tlskey=, -n= --namespace=, -a= --address=, --root=, --runroot=, "
        "--storage-driver=, --url=, -r --remote, --identity=, -v --version, --help",
        "docker run": _RUN,
        "docker create": _RUN,
        "docker container": _RUN.replace("-a= --attach=", "--attach=").replace(
            "-v= --volume=", "-v=? --volume=?"
        )
        + ", -f --force, -a --all, --filter=, --volumes, --link",
        "docker inspect": "-f= --format=, -s --size, --type=, --help",
        "docker exec": "-e= --env=, --env-file=, -u= --user=, -w= --workdir=, -i --interactive, -t --tty, -d "
        "--detach, "
        "--privileged=?, --detach-keys=, --help",
        "docker compose": _COMPOSE,
        "docker rm": _OBJECTS,
        "docker rmi": "-f --force, --no-prune, -a --all, --platform=, --help",
        "docker kill": "-s= --signal=, -a --all, --help",
        "docker stop": "-t= --time= --timeout=, -s= --signal=, -a --all, --help",
        "docker system": "-a --all, -f --force, --volumes, --filter=, --format=, -v --verbose, --build, --external, "
        "--help",
        "docker volume": "-f --force, -a --all, --filter=, --format=, -q --quiet, -d= --driver=, --label=, -o= "
        "--opt=, --help",
        "docker image": "-f --force, -a --all, --filter=, --format=, -q --quiet, --no-trunc, --no-prune, --help",
        "docker builder": "-f --force, -a --all, --filter=, --keep-storage=, --reserved-space=, --help",
        "docker buildx": "-f --force, -a --all, --filter=, --builder=, --keep-storage=, --reserved-space=, --help",
        "docker network": "-f --force, --filter=, --format=, -q --quiet, -d= --driver=, --subnet=, --gateway=, "
        "--help",
        "docker service": "--replicas=, --name=, --image=, --mount=, -e= --env=, -d --detach, -q --quiet, --force, "
        "--help",
        "docker swarm": "-f --force, --token=, --advertise-addr=, --listen-addr=, --help",
        "docker pod": "-f --force, -a --all, -i --ignore, -l --latest, -t= --time=, --help",
        "docker machine": "-f --force, --save-image, --help",
        "docker-compose": _COMPOSE,
        "kamal": "-d= --destination=, -c= --config-file=, -r= --roles=, -h= --hosts=, -y --confirmed, -q --quiet, "
        "-v --verbose, -p --primary, --version=, -H --skip-hooks, --help",
    }
)
