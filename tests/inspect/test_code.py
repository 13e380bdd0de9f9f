"""Code in programming languages: what it would do is found however it is spelled; what only speaks of it is not."""

from __future__ import annotations

import base64
import codecs
import subprocess
import sys
import zlib
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gateway.inspect.code import Code
from gateway.inspect.deed import Deed, Does, Extent, Origin
from gateway.inspect.guard import Access
from gateway.inspect.kind import Kind
from gateway.inspect.languages.readers import LANGUAGES, read_code
from gateway.inspect.python.reader import read_python
from gateway.inspect.shell.invocation import Reading
from gateway.inspect.shell.scope import Scope
from gateway.inspect.shell.walk import read
from gateway.inspect.word import shown
from tests.inspect.places import INSPECTOR, PLACE
from tests.lists import read_list

CASES: dict[str, Any] = read_list("inspect/code.yaml")
IN_SHELL: list[str] = CASES.pop("in_shell")
# How each language spells a text, and a comment, that says what would destroy.
TEXTS = {
    "python": ("x = {}", "# {}"),
    "javascript": ("let x = {}", "// {}"),
    "perl": ("my $x = {};", "# {}"),
    "ruby": ("x = {}", "# {}"),
    "php": ("$x = {};", "// {}"),
    "lua": ("x = {}", "-- {}"),
    "r": ("x <- {}", "# {}"),
    "julia": ("x = {}", "# {}"),
    "groovy": ("def x = {}", "// {}"),
    "go": ("var x = {}", "// {}"),
    "awk": ("BEGIN{{x = {}}}", "# {}"),
}
DESTROYS = {
    "python": "__import__('os').remove('/d')",
    "javascript": "require('fs').unlinkSync('/d')",
    "perl": "unlink('/d')",
    "ruby": "File.delete('/d')",
    "php": "unlink('/d');",
    "lua": "os.remove('/d')",
    "r": "unlink('/d')",
    "julia": "rm('/d')",
    "groovy": "new File('/d').delete()",
    "go": "os.Remove('/d')",
    "awk": "BEGIN{system('rm /d')}",
}


def told(deed: Deed) -> str:
    """A deed as the cases spell it."""
    parts = [deed.does.value, shown(deed.target)]
    parts += [deed.extent.value] if deed.extent is not Extent.ONE else []
    parts += [deed.origin.value] if deed.origin is not None else []
    parts += ["secret"] if deed.secret else []
    parts += [f"in {deed.cwd}"] if deed.cwd not in (".", None) else []
    return " ".join(parts)


def findings(code: Code) -> set[str]:
    """All that was found, as the cases spell it."""
    found = {told(deed) for deed in code.deeds}
    found |= {f"shell: {shown(word.value)}" for word in code.shells}
    found |= {"run: " + " ".join(shown(word.value) for word in words) for words in code.commands}
    found |= {f"sql: {shown(word.value)}" for word in code.queries}
    return found | ({"doubt"} if code.doubts else set())


def places(code: Code) -> list[tuple[int, int]]:
    """Where all that was found stands."""
    words = [*code.shells, *code.queries, *(word for words in code.commands for word in words)]
    found = [(word.start, word.end) for word in words] + [(deed.start, deed.end) for deed in code.deeds]
    return found + [(doubt.start, doubt.end) for doubt in code.doubts]


@pytest.mark.parametrize(
    ("language", "case"), [(language, case) for language, cases in CASES.items() for case in cases]
)
def test_what_code_does_is_found(language: str, case: dict[str, Any]) -> None:
    code = read_code(language, case["code"])
    assert findings(code) == set(case["finds"])
    assert all(0 <= start <= end <= len(case["code"]) for start, end in places(code))


def test_every_language_has_cases() -> None:
    assert set(CASES) == set(LANGUAGES)


@pytest.mark.parametrize("command", IN_SHELL)
def test_a_shell_that_gives_code_to_an_interpreter_does_what_the_code_does(command: str) -> None:
    reading = Reading()
    read(reading, command, 0, (0, len(command)), Scope("/home/dev/shop", "/home/dev"))
    deleted = [deed for deed in reading.deeds if deed.does is Does.DELETE]
    paths = {
        deed.target.rstrip("/") if deed.target.startswith("/") else f"{deed.cwd}{deed.target}"
        for deed in deleted
    }
    assert paths == {"/data"}
    assert all(0 <= deed.start <= deed.end <= len(command) for deed in reading.deeds)


def test_a_deed_in_a_shell_stands_where_the_code_spells_it() -> None:
    command = "ls && python3 -c 'import os; os.remove(\"/d\")'"
    reading = Reading()
    read(reading, command, 0, (0, len(command)), Scope("/w", "/home/dev"))
    (deed,) = reading.deeds
    assert command[deed.start : deed.end] == '"/d"'


def test_a_line_of_powershell_is_read_once() -> None:
    reading = Reading()
    command = "Get-ChildItem -Recurse -Filter *.pyc | Remove-Item"
    read(reading, command, 0, (0, len(command)), Scope("/w", "/home/dev"))
    assert {told(deed) for deed in reading.deeds} == {"delete ./**/*.pyc tree in /w"}
    assert not reading.doubts


def test_code_that_can_not_be_known_is_doubted() -> None:
    reading = Reading()
    command = 'python3 -c "$CODE"'
    read(reading, command, 0, (0, len(command)), Scope("/w", "/home/dev"))
    assert [doubt.reason for doubt in reading.doubts] == ["the code that it runs is only known when it runs"]


def test_code_from_an_address_runs_from_the_network() -> None:
    reading = Reading()
    command = "deno run -A https://x.example/mod.ts"
    read(reading, command, 0, (0, len(command)), Scope("/w", "/home/dev"))
    assert [(deed.does, deed.origin) for deed in reading.deeds] == [(Does.EXEC, Origin.NETWORK)]


@pytest.mark.parametrize("language", sorted(TEXTS))
@given(before=st.text(alphabet="abc \n", max_size=10))
@settings(max_examples=10, deadline=None)
def test_a_text_or_comment_that_would_destroy_does_nothing(language: str, before: str) -> None:
    inside, comment = TEXTS[language]
    lines = before.replace("\n", " ").strip()
    text = inside.format(f'"{lines}{DESTROYS[language]}"')
    for code in (text, comment.format(f"{lines} {DESTROYS[language]}")):
        assert findings(read_code(language, code)) == set(), code


@pytest.mark.parametrize("language", sorted(set(DESTROYS) - {"awk", "julia", "go"}))
def test_the_same_outside_of_a_text_is_found(language: str) -> None:
    assert any(deed.does is Does.DELETE for deed in read_code(language, DESTROYS[language]).deeds)


FRAGMENTS = (
    "os", ".", "remove", "(", ")", "'", '"', "[", "]", "{", "}", "$", "`", "\n", " ", "=", "+", ",", "%", "exec", "import ",
    "for x in ", ":", "lambda ", "def f():", "\\", "#", "//", "/*", "<<E", "q{", "%w(", "system", "unlink ", "-", ">", "|",
    "$(", "@'", "'@", "^", "&", "-enc ", "é", "\x00", "\ud800", "\ue000", "rd /s ", "iex ", "f'{", "0777", "!", "-- ", "[[",
)  # fmt: skip


@pytest.mark.parametrize("language", sorted(LANGUAGES))
@given(text=st.one_of(st.text(max_size=200), st.lists(st.sampled_from(FRAGMENTS), max_size=60).map("".join)))
@settings(max_examples=60, deadline=None)
def test_no_text_raises_and_all_places_are_in_it(language: str, text: str) -> None:
    code = read_code(language, text)
    assert all(0 <= start <= end <= len(text) for start, end in places(code)), places(code)


@pytest.mark.parametrize("language", ["python", "javascript", "perl", "ruby", "php", "powershell", "cmd"])
@pytest.mark.parametrize("opener", ["(", "[", "{", "f(", "$(", "exec('", "!", "-", "a.b(", "if x:\n ", "%("])
def test_deep_code_ends_in_a_doubt_or_in_nothing(language: str, opener: str) -> None:
    code = read_code(language, opener * 5000)
    assert not code.deeds


def test_code_that_is_too_long_is_doubted_where_it_may_destroy() -> None:
    harmless = "x = 1\n" * 20_000
    assert not read_python(harmless).doubts
    assert read_python(harmless + "import os\nos.remove('/d')").doubts


def test_work_is_bounded_where_functions_call_each_other() -> None:
    lines = ["def f0(x): __import__('os').remove(x)"]
    lines += [f"def f{i}(x):\n    f{i - 1}(x + 'a')\n    f{i - 1}(x + 'b')" for i in range(1, 40)]
    code = read_python("\n".join([*lines, "f39('/d')"]))
    assert code.doubts or any(deed.does is Does.DELETE for deed in code.deeds)


def test_readers_are_imported_when_there_is_code_for_them() -> None:
    modules = sorted({module for module, _ in LANGUAGES.values()})
    code = f"import sys, gateway.inspect.texts; print([m for m in {modules} if m in sys.modules])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def test_nothing_is_found_in_a_language_that_is_not_known() -> None:
    assert read_code("cobol", "os.remove('/d')") == Code()


PAYLOAD = "import shutil\nshutil.rmtree('/home/dev')\n"
PADDED = base64.b64encode(zlib.compress(f"#{' ' * 20_000}\n{PAYLOAD}".encode())).decode()
HIDDEN = base64.b64encode(b"import shutil\nshutil.rm\xfftree('/home/dev')\n").decode()
ALPHABET = base64.b64encode(('x = "??>>??>>"\n' * 4 + PAYLOAD).encode(), altchars=b"!?").decode()
ESCAPED = "".join(f"\\x{ord(char):02x}" for char in PAYLOAD)


@pytest.mark.parametrize(
    "decoded",
    [
        "zlib.decompress(b'abc')",
        "gzip.decompress(base64.b64decode('H4sI'))",
        f"zlib.decompress(base64.b64decode('{PADDED}'))",
        f"base64.b64decode('{ALPHABET}', altchars=b'!?')",
        f"base64.b64decode('{ALPHABET}', b'!?')",
        f"base64.b64decode('{HIDDEN}').decode('utf-8', 'ignore')",
        f"base64.b64decode('{HIDDEN}').decode(errors='ignore')",
        f"codecs.decode({codecs.encode(PAYLOAD.encode(), 'uu')!r}, 'uu')",
        f"codecs.decode(r'{ESCAPED}', 'unicode_escape')",
        f"rb'{ESCAPED}'.decode('unicode_escape')",
        f"{PAYLOAD.encode('utf-16')!r}.decode('utf-16')",
    ],
)
def test_code_that_can_not_be_decoded_here_is_not_taken_for_none(decoded: str) -> None:
    code = f"import base64, codecs, gzip, zlib\nexec({decoded})"
    found = INSPECTOR.inspect(Kind.PYTHON, code, PLACE, Access.READ)
    assert {match.effect.value for match in found.matches} == {"deny"}


@pytest.mark.parametrize(
    "command",
    [
        "'XXrm -rf /XX'.strip('X')",
        "'--rm -rf /'.lstrip('-')",
        "'RM -rf /'.casefold()",
        "'rm -rf /#'.rstrip(MARK)",
    ],
)
def test_what_is_stripped_of_a_command_is_no_part_of_it(command: str) -> None:
    found = INSPECTOR.inspect(Kind.PYTHON, f"import os\nos.system({command})", PLACE, Access.READ)
    assert found.matches


@pytest.mark.parametrize(
    "code",
    [
        "print(open('a.txt').read().strip().removeprefix('v'))",
        "print('x'.removeprefix(), 'a'.strip(None), b'a'.decode(), 'a'.encode('utf-8').hex())",
        "import subprocess\nout = subprocess.check_output(['git', 'log']).decode('utf-8', 'ignore').strip()\nprint(out)",
        "exec(open('setup.cfg').read().encode().decode('utf-8', errors='replace').strip('x'))",
    ],
)
def test_texts_of_everyday_code_are_left_alone(code: str) -> None:
    assert INSPECTOR.inspect(Kind.PYTHON, code, PLACE, Access.READ).matches == ()
