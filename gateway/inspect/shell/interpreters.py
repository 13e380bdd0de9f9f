"""Programs that run code in other languages, and how they are given it: data, one entry a program."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from types import MappingProxyType

from gateway.frozen import frozen
from gateway.inspect.options import options


@frozen
class Interpreter:
    """A program that runs code: its language, its options, and which of them hold code.

    A language without a name is one that nobody reads here. `words` open a subcommand in front of the code or the file.
    """

    language: str
    options: str
    code: tuple[str, ...]
    words: tuple[str, ...] = ()
    first: bool = False
    """Whether the first operand is the code where no option gives it."""
    files: tuple[str, ...] = ()
    """The files that it reads where none is named; operands are no files then."""


PYTHON = Interpreter(
    "python",
    "-c=, -m=, -W=, -X=, -O, -B, -E, -I, -s, -S, -u, -v, -i, -q, -b, -d, -P, -x, -V --version, -h --help",
    ("c",),
)
_NODE = Interpreter(
    "javascript",
    "-e= --eval=, -p= --print=, -r= --require=, --import=, --loader=, --input-type=, -i, -c --check, -v --version",
    ("eval", "print"),
)
_PERL = Interpreter(
    "perl", "-e=, -E=, -M=, -m=, -I=, -F=, -i=?, -n, -p, -l, -a, -w, -W, -T, -t, -c, -s, -S, -v, -x, -0=?, -C=?, -d=?",
    ("e", "E"),
)  # fmt: skip
_RUBY = Interpreter(
    "ruby",
    "-e=, -r=, -I=, -F=, -C=, -E=, -i=?, -W=?, -n, -p, -l, -a, -w, -c, -s, -S, -v, -x, -0=?, --version",
    ("e",),
)
_AWK = Interpreter("awk", "-F= --field-separator=, -v= --assign=, -f= --file=, -e= --source=, -i= --include=",
                   ("source", "e"), first=True)  # fmt: skip
_LUA = Interpreter("lua", "-e=, -l=, -i, -v, -W, -E, -j=, -O=?, -b", ("e",))
_R = Interpreter(
    "r",
    "-e=, -f= --file=, -q, --vanilla, --slave, --no-save, --no-restore, --quiet, -s, --default-packages=",
    ("e",),
)
_ED = Interpreter("editor", "-p=, -s, -v", ())
_VIM = Interpreter(
    "editor",
    "-c=, --cmd=, -S=, -e, -E, -s, -n, -u=, -i=, -R, -N, -V=?, -T=, -w=, -W=, --noplugin, --headless, --clean",
    ("c", "cmd"),
)
_GDB = Interpreter(
    "debugger",
    "-ex= --ex= -eval-command= --eval-command=, -iex= --iex=, -x= --command=, -p= --pid=, --batch -batch, -q, --args",
    ("ex", "iex"),
)
_MAKE = Interpreter(
    "makefile",
    "-f= --file= --makefile=, -C=, -j=?, -k, -s, -n, -B, --eval=",
    ("eval",),
    files=("Makefile", "makefile", "GNUmakefile"),
)
# What a program of this kind reads before all else; its own options are nothing to code.
_CONFIGURED = {
    "jest": ("jest.config.js", "jest.config.ts", "jest.config.mjs", "jest.setup.js"),
    "vitest": ("vitest.config.ts", "vitest.config.js", "vite.config.ts", "vite.config.js"),
    "vite": ("vite.config.ts", "vite.config.js", "vite.config.mjs"),
    "webpack": ("webpack.config.js", "webpack.config.ts"),
    "rollup": ("rollup.config.js", "rollup.config.mjs"),
    "eslint": ("eslint.config.js", "eslint.config.mjs", ".eslintrc.js", ".eslintrc.cjs"),
    "mocha": (".mocharc.js", ".mocharc.cjs"),
    "next": ("next.config.js", "next.config.mjs", "next.config.ts"),
    "gulp": ("gulpfile.js", "gulpfile.mjs"),
    "grunt": ("Gruntfile.js",),
}
_PYTEST = Interpreter("python", "-m= --markers=", (), files=("conftest.py", "tests/conftest.py"))
_DENO = Interpreter(
    "javascript",
    "-A, --allow-all, --ext=, -p, -T, --config=, -c=, -r, -q",
    (),
    words=("eval", "run"),
    first=True,
)
_MONGO = Interpreter(
    "javascript", "--eval=, -f= --file=, --quiet, --nodb, -u=, -p=, --host=, --port=", ("eval",)
)
_UNREAD = {
    # what no reader is there for, and the options that hold code
    **dict.fromkeys(("elixir", "iex"), "-e= --eval=, --rpc-eval=, -r=, -S=, --name=, --sname="),
    "erl": "-eval= --eval=, -s=, -run=, -pa=, -sname=, -name=",
    "racket": "-e= --eval=, -l=, -t=, -r=, -p=, -m",
    "guile": "-c=, -e=, -l=, -s=, -L=",
    "gosh": "-e=, -E=, -l=, -I=",
    "csi": "-e= -eval= --eval=, -p=, -P=, -s=",
    "mit-scheme": "--eval=, --load=",
    "sbcl": "--eval=, --load=, --script=",
    "clisp": "-x=, -i=, -E=",
    "ecl": "-eval= --eval=, -load=, -shell=",
    "hy": "-c=, -m=, -i=",
    "fennel": "-e= --eval=, -c=",
    "raku": "-e=, -M=, -I=",
    "perl6": "-e=, -M=, -I=",
    "ocaml": "-e=, -I=, -init=",
    "ghc": "-e=, -package=, -o=",
    "ghci": "-e=, -package=",
    "clojure": "-e= --eval=, -M=?, -X=?, -A=?, -m= --main=, -i= --init=",
    "clj": "-e= --eval=, -M=?, -X=?, -A=?, -m= --main=, -i= --init=",
    "bb": "-e= --eval=, -f= --file=, -m= --main=, -x= --exec=",
    "lein": "-e= --eval=",
    "janet": "-e=, -E=, -l=, -m=",
    "swift": "-e=, -I=, -L=, -F=",
    "octave": "--eval=, --path=",
    "octave-cli": "--eval=, --path=",
    "matlab": "-r=, -batch=",
    "sage": "-c=",
    "gnuplot": "-e=, -p=, -c=",
    "swipl": "-g=, -t=, -s=, -f=",
    "rdmd": "--eval=, -I=",
    "coffee": "-e= --eval=, -c=, -o=, -r=",
    "lsc": "-e= --eval=, -c=, -o=, -r=",
    "mruby": "-e=, -r=",
    "scala-cli": "-e= --execute-script=",
    "dotnet-script": "-e=",
    "v": "-e=",
    "nim": "--eval=",
    "wolframscript": "-c= -code= --code=, -f= -file=",
}
_UNREAD_CODE = (
    "eval", "e", "c", "rpc-eval", "x", "execute-script", "E", "r", "batch", "g", "exec", "code", "main",
)  # fmt: skip


def _unread(known: str) -> Interpreter:
    known += ", -version --version, -vnum, -help --help"
    given = tuple(
        name for name in _UNREAD_CODE if name in options(known).arity and name not in ("main", "exec")
    )
    return Interpreter("", known, given)


INTERPRETERS: Mapping[str, Interpreter] = MappingProxyType(
    {
        **{name: _unread(known) for name, known in _UNREAD.items()},
        "crystal": Interpreter("", "-D=, -o=", (), words=("eval",), first=True),
        "python": PYTHON,
        "pypy": PYTHON,
        "pytest": _PYTEST,
        "py.test": _PYTEST,
        **{name: Interpreter("javascript", "", (), files=files) for name, files in _CONFIGURED.items()},
        "ipython": PYTHON,
        "node": _NODE,
        "nodejs": _NODE,
        "tsx": _NODE,
        "ts-node": _NODE,
        **dict.fromkeys(("babel-node", "esno", "swc-node", "vite-node", "zx", "xs"), _NODE),
        "mongosh": _MONGO,
        "mongo": _MONGO,
        "bun": replace(_NODE, words=("run",)),
        "deno": _DENO,
        "perl": _PERL,
        "ruby": _RUBY,
        "jruby": _RUBY,
        "php": Interpreter(
            "php",
            "-r=, -R=, -B=, -E=, -F=, -f= --file=, -d=, -c=, -z=, -n, -l, -i, -m, -v, -q, -w, -s",
            ("r", "R", "B", "E"),
        ),
        "lua": _LUA,
        "luajit": _LUA,
        "rscript": _R,
        "r": _R,
        "littler": _R,
        "julia": Interpreter(
            "julia", "-e= --eval=, -E= --print=, -p=, -t=, --project=?, -q, -i", ("eval", "print")
        ),
        "groovy": Interpreter("groovy", "-e=, -cp=", ("e",)),
        "scala": Interpreter("groovy", "-e=, -cp=", ("e",)),
        "kotlin": Interpreter("groovy", "-e=, -cp=", ("e",)),
        "jshell": Interpreter("groovy", "-s", ()),
        "go": Interpreter("go", "", (), words=("run",)),
        "tclsh": Interpreter("tcl", "", ()),
        "expect": Interpreter("tcl", "-c=, -f=, -d, -i", ("c",)),
        "osascript": Interpreter("applescript", "-e=, -l=, -s=, -i", ("e",)),
        "ed": _ED,
        "red": _ED,
        "ex": _VIM,
        "vi": _VIM,
        "vim": _VIM,
        "nvim": _VIM,
        "view": _VIM,
        "m4": Interpreter("m4", "-D= --define=, -I= --include=, -U= --undefine=, -E, -P, -s, -g, -Q", ()),
        "dc": Interpreter("dc", "-e= --expression=, -f= --file=, -V --version, -h --help", ("expression",)),
        "gdb": _GDB,
        "lldb": replace(
            _GDB,
            options="-o= --one-line=, -O= --one-line-before-file=, --batch, -p=, -n=",
            code=("one-line", "one-line-before-file"),
        ),
        "emacs": Interpreter(
            "lisp", "--eval= -eval=, --execute= -execute=, --batch, -Q, -q, -l=", ("eval", "execute")
        ),
        "make": _MAKE,
        "gmake": _MAKE,
        "awk": _AWK,
        "gawk": _AWK,
        "mawk": _AWK,
        "nawk": _AWK,
        "goawk": _AWK,
    }
)

_DJANGO = replace(PYTHON, options="-c= --command=, -i= --interface=, --settings=", code=("command",))
FRAMEWORKS: Mapping[str, tuple[tuple[tuple[str, ...], Interpreter], ...]] = MappingProxyType(
    # programs of a project, and the subcommands with which they run code
    {
        **dict.fromkeys(("manage.py", "django-admin"), ((("shell", "shell_plus"), _DJANGO),)),
        "flask": ((("shell",), _DJANGO),),
        "rails": (
            (("runner", "r"), Interpreter("ruby", "-e= --environment=", (), first=True)),
            (("console", "c"), Interpreter("ruby", "-e= --environment=, -s --sandbox", ())),
        ),
        "artisan": ((("tinker",), Interpreter("php", "--execute=, --include=", ("execute",))),),
        "wp": (
            (("eval",), Interpreter("php", "--path=, --url=, --user=", (), first=True)),
            (("shell",), Interpreter("php", "--path=", ())),
        ),
        "drush": (
            (
                ("php:eval", "php-eval", "ev", "eval"),
                Interpreter("php", "-r= --root=, -l= --uri=", (), first=True),
            ),
        ),
        "mix": (
            (("run",), _unread("-e= --eval=, -r= --require=, --no-start, -S=")),
            (("eval",), Interpreter("", "", (), first=True)),
        ),
        "dotnet": ((("fsi",), _unread("--exec, --use=, -r=")),),
        "stack": ((("eval",), Interpreter("", "", (), first=True)),),
        "cabal": ((("eval",), Interpreter("", "", (), first=True)),),
    }
)
CONSOLES = frozenset(("code", "asyncio", "IPython", "bpython", "ptpython", "idlelib", "pdb", "ipdb", "pudb"))
"""Modules of Python that run what they read."""
LAUNCHERS = frozenset(
    (
        "pdb",
        "ipdb",
        "pudb",
        "cProfile",
        "profile",
        "trace",
        "coverage",
        "debugpy",
        "kernprof",
        "memory_profiler",
    )
)
"""Modules of Python that run the script that they are given."""
MODULES: Mapping[str, str] = MappingProxyType(
    # modules of Python that are programs of their own, and what those are called
    {
        "venv": "virtualenv",
        "virtualenv": "virtualenv",
        "json.tool": "json.tool",
        "cProfile": "cProfile",
        "profile": "cProfile",
        "zipapp": "zipapp",
        "zipfile": "zipfile",
        "tarfile": "tarfile",
    }
)
