"""What programs take that run, stop and change the system: data."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

_HELP = "-h --help, -V --version"
_APT = (
    "-y --yes --assume-yes, -q --quiet, -qq, -s --dry-run --simulate --just-print --no-act --recon, -d "
    "--download-only, -f --fix-broken, -m --ignore-missing, -u --show-upgraded, -V --verbose-versions, -c= "
    "--config-file=, -o= --option=, -t= --target-release= --default-release=, -a= "
    "--host-architecture=, --purge, "
    "--allow-downgrades, --allow-remove-essential, --force-yes, --no-install-recommends, --reinstall, "
    "--auto-remove --autoremove, -h --help, --version, -v"
)
_DNF = (
    "-y --assumeyes, -q --quiet, -v --verbose, -c= --config=, --releasever=, --installroot=, --enablerepo=, "
    "--disablerepo=, --repo=, -x= --exclude=, --setopt=, --forcearch=, --assumeno, --downloadonly, "
    "--nogpgcheck, "
    "--allowerasing, -h --help, --version"
)
_SYSTEMCTL = (
    "--user, --system, -H= --host=, -M= --machine=, -t= --type=, --state=, -p= --property=, -P=, -a "
    "--all, -r "
    "--recursive, -l --full, --show-types, --job-mode=, -i --ignore-inhibitors, --kill-whom= --kill-who=, "
    "-s= --signal=, --what=, --now, --dry-run, -q --quiet, --no-block, --wait, --no-wall, "
    "--no-reload, --no-legend, "
    "--no-pager, --no-ask-password, --global, --runtime, -f --force, --preset-mode=, --root=, -n= --lines=, "
    "-o= --output=, --firmware-setup, --boot-loader-menu=, --boot-loader-entry=, --message=, --when=, -h "
    "--help, --version"
)
_SIGNALS = "".join(
    f"-{before}{name}, "
    for name in (
        "HUP",
        "INT",
        "QUIT",
        "KILL",
        "USR1",
        "USR2",
        "TERM",
        "STOP",
        "CONT",
        "ABRT",
        "ALRM",
        "WINCH",
    )
    for before in ("", "SIG")
)
_ACCOUNT = (
    "-b= --base-dir=, -c= --comment=, -d= --home-dir= --home=, -e= --expiredate=, -f= --inactive=, "
    "-g= --gid= --ingroup=, -G= "
    "--groups=, -k= --skel=, -K= --key=, -p= --password=, -s= --shell=, -u= --uid=, -R= --root=, -P= "
    "--prefix=, "
    "-Z= --selinux-user=, -l= --login=, -D --defaults, -m --create-home, -M --no-create-home, -N "
    "--no-user-group, -o --non-unique, -r --system, -U --user-group, -a --append, -L --lock, --unlock, "
    "--disabled-password, --disabled-login, --gecos=, -h --help, -V --version"
)

PROGRAMS: Mapping[str, str] = MappingProxyType(
    {
        # disks
        "mkfs": "-t= --type=, -L= --label=, -n= --name=, -U= --uuid=, -b= --block-size=, -i=, -I=, "
        "-N=, -m=, -E=, -O=, -T=, -J=, "
        "-G=, -g=, -o=, -M=, -d=, -s=, -S=, -f --force, -F= --fat-size=, -C --create, -c, -q --quiet, "
        "-v --verbose, "
        "-K --nodiscard, " + _HELP,
        "mkswap": "-L= --label=, -U= --uuid=, -p= --pagesize=, -e= --endianness=, -o= --offset=, -s= "
        "--size=, -c --check, -f --force, "
        "-q --quiet, -v= --swapversion=, -F --file, --lock=?, " + _HELP,
        "wipefs": "-a --all, -b --backup=?, -f --force, -i --noheadings, -J --json, -n --no-act, -o= "
        "--offset=, -O= --output=, -p "
        "--parsable, -q --quiet, -t= --types=, --lock=?, " + _HELP,
        "blkdiscard": "-o= --offset=, -l= --length=, -p= --step=, -s --secure, -z --zeroout, -f "
        "--force, -v --verbose, " + _HELP,
        "fdisk": "-l --list, -x --list-details, -s= --getsz=, -o= --output=, -b= --sector-size=, -u=? "
        "--units=?, -c=? "
        "--compatibility=?, -t= --type=, -w= --wipe=, -W= --wipe-partitions=, -B --protect-boot, "
        "--bytes, -n --noauto-pt, "
        "--lock=?, -L=? --color=?, " + _HELP,
        "cfdisk": "-r --read-only, -L=? --color=?, -z --zero, -b= --sector-size=, --lock=?, " + _HELP,
        "sfdisk": "-l --list, -d --dump, -J --json, -F --list-free, -g --show-geometry, -T "
        "--list-types, -V --verify, -s --show-size, -x, "
        "-n --no-act, -A --activate, -r --reorder, -a --append, -b --backup, -f --force, -N= "
        "--partno=, -o= --output=, "
        "-O= --backup-file=, -q --quiet, -w= --wipe=, -W= --wipe-partitions=, -X= --label=, -Y= "
        "--label-nested=, --delete, "
        "--disk-id, --part-label, --part-type, --part-uuid, --part-attrs, --move-data=?, --no-reread, "
        "--no-tell-kernel, --color=?, "
        "--bytes, -h --help, -v --version",
        "parted": "-l --list, -m --machine, -j --json, -s --script, -f --fix, -a= --align=, -h "
        "--help, -v --version",
        "gdisk": "-l --list, -? --help",
        "sgdisk": "-p --print, -i= --info=, -v --verify, -L --list-types, -O --print-mbr, -E "
        "--end-of-largest, -F --first-in-largest, "
        "-f --first-aligned-in-largest, -D --display-alignment, -b= --backup=, -S= --resize-table=, "
        "-P --pretend, -V --version, -? --help, "
        "-Z --zap-all, -z --zap, -o --clear, -n= --new=, -d= --delete=, -t= --typecode=, -c= "
        "--change-name=, -g --mbrtogpt, -G "
        "--randomize-guids, -l= --load-backup=, -R= --replicate=, -a= --set-alignment=, -u= "
        "--partition-guid=, -U= --disk-guid=, "
        "-A= --attributes=, -e --move-second-header, -N= --largest-new=, -m= --gpttombr=, -s --sort, "
        "-r= --transpose=",
        "hdparm": "-I, -i, -t, -T, -g, -C, -H, -v, -q, -V, --direct, --offset=, --fibmap=, "
        "--read-sector=, --dco-identify, --Istdout, "
        "--user-master=, --security-erase=, --security-erase-enhanced=, --security-set-pass=, "
        "--security-disable=, --security-unlock=, "
        "--security-freeze, --trim-sector-ranges=, --write-sector=, --make-bad-sector=, "
        "--sanitize-status, -h --help",
        "badblocks": "-b=, -c=, -e=, -d=, -i=, -o=, -p=, -t=, -w, -n, -s, -v, -f",
        "pv": "-o= --output=write, -s= --size=, -L= --rate-limit=, -N= --name=, -B= --buffer-size=, -i= --interval=, "
        "-D= --delay-start=, -H= --height=, -w= --width=, -F= --format=, -P= --pidfile=, -d= --watchfd=, "
        "-R= --remote=, -S --stop-at-size, -l --line-mode, -n --numeric, -q --quiet, -f --force, -W --wait, "
        "-h --help, -V --version | read*",
        "ntfsclone": "-O= --overwrite=write, -o= --output=write, -s --save-image, -r --restore-image, -m --metadata, "
        "-f --force, -h --help | read*",
        **dict.fromkeys(
            [
                f"partclone.{kind}"
                for kind in ("dd", "restore", "ext2", "ext3", "ext4", "xfs", "btrfs", "ntfs", "vfat")
            ],
            "-s= --source=read, -o= --output=write, -O= --overwrite=write, -c --clone, -r --restore, -b --dev-to-dev, "
            "-L= --logfile=, -C --no-check, -d=?, -h --help",
        ),
        "dmsetup": "-f --force, -v --verbose, -c, -C, -o=, --noheadings, --separator=, --target=, "
        "--table=, -u= --uuid=, -j=, -m=, -S= --select=, -r --readonly, " + _HELP,
        "losetup": "-a --all, -l --list, -f --find, -j= --associated=, -O= --output=, -d --detach, -D "
        "--detach-all, -o= --offset=, "
        "-P --partscan, -r --read-only, --show, --sizelimit=, -b= --sector-size=, -c --set-capacity, "
        "-J --json, -n --noheadings, " + _HELP,
        "mdadm": "-A --assemble, -B --build, -C --create, -F --follow --monitor, -G --grow, -I "
        "--incremental, -D --detail, -E --examine, "
        "-Q --query, -X --examine-bitmap, -s --scan, -S --stop, --zero-superblock, --fail, --remove, "
        "-a --add, -l= --level=, -n= --raid-devices=, "
        "-x= --spare-devices=, -R --run, -o --readonly, -w --readwrite, --detail-platform, -v "
        "--verbose, -q --quiet, -f --force, "
        "-e= --metadata=, -c= --config=, --export, " + _HELP,
        "cryptsetup": "-v --verbose, -q --batch-mode, -d= --key-file=, -S= --key-slot=, -c= "
        "--cipher=, -s= --key-size=, -h= --hash=, "
        "--type=, -i= --iter-time=, --pbkdf=, --label=, --header=, --header-backup-file=, -y "
        "--verify-passphrase, --force-password, --help, --version",
        "zfs": "-r, -R, -f, -n, -v, -p, -d, -o=, -O=, -t=, -s=, -S=, -H, -h --help",
        "zpool": "-f, -n, -v, -p, -H, -o=, -O=, -R=, -a, -D, -t, -d=, -h --help",
        **dict.fromkeys(
            ("lvresize", "lvreduce"),
            "-L= --size=, -l= --extents=, -n --nofsck, -r --resizefs, -t --test, -f --force, -y --yes, "
            + _HELP,
        ),
        **dict.fromkeys(
            ("lvremove", "vgremove", "pvremove", "lvconvert", "pvresize"),
            "-t --test, -f --force, -y --yes, -S= --select=, " + _HELP,
        ),
        **dict.fromkeys(("lvchange", "vgchange"), "-a= --activate=, -t --test, -y --yes, " + _HELP),
        "tune2fs": "-l, -c=, -C=, -e=, -E=, -g=, -i=, -I=, -j, -J=, -L=, -m=, -M=, -o=, -O=, -Q=, "
        "-r=, -T=, -u=, -U=, -f, -z=",
        "e2fsck": "-n, -p, -y, -f, -c, -C=, -b=, -B=, -E=, -j=, -l=, -L=, -v, -V, -D, -k, -t",
        "fsck": "-N, -n, -p, -y, -a, -A, -f, -t=, -C=?, -l, -M, -P, -R, -r, -s, -T, -V, --help, --version",
        "xfs_repair": "-n, -L, -d, -f, -l=, -m=, -o=, -P, -r=, -t=, -v, -V",
        # rights
        "chmod": "-R --recursive, -c --changes, -f --silent --quiet, -v --verbose, --reference=, "
        "--no-preserve-root, "
        "--preserve-root, -h --no-dereference, -H, -L, -P, -r, -w, -x, -X, -s, -t, --help, --version",
        "chown": "-R --recursive, -c --changes, -f --silent --quiet, -v --verbose, --reference=, "
        "--from=, -h --no-dereference, "
        "--dereference, --no-preserve-root, --preserve-root, -H, -L, -P, --help, --version",
        "chgrp": "-R --recursive, -c --changes, -f --silent --quiet, -v --verbose, --reference=, "
        "--from=, -h --no-dereference, "
        "--dereference, --no-preserve-root, --preserve-root, -H, -L, -P, --help, --version",
        "chattr": "-R --recursive, -V, -f, -v=, -p=, -i --mutable, -a, -u, -s, -c, -d, -e",
        "chflags": "-R --recursive, -f, -h, -v, -H, -L, -P, -x",
        "setfacl": "-m= --modify=, -M= --modify-file=, -x= --remove=, -X= --remove-file=, -b "
        "--remove-all, -k --remove-default, "
        "-d --default, -n --no-mask, --mask, --set=, --set-file=, --restore=, --test, -R --recursive, "
        "-L --logical, -P --physical, "
        "-v --version, -h --help | meta*",
        "setcap": "-q, -v, -n=, -r, -f, -h",
        "visudo": "-c --check, -f= --file=, -s --strict, -q --quiet, -x= --export=, -I, -O, -P, " + _HELP,
        "su": "-c= --command= --session-command=, -s= --shell=, -g= --group=, -G= --supp-group=, -l "
        "--login, -f --fast, -m -p "
        "--preserve-environment, -w= --whitelist-environment=, -T --no-pty, -P --pty, " + _HELP,
        # power, services, processes
        "shutdown": "-h, -P --poweroff, -r --reboot, -H --halt, -c, -k, --no-wall, --show, -t=, -f, "
        "-F, -n, --help, --version",
        "reboot": "-f --force, -p --poweroff, --halt, --reboot, -w --wtmp-only, -d --no-wtmp, -n "
        "--no-sync, --no-wall, --boot-loader-entry=, --help, --version, -h",
        "systemctl": _SYSTEMCTL,
        "service": "--status-all, --full-restart, -h --help, --version",
        "rc-service": "-l --list, -e --exists, -i --ifexists, -N, -s, -S, -Z --dry-run, -r= "
        "--resolve=, -q --quiet, -h --help, -V --version",
        "launchctl": "-w, -F, -k, -p, -s=, -S=, -D=",
        "pkill": _SIGNALS
        + "--signal=, -f --full, -u= --euid=, -U= --uid=, -g= --pgroup=, -G= --group=, -t= --terminal=, -P= --parent=, "
        "-s= --session=, -x --exact, -n --newest, -o --oldest, -v --inverse, -i --ignore-case, -e "
        "--echo, -c --count, -F= "
        "--pidfile=, -O= --older=, --ns=, -a, -l, -L --logpidfile, -q= --queue=, " + _HELP,
        "killall": _SIGNALS
        + "-e --exact, -g --process-group, -i --interactive, -I --ignore-case, -l --list, -q --quiet, -r --regexp, "
        "-s= --signal=, "
        "-u= --user=, -v --verbose, -w --wait, -y= --younger-than=, -o= --older-than=, -n= --ns=, -Z= "
        "--context=, -m, -d, -t=, -c=, -V --version, --help",
        "fuser": "-k --kill, -m --mount, -M --ismountpoint, -n= --namespace=, -s --silent, -u --user, "
        "-v --verbose, -a --all, -i "
        "--interactive, -w --writeonly, -4 --ipv4, -6 --ipv6, -l --list-signals, -V --version",
        "fallocate": "-l= --length=, -o= --offset=, -c --collapse-range, -d --dig-holes, -i "
        "--insert-range, -n --keep-size, "
        "-p --punch-hole, -v --verbose, -x --posix, -z --zero-range, " + _HELP,
        "mkfile": "-n, -v",
        "head": "-c= --bytes=, -n= --lines=, -q --quiet --silent, -v --verbose, -z --zero-terminated, "
        "--help, --version | read*",
        "stress": "-c= --cpu=, -i= --io=, -m= --vm=, -d= --hdd=, -t= --timeout=, --vm-bytes=, "
        "--hdd-bytes=, -n --dry-run, --help, --version",
        # nets and protections
        "iptables": "-t= --table=, -L --list, -S --list-rules, -n --numeric, -v --verbose, -x "
        "--exact, --line-numbers, -C --check, "
        "-w=? --wait=?, -4 --ipv4, -6 --ipv6, -V --version, -h --help, -F --flush, -X --delete-chain, "
        "-P --policy, -A --append, "
        "-D --delete, -I --insert, -R --replace, -N --new-chain, -Z --zero, -E --rename-chain, -p= "
        "--protocol=, -s= --source=, -d= "
        "--destination=, -j= --jump=, -i= --in-interface=, -o= --out-interface=, --dport=, --sport=, "
        "-m= --match=",
        "nft": "-f= --file=, -i --interactive, -c --check, -o --optimize, -I= --includepath=, -D= "
        "--define=, -a --handle, -n --numeric, "
        "-s --stateless, -t --terse, -j --json, -N, -S, -u, -p, -y, -v --version, -V, -h --help",
        "firewall-cmd": "--state, --version, --help, --list-all, --list-all-zones, --list-services, "
        "--list-ports, --list-interfaces, "
        "--list-sources, --list-rich-rules, --list-protocols, --list-forward-ports, "
        "--list-icmp-blocks, --get-default-zone, --get-zones, "
        "--get-active-zones, --get-services, --get-icmptypes, --get-zone-of-interface=, --info-zone=, "
        "--info-service=, --query-port=, "
        "--query-service=, --query-masquerade, --query-panic, --query-rich-rule=, --check-config, "
        "--zone=, --permanent, -q --quiet, -v --verbose, -h --help",
        "pfctl": "-s=, -n, -v, -q, -r, -g, -a=, -i=, -f=, -t=, -T=, -F=, -d, -e, -E, -k=, -K=, -X=, "
        "-D=, -m=, -o=, -p=, -x=",
        "ufw": "--dry-run, --force, -h --help, --version",
        "auditctl": "-l, -s, -v, -h, -e=, -D, -d=, -W=, -b=, -f=, -r=, -A=, -a=, -w=, -R=, -c, -i, "
        "-m=, -t, --reset-lost, --backlog_wait_time=",
        # accounts
        "useradd": _ACCOUNT,
        "usermod": _ACCOUNT.replace("-m --create-home", "-m --move-home")
        + ", -A= --administrators=, -M= --members=, --delete=",
        "userdel": "-f --force, -r --remove, -R= --root=, -P= --prefix=, -Z, --remove-home, "
        "--remove-all-files, --backup, -h --help, --version",
        "passwd": "-S --status, -a --all, -d --delete, -e --expire, -i= --inactive=, -k "
        "--keep-tokens, -l --lock, -m= --mindays=, -n= "
        "--minimum=, -q --quiet, -r= --repository=, -R= --root=, -u --unlock, -w= --warning=, -x= "
        "--maximum=, --stdin, -s, --help, -h",
        "chage": "-l --list, -d= --lastday=, -E= --expiredate=, -I= --inactive=, -m= --mindays=, -M= "
        "--maxdays=, -R= --root=, -W= --warndays=, -i --iso8601, -h --help",
        "chsh": "-s= --shell=, -l --list-shells, -h -u --help, -v --version",
        "crontab": "-l, -e, -r, -i, -u=, -V, -n=, -T=, -s, --help",
        "at": "-l, -d, -r, -c, -f=, -q=, -t=, -m, -M, -v, -V, -b",
        # packages
        "apt": _APT,
        "dnf": _DNF,
        "zypper": "-n --non-interactive, -q --quiet, -v --verbose, -R= --root=, -D --dry-run, -t= "
        "--type=, -u --clean-deps, -U, -r= --repo=, -h --help, -V --version, --no-refresh, "
        "--gpg-auto-import-keys, --reposd-dir=, -y --no-confirm",
        "pacman": "-S --sync, -R --remove, -U --upgrade, -Q --query, -D --database, -T --deptest, -F "
        "--files, -V --version, -h --help, -s, "
        "-c, -n, -d, -u, -y, -p --print, -i, -l, -g, -q --quiet, -k, -o, -e, -t, -m, -w, --noconfirm, "
        "--needed, -r= --root=, -b= --dbpath=, --config=, "
        "--cascade, --nodeps, --nosave, --recursive, --unneeded, --overwrite=, --cachedir=, --arch=, "
        "--ignore=, --asdeps",
        "dpkg": "-i --install, -r --remove, -P --purge, -l --list, -L --listfiles, -s --status, -S "
        "--search, -c --contents, -I --info, -p "
        "--print-avail, -C --audit, -V --verify, -x --extract, -X, -b --build, --unpack, --configure, "
        "-a --pending, --get-selections, --set-selections, "
        "--clear-selections, --print-architecture, --add-architecture, --dry-run --no-act --simulate, "
        "--force-all, --force-depends, --force-remove-essential, "
        "--force-remove-reinstreq, --root=, --admindir=, -D=, -R --recursive, -E, -G, -B, --version, --help",
        "rpm": "-q --query, -i --install, -U --upgrade, -F --freshen, -e --erase, -V --verify, -K "
        "--checksig, -a --all, -l --list, -f --file, "
        "-p --package, -v, -h --hash, --nodeps, --force, --test, --oldpackage, --replacepkgs, "
        "--allmatches, --justdb, --noscripts, --import, --rebuilddb, --initdb, "
        "--qf= --queryformat=, -R, -c, -d, -s, --root=, --dbpath=, -E= --eval=, --version, --help",
        # kernel
        "date": "-d= --date=, -f= --file=, -I=? --iso-8601=?, -r= --reference=, -R --rfc-email, --rfc-3339=, "
        "-s= --set=, -u --utc --universal, -j, -n, -v=, -z=, --debug, --help, --version",
        "modprobe": "-r --remove, -n --dry-run --show, -c --showconfig, --show-config, -D "
        "--show-depends, -R --resolve-alias, -a --all, -f --force, -i "
        "--ignore-install, -q --quiet, -s --syslog, -v --verbose, -C= --config=, -d= --dirname=, -S= "
        "--set-version=, -b --use-blacklist, " + _HELP,
        "rmmod": "-f --force, -s --syslog, -v --verbose, -w, " + _HELP,
        "sysctl": "-a --all, -A, -X, -n --values, -N --names, -e --ignore, -b --binary, -q --quiet, "
        "-w --write, -p=? --load=?, --system, "
        "-r= --pattern=, -d, -h --help, -V --version, --dry-run",
        "efibootmgr": "-v --verbose, -b= --bootnum=, -B --delete-bootnum, -o= --bootorder=, -O "
        "--delete-bootorder, -n= --bootnext=, -N --delete-bootnext, "
        "-c --create, -C --create-only, -d= --disk=, -p= --part=, -l= --loader=, -L= --label=, -a "
        "--active, -A --inactive, -t= --timeout=, -T "
        "--delete-timeout, -D --remove-dups, -y --driver, -r, -u, -q --quiet, -V --version, -h --help",
        "mount": "-t= --types=, -o= --options=, -O= --test-opts=, -L= --label=, -U= --uuid=, -T= "
        "--fstab=, -l --show-labels, -a --all, -B --bind, -R --rbind, -M "
        "--move, -r --read-only, -w --rw --read-write, -f --fake, -n --no-mtab, -s, -v --verbose, "
        "--source=, --target=, --mkdir, -m, " + _HELP,
        "umount": "-a --all, -f --force, -l --lazy, -R --recursive, -t= --types=, -O= --test-opts=, "
        "-d --detach-loop, -r --read-only, -n --no-mtab, -v "
        "--verbose, -q --quiet, -A --all-targets, -c --no-canonicalize, --fake, " + _HELP,
        "swapoff": "-a --all, -L=, -U=, -v --verbose, " + _HELP,
        "nvram": "-p, -d=, -f=, -c, -x",
        "bcdedit": "/enum, /v, /?",
        # traces
        "history": "-c, -d=, -a, -n, -r, -w, -p, -s",
        "journalctl": "--vacuum-size=, --vacuum-time=, --vacuum-files=, --rotate, --flush, "
        "--relinquish-var, --sync, -u= --unit=, --user-unit=, -n= "
        "--lines=?, -o= --output=, -S= --since=, -U= --until=, -p= --priority=, -g= --grep=, -t= "
        "--identifier=, -b --boot=?, -f --follow, -k --dmesg, "
        "-e --pager-end, -x --catalog, -r --reverse, -a --all, -q --quiet, --no-pager, -D= "
        "--directory=, -M= --machine=, --file=, --root=, "
        "--disk-usage, --list-boots, --verify, --header, --output-fields=, -c= --cursor=, -F= "
        "--field=, -N --fields, " + _HELP,
        "dmesg": "-C --clear, -c --read-clear, -D --console-off, -E --console-on, -n= "
        "--console-level=, -H --human, -T --ctime, -w --follow, "
        "-l= --level=, -f= --facility=, -k --kernel, -r --raw, -x --decode, -L=? --color=?, -P "
        "--nopager, -u, -s=, -t, -e, -J, " + _HELP,
    }
)
