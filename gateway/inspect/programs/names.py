"""Other names of programs: data."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

_CASELESS = """
diskpart redis-cli vssadmin wbadmin wmic
"""
CASELESS: frozenset[str] = frozenset(_CASELESS.split())
"""Programs whose words mean the same in capitals; patterns write them without."""

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
        **dict.fromkeys(("ysqlsh", "vsql", "gsql", "edb-psql"), "psql"),
        "clickhouse-local": "clickhouse-client",
        "flyctl": "fly",
        "sql": "sqlcl",
        "sqlite": "sqlite3",
        "mariadb-admin": "mysqladmin",
        "gxargs": "xargs",
        "gtimeout": "timeout",
        "genv": "env",
        "tofu": "terraform",
        "opentofu": "terraform",
        "k": "kubectl",
        "kubecolor": "kubectl",
        "podman": "docker",
        "nerdctl": "docker",
        "finch": "docker",
        "podman-compose": "docker-compose",
        "sls": "serverless",
        "aws-cdk": "cdk",
        "aws-cli": "aws",
        "irm": "Invoke-RestMethod",
        "iwr": "Invoke-WebRequest",
        "awscli": "aws",
        "valkey-cli": "redis-cli",
        "keydb-cli": "redis-cli",
        "dragonfly-cli": "redis-cli",
        "mongo": "mongosh",
        "flyctl": "fly",
        "vc": "vercel",
        "ntl": "netlify",
        "rake": "rails",
        "gnice": "nice",
        "del": "del-cli",
    }
)
