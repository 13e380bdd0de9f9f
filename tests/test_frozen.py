"""Frozen classes behave as those that `dataclass` makes."""

from __future__ import annotations

import pickle
import subprocess
import sys
from copy import deepcopy
from dataclasses import FrozenInstanceError, dataclass, field, fields, is_dataclass, replace
from typing import Any

import pytest

from gateway.frozen import frozen, identified, slotted


@frozen
class Pair:
    """A pair."""

    left: int
    right: str = "r"
    seen: list[int] = field(default_factory=list, compare=False, repr=False)
    length: int = field(init=False, compare=False, repr=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "length", len(self.right))

    @property
    def both(self) -> str:
        return f"{self.left}{self.right}"


@dataclass(frozen=True, slots=True)
class Model:
    """A pair."""

    left: int
    right: str = "r"


@identified
class Alone:
    """Equal to itself alone."""

    value: Any
    kept: dict[str, int] = field(default_factory=dict, init=False)


def test_what_is_made_is_what_was_given() -> None:
    pair = Pair(1, seen=[3])
    assert (pair.left, pair.right, pair.seen, pair.length, pair.both) == (1, "r", [3], 1, "1r")
    assert Pair(1).seen is not Pair(1).seen
    assert Alone(1).kept == {}
    with pytest.raises(TypeError):
        Pair()  # type: ignore[call-arg]
    with pytest.raises(TypeError):
        Pair(1, other=2)  # type: ignore[call-arg]


def test_equality_hash_and_text_are_those_of_the_fields() -> None:
    assert Pair(1, "a", [1]) == Pair(1, "a", [2])
    assert hash(Pair(1, "a", [1])) == hash(Pair(1, "a"))
    assert Pair(1) != Pair(2)
    model: object = Model(1)
    assert Pair(1) != model
    assert repr(Pair(1)) == repr(Model(1)).replace("Model", "Pair")
    one = Alone(1)
    assert one == one and one != Alone(1) and len({one, Alone(1)}) == 2


def test_nothing_is_changed_or_added() -> None:
    pair = Pair(1)
    for name in ("left", "other"):
        with pytest.raises((FrozenInstanceError, AttributeError)):
            setattr(pair, name, 2)
    with pytest.raises(FrozenInstanceError):
        del pair.left
    assert not hasattr(pair, "__dict__")


def test_the_tools_for_dataclasses_work() -> None:
    pair = Pair(1, "abc", [4])
    assert is_dataclass(pair)
    assert [one.name for one in fields(pair)] == ["left", "right", "seen", "length"]
    assert replace(pair, left=5) == Pair(5, "abc")
    assert replace(pair, right="a").length == 1
    match pair:
        case Pair(left, right=right):
            assert (left, right) == (1, "abc")
    assert Pair.__doc__ == "A pair."


@pytest.mark.parametrize("copy", [deepcopy, lambda value: pickle.loads(pickle.dumps(value))])  # noqa: S301
def test_copies_are_equal(copy: Any) -> None:
    pair = Pair(1, "abc", [4])
    assert (copy(pair), copy(pair).seen, copy(pair).length) == (pair, [4], 3)


@slotted
class Open:
    """May be changed."""

    value: int
    more: list[int] = field(default_factory=list)


def test_what_is_slotted_may_be_changed_but_gets_nothing_new() -> None:
    one = Open(1)
    one.value = 2
    assert (one, replace(one, value=3).value, Open(2) == one) == (one, 3, False)
    with pytest.raises(AttributeError):
        one.other = 1  # type: ignore[attr-defined]


@frozen
class Told:
    value: int

    def __hash__(self) -> int:
        return 7


def test_a_hash_of_its_own_stays_and_so_does_equality() -> None:
    assert hash(Told(1)) == 7
    assert Told(1) == Told(1) != Told(2)


@frozen
class Many:
    """Made both ways."""

    left: int
    right: str = "r"
    seen: list[int] = field(default_factory=list)
    length: int = field(init=False, default=0)

    def __post_init__(self) -> None:
        object.__setattr__(self, "length", self.length + 1)


def test_the_first_are_made_as_all_others_are() -> None:
    for _ in range(40):
        made = [Many(1), Many(left=1), Many(1, "r"), Many(1, right="r", seen=[])]
        assert all((one.left, one.right, one.seen, one.length) == (1, "r", [], 1) for one in made)


@pytest.mark.parametrize(
    "given", [((), {}), ((1, "r", [], 0), {}), ((1,), {"left": 1}), ((1,), {"length": 1}), ((1,), {"x": 1})]
)
def test_what_does_not_fit_is_refused_by_the_first_as_well(
    given: tuple[tuple[Any, ...], dict[str, Any]],
) -> None:
    values, named = given

    @frozen
    class Fresh:
        """Never made before."""

        left: int
        right: str = "r"
        seen: list[int] = field(default_factory=list)
        length: int = field(init=False, default=0)

    for _ in range(2):
        with pytest.raises(TypeError):
            Fresh(*values, **named)


RACE = """
import sys
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier
from gateway.frozen import frozen

sys.setswitchinterval(1e-6)
threads = 16
with ThreadPoolExecutor(threads) as pool:
    for _ in range(150):
        @frozen
        class Base:
            left: int
            right: str = "r"

        @frozen
        class Pair(Base):
            more: int = 3

        together = Barrier(threads)

        def make(number):
            together.wait()
            return Pair(number) == Pair(number, "r", 3)

        assert all(pool.map(make, range(threads)))
print("all alike")
"""


def test_threads_that_made_the_first_objects_of_a_class_at_once_failed() -> None:
    done = subprocess.run([sys.executable, "-c", RACE], capture_output=True, text=True, check=False)
    assert (done.stdout, done.stderr) == ("all alike\n", "")
