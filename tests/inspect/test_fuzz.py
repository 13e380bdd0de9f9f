"""Noise of every kind: nothing raises, every match lies in the text, and what isn't read to its end is never silent."""

from __future__ import annotations

from shlex import quote

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gateway.inspect.guard import Access
from gateway.inspect.inspection import Inspection
from gateway.inspect.kind import Kind
from gateway.inspect.shell.invocation import Reading
from gateway.inspect.shell.parse import MAX_SCRIPT, MAX_WORK, Budget, Unreadable
from gateway.inspect.shell.scope import Scope
from gateway.inspect.shell.walk import read
from tests.inspect.places import EXAMPLES, GUARDED, INSPECTOR, PLACE

_SIGNS = [
    *"\"'`$(){}[]<>|&;\\\n\t #*?~!=-+:/,.%@^0aZ",
    "\x00",
    "\r\n",
    "é",
    "\ud800",
    "\ue000",
    "\ue005",
    "\ue012",
    "😀",
]
_SHELL = """
rm -rf $( ${ $(( )) <<E <<-'E' E <<< >& &> |& ;; ;& [[ ]] (( if then elif else fi for in do done while until case esac
select function f() { } time coproc ! eval exec trap read mapfile local export declare unset set -- shift source alias
"$@" $* $1 ${a[@]} ${a:-b} ${!a} ${a//b/c} a=(b) a+=c a[1]=b {a,b} {1..9} $'\\x41' $"a" `ls` <(ls) >(ls) 2>&1 >/dev/null
sudo env xargs find -exec {} \\; + sh -c bash -lc python3 -c node -e perl -ne psql -c git -c push --force ssh h awk sed
printf %s%n echo -e base64 -d tr a-z b-z rev cut mktemp curl http://a/ pwsh -c cmd /c del Remove-Item -Recurse C:\\
"""
_CODE = """
import os; os.system( subprocess.run( shell=True) open( .write( eval( exec( lambda x: def f(): class A: return yield [ ] ( )
{ } f"{x}" b'\\x41' r"a" '''a''' + % .format( .join( for x in y if else try: except: with as async await := * ** -> @a
require('fs') .unlinkSync( => `${a}` function( File.delete unlink( system( qx{ir} %x(ls) <%= $x @y ~ =~ s/a/b/ -- /* */
"""
_SQL = """
DROP TABLE a; DELETE FROM b WHERE 1=1 OR UPDATE SET x = ( SELECT ) UNION -- /* */ /*! $$ ' " ` [ ] exec( @a declare begin
end; do $x$ execute immediate || char(65) 0x41 q'[ E'\\ truncate grant all to public copy program 'ls' \\! .shell go
"""
_URL = """
http:// https:// file:/// javascript: data:text/html,x // \\\\ @ : / ? # % %41 %00 %zz [::1] [ ] 127.0.0.1 0x7f.1 169.254.169.254
localhost a.example xn-- 。 ．． .. ; user:pass ftp:// gopher:// 0177.0.0.1 2130706433 ::ffff: :80 :99999999999 é 😀
"""
_PATH = """
/ // . .. ../ ~ ~root ~/ $HOME %2e%2e%2f \\ \\\\?\\ C:\\ C: CON nul file:// /proc/self/root .git .env .ssh etc passwd * ? [a-z]
 {a,b} \x00 \x07 é e\u0301 \u202e \u2215 \uff0f .claude settings.json policies :$DATA ::  a.txt.
"""
_WINDOWS = """
Remove-Item -Recurse -Force C:\\ iex iwr | % { $_ } ForEach-Object & ( ) @( @{ $( "$x" '$x' `n -EncodedCommand AAAA ; , > 2>&1
>> $null [IO.File]::Delete( ) . .\\a.ps1 del /s /q format c: rd ^& %a% !a! && || if exist for /f %i in do call cmd /c start
function f param( try catch { } <# #> # @" "@ .. -join -f -replace [char]65 + $env:A $a = New-Object Net.WebClient
"""


def soup(language: str) -> st.SearchStrategy[str]:
    """Words of a language and signs, run together or parted."""
    words = language.split()
    piece = st.one_of(
        st.sampled_from(words),
        st.sampled_from(_SIGNS),
        st.just(" "),
        st.sampled_from([f" {w} " for w in words]),
    )
    return st.lists(piece, max_size=40).map("".join)


noise = st.one_of(
    st.text(st.characters(), max_size=120), st.binary(max_size=120).map(lambda raw: raw.decode("latin-1"))
)


def sound(text: str, inspection: Inspection) -> None:
    """Every match quotes the text where it stands, and a text that is not read to its end is not let pass."""
    for match in inspection.matches:
        assert 0 <= match.start <= match.end <= len(text)
        assert match.text == text[match.start : match.end]
        assert match.effect.value in ("ask", "deny")
    assert inspection.matches or inspection.analysis != "unparsed"


@given(st.one_of(soup(_SHELL), soup(_WINDOWS), noise))
def test_shell(text: str) -> None:
    sound(text, INSPECTOR.shell(text, EXAMPLES))
    sound(text, GUARDED.shell(text, PLACE))


@given(st.one_of(soup(_SHELL), noise))
def test_git(text: str) -> None:
    sound(text, INSPECTOR.git(text, PLACE))


@given(st.one_of(soup(_CODE), noise))
def test_python(text: str) -> None:
    sound(text, INSPECTOR.inspect(Kind.PYTHON, text, PLACE, Access.READ))


@given(st.one_of(soup(_SQL), noise), st.sampled_from([None, "mysql", "postgres", "tsql", "oracle", "sqlite"]))
def test_sql(text: str, dialect: str | None) -> None:
    sound(text, INSPECTOR.sql(text, dialect, PLACE))


@given(st.one_of(soup(_URL), noise))
def test_url(text: str) -> None:
    sound(text, INSPECTOR.inspect(Kind.URL, text, PLACE, Access.READ))


@given(st.one_of(soup(_PATH), noise), st.sampled_from(Access))
def test_path(text: str, access: Access) -> None:
    sound(text, INSPECTOR.path(text, EXAMPLES, access))
    sound(text, GUARDED.path(text, PLACE, access))


CARRIERS = (
    "pwsh -c {}",
    "powershell -EncodedCommand {}",
    "cmd /c {}",
    "python3 -c {}",
    "node -e {}",
    "perl -e {}",
    "ruby -e {}",
    "php -r {}",
    "lua -e {}",
    "Rscript -e {}",
    "julia -e {}",
    "osascript -e {}",
    "awk {} a",
    "sed {} a",
    "jq {} a",
    "psql -c {}",
    "sqlite3 a.db {}",
    "mongosh --eval {}",
    "redis-cli {}",
    "vim -c {}",
    "gdb -ex {}",
    "tclsh <<< {}",
    "make -f <(echo {})",
    "echo {} > Dockerfile; docker build .",
    "echo {} > package.json; npm run a",
    "crontab <<< {}",
    "at now <<< {}",
    "xargs -I{{}} {}",
    "ssh h {}",
    "curl -d {} http://a.example",
    "git config alias.x {}",
    "env -S {}",
    "tar --to-command={} -xf a",
    "rsync -e {} a h:b",
)


@given(st.one_of(soup(_CODE), soup(_WINDOWS), soup(_SQL), soup(_SHELL), noise), st.sampled_from(CARRIERS))
def test_carried(text: str, carrier: str) -> None:
    whole = carrier.format(quote(text))
    sound(whole, INSPECTOR.shell(whole, EXAMPLES))


@pytest.mark.parametrize(
    "piece",
    [
        "(",
        "{ ",
        "$(",
        "${a:-",
        "`",
        "[[ ",
        "((",
        "if a; then ",
        "f() { ",
        "a=(",
        "<(",
        '"$(',
        "$(( ",
        "! ",
        "case x in a) ",
    ],
)
def test_deep_nesting_is_asked_about(piece: str) -> None:
    text = piece * 3_000 + "rm -rf /"
    sound(text, inspection := INSPECTOR.shell(text, PLACE))
    assert inspection.matches


@pytest.mark.parametrize("kind", Kind)
def test_what_is_too_long_is_asked_about(kind: Kind) -> None:
    text = "a " * (MAX_SCRIPT // 2 + 1)
    inspection = INSPECTOR.inspect(kind, text, PLACE, Access.READ)
    sound(text, inspection)
    if kind not in (Kind.PATH, Kind.URL, Kind.HEADERS):  # read in one pass, whatever their length
        assert [match.kind for match in inspection.matches] == ["unreadable"]


MANY = {
    "commands": ("mv a{} b", "; "),
    "pipes": ("tee a{}", " | "),
    "words": ("a{}", " "),
    "redirects": (">a{}", " "),
    "wrappers": ("timeout 5", " "),
    "assignments": ("A{}=b", "; "),
    "braces": ("{{a,b}}", ""),
    "values": ("$x", " "),
    "functions": ("f{}() {{ g; }}", "; "),
    "documents": ("cat <<E\nx\nE", "\n"),
    "shells": ("sh -c 'ls a'", "; "),
    "code": ("python3 -c 'x=1'", "; "),
    "windows": ("Remove-Item a{}", "; "),
    "dos": ("del /s a{}", " & "),
    "patterns": ("*a{}*", " "),
}


@pytest.mark.parametrize("name", MANY)
def test_work_is_bounded(name: str) -> None:
    """However long a text is, the budget ends it, and few commands are left to judge."""
    piece, between = MANY[name]
    text = "for x in 1 2 3 4 5 6 7 8; do :; done; rm " if name in ("values", "words", "patterns") else ""
    text += between.join(piece.format(i) for i in range(MAX_SCRIPT // (len(piece) + len(between) + 4)))
    reading = Reading(budget=Budget())
    with pytest.raises(Unreadable):
        read(reading, text, 0, (0, len(text)), Scope(PLACE.cwd, PLACE.home))
    assert reading.budget.left < 0
    assert len(reading.invocations) + len(reading.deeds) <= MAX_WORK // 20
    assert sum(len(one.words) for one in reading.invocations) <= MAX_WORK
    assert INSPECTOR.shell(text, PLACE).analysis == "unparsed"


@pytest.mark.parametrize("piece", ["()", "a )\n", "((", "]] ", "}} ", "<> "])
def test_the_repair_of_errors_is_bounded(piece: str) -> None:
    text = piece * (40_000 // len(piece))
    sound(text, INSPECTOR.shell(text, PLACE))


CODE = {
    "rows": (Kind.SQL, "delete from t where not (a=1 and b>2);"),
    "tables": (Kind.SQL, "drop table a;"),
    "texts": (Kind.SQL, "set @a='x';exec(@a);"),
    "loops": (Kind.PYTHON, "for i in range(9):\n  os.remove(i)\n"),
    "programs": (Kind.PYTHON, "subprocess.run(['rm','-rf','/a'])\n"),
}


@pytest.mark.parametrize("name", CODE)
def test_code_and_statements_are_bounded(name: str) -> None:
    kind, piece = CODE[name]
    text = "import os, subprocess\n" * (kind is Kind.PYTHON) + piece * (60_000 // len(piece))
    inspection = INSPECTOR.inspect(kind, text, PLACE, Access.READ)
    sound(text, inspection)
    assert "unreadable" in {match.kind for match in inspection.matches}
