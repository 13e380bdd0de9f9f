"""What a shell knows while a script runs: directory, variables, functions, positional parameters."""

from __future__ import annotations

from dataclasses import field, replace
from enum import Enum
from typing import TYPE_CHECKING

from gateway.frozen import slotted
from gateway.inspect.kernel import through_kernel
from gateway.inspect.place import absolute
from gateway.inspect.shell.names import secret_name
from gateway.inspect.word import SECRET, UNKNOWN, marked

if TYPE_CHECKING:
    from tree_sitter import Node

    from gateway.inspect.shell.parse import Script

MAX_VALUES = 8
MAX_LENGTH = 8192
MAX_INDEX = 256
# Stands in an array where an item was never set.
_GAP = "\ue020"


class Certainty(Enum):
    """Whether a statement surely runs, only if the one before it ends well or badly, or only on some path."""

    SURE = "sure"
    CHAINED = "chained"
    MAYBE = "maybe"


@slotted
class Scope:
    """The state of one shell; a subshell gets a copy.

    `carrier` is a program not known to run its words that stands in front of the shell.
    """

    cwd: str | None
    home: str | None
    variables: dict[str, tuple[str, ...]] = field(default_factory=dict)
    arrays: dict[str, tuple[str, ...]] = field(default_factory=dict)
    references: dict[str, str] = field(default_factory=dict)
    """Variables that stand for others."""
    functions: dict[str, tuple[Script, Node]] = field(default_factory=dict)
    aliases: dict[str, str] = field(default_factory=dict)
    positional: tuple[str, ...] | None = None
    certainty: Certainty = Certainty.SURE
    calls: tuple[str, ...] = ()
    carrier: str = ""
    dotglob: bool = False

    def copy(self) -> Scope:
        """A shell that starts from this one and changes nothing in it."""
        return replace(
            self,
            variables=dict(self.variables),
            arrays=dict(self.arrays),
            references=dict(self.references),
            functions=dict(self.functions),
            aliases=dict(self.aliases),
        )

    def meant(self, name: str) -> str:
        """The variable that a name stands for."""
        for _ in range(MAX_VALUES if self.references else 0):
            name = self.references.get(name, name)
        return name

    def assign(self, name: str, values: tuple[str, ...]) -> None:
        """Give a variable its possible values; where it is not sure to happen, the old ones stay possible."""
        name = self.meant(name)
        if self.certainty is Certainty.MAYBE:
            values = tuple(dict.fromkeys((*self.variables.get(name, (UNKNOWN,)), *values)))
        elif self.certainty is Certainty.CHAINED:
            values = tuple(dict.fromkeys((*self.variables.get(name, ()), *values)))
        small = len(values) <= MAX_VALUES and all(len(value) <= MAX_LENGTH for value in values)
        if name in self.arrays:
            self.assign_item(name, 0, values if small else (UNKNOWN,))
        else:
            self.variables[name] = values if small else (UNKNOWN,)

    def assign_array(self, name: str, items: tuple[str, ...]) -> None:
        """Give an array its items."""
        name = self.meant(name)
        self.arrays[name] = items
        self.variables.pop(name, None)

    def assign_item(self, name: str, index: int | None, values: tuple[str, ...]) -> None:
        """Give one item of an array its value; one at an index that is not known comes last."""
        name = self.meant(name)
        items = list(self.arrays.get(name) or self.variables.get(name, ())[:1])
        index = len(items) if index is None or index > MAX_INDEX else index
        items += [_GAP] * (index + 1 - len(items))
        items[index] = values[0] if len(values) == 1 else UNKNOWN
        self.assign_array(name, tuple(items))

    def forget(self, name: str) -> None:
        """Drop a variable or array; where that is not sure to happen, it stays."""
        if self.certainty is Certainty.SURE:
            self.variables.pop(name, None)
            self.arrays.pop(name, None)

    def sets(self, name: str) -> bool:
        """Whether the script, or every shell, gives a parameter a value."""
        name = self.meant(name)
        if name in self.variables or name in self.arrays or not name.isidentifier():
            return True
        return self._builtin(name) is not None

    def values(self, name: str) -> tuple[str, ...]:
        """The possible values of a parameter; unknown where nothing in the script sets it."""
        name = self.meant(name)
        found = self.variables.get(name)
        if found is not None:
            return found
        if name in self.arrays:
            return (self.item(name, "0"),) if self.arrays[name] else ("",)
        if name.isdigit() and name != "0":
            if self.positional is None:
                return (UNKNOWN,)
            return (self.positional[int(name) - 1] if int(name) <= len(self.positional) else "",)
        return (self._builtin(name) or (SECRET if secret_name(name) else UNKNOWN),)

    def items(self, name: str) -> tuple[str, ...]:
        """The items of an array, or the positional parameters for `@` and `*`."""
        if name in ("@", "*"):
            return (UNKNOWN,) if self.positional is None else self.positional
        name = self.meant(name)
        return tuple(item for item in self.arrays.get(name, ()) if item != _GAP) or self.values(name)

    def item(self, name: str, index: str) -> str:
        """One item of an array; a variable is an array of one."""
        name = self.meant(name)
        items = self.arrays.get(name) or self.values(name)
        known = index.isdecimal() and len(index) < 4 and int(index) < len(items)
        return items[int(index)].replace(_GAP, "") if known else UNKNOWN

    def _builtin(self, name: str) -> str | None:
        if name == "IFS":
            return " \t\n"
        if name == "HOME":
            return self.home
        if name == "PWD":
            return self.cwd
        return "/tmp" if name == "TMPDIR" else None  # noqa: S108

    def change_directory(self, value: str | None) -> None:
        """Follow `cd`; without an operand it goes home, and what can't be known is unknown from then on."""
        if value is None:
            self.cwd = self.home
        elif value == "-" or (marked(value) and not value.startswith("/") and self.cwd is None):
            self.cwd = None
        else:
            path = None if value.startswith(UNKNOWN) else absolute(value, self.cwd, self.home)
            self.cwd = path if path is None else through_kernel(path, self.cwd)
