"""Gateways that record, and logs to look into."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from gateway import Gateway, Manifest
from gateway.chain import Verified, verified
from gateway.record import Record, Recorder, Unrecorded
from gateway.recorders.anchors import read_anchors
from gateway.recorders.reading import file_lines
from gateway.state import Store
from tests.engine.build import compiled
from tests.remembering.world import NOON, SHOP

SECRETS = SHOP + (
    "  - {id: shown, tools: [save], when: args.amount == 13, effect: deny, monitor: true}\n"
    "  - {id: bad, tools: [sign], when: 'int(args.id) == 1', effect: deny}\n"
)
LOGIN = """
version: 1
settings: {confirm_from: HIGH}
agents: [{name: clerk, tools: ["*"], tenants: ["*"]}]
tools:
  - name: login
    risk: MEDIUM
    permissions: []
    parameters:
      type: object
      properties:
        pin: {type: string, x-sensitive: true}
        number: {type: integer, x-sensitive: true}
        box: {type: object, x-sensitive: true, additionalProperties: true}
        note: {additionalProperties: true, items: {additionalProperties: true}}
        many: {type: array, items: {additionalProperties: true}}
"""


class Kept:
    """Keeps records in memory."""

    def __init__(self) -> None:
        self.records: list[Record] = []

    def record(self, record: Record) -> None:
        self.records.append(record)

    @property
    def rows(self) -> list[dict[str, Any]]:
        """As they are written."""
        return [json.loads(record.text) for record in self.records]


class Failing(Kept):
    """Fails at the record of this number, counted from 0."""

    def __init__(self, number: int, error: Exception | None = None) -> None:
        super().__init__()
        self._left = number
        self._error = error or Unrecorded("the disk is full")

    def record(self, record: Record) -> None:
        self._left -= 1
        if self._left == -1:
            raise self._error
        super().record(record)


def gateway(recorder: Recorder | None, text: str = SHOP, store: Store | None = None) -> Gateway:
    """A gateway at noon."""
    made = compiled(text)
    manifest = Manifest(path="test.yaml", **made.summary)
    return Gateway(made.engine, manifest, clock=lambda: NOON, store=store, recorder=recorder)


def looked_at(path: Path, anchors: Path | None = None) -> Verified:
    """What is found in a log in files."""
    return verified(file_lines(path), () if anchors is None else read_anchors(anchors))


def said(path: Path) -> list[Mapping[str, Any]]:
    """The records in files, as JSON."""
    found = []
    for line in file_lines(path):
        try:
            found.append(json.loads(line.value))
        except ValueError:
            continue
    return [each for each in found if isinstance(each, dict)]
