"""The part of the checker that knows names, what is reached through them, and which guards protect that."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from gateway.cel import fields, foreign, mends
from gateway.cel.domain import ANY_KIND, Domain, Form, kind_of_type, of_literal, of_type, values_of
from gateway.cel.environment import Environment, resolve
from gateway.cel.fields import Path, path_of
from gateway.cel.functions.signature import Elements
from gateway.cel.learned import Fact, learned
from gateway.cel.syntax import Access, Has, Ident, Index, Literal, Node, Parsed, Select
from gateway.cel.types import (
    BOOL,
    DYN,
    NEVER,
    TYPE,
    ListType,
    MapType,
    ObjectType,
    OptionalType,
    Type,
)
from gateway.diagnostic import Diagnostic, respelt

if TYPE_CHECKING:
    from gateway.cel.listed import Words


@dataclass(frozen=True, slots=True)
class Local:
    """A macro variable: its type, the name that no other has, what it can be, and the map that it is a key of."""

    type: Type
    key: str
    domain: Domain | None = None
    key_of: Path | None = None
    words: Words | None = None


@dataclass(frozen=True, slots=True)
class Reached:
    """What a chain of selections leads to, step by step."""

    type: Type
    path: Path | None
    domain: Domain | None = None

    @property
    def inner(self) -> Type:
        """The type, or what an optional holds."""
        return self.type.value if isinstance(self.type, OptionalType) else self.type


class Names(ABC):
    """What a checker knows of names; `visit` gives the type of any other node."""

    def __init__(self, parsed: Parsed, environment: Environment) -> None:
        self.parsed = parsed
        self.environment = environment
        self.diagnostics: list[Diagnostic] = list(parsed.diagnostics)
        self.reads: set[tuple[str, ...]] = set()
        self.calls: set[str] = set()
        self.unbuilt: set[str] = set()
        self.guards: frozenset[Path] = frozenset()
        self.kinds: Mapping[Path, frozenset[str]] = {}
        self.locals: dict[str, Local] = {}
        self.lets: dict[int, Type] = {}
        self.elements: dict[int, Elements] = {}
        self.domains: dict[int, Domain] = {}
        self.words: dict[int, Words] = {}
        self.count = 0

    @abstractmethod
    def visit(self, node: Node) -> Type:
        """The type of a node."""

    def report(
        self, code: str, at: Node, message: str, help_: str = "", start: int = -1, end: int = -1
    ) -> Type:
        """Add what is wrong with a node, or with a part of it; what depends on it is not checked further."""
        span = self.parsed.excerpt.span(at.start if start < 0 else start, at.end if end < 0 else end)
        self.diagnostics.append(Diagnostic(code, message, span, help_))
        return DYN

    def mend(self, word: str, known: Iterable[str]) -> None:
        """Let the last report bring its mend, where the word that it underlines can only be one of these."""
        last = self.diagnostics[-1]
        if last.span is not None:
            self.diagnostics[-1] = replace(last, edits=respelt(word, known, last.span))

    def require_bool(self, node: Node, what: str) -> None:
        """Report a node whose type is known not to be bool."""
        type_ = self.visit(node)
        wrong = [one for one in self.types(node, type_) if one not in (BOOL, DYN, NEVER)]
        if not wrong:
            return
        if len(wrong) == len(self.types(node, type_)):
            self.report("cel-type", node, f"{what} takes bool, not {self.named_type(node, type_)}")
        else:
            self.may_be(node, wrong[0], "bool", f"{what} takes bool")

    def types(self, node: Node, type_: Type) -> tuple[Type, ...]:
        """Every type that a node may have, as far as that is known."""
        domain = self.domains.get(id(node))
        if type_ != DYN or domain is None or domain.written or not domain.forms:
            return (type_,)
        return domain.types

    def named_type(self, node: Node, type_: Type) -> str:
        """The type of a node for people."""
        return " or ".join(map(str, self.types(node, type_)))

    def domain(self, node: Node, type_: Type) -> Domain | None:
        """What a node can be; None if that is not known."""
        if isinstance(type_, OptionalType):
            return None
        found = self.domains.get(id(node))
        if found is None and isinstance(node, Literal):
            found = of_literal(node.value)
        return of_type(type_) if found is None else found

    def may_be(self, node: Node, wrong: Type, wanted: str, why: str) -> Type:
        """Report a value that is of the right kind only sometimes."""
        text = self.text(node)
        kind = kind_of_type(wrong)
        if {kind, wanted} == {"int", "double"}:
            help_ = f"write `{wanted}({text})`"
        elif kind == "null":
            help_ = f"write `{text} != null && …`"
        else:
            help_ = f"write `type({text}) == {wanted} && …`" if wanted else ""
        return self.report("cel-type", node, f"`{text}` may be {wrong}, but {why}", help_)

    def text(self, node: Node) -> str:
        """A node as it is written."""
        return self.parsed.excerpt.text[node.start : node.end]

    @property
    def shadowing(self) -> set[str]:
        """Names that hide variables."""
        return {*self.locals, *self.parsed.lets}

    @contextmanager
    def naming(self, /, **variables: Local) -> Iterator[None]:
        """Give macro variables their types inside the block."""
        outer = self.locals
        self.count += 1
        self.locals = {
            **outer,
            **{name: replace(local, key=f"{name}#{self.count}") for name, local in variables.items()},
        }
        yield
        self.locals = outer

    @contextmanager
    def guarded(self, facts: Iterable[Fact]) -> Iterator[None]:
        """Take optional fields as present, and values as of some kinds, inside the block."""
        outer = self.guards, self.kinds
        present: set[Path] = set()
        kinds = dict(self.kinds)
        for fact in facts:
            if fact.kinds is None:
                present.add(fact.path)
            else:
                kinds[fact.path] = fact.kinds & kinds.get(fact.path, fact.kinds)
        self.guards, self.kinds = self.guards | present, kinds
        yield
        self.guards, self.kinds = outer

    def learned(self, node: Node, holds: bool) -> list[Fact]:
        """What is known of other values where a condition is true, or where it is false."""
        return list(learned(node, holds, self.path))

    # Names and what is reached through them

    def chain(self, node: Node) -> Type:
        """A name, or selections and indexes on anything: typed step by step, read as one path."""
        at = self.reach(node)
        self.note(at.path)
        if at.domain is not None:
            self.domains[id(node)] = at.domain
        return at.type

    def note(self, path: Path | None) -> None:
        """Remember that a path is read, as far as it is made of names and starts at a variable."""
        if path is None or path[0] not in self.environment.variables:
            return
        names: list[str] = []
        for name in path:
            if not isinstance(name, str):
                break
            names.append(name)
        self.reads.add(tuple(names))

    def reach(self, node: Node) -> Reached:
        """What a chain leads to; its path is known if it starts at a name."""
        steps: list[Select | Index] = []
        while isinstance(node, Select | Index):
            steps.append(node)
            node = node.operand
        steps.reverse()
        if isinstance(node, Ident):
            at, done = self.named(node, steps)
            steps = steps[done:]
        else:
            at = Reached(self.visit(node), None, self.domains.get(id(node)))
        at = self.narrowed(at)
        for step in steps:
            if isinstance(step, Select):
                path = None if at.path is None else (*at.path, step.field)
                at = replace(self.field(at, step), path=path)
                if step.access is Access.OPTIONAL:
                    self.note(path)
                    at = replace(at, path=None)
            else:
                at = self.indexed(at, step)
            at = self.narrowed(at)
        return at

    def narrowed(self, at: Reached) -> Reached:
        """The same with what conditions around it tell of its kind."""
        kinds = None if at.path is None else self.kinds.get(at.path)
        if kinds is None or at.type != DYN:
            return at
        domain = (at.domain or Domain({kind: Form(type_) for kind, type_ in ANY_KIND.items()})).only(kinds)
        if not domain.forms or (at.domain is None and len(domain.forms) > 1):
            return at
        return Reached(domain.type, at.path, domain)

    def named(self, node: Ident, steps: list[Select | Index]) -> tuple[Reached, int]:
        """What a name is, and how many of the steps belong to it."""
        if not node.root and node.name in self.locals:
            local = self.locals[node.name]
            return Reached(local.type, (local.key,), local.domain), 0
        if not node.root and node.name in self.parsed.lets:
            let = self.parsed.lets[node.name]
            type_ = self.let(let)
            return Reached(type_, (f"{node.name}#let",), self.domains.get(id(let.ast))), 0
        whole: Node = node
        selections = 0
        for step in steps:
            if not isinstance(step, Select) or step.access is Access.OPTIONAL:
                break
            whole, selections = step, selections + 1
        found = resolve(whole, self.environment, self.shadowing)
        if found is None:
            return Reached(self.unknown_name(node), None), 0
        done = selections - len(found.rest)
        if found.name in self.environment.variables:
            return Reached(self.environment.variables[found.name], (found.name,)), done
        return Reached(TYPE, None), done

    def unknown_name(self, node: Ident) -> Type:
        """Report a name that nothing has, or nothing at this point."""
        elsewhere = self.environment.elsewhere.get(node.name)
        if elsewhere is not None:
            return self.report("cel-name", node, f"`{node.name}` is not known here", elsewhere)
        known = [*self.environment.variables, *self.locals, *self.parsed.lets]
        arguments = self.environment.variables.get("args")
        if isinstance(arguments, ObjectType) and node.name in arguments.fields:
            help_ = f"did you mean `args.{node.name}`?"
        else:
            help_ = foreign.for_name(node.name, known)
        self.report("cel-name", node, f"nothing is named `{node.name}`", help_)
        self.mend(node.name, known)
        return DYN

    def let(self, let: Parsed) -> Type:
        """The type of a named expression; no guard reaches into it or out of it."""
        known = self.lets.get(id(let))
        if known is None:
            outer = self.parsed, self.locals, self.guards, self.kinds
            self.parsed, self.locals, self.guards, self.kinds = let, {}, frozenset(), {}
            self.diagnostics.extend(let.diagnostics)
            known = self.lets[id(let)] = DYN if let.ast is None else self.visit(let.ast)
            self.parsed, self.locals, self.guards, self.kinds = outer
        return known

    def holder(self, at: Reached, node: Node, fits: Callable[[Type], bool], why: str) -> Reached:
        """A value that something is taken from, where it may be of several kinds: those that have it."""
        if at.inner != DYN or at.domain is None or at.domain.written or not at.domain.forms:
            return at
        good = [kind for kind, form in at.domain.forms.items() if fits(form.type)]
        if not good:
            return replace(at, type=at.domain.types[0])
        domain = at.domain.only(good)
        wrong = [form.type for kind, form in at.domain.forms.items() if kind not in good]
        if wrong:
            self.may_be(node, wrong[0], good[0], why)
        type_ = OptionalType(domain.type) if isinstance(at.type, OptionalType) else domain.type
        return Reached(type_, at.path, domain)

    def field(self, at: Reached, step: Select | Has) -> Reached:
        """A field of a value, not narrowed yet."""
        optional = isinstance(step, Select) and step.access is Access.OPTIONAL
        optional = optional or isinstance(at.type, OptionalType)
        why = f"only an object has a field `{step.field}`"
        at = self.holder(at, step.operand, lambda type_: isinstance(type_, MapType | ObjectType), why)
        inner = fields.field_type(at.inner, step.field, self.element_domain(at))
        end = step.field_end if isinstance(step, Has) else step.end
        if isinstance(inner, fields.Wrong):
            help_ = inner.help or foreign.for_field(step.field, at.inner, self.environment.functions)
            self.report(inner.code, step, inner.message, help_, step.field_start, end)
            self.mend(step.field, inner.known)
            return Reached(DYN, None)
        if inner.optional and not optional and isinstance(step, Select):
            full = None if at.path is None else (*at.path, step.field)
            if full is None or full not in self.guards:
                text = self.text(step)
                help_ = f"write `.?{step.field}`"
                if full is not None:
                    help_ = mends.for_absent(text, self.text(step.operand), step.field, inner.type)
                near = fields.nearest(at.inner, step.field)
                help_ = f"{help_}, or did you mean `{near}`?" if near else help_
                self.report("cel-optional", step, f"`{text}` may be absent", help_)
        wrapped = optional and isinstance(step, Select)
        return Reached(OptionalType(inner.type) if wrapped else inner.type, None, inner.domain)

    @staticmethod
    def element_domain(at: Reached) -> Domain | None:
        """What the elements of a list, or the values of a map with free keys, can be."""
        forms = () if at.domain is None else tuple(at.domain.forms.values())
        return forms[0].element if len(forms) == 1 else None

    def indexed(self, at: Reached, step: Index) -> Reached:
        """An element, not narrowed yet; its path is known if the index is a constant."""
        key = self.visit(step.index)
        literal = step.index.value if isinstance(step.index, Literal) else None
        optional = step.access is Access.OPTIONAL or isinstance(at.type, OptionalType)
        here: Path | None = None
        if at.path is not None and literal.__class__ in (str, int) and step.access is Access.PLAIN:
            here = (*at.path, literal)
        else:
            self.note(at.path)
        at = self.holder(
            at,
            step.operand,
            lambda type_: fields.element_type(type_, key) is not None,
            f"only what can be indexed by {key} has such an element",
        )
        value, below = at.inner, self.element_domain(at)
        needs_guard = False
        if isinstance(value, ObjectType | MapType) and isinstance(literal, str):
            quoted = step.index
            inner = fields.field_type(value, literal, below)
            if isinstance(inner, fields.Wrong):
                return Reached(self.report(inner.code, quoted, inner.message, inner.help), None)
            needs_guard, element, below = inner.optional, inner.type, inner.domain
        else:
            possible = fields.element_type(value, key)
            if possible is None:
                return Reached(self.report("cel-type", step, f"{value} can't be indexed by {key}"), None)
            element = possible
            if isinstance(value, ListType) and at.domain is not None and literal.__class__ is int:
                (form,) = at.domain.forms.values()
                first = form.first[literal] if 0 <= literal < len(form.first) else None
                if first is not None:
                    below, element = first, first.type
            elif isinstance(value, ObjectType) or (isinstance(value, MapType) and value.free):
                needs_guard = not self.is_key(step.index, at.path)
                if isinstance(value, ObjectType):
                    below = values_of(value)
                    element = DYN if below is None else below.type
        if needs_guard and not optional and (here is None or here not in self.guards):
            guard = "guard the field" if literal.__class__ is str else "go through the keys with a macro"
            self.report(
                "cel-optional", step, f"`{self.text(step)}` may be absent", f"write `[?…]`, or {guard}"
            )
        return Reached(OptionalType(element) if optional else element, here, below)

    def is_key(self, node: Node, path: Path | None) -> bool:
        """Whether a node is the variable of a macro that goes through the keys of what lies at a path."""
        local = self.locals.get(node.name) if isinstance(node, Ident) and not node.root else None
        return local is not None and path is not None and local.key_of == path

    def has(self, node: Has) -> Type:
        """Check what `has` asks for, which needs no guard itself."""
        at = self.reach(node.operand)
        self.note(None if at.path is None else (*at.path, node.field))
        self.field(at, node)
        return BOOL

    def path(self, node: Node) -> Path | None:
        """The path of a chain, if it is one that a guard can name."""
        return path_of(node, self.root_of)

    def root_of(self, node: Node) -> tuple[Path, Iterable[Select]] | None:
        """The path of a name, and the selections of a longer name that are left to do."""
        if isinstance(node, Ident) and not node.root:
            if node.name in self.locals:
                return (self.locals[node.name].key,), ()
            if node.name in self.parsed.lets:
                return (f"{node.name}#let",), ()
        found = resolve(node, self.environment, self.shadowing)
        return None if found is None else ((found.name,), found.rest)
