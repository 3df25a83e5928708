"""The invariants of ARCHITECTURE.md that can be read off the imports."""

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
PACKAGE = ROOT / "graphir"
TEXT = {"source", "diagnostics", "nearest", "quoting", "frozen", "files"}
TABLES = {"dialects", "functions", "gql_functions", "limits"}

MAY_IMPORT: dict[str, set[str]] = {
    "frozen": set(),
    "source": {"frozen"},
    "nearest": set(),
    "files": set(),
    "quoting": set(),
    "limits": set(),
    "functions": {"gql_functions"},
    "gql_functions": {"sql_functions"},
    "sql_functions": set(),
    "dialects": set(),
    "types": set(),
    "signatures": {"functions", "gql_functions", "types"},
    "diagnostics": {"frozen", "source"},
    "schema": TEXT | {"limits", "graphs", "types", "values"},
    "ir": TEXT | {"limits"},
    "values": TEXT | {"functions", "gql_functions", "signatures"},
    "graphs": TEXT | {"values"},
    "loading": TEXT | {"graphs", "schema", "values"},
    "grammar": TEXT | TABLES | {"ir"},
    "profiles": {"diagnostics", "schema"},
    "settings": TEXT | {"profiles", "schema"},
    "passes": TEXT | TABLES | {"ir", "types", "signatures", "profiles", "schema", "values"},
    "backends/printing": {"ir"},
    "backends/phrases": {"ir", "backends/printing"},
    "backends/comments": TEXT | {"ir", "grammar", "backends/printing"},
    "backends/cypher": TEXT
    | TABLES
    | {"ir", "passes", "grammar", "schema", "signatures", "types", "backends/gql", "backends/printing"}
    | {"backends/comments", "backends/phrases"},
    "backends/gqltext": TEXT
    | TABLES
    | {"ir", "grammar", "gql_functions", "backends/phrases", "backends/printing", "backends/comments"},
    "backends/naming": TEXT | {"ir", "schema"},
    "backends/numerals": set(),
    "backends/gql": TEXT | TABLES | {"ir", "passes", "schema", "values", "backends/printing"},
    "backends/sqlpgq": TEXT
    | TABLES
    | {"ir", "schema", "quoting", "backends/printing", "backends/gql", "backends/numerals"},
    "backends/iso": TEXT
    | TABLES
    | {"ir", "types", "schema", "gql_functions", "passes", "backends/gql", "backends/gqltext"},
    "backends/dml": TEXT | {"ir", "schema", "backends/gql", "backends/sqlpgq"},
    "backends/sql": TEXT | TABLES | {"ir", "types", "signatures", "values", "schema", "backends/numerals"},
    "backends/sqltext": TEXT | TABLES | {"ir", "schema", "backends/sql", "signatures", "types"},
    "backends/engines": TEXT
    | TABLES
    | {"ir", "api", "grammar", "graphs", "loading", "passes", "schema", "types", "values", "backends/sql"}
    | {"backends/gql", "backends/sqlpgq", "backends/sqltext"},
    "evaluation": TEXT | TABLES | {"ir", "api", "passes", "values", "backends/cypher", "backends/engines"},
    "generation": TEXT | {"dialects", "functions", "graphs", "schema", "values"},
    "testing": {"generation", "graphs", "schema"},
    "proof": TEXT
    | TABLES
    | {"ir", "api", "evaluation", "generation", "graphs", "passes", "schema", "values", "reports"}
    | {"backends/cypher", "backends/engines"},
    "repairs": TEXT,
    "suppression": TEXT | {"grammar", "profiles"},
    "api": TEXT
    | TABLES
    | {"ir", "grammar", "passes", "profiles", "suppression", "schema", "repairs"}
    | {
        "backends/cypher",
        "backends/dml",
        "backends/gql",
        "backends/gqltext",
        "backends/iso",
        "backends/naming",
        "backends/sqlpgq",
        "backends/sqltext",
    },
    "corpora": TEXT
    | TABLES
    | {"ir", "api", "grammar", "backends/cypher", "reports", "profiles", "settings", "schema", ""}
    | {"backends/engines", "graphs", "loading", "proof", "values"},
    "reports": TEXT | {"ir", "backends/engines", "corpora", "schema", "values"},
    "runs": TEXT | {"api", "backends/engines", "loading", "reports"},
    "commands": TEXT
    | TABLES
    | {"backends/engines", "corpora", "profiles", "proof", "reports", "runs", "settings", "schema", "values", ""},
    "cli": {"commands", ""},
    "": {"api", "backends/engines", "evaluation", "graphs"}
    | {"diagnostics", "grammar", "ir", "passes", "profiles", "repairs", "schema", "settings", "values"},
    "__main__": {"cli"},
}
"""Part of graphir -> the other parts it may import; "" is the package itself (its public names)."""

FOREIGN: dict[str, str | tuple[str, ...]] = {
    "click": ("cli.py", "commands/"),
    "lark": "grammar/",
    "rich": "reports/terminal.py",
    "numpy": "backends/engines/duckdb/",
    "duckdb": ("corpora/formats.py", "schema/infer/", "backends/engines/duckdb/"),
    "neo4j": ("schema/infer/", "values/", "loading/", "backends/engines/drivers/neo4j.py"),
    "pydantic": "schema/json.py",
    "hypothesis": "testing.py",
    "sqlglot": ("backends/sql/", "backends/engines/duckdb/", "grammar/islands.py"),
}
"""Third-party package -> the files or folders that may know it."""


def files() -> Iterator[tuple[str, str]]:
    """Every source file, with the part of graphir that it belongs to."""
    for path in sorted(PACKAGE.rglob("*.py")):
        yield path.relative_to(PACKAGE).as_posix(), part(list(path.relative_to(PACKAGE).with_suffix("").parts))


def part(names: list[str]) -> str:
    names = [name for name in names if name != "__init__"]
    return "/".join(names[:2]) if names[:1] == ["backends"] else "".join(names[:1])


def imported(file: str) -> Iterator[str]:
    """The modules that a file imports, anywhere in it."""
    for node in ast.walk(ast.parse((PACKAGE / file).read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module:
            for alias in node.names:
                inner = PACKAGE.joinpath(*node.module.split(".")[1:], alias.name)
                is_module = inner.is_dir() or inner.with_suffix(".py").exists()
                yield f"{node.module}.{alias.name}" if is_module else node.module


@pytest.mark.parametrize(("file", "home"), list(files()))
def test_module_imports_only_what_its_part_may(file: str, home: str) -> None:
    modules = [name.split(".") for name in imported(file) if name.split(".")[0] == "graphir"]
    parts = {part(names[1:]) for names in modules} - {home, "backends"}
    assert parts <= MAY_IMPORT.get(home, set()), f"{file} imports {sorted(parts - MAY_IMPORT.get(home, set()))}"


@pytest.mark.parametrize("package", FOREIGN)
def test_package_is_known_where_it_belongs(package: str) -> None:
    users = {file for file, _ in files() if package in {name.split(".")[0] for name in imported(file)}}
    assert users
    assert all(file.startswith(FOREIGN[package]) for file in users)


def test_every_part_is_described() -> None:
    text = (ROOT / "ARCHITECTURE.md").read_text(encoding="utf-8")
    assert [
        home for _, home in files() if home not in ("", "__main__", "backends") and home.split("/")[0] not in text
    ] == []


def test_house_style() -> None:
    banned = {"utils", "util", "helpers", "common", "manager", "base", "misc"}
    for file, _ in files():
        assert Path(file).stem not in banned
        source = (PACKAGE / file).read_text(encoding="utf-8")
        tree = ast.parse(source)
        assert ast.get_docstring(tree) or not source.strip(), f"{file} does not say what it is for"
        for node in ast.walk(tree):
            if isinstance(node, ast.ExceptHandler):
                caught = {name.id for name in ast.walk(node.type) if isinstance(name, ast.Name)} if node.type else {""}
                assert not caught & {"", "Exception", "BaseException"}, f"{file}:{node.lineno} catches everything"
