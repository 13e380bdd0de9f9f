"""Walks over a script in the order in which the shell would, and finds every command that it can run."""

from __future__ import annotations

from typing import TYPE_CHECKING

from gateway.inspect.shell.assign import assignment, declaration, keep, name_of, setting
from gateway.inspect.shell.execute import execute
from gateway.inspect.shell.exhaust import WATCHED, watch
from gateway.inspect.shell.expand import Expander
from gateway.inspect.shell.files import remember
from gateway.inspect.shell.indices import indices
from gateway.inspect.shell.invocation import Reading, Simple, Text
from gateway.inspect.shell.parse import (
    MAX_NESTING,
    SUBSTITUTIONS,
    Script,
    Unreadable,
    parse,
    substitutions,
)
from gateway.inspect.shell.recovery import recover
from gateway.inspect.shell.redirections import redirections
from gateway.inspect.shell.scope import MAX_VALUES, Certainty, Scope
from gateway.inspect.word import UNKNOWN, Word
from gateway.later import later

if TYPE_CHECKING:
    from tree_sitter import Node

_BLACK = later(r"\S+")
_UNKNOWN: Text = (UNKNOWN,)
_SKIPPED = frozenset(("comment", "heredoc_body", "heredoc_start", "heredoc_end"))


def read(
    reading: Reading,
    text: str,
    base: int | None,
    within: tuple[int, int],
    scope: Scope,
    nesting: int = 0,
    stdin: Text | None = None,
) -> Text:
    """Analyse a script, add what it would run to the reading, and tell what it prints."""
    if nesting > MAX_NESTING:
        raise Unreadable("the command is nested too deep to be analysed")
    script = parse(text, base, within, reading.budget)
    walk = Walk(reading, script, scope, nesting)
    for start, end in indices(text):
        reading.doubt("the shell may run the index of an array", *script.place(start, end))
    printed = walk.visit(script.root, stdin)
    if script.root.has_error:
        recover(walk)
    return printed


def _is_apart(node: Node) -> bool:
    """Whether a statement runs in the background, in a shell of its own."""
    return node.next_sibling is not None and node.next_sibling.type == "&"


class Walk:
    """One script being walked over."""

    def __init__(self, reading: Reading, script: Script, scope: Scope, nesting: int) -> None:
        self.reading = reading
        self.script = script
        self.scope = scope
        self.nesting = nesting
        ends = {}
        # Where the grammar fails, the parser ends substitutions at the wrong places.
        if ("(" in script.text or "`" in script.text) and not script.root.has_error:
            ends = dict(substitutions(script, reading.budget))
        self.expander = Expander(script.text, scope, self.substitution, ends)

    def visit(self, node: Node, stdin: Text | None) -> Text:
        """Analyse a statement and tell what it prints."""
        self.reading.budget.enter()
        printed = self.statement(node, stdin)
        self.reading.budget.leave()
        return printed

    def statement(self, node: Node, stdin: Text | None) -> Text:
        """Analyse a statement by its kind."""
        kind = node.type
        if kind in WATCHED:
            watch(self, node)
        if kind == "command":
            return self.command(node, (), stdin)
        if kind == "redirected_statement":
            return self.redirected(node, stdin)
        if kind == "pipeline":
            return self.pipeline(node, stdin)
        if kind == "variable_assignment":
            assignment(self, node)
            keep(self, node)
            return ("",)
        if kind in ("declaration_command", "unset_command"):
            return self.declared(node)
        if kind == "function_definition":
            return self.definition(node)
        if kind == "for_statement":
            return self.loop(node)
        if kind in SUBSTITUTIONS:
            start, end = self.script.span(node)
            return self.substitution(self.script.text, start, end, 1 if self.script.text[start] == "`" else 2)
        if kind in ("subshell", "if_statement", "while_statement", "case_statement", "c_style_for_statement"):
            return self.compound(node, stdin)
        if kind in _SKIPPED:
            return ("",)
        return self.sequence(node, stdin)

    def declared(self, node: Node) -> Text:
        """`export`, `unset` and the like; the parser parts what is one word, such as `unset${IFS}NAME`."""
        start, end = self.script.span(node)
        keyword = _BLACK.match(self.script.text, start)
        stop = end if keyword is None else keyword.end()
        whole = stop <= start + len(node.children[0].type)
        if node.type == "declaration_command" and whole:
            return declaration(self, node)
        words = self.words(node.named_children) if whole else self.word((start, stop))
        place = self.script.place(start, end)
        if whole:
            words = (Word(node.children[0].type, *place), *words)
        return self.execute(Simple(words, (), None, *place))

    def sequence(self, node: Node, stdin: Text | None) -> Text:
        """Children one after the other; their outputs follow each other."""
        if len(node.named_children) == 1 and not _is_apart(node.named_children[0]):
            return self.visit(node.named_children[0], stdin)
        texts: list[str] = []
        certainty = self.scope.certainty
        for child in node.named_children:
            before = self.scope
            if _is_apart(child):
                self.enter(before.copy())
            printed = self.visit(child, stdin)
            self.enter(before)
            if node.type == "list" and certainty is Certainty.SURE:
                before.certainty = Certainty.CHAINED
            texts.append(printed[0] if len(printed) == 1 else UNKNOWN)
        self.scope.certainty = certainty
        return ("\n".join(text for text in texts if text),)

    def compound(self, node: Node, stdin: Text | None) -> Text:
        """A subshell, whose changes stay inside, or branches, whose changes may or may not happen."""
        before = self.scope
        if node.type == "subshell":
            self.enter(before.copy())
            printed = self.sequence(node, stdin)
            self.enter(before)
            return printed
        certainty = before.certainty
        before.certainty = Certainty.MAYBE
        self.sequence(node, _lines(stdin))
        before.certainty = certainty
        return _UNKNOWN

    def enter(self, scope: Scope) -> None:
        """Go on in another shell."""
        self.scope = scope
        self.expander.scope = scope

    def loop(self, node: Node) -> Text:
        """A `for` loop: its variable has each of the listed values."""
        name = node.child_by_field_name("variable")
        values = [w.value for child in node.children_by_field_name("value") for w in self.words([child])]
        if not node.children_by_field_name("value"):
            values = list(self.scope.items("@"))
        body = node.child_by_field_name("body")
        unique = tuple(dict.fromkeys(values)) or ("",)
        for i in range(0, len(unique), MAX_VALUES):
            if name is not None:
                self.scope.variables[self.script.slice(name)] = unique[i : i + MAX_VALUES]
                setting(self, self.script.slice(name), *self.script.place(*self.script.span(name)))
            if body is not None:
                self.visit(body, None)
        return _UNKNOWN

    def pipeline(self, node: Node, stdin: Text | None, extra: tuple[Node, ...] = ()) -> Text:
        """Commands of which each reads what the one before printed; `extra` are redirections of the last."""
        text, reading = stdin, self.reading
        outer = reading.pipes
        reading.pipelines += 1
        number = reading.pipelines
        children = [child for child in node.named_children if child.type != "comment"]
        for stage, child in enumerate(children):
            # Each command of a pipeline has a shell of its own.
            before = self.scope
            self.enter(before.copy())
            reading.pipes = (*outer, (number, stage))
            last = bool(extra) and stage == len(children) - 1
            text = self.command(child, extra, text) if last else self.visit(child, text)
            self.enter(before)
        reading.pipes = outer
        return text or _UNKNOWN

    def redirected(self, node: Node, stdin: Text | None) -> Text:
        """A statement with redirections, which may hold words of the command (the parser puts them there)."""
        body = node.child_by_field_name("body")
        extra = tuple(c for c in node.named_children if c.type.endswith("_redirect"))
        if body is not None and body.type == "negated_command" and len(body.named_children) == 1:
            body = body.named_children[0]
        if body is not None and body.type == "command":
            return self.command(body, extra, stdin)
        if body is not None and body.type == "pipeline" and body.named_children[-1].type == "command":
            return self.pipeline(body, stdin, extra)
        if body is not None and body.type == "list" and body.named_children:
            # The parser wraps a whole list, but the redirections are those of its last command.
            *before, last = body.named_children
            for child in before:
                self.visit(child, stdin)
            if last.type == "command":
                certainty = self.scope.certainty
                if certainty is Certainty.SURE:
                    self.scope.certainty = Certainty.CHAINED
                printed = self.command(last, extra, stdin)
                self.scope.certainty = certainty
                return printed
        redirects, text, words = redirections(self, extra)
        if redirects or words:
            start, end = self.script.place(*self.script.span(node))
            simple = Simple(self.words(words), redirects, text, start, end)
            if words or body is None:
                self.execute(simple)
            else:
                # What the statement prints goes there, so that the files are not left empty.
                self.emit("{", simple)
        if body is None:
            reads = any(redirect.operator == "<" for redirect in redirects)
            return (text or _UNKNOWN) if reads else ("",)
        rest = body if body.type != "list" else body.named_children[-1]
        printed = self.visit(rest, text if text is not None else stdin)
        remember(self, Simple((), redirects), "", printed)
        return _UNKNOWN if redirects else printed

    def command(self, node: Node, extra: tuple[Node, ...], stdin: Text | None) -> Text:
        """A simple command: assignments in front, words, redirections anywhere."""
        nodes: list[Node] = []
        redirect_nodes: list[Node] = list(extra)
        assigned: list[tuple[str, Text | None]] = []
        variables: list[tuple[str, Word]] = []
        for child in node.named_children:
            if child.type == "variable_assignment":
                name = name_of(self.script, child)
                assigned.append((name, self.scope.variables.get(name)))
                assignment(self, child)
                place = self.script.place(*self.script.span(child))
                variables += ((name, Word(value, *place)) for value in self.scope.variables.get(name, ()))
            elif child.type.endswith("_redirect"):
                redirect_nodes.append(child)
            elif child.type == "subshell":
                # The parser takes `time` and `!` in front of a subshell for a command.
                self.visit(child, stdin)
            elif child.type != "comment":
                nodes.append(child)
        redirects, text, more = redirections(self, redirect_nodes)
        lines = self.lines([*nodes, *more])
        for name, before in assigned:
            # An assignment in front lasts for this command only.
            if before is None:
                self.scope.variables.pop(name, None)
            else:
                self.scope.variables[name] = before
        start, end = self.script.place(*self.script.span(node))
        printed: Text = ("",)
        for words in lines:
            if words or redirects:
                last = max([end, *(word.end for word in words)])
                given = text if text is not None else stdin
                printed = self.execute(
                    Simple(words, redirects, given, start, last, variables=tuple(variables))
                )
        return printed if len(lines) == 1 else _UNKNOWN

    def execute(self, simple: Simple) -> Text:
        """What the command does to the shell, and what it runs."""
        return execute(self, simple)

    def emit(self, name: str, simple: Simple) -> None:
        """Record that a program would run here."""
        self.reading.emit(name, simple, self.scope.cwd, self.scope.carrier)

    def read(
        self, text: str, base: int | None, within: tuple[int, int], scope: Scope, stdin: Text | None = None
    ) -> Text:
        """Analyse a script that this one holds."""
        return read(self.reading, text, base, within, scope, self.nesting + 1, stdin)

    def inner(self, script: Script) -> Walk:
        """A walk over another script in the same shell."""
        return Walk(self.reading, script, self.scope, self.nesting)

    def words(self, nodes: list[Node]) -> tuple[Word, ...]:
        """The arguments that the nodes make."""
        return tuple(word for span in self.spans(nodes) for word in self.word(span))

    def lines(self, nodes: list[Node]) -> list[tuple[Word, ...]]:
        """The arguments that the nodes make, once for each program that the first may turn out to be."""
        spans = self.spans(nodes)
        if not spans:
            return [()]
        place = self.script.place(*spans[0])
        heads = [tuple(Word(v, *place) for v in values) for values in self.expander.choices(*spans[0])]
        before = self.reading.sets
        if self.script.text[slice(*spans[0])] == "env":
            self.reading.sets = "export"
        rest = tuple(word for span in spans[1:] for word in self.word(span))
        self.reading.sets = before
        return [(*head, *rest) for head in heads]

    def word(self, span: tuple[int, int]) -> tuple[Word, ...]:
        """The arguments that one word of the script makes."""
        place = self.script.place(*span)
        values = self.expander.fields(*span)
        self.reading.budget.spend(len(values) + 1 + sum(map(len, values)) // 64)
        return tuple(Word(value, *place) for value in values)

    def spans(self, nodes: list[Node]) -> list[tuple[int, int]]:
        """Where the words of the nodes stand; what is not parted by a gap is one word."""
        text, made = self.script.text, list[tuple[int, int]]()
        for start, end in sorted(self.script.span(n) for n in nodes):
            if made and not text[made[-1][1] : start].replace("\\\n", ""):
                made[-1] = (made[-1][0], max(made[-1][1], end))
            else:
                made.append((start, end))
        # The parser takes the number of a file descriptor for a word, and `{ {` for one word.
        made = [(a, b) for a, b in made if not (text[a:b].isdigit() and text[b : b + 1] in ("<", ">"))]
        if any(text.startswith(("{ ", "{\t", "{\n"), a) for a, _ in made):
            return [part for a, b in made for part in _parts(text, a, b)]
        return made

    def substitution(self, text: str, start: int, end: int, opener: int) -> Text:
        """Analyse a substitution of the script, or of a value that it made, and tell what it prints."""
        if text is self.script.text:
            return self.nested(self.script.source, 0, start, end, opener)
        return self.nested(text, None, start, end, opener)

    def nested(self, text: str, offset: int | None, start: int, end: int, opener: int) -> Text:
        """Analyse a substitution that stands in a text, itself at an offset of the script."""
        inner = text[start + opener : max(end - 1, start + opener)]
        within = self.script.within
        if offset is not None:
            within = self.script.place(start + offset, end + offset)
            offset += start + opener
        if opener == 1 and "\\" in inner:
            inner, offset = inner.replace("\\`", "`").replace('\\"', '"'), None
        base = None if offset is None or self.script.base is None else self.script.base + offset
        if text[start] == ">":
            self.read(inner, base, within, self.scope.copy(), _UNKNOWN)
            return ("/dev/fd/" + UNKNOWN,)
        before = self.reading.sets
        if text[start] != "<":
            self.reading.sets = before or "$("
        printed = self.read(inner, base, within, self.scope.copy())
        self.reading.sets = before
        if text[start] == "<":
            # The program is given the name of a file that holds what the command prints.
            name = f"/dev/fd/{10 + len(self.reading.files)}"
            self.reading.files[name] = printed
            return (name,)
        return tuple(value.rstrip("\n") for value in printed)

    def definition(self, node: Node) -> Text:
        """A function is walked where it is called, and once here, since anything may call it later."""
        name, body = node.child_by_field_name("name"), node.child_by_field_name("body")
        if name is None or body is None:
            return ("",)
        self.scope.functions[self.script.slice(name)] = (self.script, body)
        before = self.scope
        self.enter(before.copy())
        self.scope.positional = None
        self.scope.certainty = Certainty.MAYBE
        self.scope.calls = (*self.scope.calls, self.script.slice(name))
        self.visit(body, None)
        self.enter(before)
        redirects, text, _ = redirections(self, node.children_by_field_name("redirect"))
        if redirects:
            start, end = self.script.place(*self.script.span(node))
            self.execute(Simple((), redirects, text, start, end))
        return ("",)


def _lines(stdin: Text | None) -> Text | None:
    """What a loop's condition can read: another line each time round."""
    if stdin is None or not any("\n" in text for text in stdin):
        return stdin
    lines = tuple(dict.fromkeys(line for text in stdin for line in text.split("\n") if line))
    return lines if len(lines) <= MAX_VALUES else _UNKNOWN


def _parts(text: str, start: int, end: int) -> list[tuple[int, int]]:
    if text[start + 1 : min(start + 2, end)] not in (" ", "\t", "\n"):
        return [(start, end)]
    return [(start + found.start(), start + found.end()) for found in _BLACK.finditer(text[start:end])]
