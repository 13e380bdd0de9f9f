"""The part of the checker that knows the names of functions, and reports those that there are not."""

from __future__ import annotations

from gateway.cel import foreign
from gateway.cel.environment import dotted, resolve
from gateway.cel.functions.signature import Function, Style
from gateway.cel.never import Comparisons
from gateway.cel.syntax import Call, Ident, Node
from gateway.diagnostic import suggest


class Callees(Comparisons):
    """What a checker knows of functions by their names."""

    def callable(self, node: Call, function: Function | None, target: Node | None) -> bool:
        """Whether there is something that is called; if not, that is reported."""
        beside = () if function is not None else self.beside(target)
        alone = not beside and self.alone(node, function, target)
        if function is not None and not alone:
            return True
        if target is not None and not beside and not alone:
            self.visit(target)
        if len(node.arguments) < 2 or not self.is_free(node.arguments[0]):
            for argument in node.arguments:
                self.visit(argument)
        if beside:
            self.not_beside(node, beside)
        elif alone and target is not None:
            message = f"there is no function `{self.text(target)}.{node.name}`"
            self.report("cel-name", node, message, f"write `{node.name}(…)`", node.start, node.name_end)
        else:
            style = Style.GLOBAL if target is None else Style.MEMBER
            help_ = foreign.for_function(node.name, style, self.environment.functions)
            message = f"there is no function `{node.name}`"
            self.report("cel-name", node, message, help_, node.name_start, node.name_end)
        return False

    def is_free(self, node: Node) -> bool:
        """Whether a node is a name that nothing has, as macros of other languages take one."""
        if not isinstance(node, Ident) or node.root or node.name in self.shadowing:
            return False
        known = node.name in self.environment.elsewhere
        return not known and resolve(node, self.environment, self.shadowing) is None

    def alone(self, node: Call, function: Function | None, target: Node | None) -> bool:
        """Whether a function is called with a namespace that it does not have, as `net.ip(x)`."""
        if target is None or not self.is_free(target):
            return False
        if self.environment.functions.find(node.name, Style.GLOBAL) is None:
            return False
        count = len(node.arguments) + 1
        return function is None or all(one.taking(count) is None for one in function.overloads)

    def beside(self, target: Node | None) -> tuple[str, ...]:
        """The functions of a namespace such as `math`, if that is what a call's target names."""
        prefix = "" if target is None else dotted(target)
        if not prefix or target is None or resolve(target, self.environment, self.shadowing) is not None:
            return ()
        if prefix.split(".")[0] in self.shadowing:
            return ()
        names = self.environment.functions.names(Style.GLOBAL)
        return tuple(name for name in names if name.startswith(f"{prefix}."))

    def not_beside(self, node: Call, beside: tuple[str, ...]) -> None:
        """Report a function that its namespace has not."""
        prefix = beside[0].rpartition(".")[0]
        near = suggest(node.name, [name.rpartition(".")[2] for name in beside])
        known = f"there are {', '.join(f'`{name}`' for name in beside)}"
        help_ = f"did you mean `{prefix}.{near[0]}`?" if near else known
        message = f"there is no function `{prefix}.{node.name}`"
        self.report("cel-name", node, message, help_, node.start, node.name_end)
