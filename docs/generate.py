"""The pages that are read off the code: cli, dialects, diagnostics, ir, api, vendors, the tables of sql and functions.

`make docs` rewrites them.

Each is a function from nothing to the text of a page; `tests/test_docs.py` compares it with the file.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path

import click

import graphir
from graphir import diagnostics, gql_functions, ir
from graphir.backends.cypher import features as cypher
from graphir.backends.cypher import legalize
from graphir.backends.cypher.core.templates import TEMPLATES
from graphir.backends.gql import features as gql
from graphir.backends.iso import targets
from graphir.backends.sqltext import constructs as sqltext
from graphir.cli import main as command_line
from graphir.dialects import DIALECTS, GQL_CONSTRUCTS, GQL_DIALECTS, has_construct
from graphir.ir.declarations import declared
from graphir.passes.vendors import rules as vendor_rules
from graphir.passes.vendors.vendors import VENDORS

FOLDER = Path(__file__).resolve().parent
NOTE = "<!-- Written by docs/generate.py; `make docs` rewrites it. -->"

RANGES = {
    "G0": "Syntax and input",
    "G1": "Names and schema",
    "G2": "Patterns and direction",
    "G3": "Literals and types",
    "G4": "Updates and safety",
    "G5": "Translation",
    "G6": "Run time",
}


def page(title: str, lead: str, *parts: str) -> str:
    return "\n\n".join([f"# {title}", NOTE, lead, *parts]) + "\n"


# ------------------------------------------------------------------ cli


def commands() -> dict[str, click.Command]:
    """The words after `graphir` -> the command."""
    found: dict[str, click.Command] = {}
    waiting: list[tuple[str, click.Command]] = [("", command_line)]
    while waiting:
        name, command = waiting.pop(0)
        if name:
            found[name] = command
        if isinstance(command, click.Group):
            below = [(f"{name} {word}".strip(), command.commands[word]) for word in command.commands]
            waiting = [*sorted(below), *waiting]
    return found


def cli() -> str:
    top = click.Context(
        command_line, info_name="graphir", terminal_width=100, max_content_width=100, **command_line.context_settings
    )
    parts = [f"```text\n{command_line.get_help(top)}\n```"]
    for name, command in commands().items():
        context = click.Context(command, info_name=name, parent=top, terminal_width=100, max_content_width=100)
        parts.append(f"## graphir {name}\n\n```text\n{command.get_help(context)}\n```")
    lead = (
        "Exit codes: 0 clean, 1 findings, 2 usage. Standard output carries results only; progress and summaries go to "
        "standard error."
    )
    return page("The command line", lead, *parts)


# ------------------------------------------------------------------ diagnostics


def codes() -> str:
    parts: list[str] = []
    for prefix, title in RANGES.items():
        rows = [code for code in diagnostics.codes() if code.startswith(prefix)]
        if rows:
            parts.append(f"## {title}")
            parts += [entry(code) for code in rows]
    lead = "`graphir explain CODE` prints the page of a code. A code names one fault and is never reused."
    return page("Diagnostics", lead, *parts)


def entry(code: str) -> str:
    """The page of a code, its headings two levels down."""
    text = diagnostics.page(code)
    assert text
    title, _, rest = text.partition("\n")
    body = "\n".join(f"**{line[3:]}.**" if line.startswith("## ") else line for line in rest.strip().splitlines())
    name = title.split(" ", 2)[2]
    return f'<a id="{code.lower()}"></a>\n\n### {code} {name}\n\n{body}'


# ------------------------------------------------------------------ dialects


def dialects() -> str:
    rows = [
        f"| `{d.name}` | {d.title} | {'yes' if d.reads else 'no'} | {'yes' if d.writes else 'no'} |"
        for d in DIALECTS.values()
    ]
    known = "\n".join(["| name | language | read | written |", "|---|---|---|---|", *rows])
    lead = (
        "What each dialect can say, read off the data that the backends work with. What a dialect lacks is rewritten "
        "where that is exact, and refused elsewhere with the code that is given, a place and a reason."
    )
    return page("Dialects", lead, known, between_cyphers(), reading_gql(), in_cypher(), of_iso(), from_core())


def cell(text: str) -> str:
    """The text as a cell of a table."""
    return text.replace("|", "\\|")


def between_cyphers() -> str:
    """Feature x Cypher dialect: there, rewritten, or refused."""
    names = [d.name for d in DIALECTS.values() if d.family == "cypher"]
    rewritten = {*legalize.RULES, *legalize.OPERATOR_RULES}
    rows = []
    for feature in cypher.FEATURES.values():
        refusal = f"[{feature.code}](diagnostics.md#{feature.code.lower()})"
        lacking = f"rewritten, else {refusal}" if feature.name in rewritten else refusal
        cells = ["yes" if feature.name in cypher.SUPPORTED[name] else lacking for name in names]
        rows.append(f"| {cell(feature.title)} | {' | '.join(cells)} |")
    head = [f"| | {' | '.join(f'`{name}`' for name in names)} |", "|---" * (len(names) + 1) + "|"]
    prose = "Everything that all three have is not listed."
    return "\n\n".join(["## Cypher", prose, "\n".join(head + rows)])


READING_GQL = """
`gql-iso`, `gql-fabric`, `gql-grafeo`, `gql-spanner` and `gql-bigquery` are read by one grammar; `gql-neo4j-25` is read
as Cypher 25. What a text leaves to its dialect is stated when it is read, and core says all of it:

- **Which edges may repeat.** Where no match mode is written, a pattern is a walk: an edge may come again. A mode of a
  path or of brackets in it, and a selector, hold as they are written. Walks without an upper bound are refused by the
  embedded engine (G602), except under a selector that one of them is enough for.
- **Names.** In GoogleSQL's dialects variables, labels and properties are the same in any case: a variable has the
  spelling of the result, else the first one; labels and properties that of the schema or of the graph, else the first
  one. Columns without AS are named by the variable or the property. `*` has the variables in the order of the text.
- **The name of the graph** is no step of the query, as long as there is one: a translation into GQL keeps it.
- **Null** is the least value in `gql-spanner`, `gql-bigquery` and `gql-fabric`, and the greatest in the others.
- **Grouping.** GROUP BY ALL without an aggregate is DISTINCT. In GoogleSQL's dialects an item that reads no variable is
  no key.
- **Aggregates in LET, FILTER and WHERE** are over the elements of one list, such as the edges of a quantified pattern,
  and become a subquery over them.
- **Set operations** meet by the names of columns; the modes FULL, LEFT and INNER of GoogleSQL say which columns stay.
  EXCEPT, INTERSECT and OTHERWISE run on the embedded engine, too.
- **COST** counts where paths are chosen by it: costs are positive numbers (G659), and an edge without one costs
  nothing.
- **Refused**: KEEP, YIELD behind a pattern, COLLATE (G061), TABLESAMPLE (G114), window functions.

What the dialects read; what one of them lacks is refused (G021), with what to write instead:
"""


def reading_gql() -> str:
    """How GQL is read, and which constructs its dialects have."""
    names = [name for name in GQL_DIALECTS if DIALECTS[name].family == "gql"]
    rows = []
    for name, construct in GQL_CONSTRUCTS.items():
        has = [has_construct(each, name) for each in names]
        if not all(has):
            cells = ["yes" if each else "no" for each in has]
            rows.append(f"| {cell(construct.title)} | {' | '.join(cells)} |")
    head = [f"| | {' | '.join(f'`{name}`' for name in names)} |", "|---" * (len(names) + 1) + "|"]
    return "\n\n".join(["## Reading GQL", READING_GQL.strip(), "\n".join(head + rows)])


def in_cypher() -> str:
    """What GQL becomes in Cypher: prose, and the functions that are said by templates."""
    prose = (
        "GQL, and SQL/PGQ where it is read, is translated to Cypher from its core form, and then like Cypher 25. "
        "Its patterns may bind an edge twice. Nothing is said of that where edges cannot meet, because there is one or "
        "their types differ; else `neo4j-25` writes REPEATABLE ELEMENTS, `neo4j-5` and `opencypher-9` a clause for "
        "every edge, and `neo4j-5` a UNION over the lengths of a bounded walk. TRAIL is a clause of its own, ACYCLIC "
        "and SIMPLE are conditions on the nodes where the dialect has no mode, and one shortest walk is Cypher's where "
        "it cannot use an edge twice. FOR with a position unwinds the positions; EXCEPT, INTERSECT and OTHERWISE count "
        "the rows of both sides. VALUE is COLLECT, with an error where there are several rows. Nulls sort first, as "
        "GoogleSQL has it, by a key of their own. SUM and ARRAY_AGG of nothing are null, ARRAY_AGG keeps nulls. An "
        "error of GoogleSQL is an error in Cypher too, written `1 / 0` where no function raises it. What depends on "
        "types (CAST, SIGN, parts of dates and instants) is decided by literals and by the schema, and refused with "
        "[G535](diagnostics.md#g535) where those do not tell; types that Cypher does not have are "
        "[G590](diagnostics.md#g590), paths chosen by their cost [G503](diagnostics.md#g503)."
    )
    aside = (
        "Four things are left to the engines: floats beyond their range, which are an error in GoogleSQL and infinite "
        "in Cypher, how NaN is compared, sums of integers beyond 64 bits, which Neo4j gives as floats, and integers "
        "among floats (`IFNULL(n.i, 0.5)`), which GoogleSQL makes floats and Cypher leaves integers of the same value."
        " Neither language says whether an expression that may raise an error is evaluated for rows that another "
        "condition leaves out."
    )
    rows = [
        f"| `{name}` | `{' '.join(letters)}` | `{cell(text)}` |" for (name, _), (letters, text) in TEMPLATES.items()
    ]
    lead = "Functions by their [canonical names](functions.md), what their arguments are called here, and their Cypher:"
    table = "\n".join(["| function | arguments | in Cypher |", "|---|---|---|", *rows])
    return "\n\n".join(["## GQL in Cypher", prose, aside, lead, table])


def of_iso() -> str:
    """What the dialects over the core of ISO GQL have, read off their targets."""
    rows = []
    for title, say in _OF_ISO.items():
        rows.append(f"| {cell(title)} | {' | '.join([say(target) for target in targets.TARGETS.values()])} |")
    rows.append(
        f"| functions of Cypher by its names | {' | '.join([functions_of(t) for t in targets.TARGETS.values()])} |"
    )
    head = [f"| | {' | '.join(f'`{name}`' for name in targets.TARGETS)} |", "|---" * (len(targets.TARGETS) + 1) + "|"]
    prose = (
        "Written from the core form over the constructs of ISO/IEC 39075: a WITH is RETURN .. NEXT with its GROUP BY, "
        "UNWIND is FOR, and that relationships of a MATCH differ is its match mode, or a TRAIL. ISO GQL has no IN, no "
        "functions on lists and no subscripts: what Cypher says of the items of a list is a query over FOR, in EXISTS "
        "or VALUE. It has no CONTAINS, no NODES, EDGES, LABELS, SPLIT, REPLACE and REVERSE and no `.year` of a date "
        "either, but its implementations share them: they are written, and G511 notes it. What depends on types (`+`, "
        "`/`, `size`, `toInteger`) takes them from the schema, and is refused where it cannot be told. A function may "
        "raise an error where Cypher gives null or NaN (`toInteger('x')`, `sqrt(-1)`), and a comparison of values of "
        "two types may; none gives another value. AVG of integers is taken to have a fraction, as it has in all that "
        "were looked at. What Fabric has is taken from its documentation of May 2026; Neo4j and Grafeo 0.6 were asked."
    )
    return "\n\n".join(["## GQL", prose, "\n".join(head + rows)])


def functions_of(target: targets.Target) -> str:
    """The functions beside those of ISO GQL."""
    return "all" if len(target.functions) > 50 else ", ".join([f"`{name}`" for name in sorted(target.functions)])


def _flag(name: str) -> Callable[[targets.Target], str]:
    return lambda target: "yes" if getattr(target, name) else "no"


_OF_ISO: dict[str, Callable[[targets.Target], str]] = {
    "match mode without repeated edges": lambda t: (
        "the default" if t.default_mode == "different_edges" else _flag("different")(t)
    ),
    "path mode TRAIL": _flag("trail"),
    "shortest paths": _flag("selectors"),
    "upper bound of repetitions": lambda t: "any" if t.most_hops is None else str(t.most_hops),
    "label expressions in patterns": _flag("label_expressions"),
    "IS LABELED": _flag("label_tests"),
    "NEXT": lambda t: "yes" if t.next else "CALL around what comes before",
    "UNION without ALL": lambda t: "yes" if t.union_distinct else "RETURN DISTINCT behind UNION ALL",
    "NULLS FIRST and NULLS LAST": lambda t: (
        "yes" if t.nulls else "a sort key of its own" if t.null_is_least else "as Cypher"
    ),
    "EXISTS of more than a MATCH": _flag("exists"),
    "subqueries with a value": lambda t: {"value": "VALUE", "collect": "COLLECT and COUNT", None: "no"}[t.subquery],
    "queries over lists in subqueries": _flag("over_lists"),
    "IN with a list": _flag("membership"),
    "STARTS WITH and ENDS WITH": _flag("text_tests"),
    "subscripts": _flag("subscripts"),
    "parameters": _flag("parameters"),
    "writing": _flag("writes"),
}
"""What is listed of a target."""


def from_core() -> str:
    """What GQL and SQL/PGQ refuse."""
    names = list(gql.SUPPORTED)
    rows = []
    for feature in (*gql.FEATURES, *gql.LIMITS.values()):
        code = f"[{feature.code}](diagnostics.md#{feature.code.lower()})"
        cells = ["yes" if feature.name in gql.SUPPORTED[name] else code for name in names]
        rows.append(f"| {feature.name.replace('-', ' ')} | {' | '.join(cells)} | {cell(feature.reason)} |")
    head = [f"| | {' | '.join(f'`{name}`' for name in names)} | |", "|---" * (len(names) + 2) + "|"]
    prose = (
        "Written from the core form, for the everyday fragment: MATCH and OPTIONAL MATCH with fixed and bounded "
        "variable length patterns, WHERE, RETURN, WITH, DISTINCT, grouping and aggregates, ORDER BY, SKIP and LIMIT, "
        "UNWIND, UNION, EXISTS and COUNT of a pattern. That relationships of a MATCH differ, the grouping keys and the "
        "place of nulls are written out. What is refused, and why:"
    )
    hyper = (
        "A statement of `pgq-hyper` defines its graph, `WITH g AS PROPERTY GRAPH (..)`, over the tables of the schema: "
        "those of the definitions that it was read from, or those that `graphir schema convert --to postgres-ddl` "
        "writes. Of the tables it has those that the patterns may look into, of the properties those that are asked "
        "for, and beside them `_id`, which tells an element from all others, `_type` and `_table`. A repetition is "
        "written out length by length, labels of expressions are tested by the table, and parameters are `$1`, `$2` .. "
        "in the order in which the query first mentions them. A sum of no floats is 0.0, as the column is one of "
        "floats. How it spells things is data, `graphir/backends/sqlpgq/targets.py`."
    )
    patterns = (
        "`pgq-postgres`, `pgq-duckpgq`, `pgq-oracle-23ai`, `pgq-oracle-26ai` and `pgq-iso` are SQL whose tables "
        "are graph patterns: what a MATCH reads is `GRAPH_TABLE (g MATCH .. WHERE .. COLUMNS (..))`, and all the "
        "rest is the [SQL of the database](sql.md), WITH for WITH, LEFT JOIN for OPTIONAL MATCH, EXISTS and "
        "scalar subqueries around graph tables that look at nothing outside of them. They need a schema. What a "
        "pattern says:\n\n"
        "- each element has one label, that of one table: what a query leaves open follows from the ends of "
        "edges, and several tables are read one after the other, UNION ALL. An edge is told by its label and the "
        "labels at its ends. A table that has no label alone is asked by the one that `graphir schema convert` "
        "gives it, `graphir_` and its name; without one it is refused ([G567](diagnostics.md#g567)).\n"
        "- relationships of one MATCH differ by their keys, `NOT (f.id = e.id)`, where they may come from one "
        "table.\n"
        "- a relationship without a direction is both directions, UNION ALL, a loop once.\n"
        "- several paths stand in one GRAPH_TABLE where they meet, but in PostgreSQL, which has one path in each:"
        " there the graph tables are joined by the keys of the nodes that they share.\n"
        "- a repetition is a recursive query over a graph table of one edge, which lists the edges that it has "
        "seen; no database is trusted with a quantifier, as those mean walks, or the mere reaching of a node "
        "(DuckPGQ). Shortest paths are ranked.\n"
        "- a condition on nothing but elements of one pattern, of comparisons, logic and plain functions, stands "
        "in it; all others stand outside.\n\n"
        "Elements are known by their keys, which have to be properties ([G566](diagnostics.md#g566)); a node or a"
        " relationship as a result is a text of its table and its key, or the key where there is one table, with "
        "columns for its properties behind it (`--elements expand`, [G553](diagnostics.md#g553)). A property "
        "whose type the schema does not say is taken for a text, with a warning ([G568](diagnostics.md#g568)). A "
        "moment is one in UTC. `--property-graph` says which graph it is: `generate`, that of the definition "
        "which `graphir schema convert --to postgres-ddl`, `duckpgq-ddl` or `oracle-ddl` writes for the schema, "
        "or a file, the script that defines one which is there. A text is proved by what it unfolds to: with the "
        "joins of tables in place of the graph tables it gives the embedded engine's rows on DuckDB and "
        "PostgreSQL. What the dialects can say in a pattern is data, "
        "`graphir/backends/sql/graphtables/abilities.py`."
    )
    read = (
        "`pgq-googlesql` is read whole: SELECT over one GRAPH_TABLE or several, joined, grouped, sorted, united, in "
        "subqueries and in WITH; in the GRAPH_TABLE all of GQL, or MATCH with COLUMNS. It is lowered to the graph "
        "query that it means: a table becomes steps, a column a variable, a LEFT JOIN an optional subquery, a common "
        "table is written out where it is named. Columns of the same name and columns without one keep their places. "
        "The same holds for SQL in the expressions of `gql-spanner` and `gql-bigquery`, such as `ARRAY(SELECT "
        "x.amount FROM UNNEST(e) AS x)`. What is no graph query is refused with [G580](diagnostics.md#g580): tables "
        "beside the graph, OVER and QUALIFY, PIVOT, TABLESAMPLE, FULL JOIN, ROLLUP, WITH RECURSIVE, the fields of a "
        "value as columns (`SELECT n.*`), SQL with `|>`. It is checked and laid out all the same. CREATE "
        "PROPERTY GRAPH and CREATE GRAPH TYPE are statements that `graphir check` reads whole; `graphir schema` makes "
        "schemas of them."
    )
    vendors = (
        "`pgq-iso`, `pgq-oracle-23ai`, `pgq-oracle-26ai`, `pgq-postgres`, `pgq-duckpgq` and `pgq-hyper` are read by "
        "the same grammar, each with its own names, strings, comments and parameters, and lowered as well. A name "
        "without quotes is folded: to upper case (ISO, Oracle), to lower case (PostgreSQL, Hyper), in DuckPGQ case "
        "never counts; with a schema it is the label or property that differs in case alone, and a column of the "
        "result is called as the database calls it. What is meant differently is translated as it is meant:\n\n"
        "- a pattern matches walks; nulls are the greatest, but come last in DuckPGQ;\n"
        "- `/` has a fraction in Oracle and DuckPGQ, and is that of whole numbers elsewhere; LIKE has the backslash "
        "as its escape in PostgreSQL and Hyper;\n"
        "- in Oracle `''` is null, written or computed, and null joins to a string as nothing;\n"
        "- in DuckPGQ a quantifier asks for the shortest way and gives one row for each pair of vertices, `{0,1}` is "
        "a plain edge, an edge without direction counts a loop twice, an element without label has that of its "
        "variable's name, a missing COLUMNS and `*` are all properties, for which a schema is needed; `<-[..]->` and "
        "functions that give numbers of rows are refused ([G269](diagnostics.md#g269));\n"
        "- Hyper's `WITH g AS PROPERTY GRAPH (..)` is the schema of its query.\n\n"
        "VERTEX_ID and EDGE_ID are what identifies an element in the other language, not Oracle's JSON. Texts compare "
        "by the codes of their characters, and a COLLATE that says so (`\"C\"`, UCS_BASIC) is no other order. ONE ROW "
        "PER STEP and VERTEX, other collations, AS OF, operators on JSON (`->>`) and functions that make its text, "
        "matches with `~`, SIMILAR TO, WITH TIES and types of one database are [G580](diagnostics.md#g580). "
        "SQL that the grammar has not is read by sqlglot around its graph tables, and EXPLAIN, PREPARE, CREATE VIEW, "
        "INSERT and COPY are kept around their query: what is in them is checked and laid out, and there is nothing "
        "to translate ([G582](diagnostics.md#g582)). Definitions of property graphs are checked as a database "
        "[checks them](checking.md#sqlpgq-of-oracle-postgresql-duckpgq-and-hyper)."
    )
    written = (
        "`pgq-googlesql` is the text of `gql-spanner` in one table: `SELECT columns FROM GRAPH_TABLE(graph query)`, "
        "the form that Spanner and BigQuery document, with all that [Google's GQL](gql.md) says of types, names and "
        "`--elements`. Only the order and the page of the result stand outside, since rows of a table have no order; "
        "a sort key that is no column of the result becomes a column of the table, `sort_key1`, which the SELECT "
        "leaves out. A row that asks no graph, such as `RETURN 1 AS x`, is a SELECT from nothing."
    )
    tables = (
        "A query that writes becomes, in `gql-spanner` and with a schema, INSERT, UPDATE and DELETE on the tables "
        "of the graph: several statements with `;` between them, to be run in one transaction. CREATE inserts "
        "rows of nodes and then those of edges, SET and REMOVE update, DETACH DELETE deletes the edges first, "
        "MERGE on the key of a table is INSERT OR IGNORE, and a result is a query at the end. The rows are found "
        "by GRAPH_TABLE, anew in each statement; where an earlier one might change them, or the tables cannot do "
        "exactly what the query does, it is refused ([G419](diagnostics.md#g419), [G420](diagnostics.md#g420)). A "
        "key that is no property of the schema is made up by the database. In the other dialects of GQL a query "
        "writes with INSERT, SET, REMOVE and DELETE; MERGE is there where OPTIONAL MATCH, FILTER and INSERT do "
        "the same: as the last clause, of one node with literals, or of one relationship with a direction between "
        "nodes that are known."
    )
    parts = [
        "## GQL and SQL/PGQ",
        prose,
        "\n".join(head + rows),
        "### Queries that write",
        tables,
        "### SELECT around GQL",
        written,
        "### Graph patterns in SQL",
        patterns,
        "### Hyper",
        hyper,
        "### SELECT as a graph query",
        read,
        "### SQL/PGQ of ISO, Oracle, PostgreSQL, DuckPGQ and Hyper as a graph query",
        vendors,
    ]
    return "\n\n".join(parts)


# ------------------------------------------------------------------ ir


def nodes() -> str:
    groups: dict[str, list[str]] = {}
    for op, cls in ir.REGISTRY.items():
        groups.setdefault(cls.__module__.rsplit(".", 1)[1], []).append(operator(op, cls))
    lead = (
        "The node classes of `graphir.ir`, by the name that they have in the text and JSON forms. `graphir ir` prints "
        "a query in either form; both can be read back. Surface and core use the same classes: "
        "`graphir ir --core` shows the latter."
    )
    parts = [f"## {title.capitalize()}\n\n" + "\n\n".join(rows) for title, rows in groups.items()]
    return page("The Graph-IR", lead, *parts)


def operator(op: str, cls: type[ir.Node]) -> str:
    fields = ", ".join(f"`{f.name}`: {cls.__annotations__[f.name]}" for f in declared(cls) if not f.note)
    own = cls.__dict__.get("__doc__") or ""
    text = "" if own.startswith(f"{cls.__name__}(") else inspect.cleandoc(own)
    return "\n\n".join(filter(None, [f"### {op} (`{cls.__name__}`)", text, fields]))


# ------------------------------------------------------------------ api


def api() -> str:
    parts = [f"## {name}\n\n" + described(name, getattr(graphir, name)) for name in graphir.__all__]
    return page("The Python API", "What `import graphir` gives. Everything else is internal.", *parts)


def described(name: str, value: object) -> str:
    text = inspect.cleandoc(getattr(value, "__doc__", None) or "") if callable(value) else f"`{value!r}`"
    if inspect.isfunction(value):
        prose, _, example = text.partition(">>> ")
        shown = f"```python\n{name}{signature(value)}\n```\n\n{prose.strip()}"
        return f"{shown}\n\n```pycon\n>>> {example.strip()}\n```" if example else shown
    return text


def signature(function: Callable[..., object]) -> str:
    return str(inspect.signature(function))


# ------------------------------------------------------------------ vendors


def vendors() -> str:
    """The rules of SQL/PGQ, and the error that each database has for them."""
    lead = (
        "What [checking](checking.md#sqlpgq-of-oracle-postgresql-duckpgq-and-hyper) says of SQL/PGQ, by the code of "
        "graphir, and the error with which each database refuses the same: a number of Oracle, an SQLSTATE of "
        "PostgreSQL (development), the kind of DuckPGQ's error, words of Hyper's message; `yes` where it refuses and "
        "the number is not known. An empty cell: the database has no such rule."
    )
    queries = ruled(vendor_rules.QUERIES.values())
    definitions = ruled(vendor_rules.DEFINITIONS.values())
    return page(
        "SQL/PGQ: rules by database",
        lead,
        "## GRAPH_TABLE and the SQL around it",
        queries,
        "## Definitions",
        definitions,
    )


def ruled(rules: Iterable[vendor_rules.Rule]) -> str:
    """A table of rules, by code."""
    names = [name for name in VENDORS if name != "iso"]
    head = f"| code | rule | {' | '.join(VENDORS[name].title for name in names)} |\n|---|---|{'---|' * len(names)}"
    lines = [head]
    for rule in sorted(rules, key=lambda each: each.code):
        cells = [
            f"`{rule.vendors[name]}`" if rule.vendors.get(name) else "yes" if name in rule.vendors else ""
            for name in names
        ]
        title = rule.title.replace("|", "\\|")
        lines.append(f"| [{rule.code}](diagnostics.md#{rule.code.lower()}) | {title} | {' | '.join(cells)} |")
    return "\n".join(lines)


# ------------------------------------------------------------------ sql


def sql() -> str:
    """The page as it is, with the table of constructs made anew."""
    text = (FOLDER / "sql.md").read_text(encoding="utf-8")
    before, mark, rest = text.partition("<!-- constructs -->\n")
    _, end, after = rest.partition("<!-- end -->")
    return before + mark + supported() + end + after


def functions() -> str:
    """The page as it is, with the table of the functions of GQL made anew."""
    text = (FOLDER / "functions.md").read_text(encoding="utf-8")
    before, mark, rest = text.partition("<!-- functions of GQL -->\n")
    _, end, after = rest.partition("<!-- end -->")
    return before + mark + of_gql() + end + after


def of_gql() -> str:
    """Canonical name, spellings, the function of Cypher with the same value."""
    head = "| canonical name | GoogleSQL | ISO GQL | in Cypher |\n|---|---|---|---|"
    rows = [
        f"| `{name}` | {spelled(google.split())} | {spelled(iso.split())} | `{name}` |"
        for name, (google, iso) in sorted(gql_functions.SAME_MEANING.items())
    ]
    for row in sorted(gql_functions.GQL_FUNCTIONS.values(), key=lambda row: row.name):
        near = f"`{row.near}`, without the error" if row.near else ""
        near = "`sum`, 0 of nothing" if row.name == "sum_or_null" else near
        kind = " (aggregate)" if row.aggregate else ""
        rows.append(f"| `{row.name}`{kind} | {spelled(row.google)} | {spelled(row.iso)} | {near} |")
    return "\n".join([head, *rows]) + "\n"


def spelled(names: Sequence[str]) -> str:
    return ", ".join([f"`{name}`" for name in names])


def supported() -> str:
    """Construct x SQL dialect: yes, joined, unproved, or the code of the refusal."""
    names = [d.name for d in DIALECTS.values() if d.family == "sql" or d.tables]
    head = f"| | {' | '.join(f'`{name}`' for name in names)} |\n{'|---' * (len(names) + 1)}|"
    parts: dict[str, list[str]] = {}
    for construct in sqltext.constructs():
        cells = [verdict(construct.query, name) for name in names]
        parts.setdefault(construct.heading, []).append(f"| {cell(construct.title)} | {' | '.join(cells)} |")
    return "\n\n".join(f"### {heading}\n\n" + "\n".join([head, *rows]) for heading, rows in parts.items()) + "\n"


def verdict(query: str, dialect: str) -> str:
    try:
        graphir.translate(query, write=dialect, schema=sqltext.schema())
    except graphir.Unsupported as refusal:
        code = refusal.diagnostics[0].code
        return f"[{code}](diagnostics.md#{code.lower()})"
    if dialect in sqltext.UNFOLDED:
        return "joined"
    return "yes" if dialect in sqltext.PROVED else "unproved"


PAGES: dict[str, Callable[[], str]] = {
    "cli.md": cli,
    "dialects.md": dialects,
    "diagnostics.md": codes,
    "ir.md": nodes,
    "api.md": api,
    "sql.md": sql,
    "vendors.md": vendors,
    "functions.md": functions,
}


def main() -> None:
    for name, make in PAGES.items():
        (FOLDER / name).write_text(make(), encoding="utf-8")


if __name__ == "__main__":
    main()
