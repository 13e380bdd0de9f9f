"""Expressions that are compiled later do what compiled ones do, and each of them is one."""

from __future__ import annotations

import gc
import pkgutil
import re
from importlib import import_module

import pytest

import gateway
from gateway.later import Later, later


def test_it_does_what_a_compiled_expression_does() -> None:
    word = later(r"(?P<first>[a-z])[a-z]*", re.IGNORECASE)
    compiled = re.compile(r"(?P<first>[a-z])[a-z]*", re.IGNORECASE)
    assert (word.pattern, word.flags, word.groupindex) == (
        compiled.pattern,
        compiled.flags,
        compiled.groupindex,
    )
    for text in ("", "Abc def", "1 b"):
        for name in ("match", "fullmatch", "search"):
            ours, theirs = getattr(word, name)(text), getattr(compiled, name)(text)
            assert (ours and ours.span()) == (theirs and theirs.span())
        assert word.findall(text) == compiled.findall(text)
        assert [m.span() for m in word.finditer(text)] == [m.span() for m in compiled.finditer(text)]
        assert word.sub("-", text) == compiled.sub("-", text)
        assert word.subn("-", text) == compiled.subn("-", text)
        assert word.split(text) == compiled.split(text)


def test_it_compiles_once_and_not_before() -> None:
    wrong = later("(")
    with pytest.raises(re.error):
        wrong.match("")
    word = later("a")
    assert "match" not in vars(word)
    assert word.match("a") is not None
    assert vars(word)["match"] is word.match


def test_each_that_there_is_compiles() -> None:
    for package in (gateway, import_module("gatewayctl")):
        for module in pkgutil.walk_packages(package.__path__, f"{package.__name__}."):
            if not module.name.endswith("__main__"):
                import_module(module.name)
    found = [one for one in gc.get_objects() if type(one) is Later and one._given != ("(", 0)]
    assert len(found) > 200
    for each in found:
        assert isinstance(each.pattern, str)
