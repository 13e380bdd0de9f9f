"""Frozen, slotted dataclasses that are made quickly, and whose classes are.

One is made for each call that is decided, and a process that decides one call makes all of their classes first:
`dataclass` compiles the text of six methods for each class, which is most of the time that importing it takes.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import MISSING, Field, FrozenInstanceError, dataclass, field, fields
from inspect import get_annotations
from operator import attrgetter
from threading import RLock
from typing import Any, NoReturn, TypeVar, dataclass_transform

_T = TypeVar("_T")
_set = object.__setattr__


@dataclass_transform(frozen_default=True, field_specifiers=(field,))
def frozen(cls: type[_T]) -> type[_T]:
    """As `dataclass(frozen=True, slots=True)`, with an initialiser that sets the slots directly."""
    made: Any = identified(cls)
    if "__eq__" in cls.__dict__:
        return made  # type: ignore[no-any-return]

    def compared() -> None:
        values = _values([one.name for one in fields(made) if one.compare])

        def equal(self: Any, other: object) -> Any:
            if other.__class__ is not self.__class__:
                return NotImplemented
            return values(self) == values(other)

        made.__eq__ = equal
        if "__hash__" not in cls.__dict__:
            made.__hash__ = lambda self: hash(values(self))

    def first_equal(self: Any, other: object) -> Any:
        compared()
        return made.__eq__(self, other)

    def first_hash(self: Any) -> int:
        compared()
        return made.__hash__(self)  # type: ignore[no-any-return]

    made.__eq__ = first_equal
    if "__hash__" not in cls.__dict__:
        made.__hash__ = first_hash
    return made  # type: ignore[no-any-return]


@dataclass_transform(frozen_default=True, eq_default=False, field_specifiers=(field,))
def identified(cls: type[_T]) -> type[_T]:
    """As `frozen`, but each is equal to itself alone."""
    return _made(cls, {"__setattr__": _unchangeable, "__delattr__": _unchangeable})


@dataclass_transform(eq_default=False, field_specifiers=(field,))
def slotted(cls: type[_T]) -> type[_T]:
    """As `dataclass(slots=True)`, made as quickly; each is equal to itself alone."""
    return _made(cls, {})


def _made(cls: type[_T], methods: Mapping[str, Any]) -> type[_T]:
    own = get_annotations(cls)
    namespace = {
        name: value
        for name, value in cls.__dict__.items()
        if name not in ("__dict__", "__weakref__") and name not in own
    }
    inherited = {name for base in cls.__mro__[1:] for name in getattr(base, "__slots__", ())}
    namespace["__slots__"] = tuple(name for name in own if name not in inherited)
    namespace["__match_args__"] = _given(cls, own)
    namespace.setdefault("__repr__", _written)
    namespace.update(methods)
    namespace["__getstate__"] = _state
    namespace["__setstate__"] = _restore
    for name in _DESCRIPTION:
        namespace[name] = _Described(cls, name)
    kind: Any = type(cls)
    made = kind(cls.__name__, cls.__bases__, namespace)
    made.__qualname__ = cls.__qualname__

    left = _PAYS_AFTER

    def first(self: Any, *values: Any, **named: Any) -> None:
        # Few are made of most classes by a process that decides one call.
        nonlocal left
        left -= 1
        every = fields(made)
        if left < 0 or not _initialised(self, every, values, named):
            made.__init__ = _initialiser(made, every)
            made.__init__(self, *values, **named)
        elif has_more:
            self.__post_init__()

    has_more = hasattr(made, "__post_init__")
    made.__init__ = first
    return made  # type: ignore[no-any-return]


_DESCRIPTION = ("__dataclass_fields__", "__dataclass_params__")
"""What makes a class a dataclass to those who ask."""


class _Described:
    """Describes the fields of a class when somebody first asks for them: of most classes nobody does."""

    def __init__(self, cls: type[Any], name: str) -> None:
        self._cls = cls
        self._name = name

    def __get__(self, instance: object, owner: type[Any]) -> Any:
        with _describing:
            if self._name not in self._cls.__dict__:
                if self._cls.__doc__ is None:
                    # Where there is none `dataclass` makes one of the signature, which takes longer than all else.
                    self._cls.__doc__ = self._cls.__name__
                dataclass(init=False, repr=False, eq=False)(self._cls)
            value = self._cls.__dict__[self._name]
            for base in owner.__mro__:
                if base.__dict__.get(self._name) is self:  # no other thread was here first
                    setattr(base, self._name, value)
            return value


_describing = RLock()
"""Several threads may ask for the same description first, and one asks for those of the classes that it is made of."""


def _given(cls: type[Any], own: Mapping[str, Any]) -> tuple[str, ...]:
    """The names of the fields that an initialiser takes."""
    inherited = tuple(
        name for base in reversed(cls.__mro__[1:]) for name in base.__dict__.get("__match_args__", ())
    )
    mine = (name for name in own if getattr(cls.__dict__.get(name), "init", True) is not False)
    return tuple(dict.fromkeys((*inherited, *mine)))


_PAYS_AFTER = 12
"""Compiling an initialiser takes as long as making about so many without one."""


def _initialised(
    self: Any, every: tuple[Field[Any], ...], values: Sequence[Any], named: dict[str, Any]
) -> bool:
    """Set each field as an initialiser would; false where what is given does not fit, which that will tell."""
    given = {one.name for one in every if one.init}
    if not named.keys() <= given or len(values) > len(given):
        return False
    place = 0
    for one in every:
        name = one.name
        if one.init and place < len(values):
            if name in named:
                return False
            value = values[place]
            place += 1
        elif one.init and name in named:
            value = named[name]
        elif one.default is not MISSING:
            value = one.default
        elif one.default_factory is not MISSING:
            value = one.default_factory()
        elif one.init:
            return False
        else:
            continue
        _set(self, name, value)
    return True


def draft_of(frozen_class: type[Any]) -> type[Any]:
    """A class of the same layout whose objects can be written to, until they are given the frozen class.

    Writing a slot of one takes a tenth of what an initialiser takes.
    """
    return type(
        f"{frozen_class.__name__}Draft", frozen_class.__bases__, {"__slots__": frozen_class.__slots__}
    )


def _initialiser(made: Any, every: tuple[Field[Any], ...]) -> Any:
    """An initialiser without the look-ups of `object.__setattr__` and of the slot by its name for each field."""
    names: dict[str, Any] = {"_missing": MISSING}
    parameters: list[str] = []
    lines: list[str] = []
    for one in every:
        name = one.name
        names[f"_set_{name}"] = getattr(made, name).__set__
        if one.default is not MISSING:
            names[f"_default_{name}"] = one.default
            parameter, value = f"{name}=_default_{name}", f"_default_{name}"
        elif one.default_factory is not MISSING:
            names[f"_factory_{name}"] = one.default_factory
            parameter, value = f"{name}=_missing", f"_factory_{name}()"
        else:
            parameter, value = name, ""
        if one.init:
            parameters.append(parameter)
            given = f"{value} if {name} is _missing else {name}" if value.endswith("()") else name
            lines.append(f"    _set_{name}(self, {given})")
        elif value:
            lines.append(f"    _set_{name}(self, {value})")
    if hasattr(made, "__post_init__"):
        lines.append("    self.__post_init__()")
    source = f"def __init__(self, {', '.join(parameters)}):\n" + ("\n".join(lines) or "    pass")
    exec(source, names)  # noqa: S102  # only field names of our own classes are in the source
    return names["__init__"]


def _values(names: list[str]) -> Callable[[Any], Any]:
    return attrgetter(*names) if names else lambda value: ()


def _unchangeable(self: Any, name: str, value: object = None) -> NoReturn:
    raise FrozenInstanceError(f"cannot assign to field {name!r}")


def _written(self: Any) -> str:
    shown = (f"{one.name}={getattr(self, one.name)!r}" for one in fields(self) if one.repr)
    return f"{self.__class__.__qualname__}({', '.join(shown)})"


def _state(self: Any) -> list[Any]:
    return [getattr(self, one.name) for one in fields(self)]


def _restore(self: Any, state: list[Any]) -> None:
    for one, value in zip(fields(self), state, strict=True):
        object.__setattr__(self, one.name, value)
