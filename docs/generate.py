"""The pages that are read off the code: cli, dialects, diagnostics, ir, api, vendors, the tables of sql and functions.

`make docs` rewrites them.

Each is a function from nothing to the text of a page; `tests/test_docs.py` compares it with the file.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path

import click

import graphir
from graphir import diagnostics, gql_functions, ir
from graphir.backends.cypher import features as cypher
from graphir.backends.cypher import legalize
from graphir.backends.cypher.core.templates import TEMPLATES
from graphir.backends.gql import features as gql
from graphir.backends.iso import targets
from graphir.backends.sqltext import calls as sqlcalls
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


def remade(name: str, tables: Mapping[str, Callable[[], str]]) -> str:
    """A page as it is, with each table between `<!-- its mark -->` and `<!-- end -->` made anew."""
    text = (FOLDER / name).read_text(encoding="utf-8")
    for mark, make in tables.items():
        before, begin, rest = text.partition(f"<!-- {mark} -->\n")
        _, end, after = rest.partition("<!-- end -->")
        text = f"{before}{begin}{make()}\n{end}{after}"
    return text


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
        "Exit codes: 0 clean, 1 findings, 2 usage, or a file that cannot be read or written; 130 interrupted, 141 "
        "when the reader of the output went away. Standard output carries results only; progress and summaries go to "
        "standard error.\n\nEvery file that is read may be a pipe (`<(command)`, `/dev/stdin`). Devices are not read, "
        "for they need not end."
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
    """The page as it is, with its tables made anew."""
    tables = {
        "dialects": known,
        "cypher": between_cyphers,
        "reading gql": reading_gql,
        "functions in cypher": in_cypher,
        "iso": of_iso,
        "refusals": from_core,
    }
    return remade("dialects.md", tables)


def known() -> str:
    """Every dialect, and whether it is read and written."""
    rows = [
        f"| `{d.name}` | {d.title} | {'yes' if d.reads else 'no'} | {'yes' if d.writes else 'no'} |"
        for d in DIALECTS.values()
    ]
    return "\n".join(["| name | language | read | written |", "|---|---|---|---|", *rows])


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
    return "\n".join(head + rows)


def reading_gql() -> str:
    """Which constructs the dialects of GQL have, of those that not all have."""
    names = [name for name in GQL_DIALECTS if DIALECTS[name].family == "gql"]
    rows = []
    for name, construct in GQL_CONSTRUCTS.items():
        has = [has_construct(each, name) for each in names]
        if not all(has):
            cells = ["yes" if each else "no" for each in has]
            rows.append(f"| {cell(construct.title)} | {' | '.join(cells)} |")
    head = [f"| | {' | '.join(f'`{name}`' for name in names)} |", "|---" * (len(names) + 1) + "|"]
    return "\n".join(head + rows)


def in_cypher() -> str:
    """The functions of GQL that are said by templates in Cypher."""
    rows = [
        f"| `{name}` | `{' '.join(letters)}` | `{cell(text)}` |" for (name, _), (letters, text) in TEMPLATES.items()
    ]
    return "\n".join(["| function | arguments | in Cypher |", "|---|---|---|", *rows])


def of_iso() -> str:
    """What the dialects over the core of ISO GQL have, read off their targets."""
    rows = []
    for title, say in _OF_ISO.items():
        rows.append(f"| {cell(title)} | {' | '.join([say(target) for target in targets.TARGETS.values()])} |")
    rows.append(
        f"| functions of Cypher by its names | {' | '.join([functions_of(t) for t in targets.TARGETS.values()])} |"
    )
    head = [f"| | {' | '.join(f'`{name}`' for name in targets.TARGETS)} |", "|---" * (len(targets.TARGETS) + 1) + "|"]
    return "\n".join(head + rows)


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
    return "\n".join(head + rows)


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
    return remade("sql.md", {"constructs": supported, "functions": of_functions})


def functions() -> str:
    return remade("functions.md", {"functions of GQL": of_gql})


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
    return "\n".join([head, *rows])


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
    return "\n\n".join(f"### {heading}\n\n" + "\n".join([head, *rows]) for heading, rows in parts.items())


def of_functions() -> str:
    """Function x dialect of SQL/PGQ: yes, the code of the refusal, or in part."""
    names = [d.name for d in DIALECTS.values() if d.family == "pgq" and d.writes]
    rows = [f"| | {' | '.join(f'`{name}`' for name in names)} | refused |", "|---" * (len(names) + 2) + "|"]
    for function, expressions in sqlcalls.calls().items():
        verdicts = {
            name: {each: refusal_of(sqlcalls.QUERY.format(each), name) for each in expressions} for name in names
        }
        cells = [called(list(verdicts[name].values())) for name in names]
        told: list[str] = []
        for each in expressions:
            lacking = [name for name in names if verdicts[name][each] and cells[names.index(name)] == "in part"]
            if lacking and len(expressions) > 1:
                told.append(f"`{each}`: {', '.join(lacking)}")
        rows.append(f"| `{function}` | {' | '.join(cells)} | {cell('; '.join(told))} |")
    return "\n".join(rows)


def called(codes_: Sequence[str | None]) -> str:
    """What is said of calls that are refused with these codes, None for those that are not."""
    if not any(codes_):
        return "yes"
    if not all(codes_):
        return "in part"
    return ", ".join([f"[{code}](diagnostics.md#{str(code).lower()})" for code in dict.fromkeys(codes_)])


def refusal_of(query: str, dialect: str) -> str | None:
    """The code with which a query is refused."""
    try:
        graphir.translate(query, write=dialect, schema=sqltext.schema())
    except graphir.Unsupported as refusal:
        return refusal.diagnostics[0].code
    return None


def verdict(query: str, dialect: str) -> str:
    code = refusal_of(query, dialect)
    if code is not None:
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
