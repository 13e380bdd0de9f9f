"""The part of the checker that knows comparisons, and proves that some are never true."""

from __future__ import annotations

from gateway.cel import fields, mends
from gateway.cel.domain import (
    Domain,
    Form,
    either,
    in_words,
    kind_of_type,
    never_equal,
    never_ordered,
    shown,
)
from gateway.cel.learned import kind_asked
from gateway.cel.listed import Listed
from gateway.cel.syntax import Access, Binary, BinaryOperator, Call, ListNode, Literal, Node
from gateway.cel.types import (
    BOOL,
    DYN,
    STRING,
    ListType,
    ObjectType,
    Type,
    comparable,
    literal_type,
)
from gateway.diagnostic import suggest
from gateway.ranges import Range

_ORDERED = frozenset(
    {BinaryOperator.LESS, BinaryOperator.LESS_EQUAL, BinaryOperator.GREATER, BinaryOperator.GREATER_EQUAL}
)


_NOTHING = Domain({}, written=True)


class Comparisons(Listed):
    """What a checker knows of comparisons."""

    def domain(self, node: Node, type_: Type) -> Domain | None:
        """What a node can be; lists that are written out are known as well."""
        if not isinstance(node, ListNode) or not isinstance(type_, ListType):
            return super().domain(node, type_)
        if any(element.access is Access.OPTIONAL for element in node.elements):
            return super().domain(node, type_)
        inside = [super(Comparisons, self).domain(one.value, DYN) for one in node.elements]
        # What an empty list is joined with says what is in both.
        count, element = len(node.elements), either(inside) if inside else _NOTHING
        written = element is None or element.written
        return Domain({"list": Form(type_, Range(count, count), element)}, written)

    def compared(self, node: Binary, left: Type, right: Type) -> None:
        """Report two sides that are never equal."""
        if not comparable(left, right):
            self.report(
                "cel-type", node, f"{left} and {right} are never equal", self.conversion(node, left, right)
            )
            return
        if self.kind_is_wrong(node):
            return
        one, other = self.domain(node.left, left), self.domain(node.right, right)
        if one is None or other is None or not self.declared(node.left, node.right):
            return
        if not any(comparable(first, second) for first in one.types for second in other.types):
            if one.forms and other.forms:
                self.report("cel-type", node, f"{one} and {other} are never equal")
        elif never_equal(one, other):
            if isinstance(node.right, Literal):
                self.never(node.left, one, node.right)
            elif isinstance(node.left, Literal):
                self.never(node.right, other, node.left)
            else:
                names = f"`{self.text(node.left)}` and `{self.text(node.right)}`"
                self.report("cel-type", node, f"{names} are never equal", in_words(one) or in_words(other))

    def declared(self, *nodes: Node) -> bool:
        """Whether something is known of one of these nodes that its own text does not say."""
        known = [self.domains.get(id(node)) for node in nodes]
        return any(domain is not None and not domain.written for domain in known)

    def kind_is_wrong(self, node: Binary) -> bool:
        """Report a `type(x) == …` that asks for a kind which a value never is."""
        asked = kind_asked(node, self.path)
        call = node.left if isinstance(node.left, Call) else node.right
        if asked is None or not isinstance(call, Call):
            return False
        domain = self.domains.get(id(call.arguments[0]))
        if domain is None or domain.written or not domain.forms or asked[1] in domain.forms:
            return False
        other = node.right if call is node.left else node.left
        text = self.text(call.arguments[0])
        self.report("cel-type", other, f"`{text}` is {domain}, never {self.text(other)}")
        return True

    def never(self, node: Node, domain: Domain, literal: Literal, verb: str = "is never") -> None:
        """Report a constant that a value never is."""
        value = literal.value
        choices = [one for one in domain.listed or () if isinstance(one, str)]
        alike = domain.only({kind_of_type(literal_type(value)) or ""})
        help_ = in_words(domain) or (in_words(alike) if alike.forms else f"it is {domain}")
        if not alike.forms and len(domain.forms) == 1:
            other = mends.Side(self.text(node), domain.type)
            own = self.side(literal, literal_type(value))
            help_ = mends.for_operator(BinaryOperator.EQUAL, other, own) or help_
        help_ = help_ if domain.forms else "its schema accepts no value"
        if isinstance(value, str) and choices:
            near = [one for one in choices if one.lower() == value.lower()] or suggest(value, choices)
            help_ = f"did you mean `{near[0]}`?" if near else help_
        if isinstance(value, str):
            help_ = self.why_not(value, domain, help_)
        self.report("cel-type", literal, f"`{self.text(node)}` {verb} `{shown(value)}`", help_)
        if isinstance(value, str) and help_.startswith("did you mean"):
            self.mend(value, choices)

    @staticmethod
    def why_not(value: str, domain: Domain, otherwise: str) -> str:
        """What is known of why a text is never there: of itself, or of one that was probably meant."""
        form = domain.forms.get("string")
        if form is None or form.never is None:
            return otherwise
        never = form.never
        if value in never.texts:
            return never.texts[value]
        if form.lacks(value) or not otherwise.startswith("did you mean"):
            near = [] if form.lacks(value) else suggest(value, never.texts)
            return f"did you mean `{near[0]}`? {never.texts[near[0]]}" if near else never.advice or otherwise
        return otherwise

    def ordered(self, node: Binary, left: Type, right: Type) -> None:
        """Report an order that two sides never have."""
        one, other = self.domain(node.left, left), self.domain(node.right, right)
        if node.operator not in _ORDERED or self.order(node, one, other) or one is None or other is None:
            return
        if not self.declared(node.left, node.right) or not never_ordered(node.operator, one, other):
            return
        falls = node.operator in (BinaryOperator.LESS, BinaryOperator.LESS_EQUAL)
        told = [
            f"`{self.text(side)}`{words.removeprefix('it')}"
            for side, domain, low in ((node.left, one, falls), (node.right, other, not falls))
            if not isinstance(side, Literal) and (words := in_words(domain, low=low, high=not low))
        ]
        why = f": {' and '.join(told)}" if told else ""
        self.report("cel-type", node, f"`{self.text(node)}` is never true{why}")

    def contained(self, node: Binary, left: Type, right: Type) -> Type:
        """Check `left in right`."""
        loops = {type_: fields.loop_types(type_, 1) for type_ in self.types(node.right, right)}
        inside = [types[0] for types in loops.values() if types is not None]
        wrong = [type_ for type_, types in loops.items() if types is None]
        if wrong and inside:
            self.may_be(node.right, wrong[0], "list", "`in` takes a list or a map on its right")
        elif wrong:
            help_ = mends.for_member(self.side(node.left, left), wrong[0], self.text(node.right))
            named = self.named_type(node.right, right)
            self.report(
                "cel-type", node.right, f"`in` takes a list or a map on its right, not {named}", help_
            )
        elif isinstance(right, ObjectType) and isinstance(node.left, Literal):
            named_field = fields.field_type(right, node.left.value) if left == STRING else None
            if isinstance(named_field, fields.Wrong):
                self.report(named_field.code, node.left, named_field.message, named_field.help)
            elif left != STRING:
                self.report("cel-type", node, f"{left} is never in {right}")
        elif isinstance(node.right, ListNode) and comparable(left, inside[0]):
            self.in_written(node, left, node.right)
        elif not any(comparable(one, type_) for one in self.types(node.left, left) for type_ in inside):
            help_ = ""
            if isinstance(node.right, ListNode) and node.right.elements:
                first = self.side(node.right.elements[0].value, inside[0])
                help_ = mends.for_operator(BinaryOperator.EQUAL, self.side(node.left, left), first)
            named = self.named_type(node.left, left)
            self.report("cel-type", node, f"{named} is never in {right}", help_)
        else:
            self.in_named(node, left, right)
        return BOOL

    def in_written(self, node: Binary, left: Type, right: ListNode) -> None:
        """Report the elements of a list that a value never is."""
        if not right.elements and not isinstance(node.left, Literal):
            self.report("cel-type", node, f"`{self.text(node)}` is never true: the list is empty")
            return
        one = self.domain(node.left, left)
        if one is None:
            return
        for element in right.elements:
            item = element.value
            other = self.domain(item, DYN)
            if other is None or not self.declared(node.left, item) or not never_equal(one, other):
                continue
            if isinstance(item, Literal):
                self.never(node.left, one, item)
            else:
                names = f"`{self.text(node.left)}` and `{self.text(item)}`"
                self.report("cel-type", item, f"{names} are never equal", in_words(one))

    def in_named(self, node: Binary, left: Type, right: Type) -> None:
        """Report a value that a list never holds."""
        one, list_ = self.domain(node.left, left), self.domain(node.right, right)
        if one is None or list_ is None or set(list_.forms) != {"list"}:
            return
        if not self.declared(node.left, node.right):
            return
        element = list_.forms["list"].element
        if element is None or not element.forms or self.in_constants(node, one, element):
            return
        if not never_equal(one, element):
            return
        if isinstance(node.left, Literal):
            self.never(node.right, element, node.left, "never holds")
        else:
            words = in_words(one)
            help_ = f"of `{self.text(node.left)}`: {words}" if words else ""
            self.report("cel-type", node, f"`{self.text(node)}` is never true", help_)

    def in_constants(self, node: Binary, one: Domain, element: Domain) -> bool:
        """Report the first text in a named list that has what no text of the value's kind has."""
        form = one.forms.get("string")
        if form is None or not element.written or isinstance(node.left, Literal):
            return False
        texts = (each for each in element.listed or () if isinstance(each, str))
        odd = next(filter(form.lacks, texts), None)
        if odd is not None:
            text = f"`{self.text(node.right)}` holds `{shown(odd)}`, which `{self.text(node.left)}` never is"
            self.report("cel-type", node.right, text, self.why_not(odd, one, ""))
        return odd is not None

    def conversion(self, node: Binary, left: Type, right: Type) -> str:
        """How one side can be made what the other is."""
        return mends.for_operator(node.operator, self.side(node.left, left), self.side(node.right, right))

    def side(self, node: Node, type_: Type) -> mends.Side:
        """A node as what is to be mended."""
        return mends.Side(self.text(node), type_, node.value if isinstance(node, Literal) else None)
