"""Answers a host's hook whatever happens inside: a child process works, this one writes the answer.

A crash, a hang, a stray print, a killed child and a signal all end in a refusal, because for most hosts a
hook that dies or says nothing lets the tool run. Only the standard library is needed for that.
"""

from __future__ import annotations

import errno
import fcntl
import gc
import json
import os
import signal
import sys
from collections.abc import Callable, Sequence
from importlib import import_module
from time import monotonic
from types import FrameType
from typing import NamedTuple, NoReturn

DEADLINE = 8.0
"""Seconds, well below what any host waits."""
MAX_MESSAGE = 64 * 1024 * 1024
USAGE = (
    "gatewayctl hook HOST --policies PATH [--user PATH] [--project PATH] [--audit PATH] [--log PATH]"
    " [--deadline SECONDS]"
)

_SELDOM = 100_000
"""So many new objects make Python look for unreachable ones: looking often is of no use before the process ends."""
_BLOCKED = 2
# What the processor raises while code runs must not be answered by code; from elsewhere it is ignored.
_IGNORED = (
    *(signal.SIGSEGV, signal.SIGBUS, signal.SIGILL, signal.SIGFPE, signal.SIGTRAP, signal.SIGSYS),
    *(signal.SIGPIPE, signal.SIGXFSZ, signal.SIGTSTP, signal.SIGTTIN, signal.SIGTTOU),
)
_HARMLESS = (signal.SIGCHLD, signal.SIGCONT, signal.SIGURG, signal.SIGWINCH)
_UNSTOPPABLE = (signal.SIGKILL, signal.SIGSTOP)
_SIGNALS = tuple(signal.valid_signals() - {*_IGNORED, *_HARMLESS, *_UNSTOPPABLE})
_LAST_RESORT = (
    '{"hookSpecificOutput": {"hookEventName": "PreToolUse", "permissionDecision": "deny", '
    '"permissionDecisionReason": "The gateway failed to start, so the call was refused."}}\n'
)


class Hook(NamedTuple):
    """Which host asks, where its policies, its audit file and its log are, and how many seconds the answer may take."""

    host: str
    policies: str
    deadline: float = DEADLINE
    user: str | None = None
    project: str | None = None
    audit: str | None = None
    log: str | None = None


class UsageProblem(Exception):
    """A hook that was installed with a wrong command line."""


class _Stopped(Exception):
    """No answer will come any more; the message says why."""


class _Written(NamedTuple):
    stdout: str
    stderr: str
    exit_code: int


def parse(arguments: Sequence[str]) -> Hook:
    """The hook that a command line names; no library reads it, so that none can fail."""
    values: dict[str, str | None] = {
        "--policies": os.environ.get("GATEWAY_POLICIES", ""),
        "--deadline": str(DEADLINE),
        "--user": None,
        "--project": None,
        "--audit": None,
        "--log": None,
    }
    hosts: list[str] = []
    rest = list(arguments)
    while rest:
        word = rest.pop(0)
        name, equals, value = word.partition("=")
        if name in values:
            if not equals and not rest:
                raise UsageProblem(f"`{name}` needs a value")
            values[name] = value if equals else rest.pop(0)
        elif word.startswith("-"):
            help_ = "; people read the help with `gatewayctl hook --help`" if word in ("--help", "-h") else ""
            raise UsageProblem(f"there is no option `{word}`{help_}")
        else:
            hosts.append(word)
    from gateway.hosts import HOSTS

    if len(hosts) != 1 or hosts[0] not in HOSTS:
        raise UsageProblem(f"the host is one of {', '.join(f'`{host}`' for host in HOSTS)}")
    if not values["--policies"]:
        raise UsageProblem("`--policies PATH` is missing")
    try:
        deadline = float(values["--deadline"] or "")
    except ValueError:
        deadline = 0.0
    if not 0.1 <= deadline <= 600:
        raise UsageProblem("`--deadline` is a number of seconds from 0.1 to 600")
    layers = {name: values[f"--{name}"] for name in ("user", "project", "audit", "log")}
    return Hook(hosts[0], values["--policies"], deadline, **layers)


def run(arguments: Sequence[str]) -> NoReturn:
    """Answer the hook that a command line names, and end the process."""
    hook, problem = _UNKNOWN, ""
    try:
        gc.set_threshold(_SELDOM)
        _on_signal(_stop)
        hook = parse(arguments)
    except UsageProblem as found:
        problem = f"The hook is installed wrongly: {found}. Usage: {USAGE}"
    except _Stopped as stopped:
        problem = f"The gateway gave no answer: {stopped}."
    except BaseException as error:  # whatever it is, the host must not take it for a pass
        problem = f"The gateway failed to start: {_told(error)}."
    supervise(hook, problem)


def supervise(hook: Hook, problem: str = "") -> NoReturn:
    """Answer a hook's message from stdin, and end the process; where there is a problem already, say that."""
    message = bytearray()
    began = monotonic()
    try:
        _on_signal(_stop)
        signal.setitimer(signal.ITIMER_REAL, hook.deadline)
        _read(message)
        answer = _failed(hook, message, problem) if problem else _asked(hook, bytes(message))
    except _Stopped as stopped:
        answer = _failed(hook, message, problem or f"The gateway gave no answer: {stopped}.")
    except BaseException as error:  # whatever it is, the host must not take it for a pass
        answer = _failed(hook, message, problem or f"The gateway failed: {_told(error)}.")
    _finish(answer, max(1.0, began + hook.deadline - monotonic()))


_UNKNOWN = Hook("claude-code", "")
"""Whose words are used where the command line names no host."""


def _read(message: bytearray) -> None:
    """Everything on stdin, which the parent keeps: what it is about decides what a refusal looks like."""
    try:
        while chunk := os.read(0, 1 << 16):
            message += chunk
            if len(message) > MAX_MESSAGE:
                raise _Stopped(f"the message is longer than {MAX_MESSAGE} bytes")
    except OSError as error:
        why = "is closed" if error.errno == errno.EBADF else f"can't be read ({error.strerror})"
        raise _Stopped(f"stdin {why}") from None


def _asked(hook: Hook, message: bytes) -> _Written:
    read_end, write_end = map(_above_standard, os.pipe())
    child = os.fork()
    if child == 0:
        os.close(read_end)
        _work(hook, message, write_end)
    try:
        os.close(write_end)
        said = b""
        while chunk := os.read(read_end, 1 << 16):
            said += chunk
    finally:
        os.kill(child, signal.SIGKILL)
    try:
        fields = json.loads(said)
        return _Written(str(fields["stdout"]), str(fields["stderr"]), int(fields["exit_code"]))
    except (ValueError, KeyError, TypeError):
        raise _Stopped("it ended without one") from None


def _above_standard(descriptor: int) -> int:
    """The descriptor under a number that no standard stream has, even where one of those is closed."""
    if descriptor > 2:
        return descriptor
    moved = fcntl.fcntl(descriptor, fcntl.F_DUPFD_CLOEXEC, 3)
    os.close(descriptor)
    return moved


def _told(error: BaseException) -> str:
    """What went wrong, in words for people."""
    if isinstance(error, OSError) and error.strerror:
        about = f" (`{error.filename}`)" if error.filename is not None else ""
        return f"{error.strerror.lower()}{about}"
    if isinstance(error, ImportError):
        return f"its installation is not whole ({error})"
    if isinstance(error, MemoryError):
        return "there is not enough memory"
    return "an error of its own, which `gatewayctl check` with the same call shows to a person"


def _work(hook: Hook, message: bytes, write_end: int) -> NoReturn:
    """The child's life: nothing that it prints reaches the host."""
    try:
        for number in (*_SIGNALS, *_IGNORED):
            signal.signal(number, signal.SIG_DFL)
        signal.signal(
            signal.SIGXFSZ, signal.SIG_IGN
        )  # a file that may not grow is an error to write, not the end
        nothing = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nothing, 1)
        os.dup2(nothing, 2)
        try:
            from gatewayctl.hooked import answer

            said = answer(hook, message)
            fields = {"stdout": said.stdout, "stderr": said.stderr, "exit_code": said.exit_code}
        except BaseException as error:  # an import that fails counts too
            refused = _failed(hook, message, f"The gateway failed: {_told(error)}.")
            fields = {"stdout": refused.stdout, "stderr": refused.stderr, "exit_code": refused.exit_code}
        with os.fdopen(write_end, "w", encoding="utf-8") as stream:
            json.dump(fields, stream)
    finally:
        os._exit(0)


def _failed(hook: Hook, message: bytes | bytearray, reason: str) -> _Written:
    """The host's strictest answer to its message."""
    try:
        from gateway.hosts import HOSTS

        said = import_module(HOSTS[hook.host]).failure(bytes(message), reason)
        return _Written(said.stdout, said.stderr, said.exit_code)
    except BaseException:  # the package itself is broken
        return _Written(_LAST_RESORT, f"{reason}\n", _BLOCKED)


def _finish(answer: _Written, seconds: float) -> NoReturn:
    """Write the answer in so many seconds; one that can't be written whole is a refusal by exit code."""
    code = _BLOCKED
    try:
        _on_signal(_die)
        signal.setitimer(signal.ITIMER_REAL, seconds)
        if answer.stderr:
            _write(2, answer.stderr)
        if _write(1, answer.stdout):
            code = answer.exit_code
        else:
            _write(2, "The gateway's answer could not be written to stdout, so the call was refused.\n")
    finally:
        os._exit(code)


def _write(descriptor: int, text: str) -> bool:
    """Whether a text could be written whole."""
    rest = text.encode("utf-8", "backslashreplace")
    try:
        while rest:
            rest = rest[os.write(descriptor, rest) :]
    except OSError:
        return False
    return True


def _on_signal(handler: Callable[[int, FrameType | None], None]) -> None:
    for number in _IGNORED:
        signal.signal(number, signal.SIG_IGN)
    for number in _SIGNALS:
        signal.signal(number, handler)


def _stop(number: int, frame: FrameType | None) -> NoReturn:
    raise _Stopped("it took too long" if number == signal.SIGALRM else "it was told to stop")


def _die(number: int, frame: FrameType | None) -> NoReturn:
    os._exit(_BLOCKED)


if __name__ == "__main__":
    run(sys.argv[1:])
