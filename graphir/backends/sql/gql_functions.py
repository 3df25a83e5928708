"""Operators and functions of GQL on terms: what is native; all else is a call of the reference function.

Also the expressions that GQL has beside Cypher's: CAST, records with fields in an order, TRY.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from sqlglot import exp

from graphir import ir
from graphir.backends.sql import build, scans
from graphir.backends.sql.build import Sql
from graphir.backends.sql.conversions import aligned, constant, convert, null_term
from graphir.backends.sql.expressions import apply_function as plain_apply
from graphir.backends.sql.expressions import bind, each_of, lower, make_list, make_map
from graphir.backends.sql.functions import NATIVE, Native, Terms, apply
from graphir.backends.sql.lowering import Lowering, Scope
from graphir.backends.sql.reps import (
    ANYTHING,
    BOOLEAN,
    DATE,
    DATETIME,
    DYNAMIC,
    EDGE,
    FLOAT,
    INTEGER,
    LOCAL_DATETIME,
    LOCAL_TIME,
    NODE,
    NULL,
    PATH,
    SIMPLE,
    STRING,
    ListRep,
    Rep,
    datatype,
    list_of,
    map_of,
)
from graphir.backends.sql.terms import END, LABELS, START, Term, Untyped
from graphir.values import documents

# ------------------------------------------------------------------ arithmetic and comparison


def _divide(terms: Terms, scope: Scope, node: ir.Expression) -> Term | None:
    """By a constant that is no fraction the quotient is finite."""
    left, right = terms
    number = right.constant
    if left.rep not in (INTEGER, FLOAT) or not isinstance(number, (int, float)) or isinstance(number, bool):
        return None
    if not 1 <= abs(number) < 2**53:
        return None
    sides = [build.cast(term.sql, datatype(FLOAT)) if term.rep == INTEGER else term.sql for term in terms]
    made = exp.Div(this=build.atom(sides[0]), expression=build.atom(sides[1]), typed=False, safe=False)
    return Term(build.noted(made, FLOAT), FLOAT, present=left.present)


def _is_distinct(terms: Terms, scope: Scope, node: ir.Expression) -> Term | None:
    left, right = terms
    if NULL in (left.rep, right.rep):
        other = right if left.rep == NULL else left
        return Term(build.is_not_null(other.sql), BOOLEAN, present=True)
    if left.rep != right.rep or left.rep not in (*SIMPLE, NODE, EDGE, DATE):
        return None
    made = exp.NullSafeNEQ(this=build.atom(left.sql), expression=build.atom(right.sql))
    return Term(made, BOOLEAN, present=True)


def _flatten(terms: Terms, scope: Scope, node: ir.Expression) -> Term | None:
    """A list whose elements are known to be no lists is flat."""
    rep = terms[0].rep
    if rep == NULL:
        return null_term()
    if not isinstance(rep, ListRep) or rep.element in (DYNAMIC, ANYTHING):
        return None
    if not isinstance(rep.element, ListRep):
        return terms[0]
    return Term(build.noted(build.call("flatten", terms[0].sql), rep.element), rep.element)


def _safe_offset(first: int) -> Native:
    def native(terms: Terms, scope: Scope, node: ir.Expression) -> Term | None:
        value, at = terms
        if not isinstance(value.rep, ListRep) or not isinstance(at.constant, int):
            return None
        if at.constant < first:
            return null_term(value.rep.element)
        place = build.number(at.constant - first + 1)
        return Term(build.noted(build.call("list_extract", value.sql, place), value.rep.element), value.rep.element)

    return native


def _concat_paths(terms: Terms, scope: Scope, node: ir.Expression) -> Term | None:
    """Paths one after the other; of all else `||` is Cypher's."""
    if not any(term.rep == PATH for term in terms):
        return None
    if any(term.rep not in (PATH, NULL) for term in terms):
        return None
    paths = [convert(scope.lowering, term, PATH) for term in terms]
    return scope.lowering.bridge("concat_paths", paths, PATH, node)


def _extract(terms: Terms, scope: Scope, node: ir.Expression) -> Term | None:
    """Most parts are numbers."""
    rep = {"DATE": DATE, "TIME": LOCAL_TIME, "DATETIME": LOCAL_DATETIME}.get(str(terms[0].constant))
    return None if rep is None else scope.lowering.bridge("extract", terms, rep, node)


def _generate_array(terms: Terms, scope: Scope, node: ir.Expression) -> Term | None:
    """Of floats where one of the numbers is one."""
    reps = {term.rep for term in terms}
    if FLOAT not in reps or not reps <= {INTEGER, FLOAT, NULL}:
        return None
    return scope.lowering.bridge("generate_array", terms, list_of(FLOAT), node)


def _null_if(terms: Terms, scope: Scope, node: ir.Expression) -> Term | None:
    """Of elements; of values the reference function."""
    value, other = terms
    if value.rep not in (NODE, EDGE) or other.rep != value.rep or not value.is_cheap:
        return None
    same = build.equal(value.again(), other.sql)
    return Term(build.case([(same, build.null())], value.sql), value.rep)


def _untyped(terms: Terms, scope: Scope, node: ir.Expression) -> Term | None:
    """A text that is of the type of what it is compared with."""
    text = terms[0].constant
    if not isinstance(text, str):
        return terms[0]
    return Term(terms[0].sql, STRING, Untyped(text), present=True)


# ------------------------------------------------------------------ elements and paths


def _element(terms: Terms, scope: Scope, node: ir.Expression) -> Term | None:
    """The node or edge that a function takes; null is left as it is."""
    value = terms[0]
    if value.rep in (NODE, EDGE, NULL):
        return value
    scope.lowering.refuse("G602", f"the kind of an element that is a {value.rep}", node)
    return None


def _labels(terms: Terms, scope: Scope, node: ir.Expression) -> Term | None:
    """Sorted."""
    element = _element(terms, scope, node)
    if element is None or element.rep == NULL:
        return null_term()
    listed = scans.read_property(scope.lowering, element, LABELS)
    if listed.rep == NULL:
        return null_term(scans.TEXTS)
    return replace(_sorted(scope.lowering, listed), present=listed.present)


def _sorted(lowering: Lowering, names: Term) -> Term:
    """Names in order, without regard to case."""
    if isinstance(names.constant, list):
        ordered = [constant(name) for name in sorted(names.constant, key=lambda name: (name.lower(), name))]
        return make_list(lowering, ordered) if ordered else names
    return lowering.bridge("sorted_names", [names], scans.TEXTS, safe=True)


def _table(terms: Terms, scope: Scope, node: ir.Expression) -> Term | None:
    element = _element(terms, scope, node)
    if element is None or element.rep == NULL:
        return null_term()
    return scans.read_property(scope.lowering, element, scans.TABLE)


def _declared(lowering: Lowering, element: Term) -> bool:
    tables = lowering.catalog.nodes if element.rep == NODE else lowering.catalog.edges
    return any(table.definition is not None for table in tables)


def _property_names(terms: Terms, scope: Scope, node: ir.Expression) -> Term | None:
    """What the table declares, and what the element has beside that; sorted."""
    element = _element(terms, scope, node)
    lowering = scope.lowering
    if element is None or element.rep == NULL:
        return null_term()
    copied = Term(element.again(), element.rep, properties=element.properties)
    present = lowering.bridge("keys", [scans.read_property(lowering, element, scans.PROPERTIES)], scans.TEXTS, node)
    if not _declared(lowering, copied):
        return _sorted(lowering, present)
    known = build.is_not_null(element.again())
    declared = scans.read_property(lowering, copied, scans.DECLARED)
    both = build.call("list_concat", declared.sql, present.sql)
    names = _sorted(lowering, Term(build.noted(build.call("list_distinct", both), scans.TEXTS), scans.TEXTS))
    return Term(build.case([(known, names.sql)]), scans.TEXTS)


def _property_exists(terms: Terms, scope: Scope, node: ir.Expression) -> Term | None:
    """Of elements of a graph over tables: what the table declares is there, even where it is null."""
    element, key = terms
    lowering = scope.lowering
    if element.rep not in (NODE, EDGE) or not isinstance(key.constant, str):
        return None
    if not _declared(lowering, element):
        there = build.is_not_null(scans.read_property(lowering, element, key.constant).sql)
        return Term(build.case([(build.is_not_null(element.again()), there)]), BOOLEAN)
    copied = Term(element.again(), element.rep, properties=element.properties)
    declared = scans.read_property(lowering, copied, scans.DECLARED)
    known = build.call("list_contains", declared.sql, build.text(key.constant))
    found = scans.read_property(lowering, element, key.constant)
    return Term(build.disjunction([known, build.is_not_null(found.sql)]), BOOLEAN)


def _path_elements(terms: Terms, scope: Scope, node: ir.Expression) -> Term | None:
    """Nodes and edges in turn."""
    path = terms[0]
    if path.rep != PATH:
        return null_term() if path.rep == NULL else None
    return scope.lowering.bridge("path_elements", [path], list_of(ANYTHING), node)


def _make_path(terms: Terms, scope: Scope, node: ir.Expression) -> Term | None:
    """PATH(node, edge, node ..), which has to be one."""
    lowering = scope.lowering
    wanted = [EDGE if at % 2 else NODE for at in range(len(terms))]
    if any(term.rep not in (rep, NULL) for term, rep in zip(terms, wanted, strict=True)) or len(terms) % 2 == 0:
        lowering.refuse("G602", "PATH() of something else than nodes and edges in turn", node)
    elements = [convert(lowering, term, rep) for term, rep in zip(terms, wanted, strict=True)]
    ends: list[Term] = []
    for edge in elements[1::2]:
        copied = Term(edge.again(), EDGE, properties=edge.properties)
        for key in (START, END):
            ends.append(convert(lowering, scans.read_property(lowering, copied, key), NODE))
    return lowering.bridge("make_path", [*elements, *ends], PATH, node)


# ------------------------------------------------------------------ documents


def _to_json(terms: Terms, scope: Scope, node: ir.Expression) -> Term | None:
    """Of values with elements in them the document is put together here, for it has their properties."""
    if len(terms) != 1:
        return None
    return _document(scope.lowering, terms[0], node)


def _document(lowering: Lowering, value: Term, node: ir.Expression) -> Term | None:
    """The document of a node, an edge, a path or a list of such; None for what has no elements in it."""
    if value.rep in (NODE, EDGE):
        return bind(lowering, value, lambda element: _of_element(lowering, element, node))
    if value.rep == PATH:
        return _of_path(lowering, value, node)
    if isinstance(value.rep, ListRep) and value.rep.element in (NODE, EDGE, PATH):
        return _of_list(lowering, value, node)
    if value.rep == ANYTHING or (isinstance(value.rep, ListRep) and value.rep.element == ANYTHING):
        lowering.refuse("G602", "the document of a value that may hold an element", node)
    return None


def _of_element(lowering: Lowering, element: Term, node: ir.Expression) -> Term:
    """Identifier, kind, labels and properties, and the identifiers of the ends."""

    def copied() -> Term:
        return Term(element.again(), element.rep, properties=element.properties)

    fields = {
        documents.IDENTIFIER: apply("elementId", [copied()], Scope(lowering, {}), node),
        documents.KIND: constant(documents.NODE if element.rep == NODE else documents.EDGE),
        documents.LABELS: _sorted_labels(lowering, copied()),
        documents.PROPERTIES: _all_properties(lowering, copied(), node),
    }
    if element.rep == EDGE:
        for name, key in ((documents.SOURCE, START), (documents.DESTINATION, END)):
            end = scans.read_property(lowering, copied(), key)
            fields[name] = Term(build.cast(end.sql, datatype(STRING)), STRING)
    made = lowering.bridge("to_json", [make_map(fields)], DYNAMIC, node)
    return Term(build.case([(build.is_not_null(element.again()), made.sql)]), DYNAMIC)


def _sorted_labels(lowering: Lowering, element: Term) -> Term:
    return _sorted(lowering, scans.read_property(lowering, element, LABELS))


def _all_properties(lowering: Lowering, element: Term, node: ir.Expression) -> Term:
    """Those that are there, and null for the others that its table declares."""
    present = scans.read_property(lowering, element, scans.PROPERTIES)
    if not _declared(lowering, element):
        return present
    declared = scans.read_property(lowering, element, scans.DECLARED)
    return lowering.bridge("with_declared", [present, declared], DYNAMIC, node, safe=True)


def _of_path(lowering: Lowering, path: Term, node: ir.Expression) -> Term:
    """Nodes and edges in turn."""

    def turned(value: Term) -> Term:
        lists = []
        for field, rep in (("nodes", NODE), ("edges", EDGE)):
            part = Term(build.noted(build.field(value.again(), field), list_of(rep)), list_of(rep))
            lists.append(_of_list(lowering, part, node))
        made = lowering.bridge("path_document", lists, DYNAMIC, node)
        return Term(build.case([(build.is_not_null(value.again()), made.sql)]), DYNAMIC)

    return bind(lowering, path, turned)


def _of_list(lowering: Lowering, value: Term, node: ir.Expression) -> Term:
    """The list of the documents of elements."""
    listed = each_of(lowering, value, lambda element: _document(lowering, element, node) or element)
    return lowering.bridge("to_json", [listed], DYNAMIC, node)


# ------------------------------------------------------------------ expressions

_CASTS: dict[str, tuple[str, Rep]] = {
    "BOOLEAN": ("cast_boolean", BOOLEAN),
    "INTEGER": ("cast_integer", INTEGER),
    "FLOAT": ("cast_float", FLOAT),
    "STRING": ("cast_string", STRING),
    "DATE": ("cast_date", DATE),
    "ZONED DATETIME": ("cast_timestamp", DATETIME),
    "LOCAL DATETIME": ("cast_datetime", LOCAL_DATETIME),
    "LOCAL TIME": ("cast_time", LOCAL_TIME),
}


def _cast(node: ir.Cast, scope: Scope) -> Term:
    lowering = scope.lowering
    if node.format is not None:
        lowering.refuse("G602", "CAST with FORMAT", node)
    value = lower(node.value, scope)
    return _as_type(value, node.type, node, lowering)


def _as_type(value: Term, wanted: ir.ValueType, node: ir.Cast, lowering: Lowering) -> Term:
    if wanted.name == "LIST" and len(wanted.arguments) == 1:
        return _as_list(value, wanted.arguments[0], node, lowering)
    if wanted.name == "JSON" and node.keyword == "literal":
        return lowering.bridge("parse_json", [value], DYNAMIC, node)
    known = _CASTS.get(wanted.name)
    if known is None:
        lowering.refuse("G602", f"values of the type {wanted.name}", node)
    function, rep = known
    if value.rep == NULL:
        return null_term(rep)
    if value.rep == rep and wanted.size is None:
        return value
    if value.rep == INTEGER and rep == FLOAT:
        return Term(build.cast(value.sql, datatype(FLOAT)), FLOAT, present=value.present)
    if node.half_even:
        function = "cast_even_integer"
    return lowering.bridge(("safe." if node.safe else "") + function, [value], rep, node)


def _as_list(value: Term, element: ir.ValueType, node: ir.Cast, lowering: Lowering) -> Term:
    known = _CASTS.get(element.name)
    if known is None:
        lowering.refuse("G602", f"lists of the type {element.name}", node)
    rep = list_of(known[1])
    if value.rep == NULL:
        return null_term(rep)
    if value.rep == rep:
        return value
    if not isinstance(value.rep, ListRep):
        lowering.refuse("G602", f"a {value.rep} as a list", node)
    if value.rep.element == NULL:
        return convert(lowering, value, rep)
    return each_of(lowering, value, lambda item: _as_type(item, element, node, lowering))


def _struct(node: ir.Struct, scope: Scope) -> Term:
    """A record: its fields need names."""
    lowering = scope.lowering
    typed = node.type.fields if node.type is not None else ()
    names = [typed[at] if at < len(typed) else field.name for at, field in enumerate(node.fields)]
    given = [
        name
        or (field.value.key if isinstance(field.value, ir.Property) else None)
        or (field.value.name if isinstance(field.value, ir.Ref) else None)
        for name, field in zip(names, node.fields, strict=True)
    ]
    if not all(given) or len({str(name).lower() for name in given}) < len(given):
        lowering.refuse("G602", "a record with fields that have no names, or one name twice", node)
    terms = [lower(field.value, scope) for field in node.fields]
    rep = map_of([str(name) for name in given], [term.rep for term in terms])
    made = build.structure([(f"f{at}", term.sql) for at, term in enumerate(terms)])
    return Term(build.noted(made, rep), rep, present=True)


def _tried(value: Term, use: Callable[[Sql, Sql], Term], lowering: Lowering) -> Term:
    """What becomes of a value in which a fault may come up: `use` is given whether there was one, and the value."""
    rep = map_of(["v"], [value.rep])
    tried = build.call("try", build.structure([("f0", value.sql)]))

    def chosen(held: Term) -> Term:
        return use(build.is_null(held.again()), build.noted(build.field(held.again(), "f0"), value.rep))

    return bind(lowering, Term(tried, rep), chosen)


def _if_error(node: ir.Apply, scope: Scope) -> Term:
    lowering = scope.lowering
    queries = lowering.queries
    value = lower(node.args[0], scope)
    if lowering.queries != queries:
        lowering.refuse("G602", "a fault inside of a query cannot be caught", node)
    if node.function == "is_error":
        return _tried(value, lambda failed, _: Term(failed, BOOLEAN, present=True), lowering)
    (one, other), rep = aligned(lowering, [value, lower(node.args[1], scope)])
    return _tried(one, lambda failed, kept: Term(build.case([(failed, other.sql)], kept), rep), lowering)


def _apply(node: ir.Apply, scope: Scope) -> Term:
    """A function that looks at its arguments itself, or any other."""
    if node.function in ("if_error", "is_error"):
        return _if_error(node, scope)
    return plain_apply(node, scope)


RULES: dict[type[ir.Expression], Callable[..., Term]] = {ir.Cast: _cast, ir.Struct: _struct, ir.Apply: _apply}

_RULES: dict[str, Native] = {
    "divide": _divide,
    "strict_div": NATIVE["div"],
    "extract": _extract,
    "generate_array": _generate_array,
    "is_distinct": _is_distinct,
    "nullIf": _null_if,
    "untyped": _untyped,
    "flatten": _flatten,
    "at_safe_offset": _safe_offset(0),
    "at_safe_ordinal": _safe_offset(1),
    "concat": _concat_paths,
    "element_labels": _labels,
    "element_table": _table,
    "property_names": _property_names,
    "property_exists": _property_exists,
    "make_path": _make_path,
    "path_elements": _path_elements,
    "to_json": _to_json,
    "safe_to_json": _to_json,
}
NATIVE.update(_RULES)
