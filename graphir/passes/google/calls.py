"""Calls of functions: whether there is such a function, whether it may stand here, what it takes and gives."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from graphir import ir
from graphir.passes.google.analysis import Analysis, Horizontal, Place
from graphir.passes.google.coercion import ANYTHING, Typed
from graphir.passes.google.operators import become_texts, check_literals
from graphir.passes.google.places import span_of
from graphir.passes.google.signatures import Function, Passed, Signature, resolve
from graphir.passes.google.types import (
    BOOL,
    ELEMENTS,
    INT64,
    STRING,
    UNKNOWN,
    Type,
    array_of,
    has_graph,
    is_groupable,
    is_orderable,
    path_of,
)

Arguments = Sequence[ir.Expression]

BARE = {
    "CURRENT_DATE": "DATE",
    "CURRENT_TIME": "TIME",
    "CURRENT_DATETIME": "DATETIME",
    "CURRENT_TIMESTAMP": "TIMESTAMP",
}
"""Functions that need no brackets."""
_SIGNS = frozenset({"not", "neg", "pos", "bit_not", "exists", "interval", "count_star", "bytes", "extract"})
_SPACES = ("NET", "KEYS", "AEAD", "HLL_COUNT", "KLL_QUANTILES", "DETERMINISTIC_ENCRYPT")
_PARTS_TEXT = """
    NANOSECOND MICROSECOND MILLISECOND SECOND MINUTE HOUR DAY WEEK ISOWEEK MONTH QUARTER YEAR ISOYEAR DAYOFWEEK
    DAYOFYEAR DATE TIME DATETIME PICOSECOND
"""
PARTS = frozenset(_PARTS_TEXT.split())
"""The parts of dates and times."""
_EXTRAS = frozenset(["TYPEOF", "FLATTEN", "GROUPING", "PROPERTY_EXISTS", "REPLACE_FIELDS", "FILTER_FIELDS", "PIVOT"])
"""Functions that no signature describes."""


def is_written_as_call(state: Analysis, node: ir.Apply) -> bool:
    """Whether a canonical function is written `name(..)`, and is no operator between or before its operands."""
    if node.function in _SIGNS:
        return node.function == "count_star"
    start = span_of(node).start
    first = span_of(node.args[0]).start if node.args else -1
    character = state.text[start : start + 1]
    return first != start and (character.isalpha() or character in "_`")


def apply_function(state: Analysis, node: ir.Apply, place: Place) -> Typed:
    """A function of the IR's table, by the name that is written."""
    if node.function == "count_star":
        return _aggregate(state, node, _COUNT_STAR, (), place)
    start = span_of(node).start
    end = state.text.find("(", start)
    written = state.text[start:end].replace("`", "").strip()
    return call(state, node, tuple(part.strip() for part in written.split(".")), node.args, place)


_COUNT_STAR = Function("COUNT", "aggregate", "spanner", (Signature((), "INT64"),))


def call(state: Analysis, node: ir.Expression, name: tuple[str, ...], args: Arguments, place: Place) -> Typed:
    """A function by its name, part by part."""
    parts = [part.upper() for part in name]
    safe = len(parts) > 1 and parts[0] == "SAFE"
    spelled = ".".join(parts[1:] if safe else parts)
    special = _SPECIAL.get(spelled)
    if special is not None:
        return special(state, node, spelled, args, place, safe=safe)
    function = state.functions.get(spelled)
    if function is None:
        return _unknown(state, node, name[1:] if safe else name, args, place)
    if function.mode == "aggregate":
        return _aggregate(state, node, function, args, place)
    if function.mode == "analytic":
        state.report("G112", f"{spelled} needs an OVER clause", node, "write OVER (..) behind it")
        return ANYTHING
    return _scalar(state, node, function, args, place)


def _unknown(state: Analysis, node: ir.Node, name: tuple[str, ...], args: Arguments, place: Place) -> Typed:
    if len(name) > 1 and name[0].upper() not in _SPACES:
        chained = _is_visible(name[0], place) and not place.scope.table.open
        if not chained or name[-1].upper() in state.functions or name[-1].upper() in _SPECIAL:
            return ANYTHING
    spelled = ".".join(name)
    if spelled.upper() in state.catalog.functions:
        _pass(state, args, place)
        return ANYTHING
    at = span_of(node)
    at = type(at)(at.start, at.start + len(spelled))
    known = [each for each in state.functions if not each.startswith("$")]
    state.misspelled("G303", f"There is no function {spelled}", spelled.upper(), at, known)
    if place.horizontal is not None:
        place.horizontal.unsure = True
    _pass(state, args, place)
    return ANYTHING


# ------------------------------------------------------------------ arguments


def _words(function: Function) -> Mapping[int, bool]:
    """Which arguments may be bare words, parts of dates and the like, and whether they are nothing else."""
    places: dict[int, bool] = {}
    for each in function.signatures:
        for at, argument in enumerate(each.arguments):
            if argument.type.startswith("ENUM"):
                places[at] = argument.type == "ENUM:DateTimestampPart"
    for each in function.signatures:
        for at, argument in enumerate(each.arguments):
            if at in places and not argument.type.startswith("ENUM"):
                places[at] = False
    return places


_NO_WORDS: Mapping[int, bool] = {}


def _pass(state: Analysis, args: Arguments, place: Place, words: Mapping[int, bool] = _NO_WORDS) -> list[Passed]:
    """The arguments with their types; `words` are the places of bare words."""
    from graphir.passes.google.expressions import infer

    passed: list[Passed] = []
    for at, arg in enumerate(args):
        name = ""
        if isinstance(arg, ir.Named):
            name, inner = arg.name or "", arg.value
        else:
            inner = arg
        if isinstance(inner, ir.Lambda):
            if place.horizontal is not None:
                state.report(
                    "G342", "An aggregate over an array cannot hold a lambda", inner, "compute it with LET first"
                )
                place.horizontal.unsure = True
            infer(state, inner, place)
            passed.append(Passed(ANYTHING, name, "lambda"))
        elif at in words and _is_word(inner, place, always=words[at]):
            passed.append(Passed(ANYTHING, name, "word"))
        elif isinstance(inner, (ir.GraphName, ir.Keyword)):
            passed.append(Passed(ANYTHING, name))
        else:
            passed.append(Passed(infer(state, inner, place), name))
    return passed


def _is_word(node: ir.Node, place: Place, *, always: bool) -> bool:
    if isinstance(node, ir.Call):
        return node.name[-1].upper() == "WEEK"
    if not isinstance(node, ir.Ref) or node.name.upper() in BARE:
        return False
    return always or node.name.upper() in PARTS or not _is_visible(node.name, place)


def _is_visible(name: str, place: Place) -> bool:
    try:
        return place.scope.find(name) is not None
    except LookupError:
        return True


def _with_interval(args: Arguments) -> Arguments:
    """`INTERVAL n PART` as the two arguments that it is for the functions that add and subtract."""
    if len(args) == 2 and isinstance(args[1], ir.Apply) and args[1].function == "interval":
        amount, *parts = args[1].args
        named = [ir.Ref(part.name, span=part.span) for part in parts[:1] if isinstance(part, ir.Keyword)]
        return (args[0], amount, *named)
    return args


def _scalar(state: Analysis, node: ir.Expression, function: Function, args: Arguments, place: Place) -> Typed:
    if isinstance(node, (ir.Apply, ir.Call)) and node.distinct:
        state.report("G301", f"{function.name} is no aggregate and takes no DISTINCT", node)
    words = _words(function)
    if function.name.endswith(("_ADD", "_SUB")) and words:
        if len(args) == 3:
            state.report("G301", f"{function.name} adds an INTERVAL", args[1], "write INTERVAL n PART")
            return ANYTHING
        args = _with_interval(args)
    if not args and function.name in ("COALESCE", "LEAST", "GREATEST"):
        state.report("G302", f"{function.name} takes one or more arguments, not 0", node)
        return ANYTHING
    passed = _pass(state, args, place, words)
    if words and not _are_parts(state, args, passed):
        return ANYTHING
    if function.name in ("LEAST", "GREATEST") and not _have_order(state, node, function.name, passed):
        return ANYTHING
    elements = state.has("EXPOSE_GRAPH_ELEMENT") or function.name in _OF_ARRAYS
    found = resolve(function, passed, elements=elements) if function.signatures else UNKNOWN
    if found is None and function.name == "CONCAT" and become_texts(state, [each.typed for each in passed]):
        return Typed(STRING)
    if found is None:
        if not check_literals(state, function, passed, args, elements=elements):
            _refuse(state, node, function, passed)
        return ANYTHING
    of_graph = _OF_GRAPHS.get(function.name)
    return Typed(of_graph([each.typed.type for each in passed], place) if of_graph is not None else found)


_OF_ARRAYS = frozenset({"ARRAY_LENGTH", "ARRAY_REVERSE", "ARRAY_SLICE", "ARRAY_CONCAT"})
"""Functions that take arrays of elements also where elements are no values."""


def _are_parts(state: Analysis, args: Arguments, passed: Sequence[Passed]) -> bool:
    for arg, each in zip(args, passed, strict=True):
        if each.form == "word" and isinstance(arg, ir.Ref) and arg.name.upper() not in PARTS:
            state.misspelled(
                "G301", f"`{arg.name}` is no part of a date or time", arg.name.upper(), span_of(arg), sorted(PARTS)
            )
            return False
    return True


def _have_order(state: Analysis, node: ir.Node, name: str, passed: Sequence[Passed]) -> bool:
    wrong = next((each.typed.type for each in passed if not is_orderable(each.typed.type)), None)
    if wrong is None or (wrong.kind == "JSON" and state.has("JSON_ORDERING")):
        return True
    state.report("G341", f"{name} is not defined for {wrong}: its values have no order", node, "ask a property")
    return False


def _refuse(state: Analysis, node: ir.Node, function: Function, passed: Sequence[Passed]) -> None:
    counts = {len(each.arguments) for each in function.signatures}
    fixed = not any(argument.count != "one" for each in function.signatures for argument in each.arguments)
    takes = [f"{function.name}({', '.join(_shown(a.type) for a in each.arguments)})" for each in function.signatures][
        :6
    ]
    if fixed and len(passed) not in counts:
        numbers = " or ".join(str(count) for count in sorted(counts))
        state.report("G302", f"{function.name} takes {numbers} argument(s), not {len(passed)}", node, expected=takes)
        return
    shown = ", ".join(_given(each) for each in passed) or "no arguments"
    hint = "nodes and edges are no values here: use a property, or ELEMENT_ID(..)" if _has_elements(passed) else None
    state.report("G301", f"{function.name} does not take {shown}", node, hint, expected=takes)


def _shown(type_: str) -> str:
    return type_.replace("DOUBLE", "FLOAT64").replace("FLOAT64", "FLOAT64")


def _given(passed: Passed) -> str:
    if passed.form != "value":
        return f"a {passed.form}"
    return "NULL" if passed.typed.constant == "null" else str(passed.typed.type)


def _has_elements(passed: Sequence[Passed]) -> bool:
    return any(each.typed.type.kind in ELEMENTS for each in passed)


# ------------------------------------------------------------------ aggregates


def windowed(state: Analysis, node: ir.Expression, place: Place) -> Typed:
    """The function in front of OVER: its arguments are read as those of an ordinary function."""
    args = node.args if isinstance(node, (ir.Call, ir.Apply)) else ()
    passed = _pass(state, args, place)
    name = ".".join(node.name).upper() if isinstance(node, ir.Call) else ""
    function = state.functions.get(name)
    own = name in state.catalog.functions
    if function is None and isinstance(node, ir.Call) and len(node.name) == 1 and not own:
        known = [each for each in state.functions if not each.startswith("$")]
        at = span_of(node)
        state.misspelled("G303", f"There is no function {name}", name, type(at)(at.start, at.start + len(name)), known)
    if function is None or not function.signatures:
        return ANYTHING
    found = resolve(function, passed, elements=state.has("EXPOSE_GRAPH_ELEMENT"))
    if found is None:
        _refuse(state, node, function, passed)
    return Typed(found or UNKNOWN)


def _aggregate(state: Analysis, node: ir.Expression, function: Function, args: Arguments, place: Place) -> Typed:
    name = function.name
    if place.inside:
        return _nested(state, node, name, place)
    if place.aggregates == "none":
        state.report("G112", f"{name} cannot stand in {place.clause}", node, "compute it in RETURN or WITH first")
        return ANYTHING
    over = Horizontal() if place.aggregates == "horizontal" else None
    passed = _pass(state, args, place.but(inside=place.aggregates, horizontal=over, holder=node))
    if over is not None and over.variable is None and not over.unsure:
        state.report(
            "G342",
            f"{name} in {place.clause} goes over an array, and no variable in it is one",
            node,
            "aggregates over rows stand in RETURN and WITH",
        )
        return ANYTHING
    return _aggregated(state, node, function, args, passed, over)


def _nested(state: Analysis, node: ir.Node, name: str, place: Place) -> Typed:
    if place.horizontal is not None:
        place.horizontal.unsure = True
    at = place.holder if place.holder is not None and place.inside == "vertical" else node
    state.report("G161", f"{name} stands inside of another aggregate", at, "compute the inner one in a clause before")
    return ANYTHING


def _aggregated(
    state: Analysis,
    node: ir.Expression,
    function: Function,
    args: Arguments,
    passed: Sequence[Passed],
    over: Horizontal | None,
) -> Typed:
    name = function.name
    types = [each.typed.type for each in passed]
    distinct = isinstance(node, (ir.Apply, ir.Call)) and node.distinct
    if name in ("MIN", "MAX") and types and not _has_extremes(state, types[0]):
        state.report("G341", f"{name} is not defined for {types[0]}: its values have no order", node, "ask a property")
        return ANYTHING
    if name == "ARRAY_AGG" and types and types[0].kind == "ARRAY" and not state.has("ARRAY_OF_ARRAY"):
        state.report("G301", f"ARRAY_AGG cannot collect {types[0]}: an array holds no arrays", node)
        return ANYTHING
    if distinct and types and not _is_groupable(state, types[0]):
        state.report("G341", f"{name}(DISTINCT ..) cannot compare values of {types[0]}", node)
        return ANYTHING
    if distinct and args and not _sorts_itself(args):
        state.report("G342", f"{name}(DISTINCT ..) is ordered by what it does not collect", _first_key(args))
    if over is not None and distinct and name in _ORDERED and not _has_order(args):
        state.report(
            "G342", f"{name}(DISTINCT ..) over an array would depend on its order", node, "write ORDER BY inside of it"
        )
    found = resolve(function, passed, elements=state.has("EXPOSE_GRAPH_ELEMENT"))
    if found is None:
        _refuse(state, node, function, passed)
    return Typed(found or UNKNOWN)


_ORDERED = frozenset({"ARRAY_AGG", "STRING_AGG", "ARRAY_CONCAT_AGG"})


def _sorts_itself(args: Arguments) -> bool:
    """Whether ORDER BY in an aggregate with DISTINCT is by an argument."""
    first = args[0]
    if not isinstance(first, ir.Modified):
        return True
    return all(key.value == first.value or isinstance(key.value, ir.Literal) for key in first.order)


def _first_key(args: Arguments) -> ir.Node:
    assert isinstance(args[0], ir.Modified)
    return args[0].order[0].value


def _has_order(args: Arguments) -> bool:
    return bool(args) and isinstance(args[0], ir.Modified) and bool(args[0].order)


def _has_extremes(state: Analysis, of: Type) -> bool:
    if of.kind == "ARRAY":
        return state.has("ARRAY_ORDERING") and not has_graph(of)
    return is_orderable(of) or (of.kind == "JSON" and state.has("JSON_ORDERING"))


def _is_groupable(state: Analysis, of: Type) -> bool:
    if of.kind == "ARRAY" and not state.has("GROUP_BY_ARRAY"):
        return False
    return is_groupable(of) or (of.kind == "JSON" and state.has("JSON_ORDERING"))


# ------------------------------------------------------------------ functions of graphs


def _nodes(types: Sequence[Type], _: Place) -> Type:
    node = types[0].field("node") if types else None
    return array_of(node) if node is not None else UNKNOWN


def _edges(types: Sequence[Type], _: Place) -> Type:
    edge = types[0].field("edge") if types else None
    return array_of(edge) if edge is not None else UNKNOWN


def _end(types: Sequence[Type], _: Place) -> Type:
    return (types[0].field("node") if types else None) or UNKNOWN


def _path(types: Sequence[Type], place: Place) -> Type:
    from graphir.passes.google.coercion import merged

    nodes = [each for each in types if each.kind == "GRAPH_NODE"]
    edges = [each for each in types if each.kind == "GRAPH_EDGE"]
    if len(nodes) + len(edges) < len(types) or not nodes:
        return UNKNOWN
    edge = merged(edges) if edges else place.graph.type_of("GRAPH_EDGE", ())
    return path_of(nodes[0].graph, merged(nodes), edge)


_OF_GRAPHS: dict[str, Callable[[Sequence[Type], Place], Type]] = {
    "NODES": _nodes,
    "EDGES": _edges,
    "PATH_FIRST": _end,
    "PATH_LAST": _end,
    "PATH": _path,
}


def _same(state: Analysis, node: ir.Expression, name: str, args: Arguments, place: Place, *, safe: bool) -> Typed:
    """SAME and ALL_DIFFERENT: two or more elements of one kind."""
    if safe and not state.has("SAFE_SAME_ALL_DIFFERENT"):
        state.report("G301", f"{name} has no SAFE form", node)
        return Typed(BOOL)
    if len(args) < 2:
        state.report("G302", f"{name} takes two or more elements, not {len(args)}", node)
        return Typed(BOOL)
    passed = _pass(state, args, place)
    kinds = {each.typed.type.kind for each in passed if each.typed.type.kind != "UNKNOWN"}
    nulls = any(each.typed.constant == "null" for each in passed)
    if nulls or len(kinds) > 1 or not kinds <= ELEMENTS:
        shown = ", ".join(_given(each) for each in passed)
        state.report("G301", f"{name} compares nodes with nodes or edges with edges, and not {shown}", node)
    return Typed(BOOL)


def _property_exists(
    state: Analysis, node: ir.Expression, name: str, args: Arguments, place: Place, *, safe: bool
) -> Typed:
    from graphir.passes.google.expressions import infer

    if len(args) != 2:
        state.report("G302", f"PROPERTY_EXISTS takes 2 arguments, not {len(args)}", node)
        return Typed(BOOL)
    element, key = args
    if isinstance(element, ir.Lambda):
        state.report("G301", "PROPERTY_EXISTS asks a node or an edge", element)
        return Typed(BOOL)
    given = infer(state, element, place).type
    if given.kind not in ELEMENTS and given.kind != "UNKNOWN":
        state.report("G301", f"PROPERTY_EXISTS asks a node or an edge, and this is {given}", element)
    elif not isinstance(key, ir.Ref):
        state.report("G301", "PROPERTY_EXISTS takes the name of a property as it is, no text", key)
    elif _lacks(place, given, key.name):
        known = list(place.graph.properties.values())
        state.misspelled("G142", f"The graph has no property `{key.name}`", key.name, span_of(key), known)
    return Typed(BOOL)


def _lacks(place: Place, given: Type, name: str) -> bool:
    graph = place.graph
    open_ = graph.open or graph.more_properties or given.open or given.kind == "UNKNOWN"
    return not open_ and name.lower() not in graph.properties


def _flatten(state: Analysis, node: ir.Expression, name: str, args: Arguments, place: Place, *, safe: bool) -> Typed:
    """Its argument goes into the arrays on the way: nothing is said about it."""
    from graphir.passes.google.expressions import find

    if place.horizontal is not None:
        state.report("G342", "An aggregate over an array cannot hold FLATTEN", node)
        place.horizontal.unsure = True
    for arg in args:
        inner: ir.Node = arg
        while isinstance(inner, ir.Property):
            inner = inner.base
        if isinstance(inner, ir.Ref):
            find(state, inner, place)
    return ANYTHING


def _grouping(state: Analysis, node: ir.Expression, name: str, args: Arguments, place: Place, *, safe: bool) -> Typed:
    if place.inside:
        return _nested(state, node, name, place)
    if not state.has("GROUPING_BUILTIN") or place.clause != "WITH":
        state.report("G345", "GROUPING is no function of a graph query", node)
    return Typed(INT64)


def _anything(state: Analysis, node: ir.Expression, name: str, args: Arguments, place: Place, *, safe: bool) -> Typed:
    _pass(state, args, place)
    return ANYTHING


_SPECIAL: dict[str, Callable[..., Typed]] = {
    "SAME": _same,
    "ALL_DIFFERENT": _same,
    "PROPERTY_EXISTS": _property_exists,
    "FLATTEN": _flatten,
    "GROUPING": _grouping,
    **dict.fromkeys(_EXTRAS - {"PROPERTY_EXISTS", "FLATTEN", "GROUPING"}, _anything),
}
