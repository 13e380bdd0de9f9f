"""Catalogue drift: what code, a server's list, a policy and its pins say of the same tools, compared."""

from gateway.drift.comparing import Difference, What, differences, step_digest
from gateway.drift.reading import ServerList, read_list
from gateway.drift.sides import Side, Stated, of_code, of_list, of_pins, of_policy, within
from gateway.drift.status import Status, compare, digests_of

__all__ = [
    "Difference",
    "ServerList",
    "Side",
    "Stated",
    "Status",
    "What",
    "compare",
    "differences",
    "digests_of",
    "of_code",
    "of_list",
    "of_pins",
    "of_policy",
    "read_list",
    "step_digest",
    "within",
]
