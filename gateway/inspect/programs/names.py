"""Other names of programs: data."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

_FILE_SYSTEMS = """
apfs bcachefs bfs btrfs cramfs erofs exfat ext2 ext3 ext4 f2fs fat gfs2 hfs hfs+ jfs minix msdos nilfs2 ntfs ocfs2
reiserfs ubifs udf vfat xfs zonefs
"""

ALIASES: Mapping[str, str] = MappingProxyType(
    {
        "hub": "git",
        "grm": "rm",
        "gfind": "find",
        "fdfind": "fd",
        "bfs": "find",
        "mariadb": "mysql",
        "mycli": "mysql",
        "pgcli": "psql",
        "sqlite": "sqlite3",
        "mariadb-admin": "mysqladmin",
        "gxargs": "xargs",
        "gtimeout": "timeout",
        "genv": "env",
        "gnice": "nice",
        "del": "del-cli",
        "sudo-rs": "sudo",
        "dzdo": "sudo",
        "mke2fs": "mkfs",
        "mkdosfs": "mkfs",
        "mkntfs": "mkfs",
        "mkreiserfs": "mkfs",
        "newfs": "mkfs",
        **{f"{make}{kind}": "mkfs" for make in ("mkfs.", "newfs_") for kind in _FILE_SYSTEMS.split()},
        "cgdisk": "gdisk",
        "ip6tables": "iptables",
        "iptables-nft": "iptables",
        "iptables-legacy": "iptables",
        "ip6tables-nft": "iptables",
        "ip6tables-legacy": "iptables",
        "ebtables": "iptables",
        "arptables": "iptables",
        "apt-get": "apt",
        "aptitude": "apt",
        "nala": "apt",
        "apt-fast": "apt",
        "yum": "dnf",
        "dnf5": "dnf",
        "microdnf": "dnf",
        "tdnf": "dnf",
        "yay": "pacman",
        "paru": "pacman",
        "adduser": "useradd",
        "deluser": "userdel",
        "addgroup": "groupadd",
        "delgroup": "groupdel",
        "vigr": "vipw",
        "gpasswd": "usermod",
        "telinit": "init",
    }
)
