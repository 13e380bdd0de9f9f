"""The readers of languages by name; each is imported when there is code for it."""

from __future__ import annotations

from collections.abc import Mapping
from importlib import import_module
from types import MappingProxyType

from gateway.inspect.code import Code

LANGUAGES: Mapping[str, tuple[str, str]] = MappingProxyType(
    # where the reader of each language is
    {
        "python": ("gateway.inspect.python.reader", "read_python"),
        "javascript": ("gateway.inspect.languages.javascript", "read_javascript"),
        "perl": ("gateway.inspect.languages.perl", "read_perl"),
        "ruby": ("gateway.inspect.languages.ruby", "read_ruby"),
        "php": ("gateway.inspect.languages.php", "read_php"),
        "lua": ("gateway.inspect.languages.lua", "read_lua"),
        "r": ("gateway.inspect.languages.r", "read_r"),
        "julia": ("gateway.inspect.languages.julia", "read_julia"),
        "groovy": ("gateway.inspect.languages.jvm", "read_groovy"),
        "go": ("gateway.inspect.languages.go", "read_go"),
        "awk": ("gateway.inspect.languages.awk", "read_awk"),
        "tcl": ("gateway.inspect.languages.tcl", "read_tcl"),
        "applescript": ("gateway.inspect.languages.applescript", "read_applescript"),
        "editor": ("gateway.inspect.languages.scripts", "read_editor"),
        "debugger": ("gateway.inspect.languages.scripts", "read_debugger"),
        "m4": ("gateway.inspect.languages.scripts", "read_m4"),
        "dc": ("gateway.inspect.languages.scripts", "read_dc"),
        "lisp": ("gateway.inspect.languages.scripts", "read_lisp"),
        "makefile": ("gateway.inspect.languages.scripts", "read_makefile"),
        "powershell": ("gateway.inspect.windows.powershell", "read_powershell"),
        "cmd": ("gateway.inspect.windows.cmd", "read_cmd"),
    }
)


def read_code(language: str, text: str, arguments: tuple[str, ...] = ()) -> Code:
    """What code in a language would do, started with some arguments; nothing is found in an unknown language."""
    module, name = LANGUAGES.get(language, ("", ""))
    if not module:
        return Code()
    reader = getattr(import_module(module), name)
    made = reader(text, arguments) if language == "python" else reader(text)
    return made if isinstance(made, Code) else Code()
