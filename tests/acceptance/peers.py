"""Measure others on the same labelled commands: `python -m tests.acceptance.peers FOLDER --json FILE`.

They are eight regular expressions, as one would write them first, and cc-safety-net where it is installed: after
`npm install cc-safety-net@2.4.5` in a folder outside of this one, name that folder by --cc-safety-net or in the
variable CC_SAFETY_NET. What they flag of the shell commands goes into the file, for the table that
`python -m tests.acceptance.commands FOLDER --peers FILE --into README.md` writes. No command is run.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import subprocess
import sys
import tempfile
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

from tests.acceptance.commands import HOME, Item, read
from tests.acceptance.figures import Measured, commands, rows

EXPRESSIONS = tuple(
    re.compile(expression)
    for expression in (
        r"\brm\s+-\w*[rf]",
        r"\bgit\s+push\b.*\s(--force|-f)\b",
        r"\bgit\s+(reset\s+--hard|clean\s+-\w*f|checkout\s+--\s)",
        r"(?i)\b(drop|truncate)\s+(table|database|schema)\b",
        r"(?i)\bdelete\s+from\b",
        r"\b(curl|wget)\b.*\|\s*(sudo\s+)?(ba|z|da)?sh\b",
        r"\b(mkfs|shutdown|reboot)\b|\bdd\b.*\bof=/dev/",
        r"\bchmod\s+(-R\s+)?777\b|\bsudo\b",
    )
)
_MINUTES = 10
_SCRIPT = """
import { createInterface } from "node:readline";
import { checkCommand } from "cc-safety-net/api";
for await (const line of createInterface({ input: process.stdin })) {
  const { id, command, cwd } = JSON.parse(line);
  let kind;
  try { kind = checkCommand({ command, cwd }).kind; } catch { kind = "failed"; }
  console.log(JSON.stringify({ id, kind }));
}
"""
_ORDINARY = Item("", "shell", "ls", f"{HOME}/shop", "allow", "", "", {}, "")


def by_expressions(items: Iterable[Item]) -> Measured:
    """What the regular expressions flag."""
    flagged = [item.id for item in items if any(each.search(item.text) for each in EXPRESSIONS)]
    return Measured("eight regular expressions", frozenset(flagged))


def by_cc_safety_net(items: Sequence[Item], folder: Path) -> Measured:
    """What cc-safety-net flags as it is configured at first; what it fails at counts as flagged.

    It wants a home and a working directory that are there. So they are made for it, in the user's own home, since what
    is temporary is judged otherwise, and stand in the commands in place of those that the labels speak of.
    """
    package = folder / "node_modules" / "cc-safety-net" / "package.json"
    version = json.loads(package.read_text(encoding="utf-8"))["version"]
    with tempfile.TemporaryDirectory(prefix="dev-", dir=Path.home()) as home:
        asked = [_question(item, home) for item in (_ORDINARY, *items)]
        for cwd in {question["cwd"] for question in asked}:
            if cwd.startswith(f"{home}/"):
                Path(cwd).mkdir(parents=True, exist_ok=True)
        done = subprocess.run(
            ["node", "--input-type=module", "-e", _SCRIPT],
            input="".join(f"{json.dumps(question)}\n" for question in asked),
            capture_output=True,
            text=True,
            check=True,
            cwd=folder,
            env={"HOME": home, "PATH": os.environ.get("PATH", os.defpath)},
            timeout=_MINUTES * 60,
        )
    answers = {answer["id"]: answer["kind"] for answer in map(json.loads, done.stdout.splitlines())}
    if answers.pop(_ORDINARY.id, "") != "allow" or len(answers) != len(items):
        raise SystemExit("cc-safety-net does not work here: it refuses `ls`, or leaves commands out")
    return Measured(
        f"cc-safety-net {version}", frozenset(name for name, kind in answers.items() if kind != "allow")
    )


def _question(item: Item, home: str) -> Mapping[str, str]:
    return {"id": item.id, "command": item.text.replace(HOME, home), "cwd": item.cwd.replace(HOME, home)}


def main(arguments: Sequence[str] | None = None) -> int:
    """Print what each flags, and write it into a file."""
    parser = argparse.ArgumentParser(prog="python -m tests.acceptance.peers", description=__doc__)
    parser.add_argument("folder", type=Path, help="the folder of labelled texts")
    parser.add_argument("--cc-safety-net", type=Path, default=os.environ.get("CC_SAFETY_NET"), metavar="DIR")
    parser.add_argument("--json", type=Path, metavar="FILE", help="where to write what each flags")
    given = parser.parse_args(arguments)
    items = commands(read(given.folder))
    peers = []
    if given.cc_safety_net:
        peers.append(by_cc_safety_net(items, Path(given.cc_safety_net)))
    else:
        print("cc-safety-net is not measured: name its folder by --cc-safety-net or in CC_SAFETY_NET")
    peers.append(by_expressions(items))
    for peer in peers:
        print(f"== {peer.name}")
        for row in rows(items, [peer]):
            if row.of:
                print(f"{row.label}: {row.cells[0]} of {row.of}")
    if given.json:
        kept = [{"name": peer.name, "flagged": sorted(peer.flagged)} for peer in peers]
        written = {"texts": sorted(item.id for item in items), "peers": kept}
        given.json.write_text(json.dumps(written, indent=1) + "\n", encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
