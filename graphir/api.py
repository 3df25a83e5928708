"""The public functions: parse, check, repair, format, translate.

Each takes text and the name of a dialect.  They raise `GraphirError` and nothing else; `check` raises on no text.
Knows every front end and backend, no file and no terminal.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import TYPE_CHECKING, Literal, ParamSpec, TypeVar

from graphir.diagnostics import Diagnostic, SemanticFault, SyntaxFault, UsageFault, diagnose, usage_fault
from graphir.dialects import DIALECTS, GOOGLE, GQL_DIALECTS, READABLE, SQL_PGQ, WRITABLE, Dialect, reading
from graphir.nearest import proposals
from graphir.profiles import FITTING, LINT, PROFILES, Profile, pass_of
from graphir.source import Source, Span

if TYPE_CHECKING:
    from graphir.grammar.cypher import Statement
    from graphir.ir import Query
    from graphir.passes.schema.locations import LiteralUse
    from graphir.repairs import Repair
    from graphir.schema import Schema

DEFAULT_DIALECT = "neo4j-25"
Shown = Literal["expand", "json", "refuse"]
SHOWN: tuple[Shown, ...] = ("expand", "json", "refuse")
"""What becomes of nodes, relationships and paths in results, where the target has none there."""
DEFAULT_GRAPH = "g"
"""The name of the graph in GQL and SQL/PGQ where no schema says another."""

P = ParamSpec("P")
R = TypeVar("R")


def _bounded(function: Callable[P, R]) -> Callable[P, R]:
    """Exhausted recursion becomes the diagnostic of too deep nesting."""

    @wraps(function)
    def bounded(*args: P.args, **kwargs: P.kwargs) -> R:
        try:
            return function(*args, **kwargs)
        except RecursionError:
            raise SyntaxFault([_too_deep()]) from None

    return bounded


def _too_deep() -> Diagnostic:
    return diagnose(Source(""), "G006", "the query is nested too deeply")


@_bounded
def parse(text: str, dialect: str = DEFAULT_DIALECT) -> Query:
    """The Graph-IR of one statement; a trailing `;` is allowed.  Only the syntax is looked at.

    Raises SyntaxFault.

    >>> query = parse("MATCH (n:Person) RETURN n.name")
    >>> query == parse("match (n:Person)   return n.name // the same")
    True
    >>> parse("MATCH (n RETURN n")
    Traceback (most recent call last):
    ...
    graphir.diagnostics.SyntaxFault: ...
    """
    _require_text(text)
    return _parse(text, _readable(dialect).name)


@_bounded
def parse_script(text: str, dialect: str = DEFAULT_DIALECT) -> list[Statement]:
    """The statements of a script, separated by `;`, each with its span in the text and its query or its fault.

    No text makes it raise; UsageFault where the dialect is none that is read.

    >>> [type(s.fault).__name__ for s in parse_script("RETURN 1; RETURN; RETURN 2")]
    ['NoneType', 'SyntaxFault', 'NoneType']
    """
    _require_text(text)
    from graphir.grammar import readers

    name = _readable(dialect).name
    return readers.reader(name).parse_script(text, name)


def check(
    text: str,
    dialect: str = DEFAULT_DIALECT,
    schema: Schema | None = None,
    profile: str | Profile = "lint",
) -> list[Diagnostic]:
    """What is wrong with a text: faults of syntax, of every statement, and of its meaning; with a schema also what
    the data cannot match.

    No text makes it raise; UsageFault where a dialect or profile is none.  Under profile `lint` an error is what the
    engine of the dialect would refuse.  Under `gate` it is also what is not to be run: a write, access to the outside,
    an unknown procedure or function, several statements, and labels, types, properties, directions and literals that
    the schema rules out.  `strict` is `lint` and everything that is only slow.  A `Profile` of one's own can be given
    in place of a name.

    >>> check("MATCH (n:Person) RETURN n.name")
    []
    >>> [(d.code, d.line, d.column) for d in check("MATCH (n:Person) RETURN m.name")]
    [('G101', 1, 25)]
    """
    _require_text(text)
    return examine(text, _readable(dialect).name, _schema(schema), _profile(profile))[1]


@_bounded
def repair(
    text: str,
    *,
    dialect: str = DEFAULT_DIALECT,
    schema: Schema | None = None,
    unsafe: bool = False,
    profile: str | Profile = "lint",
) -> Repair:
    """The text after the fixes of its findings: the safe ones, with `unsafe` also those that only guess.

    The result parses, what was fixed is gone, and to repair it again changes nothing.  `applied` are the findings that
    were fixed, with their places in the text as given; `remaining` is what `check` says about the result.
    Raises SyntaxFault where the text cannot be made to parse, and SemanticFault where a name does not resolve.

    >>> mended = repair("MATCH (n) WHERE n.age == 3 RETURN n.name")
    >>> mended.text, [d.code for d in mended.applied], mended.remaining
    ('MATCH (n) WHERE n.age = 3 RETURN n.name', ['G014'], ())
    """
    _require_text(text)
    from graphir import repairs

    name, known, chosen = _readable(dialect).name, _schema(schema), _profile(profile)
    repaired = repairs.repair(text, lambda each: _verdict(examine(each, name, known, chosen)[1]), unsafe=unsafe)
    broken = [found for found in repaired.remaining if _is_syntax(found)]
    if broken:
        raise SyntaxFault(broken)
    unresolved = [d for d in repaired.remaining if d.severity == "error" and pass_of(d.code) == "names"]
    if unresolved:
        raise SemanticFault(unresolved)
    return repaired


@_bounded
def literals(text: str, dialect: str = DEFAULT_DIALECT, schema: Schema | None = None) -> list[LiteralUse]:
    """Every literal of a statement: where it stands, its value, the property it is compared with or written to, and
    the labels or types of the element that has the property.  Raises SyntaxFault.

    >>> [(u.start, u.value, u.operator, u.property, u.owners) for u in literals("MATCH (n:Person {age: 3}) RETURN n")]
    [(22, 3, 'eq', 'age', ('Person',))]
    """
    _require_text(text)
    from graphir.passes.schema.locations import locate

    return locate(_parse(text, _readable(dialect).name), _schema(schema))


def _verdict(found: list[Diagnostic]) -> tuple[bool, list[Diagnostic]]:
    return not any(_is_syntax(each) for each in found), found


def _is_syntax(found: Diagnostic) -> bool:
    return found.severity == "error" and pass_of(found.code) == "syntax"


@_bounded
def format(text: str, dialect: str = DEFAULT_DIALECT) -> str:
    """The statements of the text in the standard layout, comments kept.  Formatting twice changes nothing more.

    Raises SyntaxFault, with the faults of every statement.

    >>> print(format("match (n) where n.age>3 return n.name as name"))
    MATCH (n)
    WHERE n.age > 3
    RETURN n.name AS name
    """
    _require_text(text)
    known = _readable(dialect)
    name = known.name
    try:
        return _formatted(text, known)
    except SyntaxFault as first:
        faults = [statement.fault for statement in parse_script(text, name) if statement.fault is not None]
        raise SyntaxFault([found for fault in faults or [first] for found in fault.diagnostics]) from None


def _formatted(text: str, dialect: Dialect) -> str:
    if dialect.name in GQL_DIALECTS:
        from graphir.backends.gqltext import format as gql

        return gql.format_text(text, dialect.name)
    if dialect.family != "cypher":
        raise _usage(f"text of dialect {dialect.name!r} cannot be laid out; that of Cypher and GQL can")
    from graphir.backends.cypher import format as cypher

    return cypher.format_text(text, dialect.name)


@_bounded
def translate(
    text: str,
    read: str = DEFAULT_DIALECT,
    write: str = DEFAULT_DIALECT,
    schema: Schema | None = None,
    lossy: bool = False,
    elements: Shown = "expand",
    max_hops: int | None = None,
    property_graph: str = "generate",
    notes: list[Diagnostic] | None = None,
) -> str:
    """The statement of dialect `read` in dialect `write`, with the same meaning.

    Raises SyntaxFault, SemanticFault where a name does not resolve, and Unsupported where the target cannot say it.
    `lossy` allows translations that are only approximate.  `notes` receives what is to be said about one: where it is
    approximate, what it takes for granted, how its result is shown, as `graphir translate` tells.  With a `schema`
    SemanticFault is also raised for what the schema rules out, as under profile `gate`, and GQL and SQL/PGQ name the
    graph as `Schema.write` does.  `property_graph` is, in place of the schema, the text of a script in the target's
    database that defines the graph which SQL/PGQ is to ask.  The dialects `sql-..` are SQL over the tables of a schema,
    and need it; so do those of SQL/PGQ but Google's, and a query that writes in `gql-spanner`: it becomes statements on
    those tables, with `;` between them.

    >>> print(translate("MATCH (n:A|B) RETURN n.x AS x", read="neo4j-25", write="opencypher-9"))
    MATCH (n)
    WHERE n:A OR n:B
    RETURN n.x AS x
    """
    _require_text(text)
    source, target, known = _readable(read), _writable(write), _schema(schema)
    shown = _shown(elements)
    hops = _hops(max_hops)
    known = _defined(property_graph, target, known)
    query = _parse(text, source.name)
    return emit(query, text, source, target, known, lossy=lossy, elements=shown, max_hops=hops, notes=notes)


# ------------------------------------------------------------------ steps


def _defined(definition: str, target: Dialect, schema: Schema | None) -> Schema | None:
    """The schema, or the one of the property graph that a script defines."""
    if definition == "generate":
        return schema
    from graphir.schema import Schema
    from graphir.schema.ddl.targets import DIALECTS as FORMATS

    _require_text(definition)
    if schema is not None or target.family != "pgq":
        raise _usage("property_graph is a definition for SQL/PGQ, and stands in place of the schema")
    return Schema.read(definition, FORMATS[target.name])


def _parse(text: str, dialect: str) -> Query:
    from graphir.grammar.readers import reader

    return reader(dialect).parse(text, dialect)


def examine(
    text: str, dialect: str, schema: Schema | None = None, profile: Profile = LINT
) -> tuple[list[Query], list[Diagnostic]]:
    """The statements of the text that parse, and what is wrong with it, in order of place."""
    try:
        return _examine(text, dialect, schema, profile)
    except SyntaxFault as fault:
        return [], fault.diagnostics
    except RecursionError:
        return [], [_too_deep()]


def _examine(text: str, dialect: str, schema: Schema | None, profile: Profile) -> tuple[list[Query], list[Diagnostic]]:
    from graphir.grammar import readers
    from graphir.passes import checks

    source = Source(text)
    reader = readers.reader(dialect)
    statements = reader.parse_script(text, dialect)
    if not statements:
        return [reader.parse(text, dialect)], []
    queries: list[Query] = []
    diagnostics: list[Diagnostic] = []
    before = checks.history(dialect, schema) if len(statements) > 1 else None
    for statement in statements:
        if statement.fault is not None:
            diagnostics.extend(checks.of_syntax(statement.fault.diagnostics, dialect))
        elif statement.query is not None:
            queries.append(statement.query)
            diagnostics.extend(checks.find_faults(statement.query, source, dialect, schema, profile, before))
        if before is not None:
            before.follow(text[statement.span.start : statement.span.end])
    spans = [s.span for s in statements]
    if len(spans) > 1 and (several := profile.grade("statements", _several(source, spans))) is not None:
        diagnostics.append(several)
    if "graphir:" in text:
        from graphir.suppression import suppress

        diagnostics = suppress(source, dialect, spans, diagnostics, profile, with_schema=schema is not None)
    return queries, sorted(diagnostics, key=lambda found: (found.start, found.end))


@_bounded
def to_core(query: Query, text: str, dialect: str, schema: Schema | None = None) -> Query:
    """The core form of a query that was read from `text`, with names whose case does not matter as in the schema."""
    from graphir.passes.normalize import normalize

    return normalize(query, Source(text), reading(dialect), schema)


def _require_names(core: Query, source: Source, write: Dialect) -> None:
    """The columns of a result have names of their own in all that is written.  Raises Unsupported (G581)."""
    from graphir.diagnostics import Unsupported

    shown = [name.lower() for name in core.columns or () if name]
    if len(set(shown)) < len(shown):
        twice = next(name for name in core.columns or () if shown.count(name.lower()) > 1)
        told = f"two columns are named `{twice}`, which {write.title} does not have"
        hint = "give one of them another name with AS"
        found = diagnose(source, "G581", told, core.span, hint=hint)
        raise Unsupported([found], feature="columns of the same name", target=write.name)


def _note_types(
    core: Query, source: Source, read: Dialect, schema: Schema | None, notes: list[Diagnostic] | None
) -> None:
    """What types of SQL become (G578, G579), for those who want to know."""
    if notes is not None:
        from graphir.passes.selects.remarks import remarks

        notes += remarks(core, source, read.name, schema)


def _require_meaning(core: Query, source: Source) -> None:
    """Every name is one of the query; a database may know others, such as columns around.  Raises SemanticFault."""
    from graphir.passes import scope

    unknown = [each for each in scope.analyze(core, source, "opencypher-9").diagnostics if each.code == "G101"]
    if unknown:
        raise SemanticFault(unknown)


@_bounded
def emit(
    query: Query,
    text: str,
    read: Dialect,
    write: Dialect,
    schema: Schema | None = None,
    *,
    lossy: bool = False,
    elements: Shown = "expand",
    max_hops: int | None = None,
    notes: list[Diagnostic] | None = None,
) -> str:
    """The query, read from `text`, as text of another dialect.  Raises SemanticFault and Unsupported.

    `notes` receives what is to be said about the translation.
    """
    from graphir.passes.checks import find_faults

    source = Source(text)
    read = DIALECTS[reading(read.name)]
    found = find_faults(query, source, read.name, schema, LINT if schema is None else FITTING)
    faults = [each for each in found if each.severity == "error"]
    if faults:
        raise SemanticFault(faults)
    core = None if read.family == "cypher" else to_core(query, text, read.name, schema)
    if core is not None:
        _require_names(core, source, write)
    if core is not None and read.name in SQL_PGQ:
        _require_meaning(core, source)
        _note_types(core, source, read, schema, notes)
    if write.family == "cypher":
        from graphir.backends.cypher.legalize import legalize
        from graphir.backends.cypher.printer import print_query

        if core is not None:
            from graphir.backends.cypher.core import expressed

            query = expressed(core, write.name, source, schema)
        else:
            from graphir.passes import assignments

            query = assignments.between(query, read.name, write.name, source)
        return print_query(legalize(query, write.name, source, lossy=lossy, notes=notes), write.name)
    core = core or to_core(query, text, read.name)
    if write.family == "sql" or write.tables:
        from graphir.backends import sqltext

        shown = elements if write.tables or elements == "json" else "identity"
        return sqltext.emit(core, write.name, source, schema, notes, shown, _graph_named(query, schema, write))
    if write.family == "gql" and write.name not in GOOGLE:
        from graphir.backends import iso

        return iso.emit(core, write.name, source, schema, notes)
    if write.inline:
        from graphir.backends import sqlpgq
        from graphir.backends.sqlpgq.graph import of_schema

        tables = None if schema is None else of_schema(schema, write.name)
        return sqlpgq.emit(core, write.name, source, DEFAULT_GRAPH, tables, elements, notes)
    graph = _graph_named(query, schema, write) or (DEFAULT_GRAPH,)
    if write.name == "gql-spanner" and _writes(core):
        from graphir.backends import dml

        if schema is not None:
            from graphir.backends.naming import graph_of
            from graphir.schema.ddl.paths import placed

            graph = placed(graph_of(query, schema, write.name, source), graph)
        return ";\n".join(dml.emit(core, write.name, source, graph, schema))
    from graphir.backends import gql
    from graphir.backends.gql.setting import Options

    return gql.translated(core, write.name, source, graph, schema, Options(elements, max_hops), notes)


def _graph_named(query: Query, schema: Schema | None, write: Dialect) -> tuple[str, ...] | None:
    """The graph that the query itself names, after its schemas, spelled for what is written."""
    from graphir.backends.naming import spelled
    from graphir.passes.gql.graphs import graph_of

    return spelled(graph_of(query), schema, write.name)


def _writes(core: Query) -> bool:
    from graphir.backends.gql.writing import writes

    return writes(core)


def _several(source: Source, spans: list[Span]) -> Diagnostic:
    return diagnose(
        source,
        "G040",
        f"{len(spans)} statements where one is expected",
        Span(spans[1].start, spans[-1].end),
        severity="warning",
        hint="run them one by one",
    )


# ------------------------------------------------------------------ arguments


def _usage(message: str) -> UsageFault:
    return usage_fault("G091", message)


def _require_text(text: object) -> None:
    if not isinstance(text, str):
        raise _usage(f"the text is a str, not {type(text).__name__}")


def _schema(schema: object) -> Schema | None:
    if schema is None:
        return None
    from graphir.schema import Schema

    if not isinstance(schema, Schema):
        raise _usage(f"the schema is a graphir.Schema, not {type(schema).__name__}: Schema.read makes one of a text")
    return schema


def _shown(elements: object) -> Shown:
    for known in SHOWN:
        if elements == known:
            return known
    raise _usage(f"elements are shown as one of {', '.join(SHOWN)}, not {elements!r}")


def _hops(number: object) -> int | None:
    if number is None or (type(number) is int and number > 0):
        return number
    raise _usage(f"max_hops is a positive number, not {number!r}")


def _profile(profile: object) -> Profile:
    if isinstance(profile, Profile):
        return profile
    if isinstance(profile, str) and profile in PROFILES:
        return PROFILES[profile]
    raise _usage(f"unknown profile {profile!r}; known: {', '.join(PROFILES)}")


def _readable(name: str) -> Dialect:
    """The dialect as which text of that one is read."""
    return DIALECTS[reading(_dialect(name, READABLE, "read").name)]


def _writable(name: str) -> Dialect:
    return _dialect(name, WRITABLE, "written")


def _dialect(name: object, allowed: tuple[str, ...], use: str) -> Dialect:
    if isinstance(name, str) and name in allowed:
        return DIALECTS[name]
    known = isinstance(name, str) and name in DIALECTS
    told = f"dialect {name!r} cannot be {use}" if known else f"unknown dialect {name!r}"
    meant = proposals(str(name), allowed)
    raise _usage(f"{told}{meant or ';'} those that can be {use}: {', '.join(allowed)}")
