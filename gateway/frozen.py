"""Frozen, slotted dataclasses that are made quickly: one is made for each call that is decided."""

from __future__ import annotations

from dataclasses import MISSING, dataclass, field, fields
from typing import Any, TypeVar, dataclass_transform

_T = TypeVar("_T")


@dataclass_transform(frozen_default=True, field_specifiers=(field,))
def frozen(cls: type[_T]) -> type[_T]:
    """As `dataclass(frozen=True, slots=True)`, with an initialiser that sets the slots directly.

    The generated one looks up `object.__setattr__` and the slot by name for each field.
    """
    made: Any = dataclass(frozen=True, slots=True)(cls)
    setters = {f"_set_{one.name}": made.__dict__[one.name].__set__ for one in fields(made)}
    return _with_initialiser(made, "_set_{name}(self, {value})", setters)


def draft_of(frozen_class: type[Any]) -> type[Any]:
    """A class of the same layout whose objects can be written to, until they are given the frozen class.

    Writing a slot of one takes a tenth of what an initialiser takes.
    """
    return type(
        f"{frozen_class.__name__}Draft", frozen_class.__bases__, {"__slots__": frozen_class.__slots__}
    )


def _with_initialiser(made: type[_T], setting: str, names: dict[str, Any]) -> type[_T]:
    parameters: list[str] = []
    lines: list[str] = []
    for one in fields(made):  # type: ignore[arg-type]  # it is a dataclass by now
        value = one.name
        if one.default is not MISSING:
            names[f"_default_{one.name}"] = one.default
            parameters.append(f"{one.name}=_default_{one.name}")
        elif one.default_factory is not MISSING:
            names[f"_factory_{one.name}"] = one.default_factory
            names["_missing"] = MISSING
            parameters.append(f"{one.name}=_missing")
            value = f"_factory_{one.name}() if {one.name} is _missing else {one.name}"
        else:
            parameters.append(one.name)
        lines.append(f"    {setting.format(name=one.name, value=value)}")
    head = f"def __init__(self, {', '.join(parameters)}):\n"
    exec(head + "\n".join(lines), names)  # noqa: S102  # only field names of our own classes are in the source
    made.__init__ = names["__init__"]  # type: ignore[method-assign]
    return made
