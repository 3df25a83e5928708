"""The documentation is true: its commands give what it shows, generated pages are current, links lead somewhere.

It leaves out no command, code, dialect or format.
"""

import doctest
import os
import re
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

import pytest

import graphir
from docs import generate
from graphir import api, diagnostics, ir
from graphir.corpora import formats
from graphir.dialects import DIALECTS

ROOT = Path(__file__).resolve().parents[1]
PAGES = [ROOT / name for name in ("README.md", "ARCHITECTURE.md", "CONTRIBUTING.md")] + sorted(
    (ROOT / "docs").glob("*.md")
)
FENCE = re.compile(r"^```(\S*)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
STEP = re.compile(r"^\$ (?P<command>.*(?:\n> .*)*)\n(?P<output>(?:(?!\$ ).*\n)*)", re.MULTILINE)
SPEED = re.compile(r"rows in [\d.]+ s \([\d,]+ rows/s\)")
LINK = re.compile(r"(?<!!)\[[^\]]+\]\(([^)#\s]*)(#[^)\s]*)?\)")
ELLIPSIS = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE
matcher = doctest.OutputChecker()


@dataclass(frozen=True)
class Step:
    """A command of a ```console block, the text after it, and what of the page they are."""

    command: str
    output: str
    text: str


def steps(page: Path) -> list[Step]:
    """The commands of a page's ```console blocks: lines after `$ `, continued after `> `."""
    blocks = [body for kind, body in FENCE.findall(page.read_text(encoding="utf-8")) if kind == "console"]
    return [
        Step(step["command"].replace("\n> ", "\n"), step["output"], step[0])
        for body in blocks
        for step in STEP.finditer(body)
    ]


def shell(command: str, folder: Path) -> str:
    """What the command prints on both streams, in a folder that has the sample corpus."""
    programs = Path(sys.executable).parent
    environment = {
        **os.environ,
        "PATH": f"{programs}{os.pathsep}{os.environ['PATH']}",
        "COLUMNS": "100",
        "LC_ALL": "C.UTF-8",
    }
    done = subprocess.run(
        ["sh", "-c", command],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        cwd=folder,
        env=environment,
        check=False,
    )
    return done.stdout


@pytest.mark.parametrize("page", [page for page in PAGES if steps(page)], ids=lambda page: page.name)
def test_commands_print_what_is_shown(page: Path, tmp_path: Path, request: pytest.FixtureRequest) -> None:
    (tmp_path / "graphir").symlink_to(ROOT / "graphir")
    for step in steps(page):
        got = shell(step.command, tmp_path)
        same = matcher.check_output(step.output, got, doctest.ELLIPSIS)
        if not same and request.config.getoption("--update-golden"):
            text = page.read_text(encoding="utf-8")
            shown = step.text.removesuffix(step.output) + SPEED.sub("rows in ... s (... rows/s)", got)
            page.write_text(text.replace(step.text, shown), encoding="utf-8")
            continue
        assert same, f"$ {step.command}\n{got}"


def test_readme_python_runs() -> None:
    (session,) = [
        body for kind, body in FENCE.findall((ROOT / "README.md").read_text(encoding="utf-8")) if kind == "pycon"
    ]
    test = doctest.DocTestParser().get_doctest(session, {}, "README.md", "README.md", 0)
    assert test.examples
    assert doctest.DocTestRunner(optionflags=ELLIPSIS).run(test).failed == 0


SESSIONS = {
    page: "\n".join(body for kind, body in FENCE.findall(page.read_text(encoding="utf-8")) if kind == "pycon")
    for page in PAGES
    if page.name not in ("README.md", "api.md")
}
"""Page -> its Python sessions, one after another; those of the README and of the API have tests of their own."""


@pytest.mark.parametrize("page", [page for page in PAGES if SESSIONS.get(page)], ids=lambda page: page.name)
def test_python_sessions_run(page: Path) -> None:
    test = doctest.DocTestParser().get_doctest(SESSIONS[page], {}, page.name, str(page), 0)
    assert test.examples
    assert doctest.DocTestRunner(optionflags=ELLIPSIS).run(test).failed == 0


@pytest.mark.parametrize("module", [graphir, api, ir.names, diagnostics], ids=lambda module: module.__name__)
def test_doctests_run(module: object) -> None:
    results = doctest.testmod(module, optionflags=ELLIPSIS)  # type: ignore[arg-type]
    assert results.failed == 0


def test_every_public_function_has_an_example() -> None:
    finder = doctest.DocTestFinder()
    for name in ("parse", "check", "repair", "literals", "format", "translate"):
        assert any(test.examples for test in finder.find(getattr(graphir, name), name)), name


@pytest.mark.parametrize("name", generate.PAGES)
def test_generated_page_is_current(name: str) -> None:
    assert (ROOT / "docs" / name).read_text(encoding="utf-8") == generate.PAGES[name](), "run `make docs`"


def test_the_two_commands_stand_first() -> None:
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    kind, body = FENCE.findall(text)[0]
    assert kind == "sh"
    assert re.findall(r"^make (\w+)", body, re.MULTILINE) == ["demo", "test"]
    assert len(text[: text.index(body)].splitlines()) < 15


def test_every_command_is_shown_in_the_readme() -> None:
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    assert [name for name in generate.commands() if " " not in name and f"graphir {name}" not in text] == []


def test_every_dialect_code_and_format_is_documented() -> None:
    def text(name: str) -> str:
        return (ROOT / "docs" / name).read_text(encoding="utf-8")

    assert [name for name in DIALECTS if f"`{name}`" not in text("dialects.md")] == []
    assert [code for code in diagnostics.codes() if f"### {code} " not in text("diagnostics.md")] == []
    assert [name for name in (*formats.FORMATS, *formats.SUFFIXES) if f"`{name}`" not in text("corpora.md")] == []
    assert [op for op in ir.REGISTRY if f"### {op} " not in text("ir.md")] == []


def test_every_make_target_is_in_the_help() -> None:
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    (phony,) = re.findall(r"^\.PHONY: (.*)$", makefile, re.MULTILINE)
    assert [target for target in phony.split() if target != "help" and f'"make {target} ' not in makefile] == []


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_links_lead_somewhere(page: Path) -> None:
    text = page.read_text(encoding="utf-8")
    for target, anchor in LINK.findall(FENCE.sub("", text)):
        if "://" in target:
            continue
        path = (page.parent / target).resolve() if target else page
        assert path.exists(), target
        if anchor:
            there = path.read_text(encoding="utf-8")
            titles = {
                re.sub(r"[^\w\- ]", "", t).strip().lower().replace(" ", "-")
                for t in re.findall(r"^#+ (.*)$", there, re.M)
            }
            assert anchor[1:] in titles | set(re.findall(r'<a id="([^"]+)">', there)), f"{target}{anchor}"
