"""Paths through the links that a kernel makes: `/dev/fd/..`, `/proc/self/cwd`, `/proc/1/root`.

They lead elsewhere for each process, so that none is looked up: where one leads is told by its name, or not known.
"""

from __future__ import annotations

from gateway.inspect.word import marked

_OWN = frozenset(("self", "thread-self"))
# Links that lie somewhere else than they are: `..` behind them leads up from there.
_LINKED = {
    "/dev/fd": "/proc/self/fd",
    "/dev/stdin": "/proc/self/fd/0",
    "/dev/stdout": "/proc/self/fd/1",
    "/dev/stderr": "/proc/self/fd/2",
    "/dev/core": "/proc/kcore",
    "/proc/mounts": "/proc/self/mounts",
    "/proc/net": "/proc/self/net",
}


def through_kernel(path: str, cwd: str | None) -> str | None:
    """An absolute path with these links followed; None where it isn't known where one leads.

    One that the path ends with stays as it is written, as it is most often no directory; so does one without any.
    """
    parts = [part for part in path.split("/") if part not in ("", ".")]
    made: list[str] = []
    linked = False
    for at, part in enumerate(parts):
        if part == "..":
            target = _LINKED.get("/" + "/".join(made)) if len(made) == 2 else None
            if target is not None:
                made, linked = target[1:].split("/"), True
            if _opened(made):
                return None
            del made[-1:]
            continue
        made.append(part)
        if part in ("cwd", "root") and _is_process(made[:-1]):
            if part == "cwd" and cwd is None:
                return None
            made = [name for name in (cwd or "").split("/") if name] if part == "cwd" else []
            linked = True
        elif at + 1 < len(parts) and parts[at + 1] != ".." and _opened(made):
            # A directory that is open already may be any.
            return None
    return "/" + "/".join(made) if linked else path


def _is_process(names: list[str]) -> bool:
    """Whether it is the directory of a process, or of a task of one."""
    if names[2:3] == ["task"]:
        return len(names) == 4 and _is_process(names[:2])
    return len(names) == 2 and names[0] == "proc" and _is_number(names[1])


def _is_number(name: str) -> bool:
    return name in _OWN or name.isdecimal() or marked(name)


def _opened(names: list[str]) -> bool:
    """Whether it is a link to an open file: `/proc/self/fd/3`, `/dev/fd/3`."""
    if names[:2] == ["dev", "fd"]:
        return len(names) == 3
    return len(names) > 3 and names[-2] == "fd" and _is_process(names[:-2])
