"""Metamorphic laws: what the packs' own examples do stays stopped in every spelling that a shell takes for the same.

`test_laws.py` tries a few commands in many combinations; here each of hundreds of commands is tried in one spelling.
"""

from __future__ import annotations

import base64
import re
from collections.abc import Callable, Mapping
from shlex import quote

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gateway.inspect.kind import Kind
from tests.inspect.places import EXAMPLES, INSPECTOR, PATTERNS

OWN = (
    "rm -rf ~/projects",
    "sudo rm -fr /opt/app",
    "git push origin +main",
    "git reset --hard HEAD~2",
    "find / -name core -delete",
    "shred -u /srv/keys.db",
    "dd if=/dev/zero of=/dev/sda",
    "mkfs -t ext4 /dev/sdc1",
    "chown -R nobody /usr",
    "dropdb --if-exists shop",
    "kubectl delete namespace prod",
    "terraform destroy -auto-approve",
    "crontab -r",
    "iptables -F",
)
# Windows' own spelling of a path opens a quote in a shell; `$1` is what the shell around it makes of it.
_ODD = re.compile(r"\\\"|\$\d|\\'")
COMMANDS = (
    *OWN,
    *(e.text for p in PATTERNS for e in p.matches if e.kind is Kind.SHELL and not _ODD.search(e.text)),
)
_PLAIN = re.compile(r"[\w\s./:=@%+,^-]+\Z", re.ASCII)
_SYNTAX = re.compile(
    r"(?:if|for|while|until|case|function|cd|set|export|unset|declare|history|shopt|alias|source|trap|eval)\b|\w+=|\."
)
WORDS = tuple(c for c in COMMANDS if _PLAIN.match(c) and "\n" not in c and not _SYNTAX.match(c))
"""Commands that are one program and its words, without anything that a shell reads in a way of its own."""


def strictness(text: str) -> int:
    return max((m.effect.strictness for m in INSPECTOR.shell(text, EXAMPLES).matches), default=0)


WRAPPERS = """
sudo {}
sudo -E -u root env -i A=b {}
env X=1 {}
doas {}
timeout 5 {}
timeout -k 1 5s {}
nice -n 5 {}
ionice -c3 {}
nohup {}
setsid -w {}
stdbuf -oL {}
command {}
exec -a x {}
exec {}
builtin exec {}
time -p {}
chrt -i 0 {}
taskset 1 {}
flock /tmp/lock {}
setarch -R {}
setarch x86_64 {}
linux32 {}
strace -f {}
unshare -n {}
prlimit --nofile=5 {}
systemd-run --scope {}
busybox timeout 5 {}
script -q /dev/null {}
X=1 Y=2 {}
2>/dev/null {}
>/dev/null 2>&1 {}
""".strip().splitlines()


@given(st.sampled_from(WORDS), st.lists(st.sampled_from(WRAPPERS), min_size=1, max_size=3))
def test_a_wrapper_hides_nothing(text: str, wrappers: list[str]) -> None:
    # Only a shell itself takes assignments and redirections, so those stand in front of all.
    for wrapper in sorted(wrappers, key=lambda each: each[0] in "X2>"):
        text = wrapper.format(text)
    assert strictness(text) >= 1


SHELLS = (
    "sh -c {}",
    "bash -lc {}",
    "bash -euo pipefail -c {}",
    "zsh -c {}",
    "/bin/dash -c {}",
    "$SHELL -c {}",
    "${{SHELL:-sh}} -c {}",
    "busybox sh -c {}",
    "sudo sh -c {}",
    "su root -c {}",
    "script -c {} /dev/null",
    "script /dev/null -c {}",
    "watch {}",
    "eval {}",
    "command eval {}",
    "trap {} EXIT",
    "env -S 'sh -c' {}",
    "find . -maxdepth 0 -exec sh -c {} \\;",
    "bash <<< {}",
    ". /dev/stdin <<< {}",
    "source <(printf %s {})",
    "bash <(printf %s {})",
    "printf '%s\\n' {} | tee log | bash -s -- a",
    "echo {} > run.sh; sh run.sh",
    "printf %s {} > run.sh && chmod +x run.sh && ./run.sh",
    'C={}; eval "$C"',
    "export C={}; sh -c 'eval \"$C\"'",
    "C={} sh -c 'eval \"$C\"'",
    "sh -c 'eval \"$1\"' _ {}",
    'set -- {}; eval "$1"',
    'f() {{ eval "$1"; }}; f {}',
    'f() {{ local c=$1; bash -c "$c"; }}; f {}',
    'a=({}); eval "${{a[0]}}"',
    'for c in {}; do eval "$c"; done',
    'printf -v c %s {}; eval "$c"',
    'c=; c+={}; eval "$c"',
    'c={}; d=c; eval "${{!d}}"',
    'bash -c "$(printf %s {})"',
    "alias zz={}; zz",
    "coproc bash -c {}",
    "at now <<< {}",
)


@given(st.sampled_from(COMMANDS), st.sampled_from(SHELLS))
def test_a_shell_within_hides_nothing(text: str, shell: str) -> None:
    assert strictness(shell.format(quote(text))) >= 1


@given(
    st.sampled_from([c for c in COMMANDS if "\n" not in c]), st.sampled_from(["mapfile -t", "readarray -t"])
)
def test_lines_that_are_read_into_an_array_are_followed(text: str, read: str) -> None:
    assert strictness(f'{read} a <<< {quote(text)}; eval "${{a[0]}}"') >= 1


DOCUMENTS = (
    "bash <<'Q'\n{}\nQ\n",
    "sudo -u root bash -s <<'Q'\n{}\nQ\n",
    "cat <<'Q' | sh\n{}\nQ\n",
    "tee run.sh <<'Q' | bash\n{}\nQ\n",
    "cat > /tmp/run.sh <<'Q'\n{}\nQ\nbash /tmp/run.sh",
    "cat <<'Q' > run.sh\n{}\nQ\nchmod +x run.sh; ./run.sh",
    "source /dev/stdin <<'Q'\n{}\nQ\n",
    "read -r -d '' C <<'Q'\n{}\nQ\neval \"$C\"",
    "sh -c \"$(cat <<'Q'\n{}\nQ\n)\"",
)


@given(st.sampled_from(COMMANDS), st.sampled_from(DOCUMENTS))
def test_a_document_that_is_run_hides_nothing(text: str, document: str) -> None:
    assert strictness(document.format(text)) >= 1


def _hex(text: str) -> str:
    return "".join(f"\\x{byte:02x}" for byte in text.encode())


def _octal(text: str) -> str:
    return "".join(f"\\{byte:03o}" for byte in text.encode())


def _base64(text: str) -> str:
    return base64.b64encode(text.encode()).decode()


ENCODINGS: tuple[Callable[[str], str], ...] = (
    lambda text: f"echo {_base64(text)} | base64 -d | sh",
    lambda text: f"base64 --decode <<< {_base64(text)} | bash",
    lambda text: f'eval "$(echo {_base64(text)} | base64 -d)"',
    lambda text: f"echo {text.encode().hex()} | xxd -r -p | sh",
    lambda text: f"eval $'{_hex(text)}'",
    lambda text: f"printf '{_hex(text)}' | sh",
    lambda text: f"echo -e '{_hex(text)}' | bash",
    lambda text: f"sh -c \"$(printf '{_octal(text)}')\"",
    lambda text: "python3 -c " + quote(f"import os; os.system({text!r})"),
    lambda text: "python3 -c " + quote(f"import subprocess as s; s.run({text!r}, shell=True)"),
)


@given(st.sampled_from(COMMANDS), st.sampled_from(ENCODINGS))
def test_an_encoding_hides_nothing(text: str, encode: Callable[[str], str]) -> None:
    assert strictness(encode(text)) >= 1


STRUCTURES = (
    "cd . && {}",
    "true; {}",
    "false || {}",
    "ls\n{}\nls",
    "#!/bin/bash\nset -euo pipefail\n# hi\n{}\n",
    "( {} )",
    "{{ {}\n}}",
    "if [ -n x ]; then {}\nfi",
    "if {}\nthen :; fi",
    "if true; then :; else {}\nfi",
    "if true; then :; elif {}\nthen :; fi",
    "for i in 1 2; do {}\ndone",
    "for ((i=0;i<2;i++)); do {}\ndone",
    "while true; do {}\nbreak; done",
    "until {}\ndo :; done",
    "case x in *) {} ;; esac",
    "f() {{ {}\n}}; f",
    "f() ( {} ); f",
    "function f {{ {}\n}}; f",
    "{} &",
    "ls & {} & wait",
    "! {}",
    "! ! {}",
    "time {}",
    "time ! {}",
    "if ! {}\nthen :; fi",
    "coproc {{ {}\n}}",
    "coproc NAME {{ {}\n}}",
    "time {{ {}\n}}",
    "time if true; then {}\nfi",
    "{} # all is well",
    "{} | cat",
    "{} |& tee log",
    "ls | tee >( {} )",
    "diff <( {} ) <(ls)",
    'echo "$( {} )"',
    "X=$( {} )",
    'local_x="$( {} )"; export local_x',
    "a=( $( {} ) )",
    "[[ -n $( {} ) ]]",
    "echo $(( $( {} ) ))",
    "echo ${{x:-$( {} )}}",
    'cat <<< "$( {} )"',
    "cat <<Q\n$( {} )\nQ\n",
    "for x in $( {} ); do :; done",
    "case $( {} ) in x) ;; esac",
    "   \t{}  \t",
    "\\\n{}",
    "unset X; {}",
    "shopt -s expand_aliases; {}",
    "exec > log; {}",
)
# A document within the command ends where the line does, so that nothing can be put behind it there.
_ONE_LINE = tuple(c for c in COMMANDS if "<<" not in c and not c.endswith("&"))


@given(st.sampled_from(_ONE_LINE), st.sampled_from(STRUCTURES))
def test_a_structure_hides_nothing(text: str, structure: str) -> None:
    assert strictness(structure.format(text)) >= 1


def _words(text: str, spell: str) -> str:
    return " ".join(spell.format(word) for word in text.split())


def _cut(text: str, spell: str) -> str:
    return " ".join(spell.format(word[:1], word[1:]) for word in text.split())


# `echo` takes these for its own.
_ECHOED = tuple(c for c in WORDS if not re.search(r"\s-[neE]+(?:\s|\Z)", c))
SPELLINGS: Mapping[str, Callable[[str], str]] = {
    "single": lambda text: _words(text, "'{}'"),
    "double": lambda text: _words(text, '"{}"'),
    "backslash": lambda text: re.sub(r"(\S)", r"\\\1", text),
    "ansi": lambda text: " ".join(f"$'{_hex(word)}'" for word in text.split()),
    "parted": lambda text: _cut(text, "{}''{}"),
    "half": lambda text: _cut(text, "'{}'\"{}\""),
    "continued": lambda text: _cut(text, "{}\\\n{}"),
    "nothing": lambda text: _cut(text, "{}$(){}"),
    "default": lambda text: _words(text, "${{NONE:-{}}}"),
    "printed": lambda text: _words(text, "$(printf %s {})"),
    "tabs": lambda text: "\t".join(text.split()),
    "ifs": lambda text: "${IFS}".join(text.split()),
    "path": lambda text: "/usr/bin/" + text,
    "escaped": lambda text: "\\" + text,
    "array": lambda text: f'a=({text}); "${{a[@]}}"',
    "positional": lambda text: f'set -- {text}; "$@"',
    "function": lambda text: f'f() {{ "$@"; }}; f {text}',
    "variable": lambda text: f"c='{text}'; $c",
    "variables": lambda text: (
        "; ".join(f"v{i}={word}" for i, word in enumerate(text.split()))
        + "; "
        + " ".join(f'"$v{i}"' for i in range(len(text.split())))
    ),
}


@given(st.sampled_from(WORDS), st.sampled_from(sorted(SPELLINGS)))
def test_a_spelling_hides_nothing(text: str, spelling: str) -> None:
    assert strictness(SPELLINGS[spelling](text)) >= 1


@given(st.sampled_from(_ECHOED), st.sampled_from(["$(echo {})", "`echo {}`", '"$(echo {})"']))
def test_words_that_echo_prints_hide_nothing(text: str, spelling: str) -> None:
    assert strictness(_words(text, spelling)) >= 1


# A word in front that looks like an assignment is none where braces or a substitution make it.
@given(st.sampled_from([c for c in WORDS if "," not in c and " " in c]))
def test_braces_hide_nothing(text: str) -> None:
    assert strictness("{" + ",".join(text.split()) + "}") >= 1


@pytest.mark.parametrize("parameter", ["$@", "$*"])
@pytest.mark.parametrize(
    "text", ["g@it -c core.sshCommand=x fetch", "git -c co@re.pager=x log", "rm loc@ked/a"]
)
def test_parameters_that_no_text_has_hide_nothing(text: str, parameter: str) -> None:
    assert strictness(text.replace("@", parameter)) >= 1


MENTIONS = (
    "echo {}",
    "printf '%s\\n' {}",
    "grep -rn {} src",
    "grep -c -e {} README.md",
    "rg -n {} src",
    "git grep {}",
    "git commit -m {}",
    "git commit -am x -m {}",
    "git log --grep {}",
    "git tag -a v1 -m {}",
    "gh pr create --title x --body {}",
    'note={}; echo "$note"',
    ": {}",
    "[[ $x == {} ]]",
    "[ {} = y ]",
    "case {} in x) ls ;; esac",
    "sed -n 's/x/y/p' notes.md # {}",
    "# {}",
    "ls; # {}",
    "f() {{ echo {}; }}",
    "echo {} > notes.txt",
    "echo {} | wc -c",
    "echo {} | tee notes.md",
    "diff <(echo {}) a.txt",
    "jq --arg x {} '.a' a.json",
)
WRITTEN = (
    "cat <<'Q'\n{}\nQ\n",
    "cat > notes.md <<'Q'\n{}\nQ\n",
    "tee docs/notes.md <<'Q'\n{}\nQ\n",
    "git commit -F - <<'Q'\n{}\nQ\n",
    "gh issue create -F - <<'Q'\n{}\nQ\n",
    ": <<'Q'\n{}\nQ\nls",
)


# A deployment's own names, such as a protected branch, and what a variable holds aren't mere words.
_TOLD = tuple(c for c in COMMANDS if "\n" not in c)


@given(st.sampled_from(_TOLD), st.sampled_from(MENTIONS))
def test_a_mention_is_silent(text: str, template: str) -> None:
    if template.lstrip("ls; ").startswith("#") or " # " in template:
        assert strictness(template.format(text)) == 0
    else:
        assert strictness(template.format(quote(text))) == 0


# What uses up the machine in other languages is told by the text of their code, strings and all.
@given(st.sampled_from([c for c in _TOLD if "fork" not in c and "Popen" not in c]))
def test_a_mention_that_python_prints_is_silent(text: str) -> None:
    assert strictness("python3 -c " + quote(f"print({text!r})")) == 0


@given(st.sampled_from([c for c in COMMANDS if "Q" not in c]), st.sampled_from(WRITTEN))
def test_what_is_only_written_is_silent(text: str, template: str) -> None:
    assert strictness(template.format(text)) == 0


# Characters for private use are what the analyser writes unknown parts with: it takes those for unknown.
@given(st.text(st.characters(exclude_categories=["Cs", "Co"]), max_size=80), st.sampled_from(MENTIONS[:3]))
def test_any_text_that_is_only_told_is_silent(text: str, template: str) -> None:
    if "\0" not in text:
        assert strictness(template.format(quote(text))) == 0


HARMLESS = (
    "ls -la",
    "npm test",
    "git status",
    "rm -rf node_modules",
    "cat README.md",
    "make -j4",
    "pytest -q",
    "A=1",
)
OPERATORS = (";", "&&", "||", "\n", "&")


@given(st.sampled_from(_ONE_LINE), st.sampled_from(HARMLESS), st.sampled_from(OPERATORS), st.booleans())
def test_what_stands_beside_lowers_nothing(text: str, other: str, operator: str, first: bool) -> None:
    both = (text, other) if first else (other, text)
    assert strictness(f" {operator} ".join(both)) >= strictness(text) >= 1


@given(st.lists(st.sampled_from(HARMLESS), min_size=1, max_size=6), st.sampled_from(OPERATORS))
def test_harmless_commands_stay_harmless_together(texts: list[str], operator: str) -> None:
    assert strictness(f" {operator} ".join(texts)) == 0
