"""Options are found whatever their spelling, and mounts whatever the option that makes them."""

from __future__ import annotations

import pytest

from gateway.inspect.deed import Extent
from gateway.inspect.mounts import mounts
from gateway.inspect.options import bind, options
from gateway.inspect.shell.invocation import Invocation
from gateway.inspect.word import Word
from tests.inspect.places import INSPECTOR, PLACE

KNOWN = options("-chdir= --chdir=, -o= --output=, -v= --volume=, --mount=, -auto-approve --auto-approve")


def words(*values: str) -> tuple[Word, ...]:
    return tuple(Word(value, 0, len(value)) for value in values)


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        (("-chdir=infra", "destroy"), {"chdir": ["infra"]}),
        (("-chdir", "infra", "destroy"), {"chdir": ["infra"]}),
        (("--chdir=a=b", "destroy"), {"chdir": ["a=b"]}),
        (("-auto-approve=true", "destroy"), {"auto-approve": ["true"]}),
        # One letter and its value is no long option.
        (("-o=x", "destroy"), {"output": ["=x"]}),
    ],
)
def test_long_options_behind_one_dash(given: tuple[str, ...], expected: dict[str, list[str]]) -> None:
    bound = bind(KNOWN, words(*given))
    assert {name: [word.value for word in values] for name, values in bound.flags.items()} == expected
    assert [word.value for word in bound.operands] == ["destroy"]


@pytest.mark.parametrize(
    ("given", "hosts"),
    [
        (("-v", "/etc:/e:ro", "image"), ["/etc"]),
        (("-v=/etc:/e", "image"), ["/etc"]),
        (("--mount", "type=bind,source=/srv,target=/s", "image"), ["/srv"]),
        (("--mount=dst=/s,src=/srv", "image"), ["/srv"]),
        (("run", "./data:/d"), ["./data"]),
        (("-v", "data:/d", "registry:5000/image:1"), []),
        (("--mount", "type=volume,src=data,dst=/d", "image"), []),
    ],
)
def test_a_mount_reads_the_tree_of_the_host(given: tuple[str, ...], hosts: list[str]) -> None:
    bound = bind(KNOWN, words(*given))
    made = list(mounts(bound, Invocation("docker", "docker", words(*given), (), None, "/", 0, 1)))
    assert [deed.target for deed in made] == hosts
    assert all(deed.extent is Extent.TREE for deed in made)


@pytest.mark.parametrize("spelling", ["flushall", "FLUSHALL", "FlushAll", "fLuShAlL"])
def test_capitals_mean_nothing_to_some_programs(spelling: str) -> None:
    found = INSPECTOR.shell(f"redis-cli {spelling}", PLACE).matches
    assert [match.pattern for match in found] == ["data.store.wipe"]
    # To most programs they do.
    assert INSPECTOR.shell("terraform DESTROY", PLACE).matches == ()


def test_what_a_command_is_fed_counts() -> None:
    assert INSPECTOR.shell("mongosh <<< 'db.dropDatabase()'", PLACE).matches
    assert INSPECTOR.shell("echo 'db.dropDatabase()' | mongosh shop", PLACE).matches
    assert INSPECTOR.shell("mongosh <<< 'db.orders.countDocuments()'", PLACE).matches == ()
    assert INSPECTOR.shell("cat <<< 'db.dropDatabase()'", PLACE).matches == ()


@pytest.mark.parametrize(
    ("text", "effect"),
    [
        ("docker exec cache redis-cli flushall", "deny"),
        ("docker exec -u 0 -e A=b cache redis-cli flushall", "deny"),
        ("docker compose -f ci.yml exec -T cache redis-cli flushall", "deny"),
        ("kubectl exec -n shop cache-0 -c main -- redis-cli flushall", "deny"),
        # The name of a container is no program, even where it is called like one.
        ("docker exec mysql mysqladmin -f drop shop", "deny"),
        # Behind another program it may be text.
        ("docker exec cache retry 3 redis-cli flushall", "ask"),
    ],
)
def test_what_follows_a_container_runs_in_it(text: str, effect: str) -> None:
    assert {match.effect.value for match in INSPECTOR.shell(text, PLACE).matches} == {effect}


def test_a_container_that_is_called_like_a_program_runs_none() -> None:
    assert INSPECTOR.shell("docker exec rm ls", PLACE).matches == ()
