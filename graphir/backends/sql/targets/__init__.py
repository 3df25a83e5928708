"""The lowering as SQL text for engines of others: one module per target, all of them data for one rewriter.

To add a target: write a module with a `Target` (`target.py` says what its fields are) and name it in `TARGETS`.

- Begin with `abilities=PLAIN`.  Then the tree has no calls of Python, no lambdas and no LATERAL but
  `LATERAL unwind(list) AS alias`, whose rows have the columns `x` and `i` (the rule for `exp.Lateral` writes it).
- `types` says how a representation (`graphir.backends.sql.reps`) is stored; None refuses it.  All casts go through it.
- `functions` has a rule per function of `target.FUNCTIONS`.  What has no rule is refused: begin with none.
- `nodes` has a rule per class of node whose SQL differs: integer division (`exp.IntDiv`, `exp.Mod` truncate, and are
  faults for zero), `exp.Add`, `exp.Sub`, `exp.Mul`, `exp.Sum` (64 bits, a fault beyond), `exp.Array`, `exp.ArrayAgg`,
  `exp.Struct` and `exp.PropertyEQ`, `exp.Ordered` and `exp.LT` .. of text (by code point), `exp.Parameter`.
- What type operands have is noted where it matters: `build.note(node)` is the representation of the operands of
  arithmetic, comparisons, `exp.Ordered`, `exp.Min`, `exp.Max`, `exp.Sum` and `exp.Avg`, of the value of `exp.Array`,
  `exp.ArrayAgg`, `exp.Struct`, `list_concat`, `list_slice`, `list_reverse`, `list_append`, of the element that
  `list_extract` and `struct_extract` give, that `list_contains` looks for and that `unwind` takes out, and the `rep` of
  every `exp.DataType`.  None means an integer that the lowering itself counts with, or an id.
- A rule gets a node whose parts are rewritten already, and gives the node in its place; it makes pieces with `build`,
  names with `fresh`, and refuses with `refuse("what, in the user's words")`.  It must be exact, or refuse.
- The tree is printed as by sqlglot in `dialect` (`backends/sql/printing.py`); look at what it does with a node before
  you keep it.

Nodes and edges lie as integers, their ids (`catalog.py`); paths as structures of two lists.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import field
from importlib import import_module
from typing import Any, NoReturn

from sqlglot import UnsupportedError, exp

from graphir import ir
from graphir.backends.sql import build, origins
from graphir.backends.sql.build import Sql
from graphir.backends.sql.catalog import Catalog, EdgeTable, NodeTable
from graphir.backends.sql.graphtables.alternatives import Spreading
from graphir.backends.sql.graphtables.folding import Folding, Refuse, Unexposed
from graphir.backends.sql.graphtables.labels import Labelling
from graphir.backends.sql.lowering import Assumed
from graphir.backends.sql.merging import joined, merged
from graphir.backends.sql.printing import printed
from graphir.backends.sql.reps import Rep
from graphir.backends.sql.scans import Scanned
from graphir.backends.sql.statements import lower_query
from graphir.backends.sql.targets import keys, presence
from graphir.backends.sql.targets.rewriting import Rewriter
from graphir.backends.sql.targets.target import Target
from graphir.diagnostics import Unsupported, diagnose
from graphir.frozen import frozen
from graphir.source import Source

_HERE = "graphir.backends.sql.targets"

TARGETS: dict[str, tuple[str, str]] = {
    "sql-duckdb": (f"{_HERE}.duckdb", "DUCKDB"),
    "sql-postgres": (f"{_HERE}.postgres", "POSTGRES"),
    "sql-sqlite": (f"{_HERE}.sqlite", "SQLITE"),
    "sql-oracle": (f"{_HERE}.oracle", "ORACLE"),
    "sql-spark": (f"{_HERE}.spark", "SPARK"),
    "sql-trino": (f"{_HERE}.trino", "TRINO"),
    "sql-bigquery": (f"{_HERE}.bigquery", "BIGQUERY"),
    "pgq-postgres": (f"{_HERE}.graphs", "POSTGRES"),
    "pgq-duckpgq": (f"{_HERE}.graphs", "DUCKPGQ"),
    "pgq-iso": (f"{_HERE}.iso", "ISO"),
    "pgq-oracle-23ai": (f"{_HERE}.graphs", "ORACLE_23AI"),
    "pgq-oracle-26ai": (f"{_HERE}.graphs", "ORACLE_26AI"),
}
"""Dialect -> the module and the name of its `Target`."""


@frozen
class Sent:
    """A parameter of the text: its `mark` there (a name or a number, without `:`, `$` or `@`), its `name` in the query,
    its `value` (None where it was not given), and how it lies."""

    mark: str
    name: str
    value: Any
    rep: Rep


@frozen
class Statement:
    """A query as text.  `parameters` in the order of their numbers; `columns`: name and representation of each;
    `assumed`: table and property -> what it is taken for, without the schema saying so; `admitted`: what is as the
    target has it, which is near to what is asked; `unexposed`: table that a pattern asks -> the columns of its key that
    are no properties of the graph."""

    text: str
    parameters: tuple[Sent, ...]
    columns: tuple[tuple[str, Rep], ...]
    assumed: Mapping[tuple[str, str], Assumed] = field(default_factory=dict)
    admitted: tuple[str, ...] = ()
    unexposed: Mapping[str, Unexposed] = field(default_factory=dict)


def target(name: str) -> Target:
    """The target of a dialect.  Raises KeyError."""
    module, constant = TARGETS[name]
    found = getattr(import_module(module), constant)
    assert isinstance(found, Target)
    return found


def emit(
    core: ir.Query,
    catalog: Catalog,
    name: str,
    parameters: Mapping[str, Any] | None = None,
    source: Source | None = None,
    *,
    typed: Mapping[str, Rep] | None = None,
    named: bool = False,
    pretty: bool = False,
    shown: Mapping[str, Sequence[str]] | None = None,
    documents: Mapping[str, Sequence[NodeTable | EdgeTable]] | None = None,
    near: bool = False,
) -> Statement:
    """A query in core form, which only reads, as text of a dialect.

    `shown`: column of the result -> the properties that stand in columns behind it, if it is a node or an edge.
    `documents`: elements and paths are shown as JSON; column -> the tables where the elements there may be, if known.
    `parameters` are values of the contract; `typed` are parameters that get their values later.  `named`: columns and
    parameters have the names of the query where they can, else `c0`, `c1` .. and `p0`, `p1` ..
    `near`: what is almost what is asked is written, and told in `admitted`; else it is refused.
    Raises Unsupported (G560, G561, G562, G602) and RunFault (a parameter without a value).
    """
    chosen = target(name)
    source = source or Source("")
    lowered = lower_query(
        core,
        source,
        catalog,
        parameters or {},
        abilities=chosen.abilities,
        typed=typed,
        shown=shown,
        documents=documents,
    )
    names: dict[str, str] = {}
    if lowered.sent:  # constants may have gone into the text
        used = {each.this.name for each in build.nodes(lowered.sql) if isinstance(each, exp.Parameter)}
        names = {own: name for own, name in zip(lowered.sent, lowered.names, strict=True) if own in used}
    marks = _marks(chosen, names, named=named)
    sent = [Sent(marks[own], name, *lowered.sent[own]) for own, name in names.items()]
    if named and lowered.columns and isinstance(lowered.sql, exp.Select):
        for (label, _), column in zip(lowered.columns, lowered.sql.selects, strict=True):
            column.set("alias", build.name(label))
    ids = (catalog.node_id, catalog.edge_id)
    unexposed: dict[str, Unexposed] = {}
    refuse = refusing(chosen, source, core)
    if catalog.shared:
        _require_whole(lowered.sql, catalog.shared, refuse)
    whole = joined(patterned(merged(lowered.sql), chosen, catalog, refuse, united=lowered.united, unexposed=unexposed))
    if catalog.keyless and chosen.patterns is None:
        _require_keys(whole, catalog, refuse)
    admitted: list[str] | None = [] if near else None
    rewriter = Rewriter(chosen, source, marks, ids, admitted)
    tree = rewriter.rewrite(whole)
    if catalog.places:
        _place(tree, catalog.places)
    try:
        text = printed(tree, chosen.dialect, chosen.patterns, pretty=pretty)
    except UnsupportedError as error:
        rewriter.refuse(f"a part of the query ({error})")
    return Statement(text, tuple(sent), lowered.columns, lowered.assumed, tuple(admitted or ()), unexposed)


def patterned(
    tree: Sql,
    chosen: Target,
    catalog: Catalog,
    refuse: Refuse,
    *,
    united: bool = True,
    unexposed: dict[str, Unexposed] | None = None,
) -> Sql:
    """The lowering's tree with elements as keys where they are carried along and, where the target reads its tables
    through a property graph, with graph patterns; the one given is used up.

    `united`: whether a source may be the rows of several tables.  `unexposed` receives tables and the columns of their
    keys that are no properties of the graph.
    Raises Unsupported (G566, G567).
    """
    hidden = catalog.hidden_keys(patterns=chosen.patterns is not None)
    if chosen.patterns is None:
        tree = keys.carry(tree)
        if hidden:
            presence.relieve(tree, catalog, hidden, patterns=False)
        return tree
    labelling = Labelling(catalog, chosen.patterns)
    spreading = Spreading(chosen.patterns, labelling)
    tree = keys.carry(tree, whole=True)
    if united and spreading.spread(tree):  # of which tables elements are is known of more of them now
        tree = keys.carry(tree, whole=True)
        spreading.spread(tree)
    if hidden:
        presence.relieve(tree, catalog, hidden, patterns=True)
    folding = Folding(catalog, labelling, chosen.patterns, refuse)
    tree = folding.fold(tree)
    if unexposed is not None:
        unexposed |= folding.unexposed
    return tree


def _place(tree: Sql, places: Mapping[str, tuple[str, ...]]) -> None:
    """Put the schemas of tables before their names, as they are found there."""
    for node in build.nodes(tree):
        path = places.get(node.name) if type(node) is exp.Table else None
        if path is not None:
            for part, name in zip(("this", "db", "catalog"), reversed(path), strict=False):
                node.set(part, build.name(name))


def _require_whole(tree: Sql, shared: Mapping[str, str], refuse: Refuse) -> None:
    """Raises Unsupported (G562) where a table is read that is not all of what is asked."""
    for node in build.nodes(tree):
        if type(node) is exp.Table and node.name in shared:
            refuse("G562", shared[node.name], _origin(node), "give the elements of each table a label of their own")


def _require_keys(tree: Sql, catalog: Catalog, refuse: Refuse) -> None:
    """Raises Unsupported (G562) where a column is read of a key that a table does not have."""
    elements: list[NodeTable | EdgeTable] = [*catalog.nodes, *catalog.edges]
    keys = {each.name: {column.name for column in each.key.columns} for each in elements}
    found = build.nodes(tree)
    tables = {each.alias: each for each in found if isinstance(each, exp.Table) and each.name in catalog.keyless}
    for each in found:
        table = tables.get(each.table) if isinstance(each, exp.Column) else None
        if table is not None and each.name in keys[table.name]:
            told = f"{table.name} has no key, so its rows cannot be told apart"
            refuse(
                "G562",
                told,
                _origin(table),
                "say in the schema what its key is: `PRIMARY KEY`, or `KEY` of the element",
            )


def _origin(source: Sql) -> str | None:
    """The variable of what a source is a scan of."""
    scanned = build.stands_for(source)
    return scanned.origin if isinstance(scanned, Scanned) else None


def refusing(chosen: Target, source: Source, core: ir.Query) -> Refuse:
    """What refuses a query, at the element of a variable."""

    def refuse(code: str, told: str, variable: str | None, hint: str | None) -> NoReturn:
        found = diagnose(source, code, told, origins.element(core, variable), hint=hint)
        raise Unsupported([found], feature=told, target=chosen.name)

    return refuse


def _marks(chosen: Target, names: Mapping[str, str], *, named: bool) -> dict[str, str]:
    """Parameter of the tree -> how it is called in the text; `names`: -> what it is called in the query."""
    if chosen.parameters == "numbered":
        return {own: str(at + 1) for at, own in enumerate(names)}
    if not named:
        return {own: own for own in names}
    taken = set(names.values())
    marks: dict[str, str] = {}
    for at, (own, name) in enumerate(names.items()):
        plain = name.isascii() and name.isidentifier() and not name.startswith("_")
        free = next(each for number in range(len(taken) + 1) if (each := f"p{at + number}") not in taken)
        marks[own] = name if plain else free
        taken.add(marks[own])
    return marks
