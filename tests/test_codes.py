"""Every diagnostic code has a page, every page belongs to a code that is raised, and its example gives that code."""

import ast
import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import graphir
import graphir.ir.json
import graphir.ir.text
from graphir import api, diagnostics, ir
from graphir.dialects import DIALECTS
from graphir.profiles import PROFILES
from graphir.settings import profile_of

PACKAGE = Path(graphir.__file__).parent
CODE = re.compile(r"G\d{3}\Z")
EXAMPLE = re.compile(
    r"^```(cypher|ir|json|python|triples|schema)((?: [\w-]+=\S+)*)\n(.*?)^```$", re.MULTILINE | re.DOTALL
)
SECTIONS = ["What it means", "Why", "Example", "How to fix"]
OF_FILES = {
    "G061": "a text in GQL, for which there is a front end but no check yet",
    "G090": "a row that cannot be read",
    "G092": "a fault of graphir itself",
    "G097": "a row of a corpus without its schema",
    "G574": "an engine that is a server",
    "G609": "a fault of graphir itself",
    "G627": "an answer of an engine that no query is known to bring about",
    "G628": "a server that goes away",
    "G629": "a server that cannot be started",
    "G665": "a row of a corpus without its graph",
    "G675": "a server that goes away",
}
"""Codes that no query can give: they are about the file around it (tests of the command line raise them)."""


def raised() -> set[str]:
    """The codes that stand as string constants in the source, docstrings apart."""
    found = set()
    for path in PACKAGE.rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Constant) and isinstance(node.value, str) and CODE.match(node.value):
                found.add(node.value)
    return found


def examples(code: str) -> Iterator[tuple[str, str, dict[str, Any]]]:
    """The bad queries (or IR texts, IR documents, calls) of a page, with kind and options (dialect, to, profile).

    A block ```triples or ```schema is the schema of the queries after it; its format may be named (`format=gql`).
    """
    known: graphir.Schema | None = None
    page = diagnostics.page(code) or ""
    section = page.partition("\n## Example\n")[2].partition("\n## ")[0]
    for kind, options, text in EXAMPLE.findall(section):
        chosen: dict[str, Any] = dict(option.split("=", 1) for option in options.split())
        if kind in ("triples", "schema"):
            known = graphir.Schema.read(text, "triples" if kind == "triples" else chosen.get("format", "auto"))
        else:
            yield kind, text.removesuffix("\n"), chosen if known is None else {**chosen, "schema": known}


def given(
    kind: str,
    text: str,
    *,
    dialect: str = "neo4j-25",
    to: str | None = None,
    profile: str = "lint",
    schema: graphir.Schema | None = None,
    max_hops: str | None = None,
    **settings: str,
) -> set[str]:
    """The codes that the text gives, when it is checked, translated or read as IR."""
    chosen = profile_of({key: value == "true" for key, value in settings.items()}, PROFILES[profile])
    found = {d.code for d in graphir.check(text, dialect, schema, chosen)} if kind == "cypher" else set()
    try:
        if kind == "ir":
            ir.text.loads(text)
        elif kind == "json":
            ir.json.from_json(json.loads(text))
        elif kind == "python":
            exec(text, {"graphir": graphir})
        elif to:
            notes: list[diagnostics.Diagnostic] = []
            hops = int(max_hops) if max_hops else None
            query = graphir.parse(text, dialect)
            api.emit(query, text, DIALECTS[dialect], DIALECTS[to], schema, max_hops=hops, notes=notes)
            found |= {d.code for d in notes}
    except graphir.GraphirError as fault:
        found |= {d.code for d in fault.diagnostics}
    return found


def test_every_code_that_is_raised_has_a_page() -> None:
    assert sorted(raised() - set(diagnostics.codes())) == []


def test_every_page_belongs_to_a_code_that_is_raised() -> None:
    assert sorted(set(diagnostics.codes()) - raised()) == []


def test_names_are_unique() -> None:
    names = list(diagnostics.codes().values())
    assert len(set(names)) == len(names)
    assert all(re.fullmatch(r"[a-z][a-z0-9]*(-[a-z0-9]+)+", name) for name in names)


@pytest.mark.parametrize("code", diagnostics.codes())
def test_page_has_its_sections(code: str) -> None:
    page = diagnostics.page(code) or ""
    assert page.startswith(f"# {code} ")
    assert re.findall(r"^## (.*)$", page, re.MULTILINE) == SECTIONS
    assert page.endswith("\n")


@pytest.mark.parametrize("code", [code for code in diagnostics.codes() if code not in OF_FILES])
def test_example_gives_the_code(code: str) -> None:
    shown = list(examples(code))
    assert shown
    for kind, text, options in shown:
        found = given(kind, text, **options)
        if code != "G620" and "G620" in found:
            pytest.skip("the engine of the example is not installed")
        assert code in found, text
