"""What is built is what is meant: the contents of wheel and sdist, and a wheel that works in an empty environment."""

import ast
import json
import re
import shutil
import subprocess
import sys
import tarfile
import tomllib
import venv
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
VERSION = PROJECT["version"]
LINKS = {"grammar", "passes", "backends", "corpora", "cli.py"}
LEFT_OUT = shutil.ignore_patterns(
    *(".git", ".venv", "build", "dist", "*.egg-info", "__pycache__", ".hypothesis", ".*_cache", "*.pyc"),
)
METADATA = {"METADATA", "RECORD", "WHEEL", "entry_points.txt", "licenses/LICENSE", "top_level.txt"}
DATA = (
    *(
        "py.typed",
        "grammar/*.lark",
        "codes/*.md",
        "corpora/samples/*",
        "passes/google/*.tsv",
        "passes/safety/*.toml",
        "backends/sqltext/*.toml",
        "backends/engines/drivers/*.properties",
    ),
    *("backends/engines/neo4j_server/*.java", "backends/engines/neo4j_server/*.xml"),
)


def files(folder: Path) -> set[str]:
    return {path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file()}


@pytest.fixture(scope="module")
def tree(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of the source tree, links as links, so that building leaves nothing behind in it."""
    copy = tmp_path_factory.mktemp("packaging") / "graphir"
    shutil.copytree(ROOT, copy, symlinks=True, ignore=LEFT_OUT)
    return copy


@pytest.fixture(scope="module")
def built(tree: Path) -> Path:
    """The folder with the sdist and the wheel, which is built from the sdist."""
    command = [sys.executable, "-m", "build", "--no-isolation", "--outdir", str(tree.parent / "dist"), str(tree)]
    done = subprocess.run(command, capture_output=True, text=True, check=False, stdin=subprocess.DEVNULL)
    assert done.returncode == 0, done.stdout + done.stderr
    return tree.parent / "dist"


@pytest.fixture(scope="module")
def installed(built: Path) -> Path:
    """The folder of programs of an empty environment with the wheel in it."""
    environment = built.parent / "venv"
    venv.create(environment, with_pip=True)
    programs = environment / ("Scripts" if sys.platform == "win32" else "bin")
    (wheel,) = built.glob("*.whl")
    command = [str(programs / "python"), "-m", "pip", "install", "--quiet", str(wheel)]
    done = subprocess.run(command, capture_output=True, text=True, check=False, stdin=subprocess.DEVNULL)
    if "No matching distribution found" in done.stderr or "NewConnectionError" in done.stderr:
        pytest.skip("no package index can be reached")
    assert done.returncode == 0, done.stderr
    return programs


def test_wheel_holds_the_package_and_nothing_else(built: Path) -> None:
    (wheel,) = built.glob("*.whl")
    assert wheel.name == f"graphir-{VERSION}-py3-none-any.whl"
    package = ROOT / "graphir"
    wanted = {f"graphir/{path.relative_to(package).as_posix()}" for path in package.rglob("*.py")}
    wanted |= {f"graphir/{path.relative_to(package).as_posix()}" for kind in DATA for path in package.glob(kind)}
    wanted |= {f"graphir-{VERSION}.dist-info/{name}" for name in METADATA}
    with zipfile.ZipFile(wheel) as archive:
        names = archive.namelist()
    assert len(names) == len(set(names))
    assert set(names) == wanted
    assert any(name.endswith(".lark") for name in names)
    assert "graphir/py.typed" in names


def test_wheel_is_small(built: Path) -> None:
    (wheel,) = built.glob("*.whl")
    assert wheel.stat().st_size < 2_500_000


def test_sdist_holds_the_source_tree_without_the_links(built: Path, tree: Path) -> None:
    (sdist,) = built.glob("*.tar.gz")
    with tarfile.open(sdist) as archive:
        names = {member.name.split("/", 1)[1] for member in archive.getmembers() if member.isfile()}
        assert not [member.name for member in archive.getmembers() if member.issym() or member.islnk()]
    folders = ("graphir", "tests", "docs", "bench")
    wanted = {f"{folder}/{name}" for folder in folders for name in files(tree / folder)}
    wanted |= {
        "ARCHITECTURE.md",
        "CONTRIBUTING.md",
        "LICENSE",
        "MANIFEST.in",
        "Makefile",
        "README.md",
        "pyproject.toml",
    }
    assert {name for name in names if not name.startswith("graphir.egg-info/")} - {"PKG-INFO", "setup.cfg"} == wanted
    assert not {name.split("/")[0] for name in names} & LINKS


def test_installed_wheel_translates(installed: Path, tmp_path: Path) -> None:
    def graphir(*arguments: str) -> str:
        command = [str(installed / "graphir"), *arguments]
        done = subprocess.run(command, capture_output=True, text=True, cwd=tmp_path, check=False)
        assert done.returncode == 0, done.stderr
        return done.stdout

    assert VERSION in graphir("--version")
    shown = graphir("translate", "--to", "gql-spanner", "MATCH (a:Author)-[:WROTE]->(t) RETURN t.name AS title")
    assert "MATCH" in shown
    assert "title" in shown
    assert graphir("explain", "G001").startswith("# G001")


def test_installed_wheel_is_typed_and_light(installed: Path) -> None:
    listed = subprocess.run(
        [str(installed / "python"), "-m", "pip", "list", "--format=json"], capture_output=True, text=True, check=True
    )
    names = {row["name"].lower() for row in json.loads(listed.stdout)}
    declared = {name.lower() for name in map(requirement, PROJECT["dependencies"])}
    assert names >= declared | {"graphir"}
    assert len(names) <= len(declared) + 10


def test_dependencies_are_what_is_imported() -> None:
    """Every third-party package that is imported is declared, in the core or as an extra, and the core has no other."""
    imported: set[str] = set()
    for path in (ROOT / "graphir").rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Import):
                imported |= {alias.name.split(".")[0] for alias in node.names}
            elif isinstance(node, ast.ImportFrom) and node.module:
                imported.add(node.module.split(".")[0])
    foreign = imported - sys.stdlib_module_names - {"graphir"}
    extras = {requirement(r) for name, rows in PROJECT["optional-dependencies"].items() if name != "dev" for r in rows}
    core = set(map(requirement, PROJECT["dependencies"]))
    assert foreign <= core | extras
    assert core <= foreign


def requirement(text: str) -> str:
    """The name in a requirement such as `lark>=1.2,<2`."""
    found = re.match(r"[A-Za-z0-9_.-]+", text)
    assert found
    return found[0]


def test_links_lead_into_the_package() -> None:
    present = {name for name in LINKS if (ROOT / name).exists()}
    for name in present:  # a checkout without symbolic links has small text files instead
        if (ROOT / name).is_symlink():
            assert (ROOT / name).resolve() == ROOT / "graphir" / name
    assert present == LINKS
