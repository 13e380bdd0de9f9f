"""Functions of several languages whose result their text tells, and what they do alike."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from gateway.inspect.deed import Does, Extent
from gateway.inspect.languages.doer import flat
from gateway.inspect.languages.evaluator import Evaluator
from gateway.inspect.languages.language import Call
from gateway.inspect.python.expressions import variable
from gateway.inspect.python.folding import FOLDS, join, pattern
from gateway.inspect.value import NOTHING, Value, joined, sources, text
from gateway.inspect.word import FULL, UNKNOWN

ENVIRON = Value(kind="environ", sources=frozenset(("environ",)))
TMP = "/tmp/tmp" + UNKNOWN  # noqa: S108


def same(evaluator: Evaluator, call: Call) -> Value:
    """The first argument."""
    del evaluator
    return call.value(0)


def kept(evaluator: Evaluator, call: Call) -> Value:
    """The object of the method."""
    del evaluator
    return call.holder


def fixed(value: str) -> Callable[[Evaluator, Call], Value]:
    """Always the same text."""
    return lambda evaluator, call: text(value)


def folded(name: str) -> Callable[[Evaluator, Call], Value]:
    """What a function of Python's makes of the same arguments."""
    fold = FOLDS[name]
    return lambda evaluator, call: (
        fold(tuple(value for value, _ in call.arguments)) if call.arguments else NOTHING
    )


def on_holder(name: str) -> Callable[[Evaluator, Call], Value]:
    """What a function of Python's makes of the object of the method."""
    fold = FOLDS[name]
    return lambda evaluator, call: fold((call.holder,))


def paths(evaluator: Evaluator, call: Call) -> Value:
    """Arguments joined to one path."""
    del evaluator
    return join(tuple(one for value, _ in call.arguments for one in flat(value)))


def texts(evaluator: Evaluator, call: Call) -> Value:
    """Arguments put together to one text."""
    del evaluator
    return joined([one for value, _ in call.arguments for one in flat(value)])


def chars(evaluator: Evaluator, call: Call) -> Value:
    """Characters by their numbers."""
    del evaluator
    return joined([FOLDS["chr"]((one,)) for value, _ in call.arguments for one in flat(value)])


def globbed(evaluator: Evaluator, call: Call) -> Value:
    """The files that some patterns find."""
    del evaluator
    made = tuple(
        pattern(one) for value, _ in call.arguments[:1] for part in flat(value) for one in part.text()
    )
    words = tuple(word for one in made for word in one.split())
    return Value(items=(Value(texts=words[:8] or (UNKNOWN,), extent=Extent.MANY),), kind="many")


def listed(evaluator: Evaluator, call: Call) -> Value:
    """The names in a directory, with it in front."""
    del evaluator
    found = join((call.value(0), text(FULL))) if call.arguments else text(FULL)
    return Value(items=(Value(texts=found.text(), extent=Extent.MANY),), kind="many")


def names(evaluator: Evaluator, call: Call) -> Value:
    """The bare names in a directory."""
    del evaluator, call
    return Value(items=(Value(texts=(FULL,), extent=Extent.MANY),), kind="many")


def printed(evaluator: Evaluator, call: Call) -> Value:
    """What is printed."""
    for value, spot in call.arguments:
        evaluator.findings.shown(value, spot)
    return NOTHING


def environment(evaluator: Evaluator, call: Call) -> Value:
    """A variable of the environment, or all of them."""
    del evaluator
    return variable(call.value(0).text()[0], call.value(1)) if call.arguments else ENVIRON


def moved(evaluator: Evaluator, call: Call) -> Value:
    """A file put in another place; one that stays within a project is not lost."""
    source, target = call.value(0), call.value(1)
    if any(one[:1] in ("/", "~", UNKNOWN) or ".." in one for one in (*source.text(), *target.text())):
        evaluator.findings.on_paths(Does.DELETE, source, call.spot)
    evaluator.findings.on_paths(Does.OVERWRITE, target, call.spot)
    return NOTHING


def system(evaluator: Evaluator, call: Call) -> Value:
    """A command: one text for a shell, or a list of arguments."""
    values = [one for value, _ in call.arguments for one in flat(value) if not value.keys]
    if len(values) == 1:
        return evaluator.shell(values[0], call.spot_of(0))
    return evaluator.command(values, call.spot) if values else NOTHING


def opened(evaluator: Evaluator, path: Value, mode: str, call: Call) -> Value:
    """A file that is opened in some mode."""
    if "w" in mode or "+" in mode or "x" in mode:
        evaluator.findings.on_paths(Does.OVERWRITE, path, call.spot)
    elif "a" in mode:
        evaluator.findings.on_paths(Does.APPEND, path, call.spot)
    else:
        made = evaluator.read(path, call.spot)
        return replace(made, kind="file")
    return Value(kind="file", texts=path.text())


def open_file(evaluator: Evaluator, call: Call) -> Value:
    """A file that is opened with its mode as second argument."""
    mode = call.value(1) if len(call.arguments) > 1 else Value(texts=("r",))
    return opened(evaluator, call.value(0), mode.text()[0], call)


def host(evaluator: Evaluator, call: Call) -> Value:
    """A connection to a host, and a port."""
    port = call.value(1)
    number = str(port.number) if port.number is not None else port.text()[0]
    target = call.value(0).text()[0] + (f":{number}" if number != UNKNOWN else "")
    return evaluator.net(text(target), call.spot)


def joined_list(evaluator: Evaluator, call: Call) -> Value:
    """The items of a list, put together."""
    del evaluator
    if call.holder.items is None:
        return Value(texts=(UNKNOWN,), sources=sources((call.holder,)))
    return joined(list(call.holder.items), call.value(0).text()[0] if call.arguments else "")


def for_each(function: int, given: int) -> Callable[[Evaluator, Call], Value]:
    """A function that is handed over, called for each of many; where the two stand among the arguments."""

    def handler(evaluator: Evaluator, call: Call) -> Value:
        value, spot = call.value(function), call.spot_of(given)
        name = value.name or (value.texts[0] if len(value.texts) == 1 else "")
        for one in flat(call.value(given)) if name else ():
            evaluator.called(Call(name, [(one, spot)], call.spot))
        return NOTHING

    return handler
