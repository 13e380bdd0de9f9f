"""Words as the shell makes them: quotes, escapes, braces, tildes, parameters and substitutions."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import field

from gateway.frozen import slotted
from gateway.inspect.shell.parse import MAX_NESTING, MAX_SCRIPT, Unreadable
from gateway.inspect.shell.scope import MAX_VALUES, Scope
from gateway.inspect.shell.spelling import CLOSE, COMMA, OPEN, brace_words, closing, unescape
from gateway.inspect.word import ANY, DECODED, FULL, NETWORK, SECRET, STAR, UNKNOWN, holed
from gateway.later import later

_SPLIT = "\ue010"
_KEPT = "\ue011"
_NAME = later(r"[A-Za-z_]\w*|\d|[@*#?$!-]", re.ASCII)
_BRACED = later(r"(!?)(#?)([A-Za-z_]\w*|\d+|[@*#?$!-])(?:\[([^\]]*)\])?", re.ASCII)
_SLICE = later(r":\s*(-?\d+)\s*(?::\s*(-?\d+)\s*)?\Z")
_PLAIN = later(r"[\w./:=@%+^-]+")
_RUN = later(f"([{STAR}{FULL}{UNKNOWN}{NETWORK}{DECODED}{SECRET}])\\1+")
_ABSOLUTE = ("PATH", "SHELL", "PWD", "OLDPWD", "HOME", "MANPATH", "MAIL")
_SPACE = later(r"[ \t\n]+")

Alternatives = list[str]


@slotted
class Expander:
    """Expands words of one script; `run` analyses a substitution in a text and tells what it prints.

    `ends` has the end of each substitution that the parser found, by its start.
    """

    text: str
    scope: Scope
    run: Callable[[str, int, int, int], tuple[str, ...]]
    ends: Mapping[int, int] = field(default_factory=dict)
    depth: int = 0

    def choices(self, start: int, end: int) -> list[tuple[str, ...]]:
        """The arguments that a word of the script becomes, one tuple for each way that it may turn out."""
        if _PLAIN.fullmatch(self.text, start, end):
            return [(self.text[start:end],)]
        made = []
        for value in self._scan(start, end, quoted=""):
            parts = [part for one in brace_words(value) for part in one.split(_SPLIT)]
            star = FULL if self.scope.dotglob else STAR
            made.append(
                tuple(_RUN.sub(r"\1", part.replace(_KEPT, "").replace(STAR, star)) for part in parts if part)
            )
        return list(dict.fromkeys(made))

    def fields(self, start: int, end: int) -> tuple[str, ...]:
        """The arguments that a word of the script becomes; those of all ways together."""
        return tuple(field for fields in self.choices(start, end) for field in fields)

    def values(self, start: int, end: int) -> tuple[str, ...]:
        """The possible values of an assignment's right side, which is not split."""
        made = self._scan(start, end, quoted="")
        return tuple(dict.fromkeys(_plain(one).replace(_SPLIT, " ") for one in made))

    def document(self, start: int, end: int) -> tuple[str, ...]:
        """The possible values of a here-document's body that the shell expands."""
        return tuple(dict.fromkeys(_plain(one) for one in self._scan(start, end, quoted="document")))

    def _scan(self, at: int, end: int, quoted: str) -> Alternatives:
        if self.depth > MAX_NESTING:
            raise Unreadable("the command's expansions are nested too deep to be analysed")
        self.depth += 1
        made = self._pieces(at, end, quoted)
        self.depth -= 1
        return made

    def _pieces(self, at: int, end: int, quoted: str) -> Alternatives:
        made: Alternatives = [""]
        first = at
        while at < end:
            char = self.text[at]
            if char == "\\":
                at, piece = self._escape(at, end, quoted)
            elif char == "$":
                at, piece = self._dollar(at, end, quoted)
            elif char == "`":
                at, piece = self._substitution(at, end, quoted, opener=1)
            elif char == '"' and quoted != "document":
                if quoted:
                    at, piece = at + 1, [""]
                else:
                    stop = self._quote_end(at + 1, end)
                    inner = self._scan(at + 1, stop, '"')
                    at, piece = stop + 1, [_KEPT + one for one in inner]
            elif quoted:
                at, piece = at + 1, [char]
            elif char == "'":
                stop = self.text.find("'", at + 1, end)
                stop = end if stop < 0 else stop
                at, piece = stop + 1, [_KEPT + self.text[at + 1 : stop]]
            else:
                at, piece = self._bare(at, end, first)
            made = _join(made, piece)
            if len(made[0]) > MAX_SCRIPT:
                raise Unreadable("the command makes values too long to be analysed")
        return made

    def _bare(self, at: int, end: int, first: int) -> tuple[int, Alternatives]:
        char = self.text[at]
        plain = _PLAIN.match(self.text, at, end)
        if plain is not None:
            return plain.end(), [plain[0]]
        if char == "~" and (at == first or self.text[at - 1] in "=:{,}"):
            return self._tilde(at, end)
        if char in "<>" and self.text[at + 1 : at + 2] == "(":
            return self._substitution(at, end, '"', opener=2)
        if char == "[":
            stop = self.text.find("]", at + 2, end)
            if stop > 0 and self.text.startswith("//", at - 2) and ":" in self.text[at:stop]:
                # An address of a host, which no file is named like.
                return stop + 1, [self.text[at : stop + 1]]
            if stop > 0 and not any(c in self.text[at:stop] for c in " \"'$`"):
                return stop + 1, [ANY]
        return at + 1, [{"*": STAR, "?": ANY, "{": OPEN, ",": COMMA, "}": CLOSE}.get(char, char)]

    def _tilde(self, at: int, end: int) -> tuple[int, Alternatives]:
        stop = at + 1
        while stop < end and (self.text[stop].isalnum() or self.text[stop] in "._+-"):
            stop += 1
        name = self.text[at + 1 : stop]
        if stop < end and self.text[stop] not in "/:,}":
            return at + 1, ["~"]
        if name == "":
            return stop, [self.scope.home or UNKNOWN]
        if name in ("+", "-"):
            return stop, [(self.scope.cwd if name == "+" else None) or UNKNOWN]
        return stop, ["/root" if name == "root" else f"/home/{name}"]

    def _escape(self, at: int, end: int, quoted: str) -> tuple[int, Alternatives]:
        following = self.text[at + 1 : min(at + 2, end)]
        if following in ("", "\n"):
            return at + 2, ["" if following else "\\"]
        if quoted and following not in ('$`\\"' if quoted == '"' else "$`\\"):
            return at + 1, ["\\"]
        return at + 2, [following if quoted else _KEPT + following]

    def _quote_end(self, at: int, end: int) -> int:
        """Where the double quote that is open at `at` closes, substitutions skipped."""
        while at < end and self.text[at] != '"':
            if self.text[at] == "\\":
                at += 2
            elif at in self.ends:
                at = self.ends[at]
            elif self.text[at] == "`" or self.text.startswith(("$(", "${"), at):
                at = closing(self.text, at, end)
            else:
                at += 1
        return min(at, end)

    def _dollar(self, at: int, end: int, quoted: str) -> tuple[int, Alternatives]:
        text, following = self.text, self.text[at + 1 : min(at + 2, end)]
        if following == "'" and not quoted:
            stop = at + 2
            while stop < end and text[stop] != "'":
                stop += 2 if text[stop] == "\\" else 1
            return stop + 1, [_KEPT + unescape(text[at + 2 : stop])]
        if following == '"' and not quoted:
            return at + 1, [""]
        if text.startswith("$((", at) and text.startswith(")", closing(text, at + 1, end)):
            stop = self.ends.get(at) or closing(text, at, end)
            self._scan(at + 3, stop, '"')
            return stop, [UNKNOWN]
        if following == "(":
            return self._substitution(at, end, quoted, opener=2)
        if following == "{":
            stop = closing(text, at, end)
            return stop, self._braced(at + 2, stop - 1, quoted)
        match = _NAME.match(text, at + 1, end)
        if match is None:
            return at + 1, ["$"]
        if match[0] in ("@", "*") and self.scope.positional is None and self._amid(at, match.end(), end):
            # Where a command is given as a text there are no parameters, so that nothing parts the word.
            return match.end(), [""]
        return match.end(), self._parameter(match[0], quoted)

    def _amid(self, at: int, stop: int, end: int) -> bool:
        """Whether letters stand on both sides."""
        return self.text[at - 1 : at].isalpha() and self.text[stop : min(stop + 1, end)].isalpha()

    def _parameter(self, name: str, quoted: str) -> Alternatives:
        if name in ("@", "*"):
            return self._items(self.scope.items(name), quoted)
        if name in ("#", "?", "$", "!", "-"):
            return [UNKNOWN]
        return self._shaped(list(self.scope.values(name)), quoted)

    def _items(self, items: tuple[str, ...], quoted: str) -> Alternatives:
        if quoted:
            return [_SPLIT.join(_KEPT + item for item in items)]
        return [_SPLIT.join(self._shaped(list(items), quoted))]

    def _shaped(self, values: Alternatives, quoted: str) -> Alternatives:
        if quoted:
            return values
        # Unquoted values are split at white space, and their `*` and `?` are patterns.
        marks = str.maketrans({"*": STAR, "?": ANY})
        spaces = _SPACE
        if "IFS" in self.scope.variables:
            spaces = later("[" + re.escape("".join(self.scope.values("IFS")) or UNKNOWN) + "]+")
        return [spaces.sub(_SPLIT, value).translate(marks) for value in values]

    def _braced(self, at: int, end: int, quoted: str) -> Alternatives:
        match = _BRACED.match(self.text, at, end)
        if match is None:
            self._scan(at, end, '"')
            return [UNKNOWN]
        indirect, length, name, index = match.groups()
        rest = self.text[match.end() : end]
        if index is not None:
            self._scan(match.start(4), match.end(4), '"')
        if length:
            return [UNKNOWN]
        if index is not None or name in ("@", "*"):
            whole = index in (None, "@", "*")
            items = self.scope.items(name) if whole else (self.scope.item(name, index),)
            if "*" in (index, name) and quoted and not rest:
                # All items as one word, parted by the first character that parts words.
                return [parting[:1].join(items) for parting in self.scope.values("IFS") if not holed(parting)]
            if rest:
                self._scan(match.end(), end, '"')
            return [UNKNOWN] if rest else self._items(items, quoted)
        values = list(self.scope.values(name))
        if indirect:
            values = [value for pointer in values for value in self.scope.values(pointer)]
        if rest.startswith((":-", ":=")) and len(rest) > 2 and not self.scope.sets(name):
            # Nothing in the script sets it, and it is written so that it need not be set.
            values = [""]
        made = self._operated(values, rest, match.end(), end, quoted)
        if rest.startswith(":=") and name.isidentifier():
            self.scope.assign(name, tuple(_plain(one) for one in made))
        return made

    def _operated(self, values: Alternatives, rest: str, at: int, end: int, quoted: str) -> Alternatives:
        if not rest:
            return self._shaped(values, quoted)
        if rest == ":0:1" and self.text[:at].endswith(_ABSOLUTE):
            # What these hold begins with a slash whatever it is.
            return ["/"]
        operator = rest[:2] if rest[0] == ":" else rest[0]
        if operator in (":-", ":=", "-", "=", ":+", "+"):
            other = self._scan(at + len(operator), end, quoted)
            kept = [v for v in values if v or not operator.startswith(":")]
            unset = len(kept) < len(values) or any(map(holed, values))
            if operator in (":+", "+"):
                return [*([""] if unset else []), *(other if kept else [])][:MAX_VALUES]
            return [*self._shaped(kept, quoted), *(other if unset else ())][:MAX_VALUES]
        if operator in (":?", "?"):
            self._scan(at + len(operator), end, quoted)
            return self._shaped(values, quoted)
        part = _SLICE.match(rest)
        if part is not None:
            first = int(part[1])
            last = None if part[2] is None else first + int(part[2])
            return self._shaped([v if holed(v) else v[first:last] for v in values], quoted)
        cut = self._cut(values, rest)
        if cut is not None:
            return self._shaped(cut, quoted)
        if rest == "@P":
            for value in values:
                Expander(value, self.scope, self.run).document(0, len(value))
        self._scan(at, end, '"')
        return [UNKNOWN]

    def _cut(self, values: Alternatives, rest: str) -> Alternatives | None:
        """Values without an ending (`%`) or a beginning (`#`): a plain one, or one up to a `*`."""
        text = rest.lstrip(rest[0])
        longest = len(rest) - len(text) > 1
        if rest[0] not in "%#" or holed("".join(values)):
            return None
        plain = text.rstrip("*") if rest[0] == "%" else text.lstrip("*")
        if _PLAIN.fullmatch(plain) is None:
            return None
        if plain == text:
            return [v.removesuffix(text) if rest[0] == "%" else v.removeprefix(text) for v in values]
        if rest[0] == "%":
            return [v.partition(plain)[0] if longest else _before_last(v, plain) for v in values]
        return [v.rpartition(plain)[2] if longest else v.partition(plain)[2] or v for v in values]

    def _substitution(self, at: int, end: int, quoted: str, opener: int) -> tuple[int, Alternatives]:
        stop = self.ends.get(at) or closing(self.text, at, end)
        values = self.run(self.text, at, stop, opener)
        if self.text[at] in "<>":
            return stop, list(values)
        return stop, self._shaped(list(values), quoted)


def _before_last(value: str, text: str) -> str:
    return value.rpartition(text)[0] if text in value else value


def _join(made: Alternatives, piece: Alternatives) -> Alternatives:
    if len(piece) == 1:
        only = piece[0]
        return [one + only for one in made]
    joined = [one + other for one in made for other in piece]
    return joined if len(joined) <= MAX_VALUES else [one + UNKNOWN for one in made]


def _plain(value: str) -> str:
    for mark, char in ((_KEPT, ""), (OPEN, "{"), (COMMA, ","), (CLOSE, "}"), (STAR, "*"), (ANY, "?")):
        value = value.replace(mark, char)
    return value
