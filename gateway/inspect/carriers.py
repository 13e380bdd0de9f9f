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
    }
)

TAKE_COMMANDS: Mapping[str, str] = MappingProxyType(
    # programs, and their options that hold a command
    {
        "man": "-P= --pager=, -H= --html=",
        "tar": "--to-command=, --checkpoint-action=, -I= --use-compress-program=, -F= --info-script= "
        "--new-volume-script=, --rsh-command=, --rmt-command=",
        "sort": "--compress-program=",
        "split": "--filter=",
        "rg": "--pre=",
        "rsync": "-e= --rsh=, --rsync-path=",
        "scp": "-S=, -o=",
        "sftp": "-S=, -o=",
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
        "entr": "-s=",
        "nodemon": "-x= --exec=",
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

_INERT = """
: [ [[ ack ag alias apropos awk basename bat bc cal cat chgrp chmod chown cmp code codespell column comm
compgen complete cp curl cut date dc declare df diff dir dirname dropdb du echo egrep emacs eslint export
expr false fgrep file find fmt fold gawk gh git glab grep head help hexdump hub info install jest join jq
less ln local logger ls man mawk mkdir mocha more most mv mysql nano nl notify-send nvim od open paste
prettier print printf psql pytest read readlink realpath rg rm rmdir say sed seq set shift sort sqlcmd
sqlite3 stat strings tail tar tee test touch tr trap tree true tsc type uniq unset unzip vale vi vim wall
wc wget whatis whereis which write xdg-open xxd yq zip
"""
INERT: frozenset[str] = frozenset(_INERT.split())
"""Programs whose words are text, names or files, never a command to run."""

_CARRIED = """
clickhouse clickhouse-client cockroach cqlsh dd del-cli dropdb duckdb find gatewayctl git heroku hive kubectl mkfs
mysql mysqladmin psql rimraf rm shred snowsql spark-sql sqlcmd sqlite3 terraform trino usql wipefs wrangler
"""
CARRIED: frozenset[str] = frozenset(_CARRIED.split())
"""Programs that are taken to run where they stand among the words of a program that is not known."""
