"""What importing costs: `import graphir` and `graphir --help` load no engine and nothing that few commands use."""

import json
import subprocess
import sys

import pytest

ENGINES = {"duckdb", "neo4j", "oracledb", "pyarrow", "sqlglot", "numpy", "pandas", "google"}
HEAVY = {
    "pydantic",
    "rich",
    "multiprocessing",
    "concurrent.futures",
    "asyncio",
    "interegular",
    "jsonschema",
    "hypothesis",
}


def modules(program: str) -> set[str]:
    """The modules that are loaded after the program, in a fresh interpreter."""
    report = "import sys, json; print(json.dumps(sorted(sys.modules)))"
    done = subprocess.run([sys.executable, "-c", f"{program}\n{report}"], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return set(json.loads(done.stdout.splitlines()[-1]))


def packages(names: set[str]) -> set[str]:
    return names | {name.split(".")[0] for name in names}


@pytest.mark.parametrize(
    "program",
    [
        "import graphir",
        "import graphir.cli",
        "from graphir.cli import main\ntry: main(['--help'])\nexcept SystemExit: pass",
        "from graphir.cli import main\ntry: main(['--version'])\nexcept SystemExit: pass",
    ],
)
def test_import_is_light(program: str) -> None:
    loaded = packages(modules(program))
    assert not loaded & ENGINES
    assert not loaded & HEAVY
    assert "lark" not in loaded


@pytest.mark.parametrize(
    "program",
    [
        "import graphir; graphir.parse('RETURN 1 AS one')",
        "import graphir; graphir.translate('RETURN 1 AS one', read='neo4j-25', write='neo4j-5')",
    ],
)
def test_use_loads_no_engine(program: str) -> None:
    assert not packages(modules(program)) & ENGINES


def test_only_the_command_line_knows_click() -> None:
    assert "click" not in modules("import graphir; graphir.parse('RETURN 1 AS one')")
