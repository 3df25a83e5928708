"""Whether a query only reads: a positive list over the IR.

A query passes if every clause, command, procedure and function in it is known to read, and nothing else.  What is not
on the list is denied, whatever it is; so a class of nodes that is new to the IR is denied until someone lists it.

G410 a clause that writes, G411 a command, G412 a procedure that writes, G413 a procedure or function that nobody
looked at, G414 files and the network, G415 text that is run as a query, G416 what the server tells of itself and of
others, G417 side effects, G418 transactions of its own.

EXPLAIN and PROFILE change nothing: a query is denied as it would be without them.
"""

from __future__ import annotations

from collections.abc import Callable
from fnmatch import fnmatchcase

from graphir import ir
from graphir.diagnostics import Diagnostic, diagnose
from graphir.functions import OPERATORS
from graphir.gql_functions import GQL_FUNCTIONS, SAFE
from graphir.ir import Node
from graphir.passes.safety.effects import function_effect, procedure_effect
from graphir.profiles import Allow
from graphir.source import Source, Span

Finding = tuple[str, str, Span | None, str | None]
"""Code, message, place, hint."""

NOTHING = Allow()


def find_denied(query: ir.Query, source: Source, allow: Allow = NOTHING) -> list[Diagnostic]:
    """What in the query is not known to be read-only; empty for a query that only reads.

    `allow` are procedures and functions, by name or pattern, that are accepted whatever they do.  The findings are
    warnings: what they are worth is for the profile to say.
    """
    found: list[Finding] = []
    pending: list[Node] = [query]
    while pending:  # the loop of `ir.walk`, which is on the way of every query
        node = pending.pop()
        cls = type(node)
        if cls not in _READING:
            rule = _RULES.get(cls)
            found += rule(node, allow) if rule else [_unlisted(node)]
        if node.below_:
            pending += ir.children(node)[::-1]
    # Each once: sugar may have put one clause at several places of the IR.
    distinct = dict.fromkeys(found)
    return [
        diagnose(source, code, message, span, severity="warning", hint=hint) for code, message, span, hint in distinct
    ]


# ------------------------------------------------------------------ clauses

WRITING: dict[type[Node], str] = {
    ir.Insert: "CREATE",
    ir.Merge: "MERGE",
    ir.Set: "SET",
    ir.Remove: "REMOVE",
    ir.Delete: "DELETE",
    ir.Foreach: "FOREACH",
}


def _write(node: Node, _: Allow) -> list[Finding]:
    name = node.keyword if isinstance(node, ir.Insert) else WRITING[type(node)]
    return [("G410", f"{name} writes, and only reading is allowed", node.span, None)]


def _load(node: Node, _: Allow) -> list[Finding]:
    return [("G414", "LOAD CSV reads a file or an address outside of the database", node.span, None)]


def _transactions(node: Node, _: Allow) -> list[Finding]:
    message = "IN TRANSACTIONS commits by itself: what follows can not be undone"
    return [("G418", message, node.span, "leave IN TRANSACTIONS out: a query that reads needs one transaction")]


def _sql(node: Node, _: Allow) -> list[Finding]:
    return [("G410", "the query in SQL is not looked into, and only reading is allowed", node.span, None)]


def _statement(node: Node, _: Allow) -> list[Finding]:
    assert isinstance(node, ir.SqlStatement)
    if node.kind == "select":
        return [
            ("G410", "the SQL around graph tables is not looked into, and only reading is allowed", node.span, None)
        ]
    message = f"{node.kind.upper()} is a command that changes the database, and only reading is allowed"
    if node.access == "read":
        message = f"{node.kind.upper()} tells about a statement, and only queries are allowed"
    return [("G411", message, node.span, None)]


def _unlisted(node: Node) -> Finding:
    return ("G410", f"{type(node).op} is not known to be read-only", node.span, None)


# ------------------------------------------------------------------ commands

_SESSION = frozenset(("session set", "session reset", "session close", "start transaction", "commit", "rollback"))
"""Statements of GQL that are no queries."""

_READING_COMMANDS = frozenset(
    ("show indexes", "show constraints", "show functions", "show procedures", "show graph type")
)
"""What tells of the graph and of how to query it.  The other SHOW commands tell of the server and of its users."""


def _command(node: Node, allow: Allow) -> list[Finding]:
    assert isinstance(node, ir.Command)
    if node.kind in _SESSION:
        told = f"{node.kind.upper()} is about the session or a transaction, and only queries are allowed"
        return [("G411", told, node.span, None)]
    if node.access != "read":
        if node.kind.startswith("show"):
            message = f"something after {node.kind.upper()} may write, and only reading is allowed"
        else:
            message = f"{node.kind.upper()} is a command that changes the database, and only reading is allowed"
        return [("G411", message, node.span, None)]
    found = [finding for name in node.calls for finding in _judge_function(name, node, allow)]
    for kind in (node.kind, *node.further):
        if kind not in _READING_COMMANDS:
            message = f"{kind.upper()} tells about the server and its users, not about the graph"
            found.append(("G416", message, node.span, None))
    return found


# ------------------------------------------------------------------ procedures and functions

_DENIALS: dict[str | None, tuple[str, str, str | None]] = {
    "write": ("G412", "{} writes, and only reading is allowed", None),
    "schema": ("G412", "{} changes more than data: the schema, triggers or users", None),
    "io": ("G414", "{} reaches files, the network or another database", None),
    "text": (
        "G415",
        "{} runs text as a query, and the text is not checked",
        "write the query itself, in CALL { .. }",
    ),
    "server": ("G416", "{} tells about the server and its users, not about the graph", None),
    "effect": ("G417", "{} does more than read: it waits, locks, or changes what the server keeps in memory", None),
    None: ("G413", "{} is not known to be read-only", "if it is, allow it by its name"),
}
"""Effect -> code, message, hint; `read` is not here."""


def _procedure(node: Node, allow: Allow) -> list[Finding]:
    assert isinstance(node, ir.ProcedureCall)
    name = ".".join(node.name)
    effect = procedure_effect(name)
    return [] if effect == "read" or _names(allow.procedures, name) else [_denial(effect, "procedure", name, node)]


def _call(node: Node, allow: Allow) -> list[Finding]:
    assert isinstance(node, ir.Call)
    return _judge_function(".".join(node.name), node, allow)


def _apply(node: Node, allow: Allow) -> list[Finding]:
    assert isinstance(node, ir.Apply)
    return [] if node.function.removeprefix(SAFE) in _OPERATORS else _judge_function(node.function, node, allow)


def _judge_function(name: str, node: Node, allow: Allow) -> list[Finding]:
    effect = function_effect(name)
    return [] if effect == "read" or _names(allow.functions, name) else [_denial(effect, "function", name, node)]


def _names(patterns: tuple[str, ...], name: str) -> bool:
    return any(fnmatchcase(name, pattern) for pattern in patterns)


def _denial(effect: str | None, kind: str, name: str, node: Node) -> Finding:
    code, message, hint = _DENIALS[effect]
    return code, message.format(f"the {kind} {name}()"), node.span, hint


# ------------------------------------------------------------------ the tables

_OPERATORS = frozenset((*OPERATORS, *GQL_FUNCTIONS))
"""What only computes: operators, and all that GQL has beside the functions of Cypher."""

_READING: frozenset[type[Node]] = frozenset(
    (
        # Statements and how they are put together.
        *(ir.Query, ir.Pipeline, ir.SetOperation, ir.Next, ir.Conditional, ir.When, ir.SubqueryCall, ir.YieldItem),
        # Clauses.
        *(ir.Match, ir.IndexHint, ir.JoinHint, ir.VectorSearch, ir.Filter, ir.Let, ir.Unwind, ir.Project, ir.Item),
        *(ir.SortKey, ir.Aggregate, ir.Order, ir.Page, ir.Sample, ir.Finish, ir.Use),
        # Patterns.
        *(ir.LabelName, ir.LabelAny, ir.LabelDynamic, ir.LabelNot, ir.LabelAnd, ir.LabelOr, ir.Bounds),
        *(ir.NodePattern, ir.EdgePattern, ir.PathGroup, ir.Selector, ir.Path),
        # Expressions.
        *(ir.Literal, ir.Parameter, ir.Ref, ir.Keyword, ir.Property, ir.Index, ir.Slice, ir.ListOf, ir.Entry),
        *(ir.MapOf, ir.Comparison, ir.HasLabels, ir.ValueType, ir.IsTyped, ir.IsNormalized, ir.CaseSubject),
        *(ir.Branch, ir.Case, ir.Quantified, ir.ListComprehension, ir.PatternComprehension, ir.Reduce),
        *(ir.AllReduce, ir.ProjectedProperty, ir.ProjectedVariable, ir.ProjectedAll, ir.MapProjection),
        *(ir.PatternExpression, ir.Subquery, ir.Cast, ir.Named, ir.Struct, ir.Lambda, ir.Modified),
        *(ir.WordedCall, ir.SqlOperator, ir.ArraySlice, ir.Moment),
        *(ir.Window, ir.Filtered, ir.Within, ir.Collated, ir.Unpack, ir.GraphName, ir.Sample, ir.GraphTable),
        *(ir.TableName, ir.DerivedTable, ir.RowShape, ir.CommonGraph),
        *(ir.UnnestTable, ir.Join, ir.Star, ir.Grouping, ir.Select, ir.NamedWindow, ir.CommonTable),
        *(ir.TableQuery, ir.Values),
    )
)
"""The classes that do nothing but read; what they hold is looked at for itself."""

_PARTS_OF_WRITING: frozenset[type[Node]] = frozenset(
    (ir.SetProperty, ir.SetProperties, ir.SetLabels, ir.MergeAction, ir.RemoveProperty, ir.RemoveLabels)
)
"""What only a writing clause holds: that clause is reported."""

_RULES: dict[type[Node], Callable[[Node, Allow], list[Finding]]] = {
    **dict.fromkeys(WRITING, _write),
    **dict.fromkeys(_PARTS_OF_WRITING, lambda _node, _allowed: []),
    ir.LoadCsv: _load,
    ir.Transactions: _transactions,
    ir.Command: _command,
    ir.ProcedureCall: _procedure,
    ir.Call: _call,
    ir.Apply: _apply,
    **dict.fromkeys((ir.Sql, ir.TableOperation), _sql),
    ir.SqlStatement: _statement,
}
