"""Parsers are loaded when there is something to parse, not before."""

from __future__ import annotations

import subprocess
import sys

HEAVY = (
    "tree_sitter",
    "tree_sitter_bash",
    "sqlglot",
    "yaml",
    "pydantic",
    "click",
    "re2",
    "jsonschema",
    "asyncio",
)


def test_the_inspector_is_light() -> None:
    code = f"import sys, gateway.inspect.texts, gateway.patterns; print([m for m in {HEAVY} if m in sys.modules])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def test_the_language_of_conditions_loads_its_functions_when_one_is_looked_for() -> None:
    code = (
        "import sys, gateway.cel.evaluate, gateway.cel.environment\n"
        "of_functions = lambda: sorted(m for m in sys.modules if m.startswith('gateway.cel.functions.'))\n"
        "print(of_functions())\n"
        "from gateway.cel.functions import STANDARD\n"
        "print(len(list(STANDARD)) > 100, len(of_functions()) > 20)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.splitlines() == ["['gateway.cel.functions.signature']", "True True"]


def test_the_grammar_is_the_one_of_its_package() -> None:
    code = (
        "import sys\nfrom gateway.inspect.shell.parse import _parser\n"
        "tree = _parser().parse(b'ls -la | head')\n"
        "print(tree.root_node.type, 'tree_sitter_bash' in sys.modules, 'tempfile' in sys.modules)\n"
        "import tree_sitter_bash\nfrom tree_sitter import Language, Parser\n"
        "print(str(Parser(Language(tree_sitter_bash.language())).parse(b'ls -la | head').root_node) == str(tree.root_node))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.splitlines() == ["program False False", "True"]
