"""Scripts of editors, debuggers and build tools, as far as they hold commands for a shell."""

from __future__ import annotations

import re

from gateway.inspect.code import Code, placed
from gateway.inspect.deed import Deed, Does, Extent
from gateway.inspect.python.reader import read_python
from gateway.inspect.word import UNKNOWN, Word
from gateway.later import later

_EDITOR = later(
    r"(?:^|\|)[ \t:]*(?:\d+|%|\d*,\d*|\$|'<,'>)?[ \t]*(?:sil(?:ent)?!?[ \t]+)?"
    r"(?:(?:r|re|read|w|wr|write|term|terminal|grep|make)?[ \t]*!|te(?:rminal)?[ \t]+)(?P<shell>[^\n]+)"
    r"|\bsystem(?:list)?\((?P<quote>['\"])(?P<call>.*?)(?P=quote)",
    re.MULTILINE,
)
_EDITED = later(r"\b(?P<does>delete|writefile\([^,\n]*,)\s*\(?\s*(['\"])(?P<path>[^'\"\n]+)\2")
_SPOKEN = later(
    r"(?:^|\|)[ \t:]*(?P<name>(?:lua|py|py3|python|python3|pyx|perl|ruby)(?:do)?)[ \t]+(?P<code>[^\n]+)"
    r"|\b(?:luaeval|py3eval|pyeval|pyxeval|perleval|rubyeval)\((?P<quote>['\"])(?P<call>.*?)(?P=quote)\)",
    re.MULTILINE,
)
_M4 = later(r"\be?syscmd\s*\(\s*`?(?P<shell>[^)']*(?:\([^)]*\)[^)']*)*)")
_DC = later(r"(?:^|[^\w<>=!])!(?P<shell>[^<>=\n][^\n]*)", re.MULTILINE)
_DEBUGGER = later(
    r"^[ \t]*(?:shell|!|platform[ \t]+shell|pipe[ \t]+[^|\n]*\||make[ \t]+SHELL=)[ \t]*(?P<shell>[^\n]+)"
    r"|^[ \t]*(?:python|pi|py|script)[ \t]+(?P<python>[^\n]+)|\bsystem[ \t]*\([ \t]*\"(?P<call>[^\"\n]*)\"",
    re.MULTILINE,
)
_LISP = later(
    r"\((?:async-)?(?:shell-command(?:-to-string)?|call-process-shell-command)\s+\"(?P<shell>(?:[^\"\\]|\\.)*)\""
    r"|\((?:call-process|start-process(?:\s+\"[^\"]*\"\s+\S+)?)\s+\"(?P<program>[^\"]*)\"(?P<rest>[^()]*)"
    r"|\((?P<does>delete-file|delete-directory)\s+\"(?P<path>[^\"]*)\""
)
_STRING = later(r'"([^"]*)"')
_RECIPE = later(r"^\t[@+ \t-]*([^\n]*(?:\\\n[^\n]*)*)", re.MULTILINE)
_INLINE = later(r"^[\w.%/ -]+:[^=\n;]*;[ \t]*([^\n]+)", re.MULTILINE)
_MADE = later(r"\$\(shell[ \t]+([^)\n]*)\)|^\w+[ \t]*!=[ \t]*([^\n]+)", re.MULTILINE)
_VARIABLE = later(r"^(\w+)[ \t]*[:?]?=[ \t]*([^\n]*)", re.MULTILINE)
_USED = later(r"\$[({](\w+)[)}]|\$([@<^*?])")


def read_editor(source: str) -> Code:
    """Commands that `ed`, `ex` and `vim` hand to a shell, and files that they delete."""
    shells = [
        _word(found, group)
        for found in _EDITOR.finditer(source)
        for group in ("shell", "call")
        if found[group]
    ]
    deeds = [
        Deed(
            Does.DELETE if found["does"] == "delete" else Does.OVERWRITE,
            found["path"],
            *found.span(),
            ".",
            Extent.TREE if "rf" in source[found.end() : found.end() + 8] else Extent.ONE,
        )
        for found in _EDITED.finditer(source)
    ]
    spoken = [_spoken(found) for found in _SPOKEN.finditer(source)]
    for code in spoken:
        deeds += code.deeds
        shells += code.shells
    commands = tuple(words for code in spoken for words in code.commands)
    doubts = tuple(doubt for code in spoken for doubt in code.doubts)
    return Code(tuple(deeds), tuple(shells), commands, doubts=doubts)


def _spoken(found: re.Match[str]) -> Code:
    """What a line in another language does that an editor runs."""
    from gateway.inspect.languages.readers import read_code

    name = found["name"] or found[0]
    language = next((one for one in ("lua", "perl", "ruby") if name.startswith(one)), "python")
    return placed(read_code(language, found["code"] or found["call"]), *found.span())


def read_m4(source: str) -> Code:
    """Commands that macros of `m4` hand to a shell."""
    return Code((), tuple(_word(found, "shell") for found in _M4.finditer(source)))


def read_dc(source: str) -> Code:
    """Lines that the calculator `dc` hands to a shell."""
    return Code((), tuple(_word(found, "shell") for found in _DC.finditer(source)))


def read_debugger(source: str) -> Code:
    """Commands that `gdb` and `lldb` hand to a shell, and Python that they run."""
    shells: list[Word] = []
    for found in _DEBUGGER.finditer(source):
        if found["python"]:
            code = read_python(found["python"].strip("'\""))
            shells += [_word(found, "python", word.value) for word in code.shells]
            shells += [_word(found, "python", " ".join(w.value for w in words)) for words in code.commands]
        else:
            shells.append(_word(found, "shell" if found["shell"] else "call"))
    return Code((), tuple(shells))


def read_lisp(source: str) -> Code:
    """What Emacs Lisp hands to a shell or deletes."""
    deeds: list[Deed] = []
    shells: list[Word] = []
    commands: list[tuple[Word, ...]] = []
    for found in _LISP.finditer(source):
        if found["shell"] is not None:
            shells.append(_word(found, "shell", found["shell"].replace('\\"', '"')))
        elif found["program"] is not None:
            rest = [Word(one[1], *found.span()) for one in _STRING.finditer(found["rest"])]
            commands.append((_word(found, "program"), *rest))
        else:
            extent = Extent.TREE if found["does"] == "delete-directory" else Extent.ONE
            deeds.append(Deed(Does.DELETE, found["path"], *found.span(), ".", extent))
    return Code(tuple(deeds), tuple(shells), tuple(commands))


def read_makefile(source: str) -> Code:
    """The commands of a makefile's rules, with the variables that it sets itself."""
    known = {found[1]: found[2].strip() for found in _VARIABLE.finditer(source)}
    shells: list[Word] = []
    for found in (*_RECIPE.finditer(source), *_INLINE.finditer(source), *_MADE.finditer(source)):
        spelled = next(group for group in (*found.groups(), "") if group is not None)
        filled = _USED.sub(lambda one: known.get(one[1] or "", UNKNOWN), spelled).replace("$$", "$")
        shells.append(Word(filled, *found.span()))
    return Code((), tuple(shells))


def _word(found: re.Match[str], group: str, value: str | None = None) -> Word:
    return Word(found[group] if value is None else value, *found.span(group))
