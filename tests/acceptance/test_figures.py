"""The table of what is flagged counts rightly, and README.md shows the one that the program makes."""

from __future__ import annotations

import json
import re
import shutil
from pathlib import Path

import pytest

from tests.acceptance import commands, peers
from tests.acceptance.commands import HOME, Item
from tests.acceptance.figures import Measured, mean_over_families, rows, share, table, with_table
from tests.acceptance.test_commands import LINES, write

README = Path(__file__).parents[2] / "README.md"
PAGE = "before\n<!-- table: commands -->\nold\n<!-- end -->\nafter\n"


def item(name: str, text: str = "ls", family: str = "f", *, harmless: bool = False) -> Item:
    group = "shell harmless" if harmless else "shell dangerous"
    return Item(
        name, "shell", text, f"{HOME}/shop", "allow" if harmless else "deny", family, "plain", {}, group
    )


def labels(lines: list[str]) -> list[str]:
    return [line.split("|")[1].strip() for line in lines if line.startswith("|")]


def test_readme_has_the_rows_that_the_program_makes() -> None:
    found = re.search(
        r"<!-- table: commands -->\n(.*?)<!-- end -->", README.read_text(encoding="utf-8"), re.DOTALL
    )
    assert found is not None
    written = found[1].splitlines()
    assert labels(written) == labels([*table([], [Measured("gatewayctl", frozenset())])])
    assert all(line.count("|") == written[0].count("|") for line in written if line.startswith("|"))


def test_a_large_family_counts_once_in_the_mean() -> None:
    items = [item("a1", family="a"), item("a2", family="a"), item("a3", family="a"), item("b1", family="b")]
    assert share(items, {"b1"}) == 0.25
    assert mean_over_families(items, {"b1"}) == 0.5


def test_nobody_is_measured_on_what_they_do_not_judge_or_what_is_not_there() -> None:
    items = [item("d1"), item("h1", harmless=True)]
    cells = {row.label: row.cells for row in rows(items, [Measured("one", {"d1"})])}
    assert cells["shell, dangerous: flagged"] == ("100.0%",)
    assert cells["shell, harmless: flagged"] == ("0.0%",)
    assert cells["shell, harmless and only text: flagged"] == ("–",)
    assert cells["sql, dangerous: flagged"] == ("–",)


def test_a_page_without_markers_is_left_alone() -> None:
    assert with_table(PAGE, ["new"]) == PAGE.replace("old", "new")
    assert with_table(PAGE.replace("old\n", "") + PAGE, ["new"]) == PAGE.replace("old", "new") + PAGE
    with pytest.raises(ValueError, match="there is no"):
        with_table("nothing", ["new"])


def test_the_expressions_flag_what_is_said_as_well_as_what_is_done() -> None:
    items = [item("a", "rm -rf /srv"), item("b", "echo rm -rf /srv"), item("c", "find /srv -delete")]
    assert peers.by_expressions(items).flagged == {"a", "b"}


def test_the_table_is_written_with_those_who_were_measured_on_the_same_texts(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("CC_SAFETY_NET", raising=False)
    folder, others, page = tmp_path / "labelled", tmp_path / "peers.json", tmp_path / "page.md"
    folder.mkdir()
    write(folder, LINES)
    page.write_text(PAGE, encoding="utf-8")
    assert peers.main([str(folder), "--json", str(others)]) == 0
    assert commands.main([str(folder), "--peers", str(others), "--into", str(page)]) == 0
    lines = page.read_text(encoding="utf-8").splitlines()
    assert lines[2] == "| labelled as | texts | gatewayctl | eight regular expressions |"
    assert "| shell, dangerous: flagged | 2 | 100.0% | 100.0% |" in lines
    assert "| shell, harmless and only text: flagged | 1 | 0.0% | 100.0% |" in lines
    assert "| path, dangerous: flagged | 1 | 100.0% | – |" in lines
    assert "6 texts; 1 of the commands are contested" in "\n".join(lines)
    fewer = dict(list(LINES.items())[1:])
    (folder / "shell_dangerous_x.jsonl").unlink()
    write(folder, fewer)
    with pytest.raises(ValueError, match="is about other texts"):
        commands.main([str(folder), "--peers", str(others), "--into", str(page)])


@pytest.mark.skipif(shutil.which("node") is None, reason="needs node")
@pytest.mark.parametrize("works", [True, False])
def test_cc_safety_net_is_asked_in_a_home_that_is_there(tmp_path: Path, works: bool) -> None:
    package = tmp_path / "node_modules" / "cc-safety-net"
    package.mkdir(parents=True)
    about = {"name": "cc-safety-net", "version": "9.9", "type": "module", "exports": {"./api": "./api.js"}}
    (package / "package.json").write_text(json.dumps(about), encoding="utf-8")
    (package / "api.js").write_text(
        'import { existsSync } from "node:fs";\n'
        "export function checkCommand({ command, cwd }) {\n"
        '  if (command === "boom") throw new Error("boom");\n'
        "  const here = existsSync(cwd) && cwd.startsWith(process.env.HOME);\n"
        f"  const denied = !here || {json.dumps(not works)} || command === `rm ${{process.env.HOME}}/x`;\n"
        '  return { kind: denied ? "deny" : "allow" };\n'
        "}\n",
        encoding="utf-8",
    )
    items = [item("a", f"rm {HOME}/x"), item("b", "rm x"), item("c", "boom")]
    if works:
        found = peers.by_cc_safety_net(items, tmp_path)
        assert found.name == "cc-safety-net 9.9"
        assert found.flagged == {"a", "c"}
    else:
        with pytest.raises(SystemExit, match="does not work here"):
            peers.by_cc_safety_net(items, tmp_path)
