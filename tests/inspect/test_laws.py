"""Laws of inspection: how a command is spelled or wrapped changes nothing; what only mentions it is silent."""

from __future__ import annotations

import os
import subprocess
import sys
from shlex import quote

from hypothesis import given
from hypothesis import strategies as st

from tests.inspect.places import INSPECTOR, PLACE

DANGEROUS = (
    "rm -rf /srv/data",
    "rm -r -f ~",
    "git push --force origin main",
    "git -C sub reset --hard HEAD~1",
    "psql -c 'DROP TABLE users'",
    "mysql shop -e 'truncate logs'",
    "find /srv -delete",
    "dropdb shop",
    "mkfs.ext4 /dev/sdb1",
    "sgdisk -Z /dev/sdb",
    "chmod -R 777 /srv",
    "shutdown -h now",
    "kill -9 1",
    "useradd eve",
)
HARMLESS = ("ls -la", "npm test", "git status", "echo done", "rm -rf node_modules", "psql -c 'select 1'")
PREFIXES = (
    "sudo {}",
    "env A=1 {}",
    "timeout 5 {}",
    "nice -n 5 {}",
    "nohup {}",
    "command {}",
    "time {}",
)
STRUCTURES = (
    "true && {}",
    "false; {}",
    "( {} )",
    "{{ {}; }}",
    "if true; then {}; fi",
    "for i in 1 2; do {}; done",
    "f() {{ {}; }}; f",
    # A blank keeps a subshell inside from reading as arithmetic.
    'echo "$( {})"',
    "X=$( {})",
    "{} > out.txt 2>&1",
    "ls | {}",
    "! {}",
)
TEXTS = (
    "echo {}",
    "printf '%s\\n' {}",
    "grep -rn -e {} .",
    "git commit -m {}",
    "git log --grep={}",
    'X={}; echo "$X"',
    "gh issue create --body {}",
    '[ "$a" = {} ]',
    "./tool --text {}",
)


def strictness(text: str) -> int:
    return max((m.effect.strictness for m in INSPECTOR.shell(text, PLACE).matches), default=0)


dangerous = st.sampled_from(DANGEROUS)
wrappings = st.tuples(
    st.lists(st.sampled_from(PREFIXES), max_size=3), st.lists(st.sampled_from(STRUCTURES), max_size=3)
).map(lambda both: [*both[0], *both[1]])


def wrapped(text: str, wrappings: list[str]) -> str:
    for wrapping in wrappings:
        text = wrapping.format(text)
    return text


@given(dangerous, wrappings)
def test_wrapped_is_still_stopped(text: str, wrappings: list[str]) -> None:
    assert strictness(wrapped(text, wrappings)) >= 1


@given(
    dangerous, st.sampled_from(["sh -c {}", "bash -lc {}", "eval {}", "echo {} | sh", "sh <<< {}"]), wrappings
)
def test_nested_is_still_stopped(text: str, shell: str, wrappings: list[str]) -> None:
    assert strictness(wrapped(shell.format(quote(text)), wrappings)) >= 1


@given(dangerous, st.sampled_from(["bash", "sh -s", "sudo sh"]), st.sampled_from(["EOF", "'EOF'", "\\EOF"]))
def test_a_document_for_a_shell_is_code(text: str, shell: str, delimiter: str) -> None:
    assert strictness(f"{shell} <<{delimiter}\n{text}\nEOF\n") >= 1


@given(dangerous, st.sampled_from(["cat", "tee notes.md", "wc -l", "git commit -F -"]))
def test_a_document_for_another_program_is_text(text: str, program: str) -> None:
    assert strictness(f"{program} <<'EOF'\n{text}\nEOF\n") == 0


@given(dangerous, st.sampled_from(TEXTS))
def test_a_mention_is_silent(text: str, template: str) -> None:
    assert strictness(template.format(quote(text))) == 0


@given(dangerous)
def test_a_comment_is_silent(text: str) -> None:
    assert strictness(f"ls # {text}") == 0


@given(dangerous, st.data())
def test_quotes_change_nothing(text: str, data: st.DataObject) -> None:
    cut = data.draw(st.sampled_from([i for i, c in enumerate(text) if c.isalpha() and "'" not in text[:i]]))
    spelling = data.draw(
        st.sampled_from(["'{}'", '"{}"', "\\{}", "$'{}'", "''{}", '{}""', "\\\n{}", "${{nothing}}{}"])
    )
    spelled = text[:cut] + spelling.format(text[cut]) + text[cut + 1 :]
    assert strictness(spelled) >= 1


@given(st.permutations(["-v", "-f", "--recursive", "/srv/data", "build"]))
def test_the_order_of_options_changes_nothing(words: list[str]) -> None:
    assert strictness("rm " + " ".join(words)) == 3


@given(st.permutations(["-u", "origin", "main", "--force"]))
def test_the_order_of_options_to_git_changes_nothing(words: list[str]) -> None:
    assert strictness("git push " + " ".join(words)) == 3


@given(
    st.sampled_from(DANGEROUS + HARMLESS),
    st.sampled_from(DANGEROUS + HARMLESS),
    st.sampled_from([";", "&&", "||", "|", "\n", "&"]),
)
def test_a_list_is_as_strict_as_its_strictest_part(left: str, right: str, operator: str) -> None:
    assert strictness(f"{left} {operator} {right}") >= max(strictness(left), strictness(right))


@given(st.lists(st.sampled_from(HARMLESS), max_size=4), st.sampled_from([";", "&&", "||", "\n"]))
def test_harmless_commands_together_are_harmless(texts: list[str], operator: str) -> None:
    assert strictness(f" {operator} ".join(texts)) == 0


_TOLD = """
from tests.inspect.places import PATTERNS, inspected
for pattern in PATTERNS:
    for example in (*pattern.matches, *pattern.misses):
        print([(m.pattern, m.reason, m.start, m.end) for m in inspected(example).matches])
"""


def test_what_is_told_does_not_depend_on_the_order_of_sets() -> None:
    told = {
        subprocess.run(
            [sys.executable, "-c", _TOLD],
            env={**os.environ, "PYTHONHASHSEED": seed},
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        for seed in ("1", "2", "3")
    }
    assert len(told) == 1
    assert len(told.pop().splitlines()) > 1000
