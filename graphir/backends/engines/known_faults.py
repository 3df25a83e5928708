"""What engines are known to do wrong, as data: a feature of queries by name, the engine, and what it does.

A query with such a feature is refused for that engine (G625): a wrong row that looks right is worse than none.  The
features are found in core IR; `docs/engines.md` lists them.  A session that is `trusting` runs such queries, too.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from graphir import ir


@dataclass(frozen=True, slots=True)
class KnownFault:
    """An engine, a feature of queries, and what that engine does with it."""

    engine: str
    feature: str
    told: str
    dialect: str | None = None
    """The dialect in which the engine has to be asked for that; None: any."""


KNOWN_FAULTS: tuple[KnownFault, ...] = (
    KnownFault("neo4j", "range against its step", "`range(0, 1, -123)` gives [0] where [] is due"),
    KnownFault("neo4j", "distinct NaN", "two NaN count as different values when duplicates are removed or grouped"),
    KnownFault("arcadedb", "pattern at a null node", "a pattern that begins at a null node matches everything"),
    KnownFault(
        "arcadedb", "filter in a repetition", "WHERE and label expressions on repeated edges are ignored", "neo4j-25"
    ),
    KnownFault(
        "arcadedb", "label expression beside a repetition", "rows of nodes with several labels are lost", "neo4j-25"
    ),
    KnownFault("arcadedb", "vector", "a vector comes back as a list of floats"),
    KnownFault("kglite", "not a finite number", "NaN and infinity become null"),
    KnownFault("kglite", "open repetition", "a repetition without an upper bound stops at ten rounds"),
    KnownFault("kglite", "variable in a property map", "`{x: a.x}` is never met where the same MATCH binds `a`"),
    KnownFault("kglite", "order in a branch of UNION", "ORDER BY and LIMIT of the last branch go for all rows"),
    KnownFault("kglite", "reserved property", "`id`, `title` and `type` are properties that every node has"),
    KnownFault("kglite", "all properties", "`keys`, `properties` and `.*` also give `id`, `title` and `type`"),
    KnownFault("kglite", "temporal function", "parts, arithmetic and truncation of temporal values are often wrong"),
    KnownFault("kglite", "nanoseconds", "values come back without what is below microseconds"),
    KnownFault("grafeo", "null in a property map", "`{x: null}` is met by what has no `x`"),
    KnownFault("grafeo", "sum", "the sum of no values is null where 0 is due"),
    KnownFault(
        "grafeo", "quantifier", "`any`, `all`, `none`, `single` over a null are false or true where null is due"
    ),
    KnownFault("grafeo", "comparison of literals of two types", "`'1' > 0` is true where null is due"),
    KnownFault("grafeo", "IN of a comprehension", "`null IN []` of a comprehension is null where false is due"),
    KnownFault("grafeo", "subquery in OPTIONAL MATCH", "a row is dropped where one with nulls is due"),
    KnownFault("grafeo", "projection of a null element", "a map of nulls comes where null is due"),
    KnownFault("grafeo", "remainder of floats", "`2.5 % 0.0` is null where NaN is due"),
    KnownFault("grafeo", "slice from the end", "`[1, 2, 3][1..-1]` gives [2, 3] where [2] is due"),
    KnownFault("grafeo", "temporal function", "parts, arithmetic and truncation of temporal values are often wrong"),
    KnownFault("grafeo", "nanoseconds", "values come back without what is below microseconds"),
    KnownFault("ladybug", "several edges in a MATCH", "the edges of a match need not be different"),
    KnownFault("ladybug", "several labels of one node", "`:A:B` matches what has one of the labels"),
    KnownFault("ladybug", "repetition", "paths may use an edge more than once"),
    KnownFault("ladybug", "element of a list", "lists count from 1 and slices include their end"),
    KnownFault("ladybug", "function on elements", "labels, types and ids of elements are not those of Cypher"),
    KnownFault("ladybug", "temporal function", "temporal values have other functions there"),
    KnownFault("ladybug", "list of several types", "the elements of a list become texts where their types differ"),
    KnownFault("ladybug", "division", "dividing floats by zero is an error where infinity is due"),
    KnownFault("googlesql", "order of NaN", "NaN is the least number in an order, and both `min` and `max` give it"),
    KnownFault("spanner", "order of NaN", "NaN is the least number in an order, and both `min` and `max` give it"),
)

Finder = Callable[[ir.Query, Mapping[str, Any]], Iterator[ir.Node]]


def find(engine: str, dialect: str, core: ir.Query, parameters: Mapping[str, Any]) -> tuple[KnownFault, ir.Node] | None:
    """The first known fault of the engine that the query, sent in that dialect, runs into, with its place."""
    for known in KNOWN_FAULTS:
        if known.engine == engine and known.dialect in (None, dialect):
            for node in FEATURES[known.feature](core, parameters):
                return known, node
    return None


# ------------------------------------------------------------------ features


def _range(core: ir.Query, _: Mapping[str, Any]) -> Iterator[ir.Node]:
    """A range whose step is not certainly in the direction of its end."""
    for call in _calls(core, "range"):
        if len(call.args) == 3:
            start, end, step = map(_integer, call.args)
            if start is None or end is None or step is None or (end - start) * step < 0:
                yield call


def _distinct_nan(core: ir.Query, parameters: Mapping[str, Any]) -> Iterator[ir.Node]:
    told_apart = any(
        isinstance(node, ir.Aggregate) or (isinstance(node, ir.Project | ir.SetOperation | ir.Apply) and node.distinct)
        for node in ir.walk(core)
    )
    if told_apart:
        yield from _not_finite_constants(core, parameters)


def _not_finite_constants(core: ir.Query, parameters: Mapping[str, Any]) -> Iterator[ir.Node]:
    for node in ir.walk(core):
        match node:
            case ir.Literal(value=float() as value) if not math.isfinite(value):
                yield node
            case ir.Apply(function="div", args=(_, ir.Literal(value=float() as value))) if not value:
                yield node
            case ir.Parameter(name=name) if _holds_nan(parameters.get(name)):
                yield node


def _not_finite(core: ir.Query, parameters: Mapping[str, Any]) -> Iterator[ir.Node]:
    """Also what may give such a number: division by anything but a constant, roots, logarithms."""
    yield from _not_finite_constants(core, parameters)
    yield from _divisions(core, parameters)
    yield from _calls(core, "sqrt", "log", "log10", "exp", "acos", "asin", "pow", "cot", "tan")


def _divisions(core: ir.Query, _: Mapping[str, Any]) -> Iterator[ir.Node]:
    for call in _calls(core, "div", "mod"):
        divisor = call.args[1]
        if not (isinstance(divisor, ir.Literal) and divisor.value):
            yield call


def _holds_nan(value: Any) -> bool:
    if isinstance(value, float):
        return not math.isfinite(value)
    if isinstance(value, (list, tuple)):
        return any(map(_holds_nan, value))
    return isinstance(value, Mapping) and any(map(_holds_nan, value.values()))


def _pattern_at_null(core: ir.Query, _: Mapping[str, Any]) -> Iterator[ir.Node]:
    nullable = _nullable(core)
    for node in ir.walk(core):
        if isinstance(node, ir.PatternComprehension | ir.PatternExpression | ir.Subquery):
            used = {each.variable for each in ir.walk(node) if isinstance(each, ir.NodePattern | ir.EdgePattern)}
            if used & nullable:
                yield node


def _nullable(core: ir.Query) -> set[str]:
    """Variables that an OPTIONAL MATCH binds, also under the names that they are carried on by."""
    found: set[str] = set()
    changed = True
    while changed:
        before = len(found)
        for node in ir.walk(core):
            if isinstance(node, ir.Match) and node.optional:
                patterns = [each for path in node.paths for each in ir.walk(path)]
                bound = (each for each in patterns if isinstance(each, ir.NodePattern | ir.EdgePattern))
                found |= {each.variable for each in bound if each.variable}
            elif (
                isinstance(node, ir.Item)
                and node.name
                and any(isinstance(each, ir.Ref) and each.name in found for each in ir.walk(node.value))
            ):
                found.add(node.name)
        changed = len(found) > before
    return found


def _open_repetition(core: ir.Query, _: Mapping[str, Any]) -> Iterator[ir.Node]:
    for node, bounds in _repetitions(core):
        if bounds.high is None:
            yield node


def _repeated(core: ir.Query, _: Mapping[str, Any]) -> Iterator[ir.Node]:
    for node, _bounds in _repetitions(core):
        yield node


def _filtered_repetition(core: ir.Query, _: Mapping[str, Any]) -> Iterator[ir.Node]:
    for node, _bounds in _repetitions(core):
        for each in ir.walk(node):
            if isinstance(each, ir.EdgePattern) and (each.where or not _is_choice(each.labels)):
                yield node


def _labels_beside_repetition(core: ir.Query, _: Mapping[str, Any]) -> Iterator[ir.Node]:
    for node in ir.walk(core):
        if isinstance(node, ir.Path) and any(True for _found in _repetitions(node)):
            nodes = (each for each in ir.walk(node) if isinstance(each, ir.NodePattern))
            yield from (each for each in nodes if each.labels and not isinstance(each.labels, ir.LabelName))


def _is_choice(labels: ir.LabelExpression | None) -> bool:
    """Whether types are named, at most with `|` between them."""
    names = labels.operands if isinstance(labels, ir.LabelOr) else (labels,)
    return all(each is None or isinstance(each, ir.LabelName) for each in names)


def _maps(core: ir.Query) -> Iterator[ir.Expression]:
    """The property maps of patterns that are matched."""
    for operator in ir.walk(core):
        if isinstance(operator, ir.Match):
            for node in (each for path in operator.paths for each in ir.walk(path)):
                if isinstance(node, ir.NodePattern | ir.EdgePattern) and node.properties is not None:
                    yield node.properties


def _variable_maps(core: ir.Query, _: Mapping[str, Any]) -> Iterator[ir.Node]:
    for found in _maps(core):
        if any(isinstance(each, ir.Ref) for each in ir.walk(found)):
            yield found


def _null_maps(core: ir.Query, parameters: Mapping[str, Any]) -> Iterator[ir.Node]:
    for found in _maps(core):
        for each in ir.walk(found):
            nothing = isinstance(each, ir.Literal) and each.value is None
            if nothing or (isinstance(each, ir.Parameter) and parameters.get(each.name) is None):
                yield found


def _ordered_branch(core: ir.Query, _: Mapping[str, Any]) -> Iterator[ir.Node]:
    for node in ir.walk(core):
        if isinstance(node, ir.SetOperation):
            for branch in node.branches:
                if isinstance(branch, ir.Pipeline) and isinstance(branch.operators[-1], ir.Order | ir.Page):
                    yield branch.operators[-1]


def _repetitions(core: ir.Node) -> Iterator[tuple[ir.Node, ir.Bounds]]:
    for node in ir.walk(core):
        if isinstance(node, ir.EdgePattern | ir.PathGroup):
            bounds = node.quantifier or (node.hops if isinstance(node, ir.EdgePattern) else None)
            if bounds is not None:
                yield node, bounds


def _reserved(core: ir.Query, _: Mapping[str, Any]) -> Iterator[ir.Node]:
    for node in ir.walk(core):
        key = node.key if isinstance(node, ir.Property | ir.Entry | ir.ProjectedProperty) else None
        if key in ("id", "title", "type"):
            yield node


def _all_properties(core: ir.Query, _: Mapping[str, Any]) -> Iterator[ir.Node]:
    yield from _calls(core, "keys", "properties")
    yield from (node for node in ir.walk(core) if isinstance(node, ir.ProjectedAll))


def _quantified(core: ir.Query, _: Mapping[str, Any]) -> Iterator[ir.Node]:
    yield from (node for node in ir.walk(core) if isinstance(node, ir.Quantified))


def _mixed_comparison(core: ir.Query, _: Mapping[str, Any]) -> Iterator[ir.Node]:
    for node in ir.walk(core):
        operands = node.args if isinstance(node, ir.Apply) and node.function in ("lt", "le", "gt", "ge") else ()
        operands = node.operands if isinstance(node, ir.Comparison) else operands
        words = {isinstance(each.value, str) for each in operands if isinstance(each, ir.Literal)}
        if len(words) > 1:
            yield node


def _in_comprehension(core: ir.Query, _: Mapping[str, Any]) -> Iterator[ir.Node]:
    for call in _calls(core, "in"):
        if isinstance(call.args[1], ir.ListComprehension):
            yield call


def _optional_subquery(core: ir.Query, _: Mapping[str, Any]) -> Iterator[ir.Node]:
    for node in ir.walk(core):
        if isinstance(node, ir.Match) and node.optional and node.where is not None:
            for each in ir.walk(node.where):
                if isinstance(each, ir.Subquery | ir.PatternExpression | ir.PatternComprehension):
                    yield each


def _null_projection(core: ir.Query, _: Mapping[str, Any]) -> Iterator[ir.Node]:
    nullable = _nullable(core)
    for node in ir.walk(core):
        if isinstance(node, ir.MapProjection) and node.base.name in nullable:
            yield node


def _float_remainder(core: ir.Query, _: Mapping[str, Any]) -> Iterator[ir.Node]:
    for call in _calls(core, "mod"):
        if not isinstance(call.args[1], ir.Literal) or isinstance(call.args[1].value, float):
            yield call


def _slice_from_end(core: ir.Query, _: Mapping[str, Any]) -> Iterator[ir.Node]:
    for node in ir.walk(core):
        if isinstance(node, ir.Slice):
            ends = [_integer(end) for end in (node.low, node.high) if end is not None]
            if any(end is None or end < 0 for end in ends):
                yield node


def _elements_of_lists(core: ir.Query, _: Mapping[str, Any]) -> Iterator[ir.Node]:
    yield from (node for node in ir.walk(core) if isinstance(node, ir.Index | ir.Slice))
    yield from _calls(core, "head", "last", "tail", "range", "substring", "left", "right")


_TEMPORAL = ("date", "time", "localtime", "datetime", "localdatetime", "duration")


def _temporal(core: ir.Query, _: Mapping[str, Any]) -> Iterator[ir.Node]:
    """All but constructors of a literal text, which are constants."""
    for node in ir.walk(core):
        if not isinstance(node, ir.Apply | ir.Call):
            continue
        name = node.function if isinstance(node, ir.Apply) else ".".join(node.name).lower()
        if name.split(".")[0] in _TEMPORAL:
            constant = len(node.args) == 1 and isinstance(node.args[0], ir.Literal)
            if name not in _TEMPORAL or not constant:
                yield node


def _nanoseconds(core: ir.Query, _: Mapping[str, Any]) -> Iterator[ir.Node]:
    for call in _calls(core, *_TEMPORAL):
        for argument in call.args:
            text = argument.value if isinstance(argument, ir.Literal) else None
            if isinstance(text, str) and _digits_of_second(text) > 6:
                yield call


def _digits_of_second(text: str) -> int:
    fraction = text.replace(",", ".").rpartition(".")[2]
    return next((at for at, letter in enumerate(fraction) if not letter.isdigit()), len(fraction))


def _several_edges(core: ir.Query, _: Mapping[str, Any]) -> Iterator[ir.Node]:
    for node in ir.walk(core):
        if isinstance(node, ir.Match):
            edges = [each for path in node.paths for each in ir.walk(path) if isinstance(each, ir.EdgePattern)]
            yield from edges[1:]


def _element_functions(core: ir.Query, _: Mapping[str, Any]) -> Iterator[ir.Node]:
    yield from _calls(core, "labels", "type", "id", "elementId", "keys", "properties", "startNode", "endNode")
    yield from (node for node in ir.walk(core) if isinstance(node, ir.HasLabels))


def _conjunctions(core: ir.Query, _: Mapping[str, Any]) -> Iterator[ir.Node]:
    yield from (node for node in ir.walk(core) if isinstance(node, ir.LabelAnd))


def _vectors(core: ir.Query, _: Mapping[str, Any]) -> Iterator[ir.Node]:
    yield from _calls(core, "vector")


def _mixed_lists(core: ir.Query, parameters: Mapping[str, Any]) -> Iterator[ir.Node]:
    """Lists whose items are not certainly of one type."""
    for node in ir.walk(core):
        if isinstance(node, ir.ListOf):
            constants = all(isinstance(item, ir.Literal) for item in node.items)
            if not constants or len({type(item.value) for item in node.items if isinstance(item, ir.Literal)}) > 1:
                yield node
        elif isinstance(node, ir.Parameter) and _is_mixed(parameters.get(node.name)):
            yield node


def _is_mixed(value: Any) -> bool:
    if isinstance(value, Mapping):
        return any(map(_is_mixed, value.values()))
    return isinstance(value, (list, tuple)) and (len(set(map(type, value))) > 1 or any(map(_is_mixed, value)))


def _sums(core: ir.Query, _: Mapping[str, Any]) -> Iterator[ir.Node]:
    yield from _calls(core, "sum")


def _calls(core: ir.Query, *names: str) -> Iterator[ir.Apply]:
    for node in ir.walk(core):
        if isinstance(node, ir.Apply) and node.function in names:
            yield node


def _integer(node: ir.Node) -> int | None:
    """The value of a constant integer."""
    match node:
        case ir.Literal(value=int() as value):
            return value
        case ir.Apply(function="neg", args=(ir.Literal(value=int() as value),)):
            return -value
        case _:
            return None


def ordering(core: ir.Query) -> Iterator[ir.Node]:
    """Where a query depends on an order of values."""
    for node in ir.walk(core):
        if isinstance(node, ir.Order) or (isinstance(node, ir.Apply) and node.function in ("min", "max")):
            yield node


def _ordered_nan(core: ir.Query, parameters: Mapping[str, Any]) -> Iterator[ir.Node]:
    """An order in a query that may make such a number itself."""
    if next(_not_finite_constants(core, parameters), None) or next(_divisions(core, parameters), None):
        yield from ordering(core)


FEATURES: dict[str, Finder] = {
    "range against its step": _range,
    "distinct NaN": _distinct_nan,
    "not a finite number": _not_finite,
    "pattern at a null node": _pattern_at_null,
    "vector": _vectors,
    "open repetition": _open_repetition,
    "repetition": _repeated,
    "filter in a repetition": _filtered_repetition,
    "label expression beside a repetition": _labels_beside_repetition,
    "variable in a property map": _variable_maps,
    "null in a property map": _null_maps,
    "order in a branch of UNION": _ordered_branch,
    "reserved property": _reserved,
    "all properties": _all_properties,
    "sum": _sums,
    "quantifier": _quantified,
    "comparison of literals of two types": _mixed_comparison,
    "IN of a comprehension": _in_comprehension,
    "subquery in OPTIONAL MATCH": _optional_subquery,
    "projection of a null element": _null_projection,
    "remainder of floats": _float_remainder,
    "slice from the end": _slice_from_end,
    "temporal function": _temporal,
    "nanoseconds": _nanoseconds,
    "several edges in a MATCH": _several_edges,
    "several labels of one node": _conjunctions,
    "list of several types": _mixed_lists,
    "element of a list": _elements_of_lists,
    "function on elements": _element_functions,
    "division": _divisions,
    "order of NaN": _ordered_nan,
}
"""A feature by name -> the nodes of a query in core form that have it."""
