"""The container that a command is run in: neither its name nor what stands before it is a program."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from gateway.inspect.options import Reading, bind
from gateway.inspect.programs import spec
from gateway.inspect.word import Word

_SPECS: Mapping[str, str] = MappingProxyType(
    {"docker": "docker exec", "docker-compose": "docker-compose", "kubectl": "kubectl", "oc": "oc"}
)


def container(name: str, words: tuple[Word, ...]) -> int:
    """Where what names the container ends among the words of a command; 0 where none is named."""
    known = _SPECS.get(name)
    values = [word.value for word in words]
    if known is None or "exec" not in values:
        return 0
    verb = values.index("exec")
    if "--" in values[verb:]:
        return values.index("--", verb)
    operands = bind(spec(known).options, words[verb + 1 :], Reading.LEADING).operands
    return len(words) - len(operands) if operands else 0
