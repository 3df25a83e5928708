"""From the arguments of a command to what they ask for: inputs, outputs, requests, schemas, parameters.

An input that is an existing file, or is named like one by its suffix, is a file; `-` is standard input; anything else
is query text.
"""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, BinaryIO, NoReturn

import click

from graphir.diagnostics import UsageFault
from graphir.files import name_of, open_input, read_input, refuse_device, write_output
from graphir.profiles import PROFILES, Profile

if TYPE_CHECKING:
    from graphir import runs
    from graphir.corpora.session import Request
    from graphir.schema.model import Schema

TEXT_SUFFIXES = {".cypher", ".cyp", ".cql", ".gql", ".sql", ".txt"}
_NO_FILE_NAME = re.compile(r"[\n(){}\[\]'\"=]")


class Failure(click.ClickException):
    """What is asked for cannot be done: a file that cannot be read or written, a corpus that is none."""

    exit_code = 2


def fail(message: str) -> NoReturn:
    """End with a message about the usage."""
    raise click.UsageError(message)


def refuse_options(common: Mapping[str, Any], *names: str) -> None:
    """End where options were given that only a run over a corpus has."""
    for name in names:
        if common[name]:
            fail(f"--{name.replace('_', '-')} is for a corpus")


def locate(argument: str, input_format: str | None) -> tuple[Path | BinaryIO | str, str]:
    """The file, stream or text that the argument means, with its format."""
    from graphir.corpora import formats

    if argument == "-":
        stream = formats.buffered(standard_input())
        return stream, input_format or formats.detect(stream)
    path = Path(argument)
    if not exists(argument):
        if not _named_like_a_file(argument):
            if input_format not in (None, "cypher"):
                fail(f"{argument}: no such file")
            return argument, "cypher"
        fail(f"{argument}: no such file (query text that ends like a file name can be given on standard input)")
    if path.is_dir():
        fail(f"{argument}: is a directory")
    if not path.is_file():  # a pipe, which is read once
        stream = formats.buffered(open_input(path))
        return stream, input_format or formats.format_of(argument) or formats.detect(stream)
    return path, input_format or formats.detect(path)


def _named_like_a_file(argument: str) -> bool:
    """Whether an argument that is no file was to be one, by its suffix."""
    from graphir.corpora.formats import format_of

    known = format_of(argument) is not None or os.path.splitext(argument)[1].lower() in TEXT_SUFFIXES
    return known and not _NO_FILE_NAME.search(argument)


def standard_input() -> BinaryIO:
    """Standard input, unless that is a device that need not end."""
    refuse_device(sys.stdin.buffer, "standard input")
    return sys.stdin.buffer


def exists(path: str) -> bool:
    """Whether there is such a file; a text that can be no path is none."""
    try:
        return os.path.exists(path)
    except (OSError, ValueError):
        return False


def place_output(output: str | None, source: Path | BinaryIO | str, report: str | None) -> Path | None:
    """Where the output goes, None for standard output."""
    from graphir.corpora.pipeline import same_file

    places = {name: Path(path) for name, path in (("-o", output), ("--report", report)) if path and path != "-"}
    for option, path in places.items():
        if path.is_dir():
            fail(f"{option}: {path} is a directory")
        if not path.absolute().parent.is_dir():
            fail(f"{option}: {path.absolute().parent} is no directory")
        if not os.access(path if path.exists() else path.absolute().parent, os.W_OK):
            fail(f"{option}: {path} cannot be written")
        if isinstance(source, Path) and same_file(path, source):
            fail(f"{option}: {path} is the input")
    if len(places) == 2 and places["-o"].absolute() == places["--report"].absolute():
        fail("-o and --report name the same file")
    return places.get("-o")


def choose_style(style: str | None, output: Path | None, input_format: str) -> tuple[str, str]:
    """Rows, text or SARIF, and the container of rows: as asked for, else as the output is named, else by the input."""
    from graphir.corpora import formats

    suffix = output.suffix.lower() if output else ""
    container = formats.format_of(output.name) if output else None
    if suffix in TEXT_SUFFIXES:
        container, style = None, style or "text"
    if style in ("text", "sarif"):
        if container not in (None, "json"):
            fail(f"--format {style} does not go into {suffix}")
        return style, "jsonl"
    if style == "json" or container:
        return "rows", container or "jsonl"
    if suffix == ".sarif":
        return "sarif", "jsonl"
    return ("text" if input_format == "cypher" else "rows"), "jsonl"


def ask(
    task: str,
    options: Mapping[str, Any],
    dialect: str,
    shown: str | None,
    common: Mapping[str, Any],
    *,
    separated: bool = False,
    more: tuple[str, ...] = (),
    whole: bool = False,
) -> Request:
    """The request that the arguments make.

    `more` are columns besides that of the result; `whole`: a text is one query, and no script of statements.
    """
    from graphir.corpora.session import Request
    from graphir.corpora.work import Job

    source, input_format = locate(common["input"], common["input_format"])
    output = place_output(common["output"], source, common["report"])
    style, container = choose_style(common["style"], output, input_format)
    if whole and input_format == "cypher":
        input_format = "text"
    columns = (*([shown] if shown else []), *more)
    if common["field"] in (*columns, "diagnostics"):
        fail(f"--field: {common['field']!r} is where the result goes; rename the column with the query")
    if common["resume"] and output is None:
        fail("--resume goes on with an output file: name it with -o")
    if common["report"]:
        options = {**options, "constructs": True}
    job = Job(task if ":" in task else f"graphir.corpora.tasks:{task}", common["field"], options, columns)
    return Request(
        source=source,
        input_format=input_format,
        job=job,
        dialect=dialect,
        shown=shown,
        separated=separated,
        style=style,
        container=container,
        output=output,
        label=common["label"],
        resume=common["resume"],
        workers=common["jobs"] or cores(),
    )


def cores() -> int:
    """The cores this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def choose_profile(common: Mapping[str, Any]) -> Profile:
    """The profile that is named, with what other options change in it."""
    from graphir.settings import find, profile_of, read_profiles

    path = Path(common["config"]) if common["config"] else find(Path.cwd())
    try:
        known: Mapping[str, Profile] = PROFILES if path is None else read_profiles(path)
    except UsageFault as error:
        raise Failure(error.diagnostics[0].message) from error
    name = common["profile"]
    if name not in known:
        fail(f"--profile: there is no profile {name!r}; known: {', '.join(known)}")
    table: dict[str, Any] = {"ignore": [*read_codes("--ignore", common["ignore"])]}
    if common["select"]:
        table["select"] = [*read_codes("--select", common["select"])]
    if common["require_directed"]:
        table["require-directed"] = True
    return profile_of(table, known[name])


def read_codes(option: str, values: tuple[str, ...]) -> tuple[str, ...]:
    """The codes and prefixes that an option lists; `none` is none."""
    from graphir.diagnostics import codes

    found = [word.upper() for value in values for word in re.split(r"[,\s]+", value) if word]
    if found == ["NONE"]:
        return ()
    for word in found:
        if not re.fullmatch(r"G\d{0,3}", word) or (len(word) == 4 and word not in codes()):
            fail(f"{option}: there is no code {word!r}")
    return tuple(found)


GENERATED = "generate"
"""The property graph is the one that graphir writes for the schema."""


def schema_options(common: Mapping[str, Any]) -> dict[str, Any]:
    """The options about schemas that were given, and digests of the schemas they name."""
    names = ("schema", "schema_format", "schema_field", "schemas")
    options = {name: common[name] for name in names if common[name] is not None}
    if not options:
        return {}
    if "schemas" in options and "schema_field" not in options:
        fail("--schemas needs --schema-field, the key under which a row names its schema")
    if "schema_format" in options and not {"schema", "schema_field"} & options.keys():
        fail("--schema-format is of --schema or --schema-field")
    from graphir.corpora.formats import CorpusError
    from graphir.corpora.schemas import examine

    try:
        return {**options, "digests": examine(options)}
    except CorpusError as error:
        raise Failure(str(error)) from error


def with_definition(common: Mapping[str, Any], write: str, definition: str) -> dict[str, Any]:
    """The options with the script that defines the property graph of the target as their schema."""
    from graphir.schema.ddl.targets import DIALECTS as FORMATS

    if write not in FORMATS or not write.startswith("pgq-"):
        fail(f"--property-graph is for dialects of SQL/PGQ, not for {write}")
    if definition == GENERATED:
        return dict(common)
    if any(common[name] is not None for name in ("schema", "schema_format", "schema_field", "schemas")):
        fail("--property-graph FILE says what the schema is, so leave out the options about schemas")
    return {**common, "schema": definition, "schema_format": FORMATS[write]}


def read_schema(source: str, read: str) -> Schema:
    """The schema that an argument means: of a file or folder, of standard input, or of the text that it is."""
    from graphir import Schema

    if not source:
        fail("the schema has no name: it is a file, a folder, - for standard input, or text")
    if source == "-":
        with failing("<stdin>"):
            return Schema.read(read_script(standard_input())[1], read)
    if exists(source) or not _NO_FILE_NAME.search(source):
        with failing(source):
            return Schema.read(Path(source), read)
    with failing("<schema>"):
        return Schema.read(source, read)


def run_options(read: str, common: Mapping[str, Any]) -> dict[str, Any]:
    """What the options say about the graph and its queries."""
    names = ("db", "graph", "schema", "graphs", "graph_field")
    options: dict[str, Any] = {name: common[name] for name in names if common.get(name) is not None}
    limits = {name: common[name] for name in ("timeout", "memory", "max_rows") if common.get(name) is not None}
    parameters = read_parameters(common["params"], common["params_file"])
    more = {"from": read, "limits": limits, "parameters": parameters}
    return options | more | ({"parameters_field": common["params_field"]} if common.get("params_field") else {})


def prove_options(common: Mapping[str, Any]) -> dict[str, Any]:
    """What the options say about a proof: engines, graphs, and what the query is compared with."""
    from graphir.corpora.formats import CorpusError
    from graphir.corpora.proofs import check_engines, check_graph
    from graphir.corpora.runs import digests

    engines = split_names(common["engines"])
    on = split_names(common["on"] or "")
    if common["same_as"] is not None and common["same_as_field"]:
        fail("--same-as names one query, --same-as-field one for each row")
    if common["to"] is not None and (common["same_as"] is not None or common["same_as_field"]):
        fail("--to and --same-as are two ways to say what the query is compared with")
    if on and common["to"] is None:
        fail("--on says which engines are asked the translation: it needs --to")
    options: dict[str, Any] = {
        "from": common["read"],
        "engines": [*engines, *[name for name in on if name not in engines]],
        "opening": engine_options(common),
        "on": on,
        "graphs": common["graphs"],
        "seed": common["seed"],
        "size": common["size"],
        "parameters": read_parameters(common["params"], common["params_file"]),
        "same_as_dialect": common["same_as_dialect"] or common["read"],
    }
    named = ("graph", "to", "same_as_field")
    options |= {name: common[name] for name in named if common[name] is not None}
    if common["params_field"]:
        options["parameters_field"] = common["params_field"]
    if common["same_as"] is not None:
        options["same_as"] = query_of(common["same_as"])
    try:
        with failing():
            check_engines(options["engines"])
            if common["graph"]:
                check_graph(common["graph"])
        return options | {"graph_digest": digests({"graph": common["graph"]})}
    except CorpusError as error:
        raise Failure(str(error)) from error


def split_names(given: str) -> list[str]:
    """The names of a list with commas."""
    return [name.strip() for name in given.split(",") if name.strip()]


def query_of(argument: str) -> str:
    """The query that an argument means: of a file, or the text that it is."""
    return read_script(Path(argument))[1] if exists(argument) else argument


def engine_options(common: Mapping[str, Any]) -> dict[str, dict[str, Any]]:
    """Options of engines by name: addresses, and how long a query may take.  A server keeps nothing of a proof."""
    found: dict[str, dict[str, Any]] = {}
    for given in common["uris"]:
        name, equals, uri = given.partition("=")
        engine, address = (name, uri) if equals and "/" not in name else ("neo4j", given)
        found[engine] = {"uri": address}
    found.setdefault("neo4j", {})["keep"] = False
    if common["timeout"] is not None:
        for name in ("duckdb", "neo4j", "sqlite", "postgres"):
            found.setdefault(name, {})["timeout"] = common["timeout"]
    return found


def read_parameters(given: tuple[str, ...], path: str | None) -> dict[str, Any]:
    """The values of parameters as JSON: those of the file, and those that stand on the command line."""
    import json

    found: dict[str, Any] = {}
    try:
        if path is not None:
            found = json.loads(read_input(Path(path)).decode("utf-8"))
            if not isinstance(found, dict):
                fail(f"--params: {path} holds no object")
    except ValueError as error:
        fail(f"--params: {path} is not JSON: {error}")
    except RecursionError:
        fail(f"--params: {path} is nested too deeply")
    for each in given:
        name, equals, text = each.partition("=")
        try:
            found[name] = json.loads(text)
        except (ValueError, RecursionError):
            fail(f"--param: {each:.80} is not NAME=JSON" + (f"; a text is {name}='\"{text:.80}\"'" if equals else ""))
    return found


def script_of(source: Path | BinaryIO | str, read: str, common: Mapping[str, Any]) -> runs.Script:
    """The statements that the input is, with the values of their parameters."""
    from graphir import runs
    from graphir.values.json import from_json

    name, text = ("<query>", source) if isinstance(source, str) else read_script(source)
    parameters = read_parameters(common["params"], common["params_file"])
    return runs.Script(text, name, read, from_json(parameters))


@contextmanager
def failing(name: str = "<input>") -> Iterator[None]:
    """What is wrong with a schema or a graph ends the command: the request cannot be met.  `name`: of the text read."""
    from graphir.diagnostics import GraphirError

    try:
        yield
    except GraphirError as error:
        raise Failure(error.told(name)) from error


def emit(text: str, output: str | None) -> None:
    """A result to its file or to standard output."""
    if output is None or output == "-":
        click.echo(text, nl=not text.endswith("\n") and text != "")
        return
    write_output(Path(output), text)


def read_script(source: Path | BinaryIO) -> tuple[str, str]:
    """The name and the text of a script."""
    if isinstance(source, Path):
        name, data = str(source), read_input(source)
    else:
        name, data = name_of(source), source.read()
    try:
        return name, data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise Failure(f"{name}: not UTF-8 (byte {error.start + 1})") from error


def rewrite(path: Path, text: str) -> None:
    """Replace the text of a file in one step; its permissions stay, and the links to it."""
    import shutil

    path = path.resolve()
    fresh = path.with_name(path.name + ".fresh")
    write_output(fresh, text)
    shutil.copymode(path, fresh)
    fresh.replace(path)
