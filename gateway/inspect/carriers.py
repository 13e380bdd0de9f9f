"""Programs that run another program named by their later words: data, one entry a program."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

WRAPPERS: Mapping[str, tuple[str, int]] = MappingProxyType(
    # options, and how many operands stand before the command that is run
    {
        "sudo": (
            "-u= --user=, -g= --group=, -h= --host=, -p= --prompt=, -C= --close-from=, -D= --chdir=, -R= "
            "--chroot=, -r= --role=, -t= --type=, -T= --command-timeout=, -U= --other-user=, -a= "
            "--auth-type=, -A --askpass, -b --background, -E --preserve-env=?, -H --set-home, -i --login, "
            "-k --reset-timestamp, -n --non-interactive, -P --preserve-groups, -S --stdin, -s --shell, -l "
            "--list, -v --validate, -V --version, -e --edit",
            0,
        ),
        "doas": ("-u=, -C=, -a=, -n, -s, -L", 0),
        "env": (
            "-u= --unset=, -C= --chdir=, -S= --split-string=, -i --ignore-environment, -0 --null, -v "
            "--debug, -a= --argv0=, --block-signal=?, --default-signal=?, --ignore-signal=?, -P=",
            0,
        ),
        "nice": ("-n= --adjustment=", 0),
        "ionice": ("-c= --class=, -n= --classdata=, -p= --pid=, -t --ignore", 0),
        "chrt": (
            "-T= --sched-runtime=, -P= --sched-period=, -D= --sched-deadline=, -i, -b, -f, -r, -o, -d",
            1,
        ),
        "taskset": ("-c --cpu-list, -a --all-tasks, -p --pid", 1),
        "time": ("-p --portability, -f= --format=, -o= --output=, -a --append, -v --verbose, -l, -h", 0),
        "timeout": (
            "-k= --kill-after=, -s= --signal=, --foreground, --preserve-status, -v --verbose, -f, -p",
            1,
        ),
        "nohup": ("", 0),
        "setsid": ("-c --ctty, -f --fork, -w --wait", 0),
        "stdbuf": ("-i= --input=, -o= --output=, -e= --error=", 0),
        "unbuffer": ("-p", 0),
        "command": ("-p, -v, -V", 0),
        "builtin": ("", 0),
        "exec": ("-a=, -c, -l", 0),
        "coproc": ("", 0),
        "noglob": ("", 0),
        "nocorrect": ("", 0),
        "busybox": ("", 0),
        "toybox": ("", 0),
        "caffeinate": ("-t=, -w=, -d, -i, -m, -s, -u", 0),
        "watch": (
            "-n= --interval=, -d --differences=?, -g --chgexit, -t --no-title, -x --exec, -c --color",
            0,
        ),
        "strace": ("-e=, -o=, -p=, -s=, -u=, -E=, -a=, -b=, -O=, -S=, -P=, -f, -ff, -c, -t, -tt, -T, -v", 0),
        "ltrace": ("-e=, -o=, -p=, -s=, -u=, -n=, -a=, -f, -c, -S", 0),
        "flock": (
            "-w= --timeout= --wait=, -E= --conflict-exit-code=, -c= --command=, -n --nonblock, -x "
            "--exclusive, -s --shared, -u --unlock, -o --close, -F --no-fork, -v --verbose",
            1,
        ),
        "chroot": ("--userspec=, --groups=, --skip-chdir", 1),
        "unshare": (
            "-S= --setuid=, -G= --setgid=, -R= --root=, -w= --wd=, -m, -u, -i, -n, -p, -U, -r, -f",
            0,
        ),
        "nsenter": ("-t= --target=, -S= --setuid=, -G= --setgid=, -m=?, -u=?, -i=?, -n=?, -p=?, -a --all", 0),
        "systemd-run": (
            "-u= --unit=, -p= --property=, -E= --setenv=, -d --same-dir, -H= --host=, -M= --machine=, "
            "--uid=, --gid=, --slice=, --description=, --working-directory=, --on-active=, "
            "--on-calendar=, --service-type=, --nice=, --wait, -t --pty, -P --pipe, -q --quiet, -G "
            "--collect, --user, --scope, -r --remain-after-exit, -S --shell",
            0,
        ),
        "systemd-inhibit": ("--what=, --who=, --why=, --mode=", 0),
        "machinectl": ("-M= --machine=, --uid=, -E= --setenv=, -q --quiet", 2),
        "runuser": (
            "-u= --user=, -g= --group=, -G= --supp-group=, -s= --shell=, -l --login, -c= --command=",
            0,
        ),
        "setpriv": ("--reuid=, --regid=, --groups=, --init-groups, --clear-groups", 0),
        "firejail": ("", 0),
        "proot": ("-r=, -b=, -w=, -0", 0),
        "xvfb-run": ("-n= --server-num=, -s= --server-args=, -a --auto-servernum, -e= --error-file=", 0),
        "dbus-run-session": ("--config-file=, --dbus-daemon=", 0),
        "ssh-agent": ("-a=, -t=, -c, -s, -D, -k", 0),
        "nix-shell": ("--run= --command=, -p= --packages=, --pure, -I=, -A= --attr=", 0),
        "winpty": ("", 0),
        "gosu": ("", 1),
        "su-exec": ("", 1),
        "npx": ("-y --yes, -n --no, -p= --package=, -c= --call=, -w= --workspace=, -q --quiet", 0),
        "pnpx": ("-p= --package=, -c= --shell-mode=", 0),
        "bunx": ("--bun, -p= --package=", 0),
        "shx": ("", 0),
        "cross-env": ("", 0),
        "cross-env-shell": ("", 0),
        "env-cmd": (
            "-f= --file=, -e= --environments=, -r= --rc-file=, --no-override, --silent, --use-shell",
            0,
        ),
        "envchain": ("", 1),
        "envdir": ("", 1),
        "with-contenv": ("", 0),
        "s6-setuidgid": ("", 1),
        "s6-envdir": ("", 1),
        "setuidgid": ("", 1),
        "chpst": ("-u=, -U=, -b=, -e=, -/=, -n=, -l=, -L=, -m=, -d=, -o=, -p=, -f=, -c=", 0),
        "softlimit": ("-a=, -c=, -d=, -f=, -l=, -m=, -o=, -p=, -r=, -s=, -t=", 0),
        "setlock": ("-n, -N, -x, -X", 1),
        "cpulimit": (
            "-l= --limit=, -c= --cpu=, -i --include-children, -z --lazy, -b --background, -f, -m, -q, -v",
            0,
        ),
        "trickle": ("-d=, -u=, -w=, -t=, -l=, -n=, -s, -h", 0),
        "torsocks": ("-i --isolate, -a= --address=, -P= --port=, -u= --user=, -p= --pass=, -d, -q", 0),
        "torify": ("", 0),
        "tsocks": ("", 0),
        "proxychains": ("-q, -f=", 0),
        "proxychains4": ("-q, -f=", 0),
        "numactl": (
            "-i= --interleave=, -N= --cpunodebind=, -m= --membind=, -C= --physcpubind=, -p= --preferred=, "
            "-l --localalloc, -H --hardware, -s --show",
            0,
        ),
        "prlimit": (
            "-p= --pid=, -o= --output=, -c=?, -n=?, -u=?, -v=?, --nofile=?, --nproc=?, --as=?, --core=?",
            0,
        ),
        "cgexec": ("-g=, --sticky", 0),
        "systemd-cat": ("-t= --identifier=, -p= --priority=, --stderr-priority=, --level-prefix=", 0),
        "setarch": ("-R --addr-no-randomize, -v, -3, -B, -F, -I, -L, -S, -T, -X, -Z", 0),
        "linux32": ("-R --addr-no-randomize, -v, -3, -B", 0),
        "linux64": ("-R --addr-no-randomize, -v, -3, -B", 0),
        "arch": ("-arch=, -x86_64, -arm64, -arm64e, -i386, -c, -d=, -e=, -h", 0),
        "xcrun": ("-sdk= --sdk=, -toolchain= --toolchain=, -r --run, -f --find, -v, -n", 0),
        "faketime": ("-f, -m, -p=, --exclude-monotonic, -h", 1),
        "fakeroot": ("-l= --lib=, --faked=, -s=, -i=, -u --unknown-is-real, -b=, -h, -v", 0),
        "fakechroot": ("-l= --lib=, -d=, -s --use-system-libs, -e=, -c=, -b=", 0),
        "valgrind": ("-v, -q, -d, -h", 0),
        "catchsegv": ("", 0),
        "bwrap": (
            "--args=, --chdir=, --uid=, --gid=, --hostname=, --proc=, --dev=, --tmpfs=, --dir=, "
            "--unshare-all, --unshare-user, --unshare-pid, --unshare-net, --die-with-parent, --share-net, "
            "--clearenv, --unsetenv=, --new-session",
            0,
        ),
        "flatpak-spawn": ("--host, --env=, --directory=, --watch-bus, --sandbox, -v", 0),
        "run-one": ("", 0),
        "run-one-constantly": ("", 0),
        "chronic": ("-v, -e", 0),
        "ifne": ("-n", 0),
        "rlwrap": ("-f=, -H=, -p=, -C=, -S=, -s=, -t=, -z=, -a, -A, -c, -r, -n, -N", 0),
        "dtach": ("-A=, -c=, -n=, -N=, -e=, -r=, -E, -z", 0),
        "abduco": ("-c=, -n=, -A=, -e=, -r, -f, -q", 0),
        "daemonize": ("-a, -c=, -e=, -o=, -p=, -l=, -u=, -v, -E=", 0),
        "dumb-init": ("-c --single-child, -r= --rewrite=, -v --verbose", 0),
        "tini": ("-p=, -e=, -s, -v, -g, -w, -l", 0),
        "catatonit": ("-g, -l, -P", 0),
        "dockerize": ("-wait=, -timeout=, -template=, -stdout=, -stderr=, -delims=", 0),
        "wait-for-it": ("-h= --host=, -p= --port=, -t= --timeout=, -s --strict, -q --quiet", 1),
        "wait-for-it.sh": ("-h= --host=, -p= --port=, -t= --timeout=, -s --strict, -q --quiet", 1),
        "pkexec": ("-u= --user=, --disable-internal-agent, --keep-cwd", 0),
        "run0": (
            "-u= --user=, -g= --group=, -D= --chdir=, --nice=, --setenv=, --background=, --unit=, --slice=, "
            "--property=, --description=, --machine=, --pty, --pipe",
            0,
        ),
        "gksudo": ("-u= --user=, -m= --message=", 0),
        "please": ("-u= --user=, -g= --group=, -d= --dir=, -r= --reason=, -n, -l", 0),
        "sshpass": ("-p=, -f=, -d=, -e, -P=, -v", 0),
        "watchexec": (
            "-w= --watch=, -e= --exts=, -f= --filter=, -i= --ignore=, -d= --debounce=, -s= --signal=, -r "
            "--restart, -c --clear, -n, -p --postpone, -1, --shell=, -o= --on-busy-update=, -W=, -E=, -q",
            0,
        ),
        "entr": ("-a, -c, -d, -n, -p, -r, -s, -z", 0),
        "onchange": (
            "-a --add, -i --initial, -k --kill, -d= --delay=, -e= --exclude=, -j= --jobs=, -p= --poll=",
            1,
        ),
        "corepack": ("", 0),
        "apply": ("-a=, -d", 0),
        "eatmydata": ("", 0),
        "uvx": ("--from=, --with=, -p= --python=, -q --quiet", 0),
    }
)

RUNNERS: Mapping[str, tuple[str, ...]] = MappingProxyType(
    # programs of which these subcommands run the rest of the line
    {
        "uv": ("run",),
        "poetry": ("run",),
        "pdm": ("run",),
        "pipenv": ("run",),
        "rye": ("run",),
        "hatch": ("run",),
        "bundle": ("exec",),
        "pnpm": ("exec", "dlx"),
        "yarn": ("exec", "dlx", "run"),
        "npm": ("exec", "x"),
        "bun": ("x",),
        "direnv": ("exec",),
        "dotenv": ("run",),
        "op": ("run",),
        "doppler": ("run",),
        "mise": ("exec", "x"),
        "asdf": ("exec",),
        "rtx": ("exec",),
        "conda": ("run",),
        "mamba": ("run",),
        "micromamba": ("run",),
        "rbenv": ("exec",),
        "pyenv": ("exec",),
        "chezmoi": ("execute",),
        "nix": ("develop", "shell"),
        "pixi": ("run",),
        "pipx": ("run",),
        "tox": ("exec", "e"),
        "devbox": ("run",),
        "flox": ("activate",),
        "guix": ("shell", "environment"),
        "spack": ("build-env",),
        "aws-vault": ("exec",),
        "chamber": ("exec",),
        "infisical": ("run",),
        "teller": ("run",),
        "dotenvx": ("run",),
        "varlock": ("run",),
        "envconsul": ("exec",),
        "jenv": ("exec",),
        "nodenv": ("exec",),
        "goenv": ("exec",),
        "fnm": ("exec",),
        "nvm": ("exec", "run"),
        "volta": ("run",),
        "rvm": ("do",),
        "lerna": ("exec",),
        "nx": ("exec",),
        "rush": ("exec",),
        "multipass": ("exec",),
        "lxc": ("exec",),
        "incus": ("exec",),
        "distrobox": ("enter",),
        "toolbox": ("run",),
        "perf": ("stat", "record", "trace"),
        "rr": ("record",),
        "launchctl": ("asuser",),
        "mosh": ("--",),
        "just": ("-c", "--command"),
        "capsh": ("--",),
    }
)

RUNNER_OPTIONS: Mapping[str, str] = MappingProxyType(
    # options of runners that take a value
    {
        "uv": "--with=, --with-editable=, --with-requirements=, -p= --python=, --extra=, --group=, --no-group=, "
        "--only-group=, --project=, --directory=, --package=, --env-file=, --index=, --index-url=, "
        "--extra-index-url=, --find-links=, --cache-dir=, --config-file=, -m --module",
        "conda": "-n= --name=, -p= --prefix=, --cwd=",
        "mamba": "-n= --name=, -p= --prefix=, --cwd=",
        "micromamba": "-n= --name=, -p= --prefix=, --cwd=, -a=, -e=",
        "pipx": "--spec=, --python=, --pip-args=, --index-url=",
        "pixi": "-e= --environment=, --manifest-path=, --frozen, --locked",
        "pdm": "-p= --project=, --site-packages, -s",
        "hatch": "-e= --env=",
        "poetry": "-C= --directory=, -P= --project=",
        "op": "--env-file=, --account=, --no-masking",
        "doppler": "-p= --project=, -c= --config=, -t= --token=, --command=, --mount=, --fallback=",
        "infisical": "--env=, --path=, --projectId=, --token=, --command=",
        "dotenvx": "-f= --env-file=, -e= --env=, -fv= --env-vault-file=",
        "pnpm": "--package=, -c --shell-mode, -r --recursive, -F= --filter=, -C= --dir=",
        "npm": "-p= --package=, -w= --workspace=, -c= --call=, --prefix=",
        "lerna": "--scope=, --ignore=, --concurrency=, --since=",
        "perf": "-e= --event=, -p= --pid=, -o= --output=, -r= --repeat=, -F= --freq=, -g, -a, -c=",
        "mise": "-j= --jobs=, -C= --cd=, -E= --env=, -c= --command=",
        "toolbox": "-c= --container=, -d= --distro=, -r= --release=",
        "fnm": "--using=, --fnm-dir=, --arch=",
    }
)

TAKE_COMMANDS: Mapping[str, str] = MappingProxyType(
    # programs, and their options that hold a command
    {
        "man": "-P= --pager=, -H= --html=",
        "tar": "--to-command=, --checkpoint-action=, -I= --use-compress-program=, -F= --info-script= "
        "--new-volume-script=, --rsh-command=, --rmt-command=",
        "ansible": "-a= --args=",
        "compgen": "-C=",
        "complete": "-C=",
        "sort": "--compress-program=",
        "split": "--filter=",
        "rg": "--pre=",
        "rsync": "-e= --rsh=, --rsync-path=",
        "scp": "-S=, -o=",
        "sftp": "-S=, -o=, -D=",
        "autossh": "-o=",
        "mosh": "--ssh=",
        "cargo": "-s= --shell=",
        "pm2": "--interpreter=",
        "forever": "-c= --command=",
        "watchman-make": "--run= -r=",
        "just": "--shell=",
        "less": "",
        "go": "-exec=, -toolexec=, -vettool=",
        "apt-get": "-o=",
        "apt": "-o=",
        "ssh": "-o=",
        "nodemon": "-x= --exec=",
        "chokidar": "-c= --command=",
        "hyperfine": "-p= --prepare=, -c= --cleanup=, -s= --setup=, --conclude=, -w=, -r=, -m=, -M=, -n=, -i, -N",
        "gcloud": "--command=",
        "vagrant": "-c= --command=",
        "fly": "-C= --command=",
        "flyctl": "-C= --command=",
        "az": "--scripts=",
        "journalctl": "--pager=",
        "tcpdump": "-z=",
        "zip": "-TT= --unzip-command=",
        "expect": "-c=",
        "wget": "--use-askpass=",
        "rclone": "--password-command=",
        "restic": "--password-command=",
        "borg": "--rsh=",
    }
)

_SCRIPTED = """
concurrently hyperfine mispipe pee screen tmux zellij
"""
SCRIPTED: frozenset[str] = frozenset(_SCRIPTED.split())
"""Programs of which every operand with a space in it is a command line of its own."""

_INERT = """
: [ [[ ack ag alias apropos awk basename bat bc cal cat chgrp chmod chown cmp code codespell column comm
compgen complete cp curl cut date dc declare df diff dir dirname dropdb du echo egrep emacs eslint export
expr false fgrep file find fmt fold gawk gh git glab grep head help hexdump hub info install jest join jq
less ln local logger ls man mawk mkdir mocha more most mv mysql nano nl notify-send nvim od open paste
prettier print printf psql pytest read readlink realpath rg rm rmdir say sed seq set shift sort sqlcmd
sqlite3 stat strings tail tar tee test touch tr trap tree true tsc type uniq unset unzip vale vi vim wall
wc wget whatis whereis which write xdg-open xxd yq zip aws awslocal az azcopy b2 gsutil mc rclone s3cmd
s5cmd tldr vault vercel
"""
INERT: frozenset[str] = frozenset(_INERT.split())
"""Programs whose words are text, names or files, never a command to run."""

_OWN_VERBS = """
apt aws az b2 brew bun bzr cargo composer conda consul doctl docker etcdctl fly flutter fossil gcloud gh glab gsutil
hadoop hdfs helm heroku hg ipfs jj kamal kubectl lxc mamba mc minikube multipass nerdctl npm oc pdm pip pipenv
pnpm podman poetry rclone s3cmd s5cmd s6-rc snap svn terraform tofu trash uv vagrant vault yarn zfs
"""
OWN_VERBS: frozenset[str] = frozenset(_OWN_VERBS.split())
"""Tools with subcommands of their own that are called like programs, such as `docker rm`."""

VERBS: frozenset[str] = frozenset(("find", "rm", "truncate", "unlink"))
"""What those subcommands are called."""

RUN_VERBS: frozenset[str] = frozenset(("--", "-c", "enter", "exec", "run", "shell", "ssh", "x"))
"""Words of such tools behind which a program follows."""

_CARRIED = """
ansible artisan aws az cdk curl docker docker-compose doctl fly gcloud gsutil helm mongosh prisma pulumi rails redis-cli
serverless vault alembic knex manage.py mix sequelize typeorm
clickhouse clickhouse-client cockroach cqlsh dd del-cli dropdb duckdb find gatewayctl git heroku hive kubectl mkfs
mysql mysqladmin premove psql rimraf rm shred snowsql spark-sql sqlcmd sqlite3 srm terraform trino truncate
unlink usql wipefs wrangler
"""
_CARRIED_WIDE = """
blkdiscard chmod chown fdisk mkswap parted sfdisk sgdisk
"""
CARRIED: frozenset[str] = frozenset((*_CARRIED.split(), *_CARRIED_WIDE.split()))
"""Programs that are taken to run where they stand among the words of a program that is not known."""
