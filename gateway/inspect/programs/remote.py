"""Programs that run a command in a container, in a virtual machine or on other hosts, and how they are told: data."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from gateway.frozen import frozen


@frozen
class Elsewhere:
    """How a program is told what to run.

    `before` operands stand in front of the command; `texts` are options that hold it as one text. `joined` says that
    the words are handed to a shell as one text.
    """

    options: str = ""
    before: int = 0
    texts: tuple[str, ...] = ()
    joined: bool = False


_EXEC = (
    "-e= --env=, --env-file=, -u= --user=, -w= --workdir=, --detach-keys=, -i, -t, -d --detach, --privileged"
)
_RUN = (
    _EXEC
    + ", -v= --volume=, --mount=, --name=, -p= --publish=, --network= --net=, --entrypoint=, -h= --hostname=, -l= "
    "--label=, --label-file=, --platform=, --pull=, --restart=, -m= --memory=, --cpus=, -c= --cpu-shares=, --gpus=, "
    "--add-host=, --dns=, --cap-add=, --cap-drop=, --security-opt=, --device=, --tmpfs=, --shm-size=, --ulimit=, "
    "--volumes-from=, --link=, --expose=, --log-driver=, --log-opt=, --pid=, --ipc=, --userns=, --uts=, --cgroupns=, "
    "--group-add=, --health-cmd=, --ip=, --mac-address=, --stop-signal=, --stop-timeout=, --sysctl=, --runtime=, "
    "--cidfile=, --annotation=, --attach= -a=, --isolation=, --storage-opt=, --init, --rm, --read-only, -P, -q, --no-deps, "
    "--service-ports, -T, --no-TTY, --build"
)
_KUBE = "-c= --container=, -n= --namespace=, --context=, --kubeconfig=, --cluster=, -f= --filename=, -i, -t, -q, --image=, "
_KUBE += (
    "-l= --selector=, --pod-running-timeout=, --as=, --user=, -s= --server=, --token=, --target=, --profile="
)
_GROUP = "-w= --hosts=, -h=, -H= --host=, -l= --user=, -g= --group=, -x=, -A, -i, -p= --par=, -t= --timeout=, -o=, -e=, -m=, -f=, -M, -c="

ELSEWHERE: Mapping[str, Elsewhere] = MappingProxyType(
    {
        **{
            f"{engine} {verb}": Elsewhere(known, 1)
            for engine in ("docker", "podman", "nerdctl", "docker compose", "podman compose", "nerdctl compose",
                           "docker container", "podman container", "docker-compose", "podman-compose", "finch", "lima nerdctl")
            for verb, known in (("exec", _EXEC), ("run", _RUN), ("create", _RUN))
        },
        "crictl exec": Elsewhere("-i, -t, -s, --timeout=, -r=", 1),
        "ctr t": Elsewhere("--exec-id=, --user=, --cwd=, -t", 2),
        "ctr task": Elsewhere("--exec-id=, --user=, --cwd=, -t", 2),
        "nomad exec": Elsewhere("-task=, -job=?, -i=?, -t=?, -e=", 1),
        "ctr tasks": Elsewhere("--exec-id=, --user=, --cwd=, -t", 2),
        "kubectl exec": Elsewhere(_KUBE, 1),
        "kubectl run": Elsewhere(_KUBE, 1),
        "kubectl debug": Elsewhere(_KUBE, 1),
        "oc exec": Elsewhere(_KUBE, 1),
        "oc rsh": Elsewhere(_KUBE, 1),
        "oc debug": Elsewhere(_KUBE, 1),
        "lxc exec": Elsewhere("--env=, --user=, --group=, --cwd=, --mode=, -t, -T, -n", 1),
        "incus exec": Elsewhere("--env=, --user=, --group=, --cwd=, --mode=, -t, -T, -n", 1),
        "lxc-attach": Elsewhere("-n= --name=, -a=, -e=, -s=, -R, -v= --set-var=, -P=, -u=, -g=", 0),
        "multipass exec": Elsewhere("-d= --working-directory=, --no-map-working-directory", 1),
        "limactl shell": Elsewhere("--shell=, --workdir=", 1),
        "lima": Elsewhere(),
        "colima ssh": Elsewhere("-p= --profile=, --layer=", 0),
        "minikube ssh": Elsewhere("-p= --profile=, -n= --node=, --native-ssh=?", 0, joined=True),
        "vagrant ssh": Elsewhere("-c= --command=, -p", 100, ("command",)),
        "wsl": Elsewhere("-d= --distribution=, -u= --user=, --cd=, -e --exec, --shell-type=, --system", 0),
        "adb shell": Elsewhere("-e=, -n, -T, -t, -x", 0, joined=True),
        "nomad alloc": Elsewhere("-task=, -job=, -i=?, -t=?, -e=", 2),
        "systemd-nspawn": Elsewhere("-D= --directory=, -M= --machine=, -u= --user=, -i= --image=, -E= --setenv=, --bind=, "
                                    "--bind-ro=, -a, -b, -x, -q", 0),
        "toolbox run": Elsewhere("-c= --container=, -d= --distro=, -r= --release=", 0),
        "distrobox enter": Elsewhere("-n= --name=, -a=, -e, -nw", 1),
        "flatpak-spawn": Elsewhere("--env=, --directory=, --host, --watch-bus", 0),
        "ip netns": Elsewhere("", 2),
        "cgexec": Elsewhere("-g=, --sticky", 0),
        "sshpass": Elsewhere("-p=, -f=, -d=, -P=, -e, -v", 0),
        "autossh": Elsewhere("-M=, -p=, -i=, -l=, -o=, -F=, -L=, -R=, -D=, -f, -N, -T", 1, joined=True),
        "mosh": Elsewhere("--ssh=, --server=, -p=, --predict=, -a, -n", 1),
        "rsh": Elsewhere("-l=, -n", 1, joined=True),
        "remsh": Elsewhere("-l=, -n", 1, joined=True),
        "tsh ssh": Elsewhere("-l= --login=, -p= --port=, --proxy=, --cluster=, -i=, -o=", 1, joined=True),
        "knife ssh": Elsewhere("-x= --ssh-user=, -P= --ssh-password=, -i=, -C= --concurrency=, -a= --attribute=, -m, -e=", 1, joined=True),
        "salt": Elsewhere("-t= --timeout=, -b= --batch-size=, --out=, -c=, -E, -G, -L, -N, -C, -I, -S, --async", 2, joined=True),
        "salt-call": Elsewhere("--out=, -c=, -l=, --local", 1, joined=True),
        "salt-ssh": Elsewhere("-i, -r --raw, --out=, -c=, --user=, --roster-file=", 1, joined=True),
        **dict.fromkeys(("pdsh", "clush", "pssh", "parallel-ssh", "prll", "dsh", "cssh", "xpanes", "mssh", "rust-parallel"),
                        Elsewhere(_GROUP, 0, joined=True)),
        "ansible": Elsewhere("-i= --inventory=, -m= --module-name=, -a= --args=, -u= --user=, -e= --extra-vars=, -f= --forks=, "
                             "-l= --limit=, --become-user=, --private-key=, -t=, -T=, -c=, -M=, -o, -b --become, -k, -K, -C --check, -v",
                             100, ("args",)),
        "gcloud compute": Elsewhere("--command=, --zone=, --project=, --ssh-flag=, --ssh-key-file=", 2, ("command",), joined=True),
        "az vm": Elsewhere("--scripts=, --command-id=, -g= --resource-group=, -n= --name=, --parameters=", 100, ("scripts",)),
        "az container": Elsewhere("--exec-command=, -g= --resource-group=, -n= --name=", 100, ("exec-command",)),
        "aws ssm": Elsewhere("--parameters=, --document-name=, --targets=, --instance-ids=, --comment=", 100, ("parameters",)),
        "aws ecs": Elsewhere("--command=, --cluster=, --task=, --container=, --interactive", 100, ("command",)),
        "doctl compute": Elsewhere("--ssh-command=, --ssh-user=, --ssh-key-path=", 100, ("ssh-command",)),
        "fly machine": Elsewhere("-a= --app=, --timeout=", 2, joined=True),
        "flyctl machine": Elsewhere("-a= --app=, --timeout=", 2, joined=True),
        "bolt command": Elsewhere("-t= --targets=, -u= --user=, -q= --query=, --transport=, --run-as=", 1, joined=True),
        "fab": Elsewhere("-H= --hosts=, -i= --identity=, -u= --user=, -g=, -P, -z=, --prompt-for-login-password", 0, joined=True),
        "mina": Elsewhere("-f=, -v", 1, joined=True),
        "plink": Elsewhere("-l=, -P=, -pw=, -i=, -m=, -ssh, -batch, -t, -T, -v, -A, -N, -C", 1, joined=True),
        "winrs": Elsewhere("-r=, -u=, -p=", 0, joined=True),
        "tailscale ssh": Elsewhere("", 1, joined=True),
        "boundary connect": Elsewhere("-target-id=, -username=", 1, joined=True),
        "az ssh": Elsewhere("-g= --resource-group=, -n= --name= --vm-name=, --ip=", 1, joined=True),
        "kamal server": Elsewhere("-i, -d=, -p, -h=", 1, joined=True),
        "dokku run": Elsewhere("--env=, -e=, --no-tty", 1),
        "fly ssh": Elsewhere("-C= --command=, -a= --app=, -r= --region=, -s", 100, ("command",)),
        "flyctl ssh": Elsewhere("-C= --command=, -a= --app=, -r= --region=, -s", 100, ("command",)),
        "heroku run": Elsewhere("-a= --app=, -r= --remote=, -s= --size=, -e= --env=, --no-tty, -x", 0, joined=True),
        "railway run": Elsewhere("-s= --service=, -e= --environment=", 0),
        "railway ssh": Elsewhere("-s= --service=, -e= --environment=", 0, joined=True),
        "eb ssh": Elsewhere("-c= --command=, -i=, -n=", 100, ("command",)),
        "cf ssh": Elsewhere("-c= --command=, -i=", 100, ("command",)),
        **{
            f"tmux {verb}": Elsewhere("-s=, -n=, -c=, -t=, -x=, -y=, -e=, -F=, -l=, -N=, -d, -A, -D, -P, -b, -h, -v", joined=True)
            for verb in ("new-session", "new", "new-window", "neww", "split-window", "splitw", "respawn-pane", "run-shell",
                         "run", "send-keys", "send", "popup", "display-popup")
        },
        "screen": Elsewhere("-S=, -c=, -t=, -h=, -e=, -p=, -s=, -T=, -d, -m, -D, -L, -r, -x, -R, -q, -X"),
        "dokku enter": Elsewhere("", 2),
        "kamal app": Elsewhere("--reuse, -i, -d=, -p, -h=", 1, joined=True),
    }
)  # fmt: skip
PROGRAMS: frozenset[str] = frozenset(name.partition(" ")[0] for name in ELSEWHERE)
"""The programs of the table."""
