"""Settings of inspection: effects of patterns, protected paths, names of artefacts; B23."""

from __future__ import annotations

import pytest

from gateway.decision import Code, Effect
from gateway.diagnostic import PolicyError
from tests.engine.build import SHOP, compiled, decide, gateway


def with_settings(text: str) -> str:
    return SHOP.replace("settings:\n", f"settings:\n{text}", 1)


def effect(command: str, settings: str = "") -> Effect:
    return decide("run", {"command": command}, text=with_settings(settings)).effect


def test_a_pattern_has_the_effect_that_the_settings_give_it() -> None:
    assert effect("git reset --hard") is Effect.ASK
    assert effect("git reset --hard", "  patterns: {git.reset.hard: deny}\n") is Effect.DENY
    assert effect("git reset --hard", "  patterns: {git.reset.hard: off}\n") is Effect.ALLOW
    assert effect("git push --force", "  patterns: {git.reset.hard: off}\n") is Effect.DENY


def test_a_looser_pattern_is_posture() -> None:
    text = with_settings("  patterns: {git.reset.hard: off, git.push.force: ask, fs.delete.root: deny}\n")
    assert [one for one in gateway(text).manifest.posture if "pattern" in one] == [
        "the pattern `git.reset.hard` is off (`patterns`)",
        "the pattern `git.push.force` only asks (`patterns`)",
    ]


@pytest.mark.parametrize(
    ("settings", "code", "characters"),
    [
        ("  patterns: {git.reset.hart: off}\n", "unknown-name", "git.reset.hart"),
        ("  patterns: {git.reset.hard: allow}\n", "wrong-value", "allow"),
        ("  packs: [core]\n  patterns: {git.reset.hard: deny}\n", "idle-pattern", "git.reset.hard"),
    ],
)
def test_mistakes(settings: str, code: str, characters: str) -> None:
    with pytest.raises(PolicyError) as error:
        compiled(with_settings(settings))
    found = [(one.code, one.span.text if one.span else "") for one in error.value.diagnostics]
    assert found == [(code, characters)]


@pytest.mark.parametrize(
    "command",
    [
        "rm infra/prod/main.tf",
        "echo > infra/prod/a",
        "rm -rf infra",
        "cd infra; rm -r prod",
        "mv x infra/prod/y",
    ],
)
def test_protected_paths_are_not_changed(command: str) -> None:
    decision = decide("run", {"command": command}, text=with_settings("  protected_paths: [infra/prod]\n"))
    assert (decision.effect, decision.code) == (Effect.DENY, Code.PATTERN)
    assert decision.rule == "fs.protected"


def test_reading_and_neighbours_of_protected_paths_are_free() -> None:
    settings = "  protected_paths: [infra/prod]\n"
    assert effect("cat infra/prod/main.tf", settings) is Effect.ALLOW
    assert effect("rm infra/production.md", settings) is Effect.ALLOW


def test_artefacts_of_the_deployment_are_deleted_without_a_question() -> None:
    assert effect("rm -rf generated") is Effect.ASK
    settings = "  artifacts: [generated]\n"
    assert effect("rm -rf generated src/generated/api", settings) is Effect.ALLOW
    assert effect("rm -rf generated/../src", settings) is Effect.ASK
    assert effect("rm -rf ../generated", settings) is Effect.DENY
    assert [one for one in gateway(with_settings(settings)).manifest.posture if "generated" in one] == [
        "what is called `generated` may be deleted without a question (`artifacts`)"
    ]


def test_a_protected_root_protects_all() -> None:
    text = with_settings("  protected_paths: [/]\n")
    assert decide("run", {"command": "touch src/x"}, text=text).rule == "fs.protected"


@pytest.mark.parametrize(
    ("path", "changes", "spares"),
    [
        ("**/*.lock", "touch a.lock", "touch a.locks"),
        ("**/*.lock", "touch a/b/c.lock", "touch a/b.lock.md"),
        ("**/*.lock", "touch src/$UNKNOWN/a.lock", "touch src/$UNKNOWN/a.txt"),
        ("**/*.lock", "touch src/*.lock", "touch src/*.txt"),
        ("**/*.lock", "rm -rf a", "rm a.txt"),
        ("db/**/seed", "touch db/seed", "touch seed"),
        ("db/**/seed", "touch db/a/b/seed/c", "touch db/a/b"),
        ("db/**/seed", "rm -rf db/a", "rm -rf build"),
        ("**/a/**/b", "touch x/a/y/z/b/c", "touch x/b/a"),
        ("infra/**", "rm -rf infra", "touch infrastructure"),
        ("/srv/**/k", "touch /srv/k", "touch k"),
        ("*/x", "touch a/x", "touch a/b/x"),
    ],
)
def test_two_stars_are_any_number_of_directories(path: str, changes: str, spares: str) -> None:
    text = with_settings(f'  protected_paths: ["{path}"]\n')
    assert decide("run", {"command": changes}, text=text).rule == "fs.protected"
    assert decide("run", {"command": spares}, text=text).rule != "fs.protected"


def test_two_stars_hold_for_paths_that_a_tool_is_given() -> None:
    text = with_settings('  protected_paths: ["**/*.lock"]\n')
    assert decide("write_file", {"path": "a/b.lock"}, text=text).rule == "fs.protected"
    assert decide("write_file", {"path": "a/b.txt"}, text=text).rule != "fs.protected"


def test_many_stars_take_no_longer() -> None:
    pattern = "/".join(["**", "a"] * 20)
    text = with_settings(f"  protected_paths: ['{pattern}/b']\n")
    command = f"touch {'/'.join(['a'] * 1500)}"
    assert decide("run", {"command": command}, text=text).rule != "fs.protected"


@pytest.mark.parametrize(
    ("settings", "key", "help_"),
    [
        (
            "packs: [files]\n  protected_paths: [x]",
            "protected_paths",
            "it needs the pack `core`, which is off",
        ),
        (
            "patterns: {fs.protected: off}\n  protected_paths: [x]",
            "protected_paths",
            "it needs `fs.protected`, which `patterns` turns off",
        ),
        (
            "packs: [core]\n  protected_branches: [x]",
            "protected_branches",
            "it needs the pack `git`, which is off",
        ),
    ],
)
def test_what_nothing_reads_is_an_error_with_what_it_needs(settings: str, key: str, help_: str) -> None:
    with pytest.raises(PolicyError) as error:
        compiled(with_settings(f"  {settings}\n"))
    (one,) = error.value.diagnostics
    assert (one.code, one.span and one.span.text, one.help) == ("idle-setting", key, help_)
