"""Operators and functions as data: a template, the kinds of the operands, and the function that gives the value.

An operand is a kind, several kinds with `|` between them, `kind!` for a value that is not null (functions that Neo4j
refuses to call on null), or `=name` for one of the texts of `CHOICES`.  A function is a canonical name of
`graphir.functions`; the dialects that have it follow from there, and so does its value in the witness.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from graphir.diagnostics import RunFault
from graphir.dialects import CYPHER_LEVELS
from graphir.functions import FUNCTIONS as NAMES
from graphir.generation.constructs import expression as construct
from graphir.generation.expressions import expression
from graphir.generation.kinds import VALUES, literal
from graphir.generation.scope import UNKNOWN, Term
from graphir.generation.writer import Writer
from graphir.values.functions import FUNCTIONS, PARTS

CHOICES: dict[str, tuple[Any, ...]] = {
    "divisor": (2, 3, -2),
    "month": (1, 2, 12),
    "day": (1, 29),
    "simple": ("a", "[ab]", "b+"),
    "index": (0, 1, -1, 5),
    "count": (0, 1, 3),
    "digits": (0, 1, 2),
    "one": (1, 2),
    "step": (1, 2, -1),
    "near": (0, 1, -1, 3),
    "text": ("a", "b", "", " ", ","),
    "needle": ("a", "b", "ab", " "),
    "pattern": ("a.*", "[ab]+", "(?i)A.?", "[^a]*", "", "a|b"),
    "dateunit": ("month", "year", "week", "quarter"),
    "timeunit": ("day", "hour", "month"),
    "clockunit": ("hour", "minute", "second"),
    "factor": (2, -1, 0.5),
    "key": ("a", "b", "zz"),
    "far": (2, -1, 9),
    "flag": ("true", "False", "yes", ""),
    "number": ("1", "-2", "2.5", "", "x"),
    "form": ("NFC", "NFD"),
}
"""Operands that are not any value of their kind: the simplest first."""

_ARITHMETIC, _STRING, _LIST, _TEMPORAL, _CONVERT, _COMPARE, _LOGIC, _ELEMENT, _MAP = (
    *("arithmetic", "string", "list", "temporal", "conversion", "comparison", "logic", "element", "map"),
)

FORMS: tuple[tuple[str, str, str, str, str, float], ...] = (
    # kind of the result, group, template, operands, function, weight
    ("int", _ARITHMETIC, "({0} + {1})", "int int", "add", 2),
    ("int", _ARITHMETIC, "({0} - {1})", "int int", "sub", 1.5),
    ("int", _ARITHMETIC, "({0} * {1})", "int int", "mul", 1),
    ("int", _ARITHMETIC, "({0} / {1})", "int =divisor", "div", 0.7),
    ("int", _ARITHMETIC, "({0} % {1})", "int =divisor", "mod", 0.7),
    ("int", _ARITHMETIC, "(-{0})", "int", "neg", 0.4),
    ("int", _ARITHMETIC, "(+{0})", "int", "pos", 0.1),
    ("int", _ARITHMETIC, "abs({0})", "int", "abs", 0.6),
    ("int", _ARITHMETIC, "sign({0})", "int|float", "sign", 0.4),
    ("int", _STRING, "size({0})", "str", "size", 0.8),
    ("int", _STRING, "char_length({0})", "str", "char_length", 0.2),
    ("int", _LIST, "size({0})", "ints|strs|nodes|edges", "size", 1.2),
    ("int", _LIST, "head({0})", "ints", "head", 0.4),
    ("int", _LIST, "last({0})", "ints", "last", 0.4),
    ("int", _LIST, "({0}[{1}])", "ints =index", "index", 0.7),
    ("int", _CONVERT, "toInteger({0})", "str|float|int", "toInteger", 0.4),
    ("int", _CONVERT, "toIntegerOrNull({0})", "str|float|bool|any", "toIntegerOrNull", 0.3),
    ("int", _MAP, "{{a: {0}}}.a", "int", "same", 0.3),
    ("int", _LIST, "coll.indexOf({0}, {1})", "ints int", "coll.indexOf", 0.15),
    ("int", _STRING, "string.indexOf({0}, {1})", "str =needle", "string.indexOf", 0.1),
    ("int", _ELEMENT, "length({0})", "path", "length", 1.5),
    ("float", _ARITHMETIC, "({0} + {1})", "float int|float", "add", 1),
    ("float", _ARITHMETIC, "({0} - {1})", "float int|float", "sub", 1),
    ("float", _ARITHMETIC, "({0} * {1})", "float int|float", "mul", 1),
    ("float", _ARITHMETIC, "({0} / {1})", "float float", "div", 0.8),
    ("float", _ARITHMETIC, "({0} % {1})", "float =divisor", "mod", 0.4),
    ("float", _ARITHMETIC, "(-{0})", "float", "neg", 0.3),
    ("float", _ARITHMETIC, "abs({0})", "float", "abs", 0.4),
    ("float", _ARITHMETIC, "round({0})", "float", "round", 0.5),
    ("float", _ARITHMETIC, "round({0}, {1})", "float =digits", "round", 0.4),
    ("float", _ARITHMETIC, "floor({0})", "float|int", "floor", 0.5),
    ("float", _ARITHMETIC, "ceil({0})", "float|int", "ceil", 0.5),
    ("float", _ARITHMETIC, "sqrt({0})", "float|int", "sqrt", 0.3),
    ("float", _CONVERT, "toFloat({0})", "int|str|float", "toFloat", 0.5),
    ("float", _CONVERT, "toFloatOrNull({0})", "any|int|str", "toFloatOrNull", 0.2),
    ("float", _LIST, "({0}[{1}])", "floats =index", "index", 0.3),
    ("approx", _ARITHMETIC, "({0} ^ {1})", "float|int =one", "pow", 1),
    ("approx", _ARITHMETIC, "exp({0})", "float|int", "exp", 0.4),
    ("approx", _ARITHMETIC, "log({0})", "float|int", "log", 0.4),
    ("approx", _ARITHMETIC, "log10({0})", "float|int", "log10", 0.4),
    *[
        ("approx", _ARITHMETIC, f"{name}({{0}})", "float|int", name, 0.3)
        for name in ("sin", "cos", "tan", "atan", "asin", "acos", "cot", "degrees", "radians", "haversin")
    ],
    ("approx", _ARITHMETIC, "atan2({0}, {1})", "float|int float|int", "atan2", 0.2),
    ("approx", _ARITHMETIC, "({0} + {1})", "approx approx|int", "add", 0.5),
    ("approx", _ARITHMETIC, "point.distance({0}, {1})", "point point", "point.distance", 0.5),
    ("str", _STRING, "({0} + {1})", "str str", "add", 2),
    ("str", _STRING, "({0} + {1})", "str int|bool", "add", 0.4),
    ("str", _STRING, "({0} || {1})", "str str", "concat", 0.3),
    ("str", _CONVERT, "toString({0})", "int|bool|date|dt|dur|str|ldt|time|big", "toString", 1),
    ("str", "float as text", "toString({0})", "float", "toString", 0.3),
    ("str", _CONVERT, "toStringOrNull({0})", "int|ints|bool|str|strs|map", "toStringOrNull", 0.3),
    ("str", _STRING, "toUpper({0})", "str", "toUpper", 0.6),
    ("str", _STRING, "toLower({0})", "str", "toLower", 0.6),
    ("str", _STRING, "trim({0})", "str", "trim", 0.4),
    ("str", _STRING, "ltrim({0})", "str", "ltrim", 0.3),
    ("str", _STRING, "rtrim({0})", "str", "rtrim", 0.3),
    ("str", _STRING, "btrim({0}, {1})", "str =needle", "btrim", 0.2),
    ("str", _STRING, "reverse({0})", "str", "reverse", 0.4),
    ("str", _STRING, "substring({0}, {1})", "str =count", "substring", 0.5),
    ("str", _STRING, "substring({0}, {1}, {2})", "str =count =count", "substring", 0.5),
    ("str", _STRING, "left({0}, {1})", "str =count", "left", 0.5),
    ("str", _STRING, "right({0}, {1})", "str =count", "right", 0.5),
    ("str", _STRING, "replace({0}, {1}, {2})", "str =needle =text", "replace", 0.6),
    ("str", _STRING, "normalize({0}, {1})", "str !form", "normalize", 0.1),
    ("str", _LIST, "({0}[{1}])", "strs =index", "index", 0.5),
    ("str", _LIST, "head({0})", "strs", "head", 0.3),
    ("str", _CONVERT, "valueType({0})", "int|str|date|bool|ints", "valueType", 0.15),
    ("str", _STRING, "string.join({0}, {1})", "strs =text", "string.join", 0.15),
    ("str", _ELEMENT, "type({0})", "edge", "type", 1.5),
    ("bool", _LOGIC, "({0} AND {1})", "bool bool", "and", 2),
    ("bool", _LOGIC, "({0} OR {1})", "bool bool", "or", 2),
    ("bool", _LOGIC, "({0} XOR {1})", "bool bool", "xor", 0.8),
    ("bool", _LOGIC, "(NOT ({0}))", "bool", "not", 1.2),
    ("bool", _COMPARE, "({0} IS NULL)", "int|str|any|float|bool|date|dt|ints|node|edge|big", "is_null", 1),
    ("bool", _COMPARE, "({0} IS NOT NULL)", "int|str|any|float|bool|date|dt|ints|node|edge|big", "is_not_null", 1),
    ("bool", _STRING, "({0} STARTS WITH {1})", "str str", "starts_with", 0.7),
    ("bool", _STRING, "({0} ENDS WITH {1})", "str str", "ends_with", 0.7),
    ("bool", _STRING, "({0} CONTAINS {1})", "str str", "contains", 0.7),
    ("bool", "regular expression", "({0} =~ {1})", "str =pattern", "matches", 0.6),
    ("bool", _LIST, "({0} IN {1})", "int ints", "in", 1),
    ("bool", _LIST, "({0} IN {1})", "str strs", "in", 0.8),
    ("bool", _LIST, "({0} IN {1})", "any anys", "in", 0.5),
    ("bool", _ELEMENT, "({0} IN {1})", "node nodes", "in", 0.6),
    ("bool", _ELEMENT, "({0} IN {1})", "edge edges", "in", 0.4),
    ("bool", _LIST, "isEmpty({0})", "ints|strs", "isEmpty", 0.4),
    ("bool", _STRING, "isEmpty({0})", "str", "isEmpty", 0.3),
    ("bool", _MAP, "isEmpty({0})", "map", "isEmpty", 0.2),
    ("bool", _ARITHMETIC, "isNaN({0})", "float", "isNaN", 0.3),
    ("bool", _CONVERT, "toBoolean({0})", "=flag", "toBoolean", 0.2),
    ("bool", _CONVERT, "toBoolean({0})", "str|int|bool", "toBoolean", 0.3),
    ("bool", _CONVERT, "toBooleanOrNull({0})", "str|int|any", "toBooleanOrNull", 0.2),
    ("any", _MAP, "({0}[{1}])", "map =key", "index", 0.8),
    ("any", _LIST, "({0}[{1}])", "anys =index", "index", 0.8),
    ("any", _LIST, "head({0})", "anys", "head", 0.3),
    ("big", _LIST, "coalesce({0}, {1})", "big big", "coalesce", 0.5),
    ("ints", _LIST, "[{0}, {1}]", "int int", "list", 1.5),
    ("ints", _LIST, "({0} + {1})", "ints ints|int", "add", 1),
    ("ints", _LIST, "tail({0})", "ints", "tail", 0.4),
    ("ints", _LIST, "reverse({0})", "ints", "reverse", 0.4),
    ("ints", _LIST, "({0}[{1}..{2}])", "ints =near =far", "slice", 0.5),
    ("ints", _LIST, "({0}[{1}..])", "ints =near", "slice_from", 0.3),
    ("ints", _LIST, "({0}[..{1}])", "ints =far", "slice_to", 0.3),
    ("ints", _LIST, "range({0}, {1})", "=near =count", "range", 0.7),
    ("ints", _LIST, "toIntegerList({0})", "strs|ints", "toIntegerList", 0.3),
    ("ints", _LIST, "coll.distinct({0})", "ints", "coll.distinct", 0.2),
    ("ints", _LIST, "coll.sort({0})", "ints", "coll.sort", 0.2),
    ("int", _LIST, "coll.max({0})", "ints", "coll.max", 0.15),
    ("int", _LIST, "coll.min({0})", "ints", "coll.min", 0.15),
    ("strs", _STRING, "split({0}, {1})", "str =text", "split", 1),
    ("strs", _LIST, "[{0}, {1}]", "str str", "list", 1),
    ("strs", _LIST, "({0} + {1})", "strs strs|str", "add", 0.6),
    ("strs", _LIST, "tail({0})", "strs", "tail", 0.2),
    ("strs", _LIST, "toStringList({0})", "ints|strs", "toStringList", 0.3),
    ("floats", _LIST, "[{0}, {1}]", "float float", "list", 1),
    ("floats", _LIST, "toFloatList({0})", "ints|strs", "toFloatList", 0.3),
    ("anys", _LIST, "[{0}]", "any", "list", 0.5),
    ("anys", _LIST, "[{0}, {1}, {2}]", "int|str|any|bool int|str|float any|date|ints", "list", 1),
    ("anys", _LIST, "({0} + {1})", "anys ints|strs", "add", 0.3),
    ("map", _MAP, "{{a: {0}, b: {1}}}", "int str", "map", 1.5),
    ("map", _MAP, "{{a: {{c: {0}}}, l: [{1}, {2}]}}", "any int str", "", 0.7),
    ("map", _MAP, "properties({0})", "node|edge", "properties", 0.7),
    ("date", _TEMPORAL, "({0} + {1})", "date dur", "add", 1),
    ("date", _TEMPORAL, "({0} - {1})", "date dur", "sub", 0.7),
    ("date", _TEMPORAL, "date.truncate({0}, {1})", "!dateunit date!", "date.truncate", 0.7),
    ("date", _TEMPORAL, "date({0})", "dt|ldt", "date", 0.5),
    ("date", _TEMPORAL, "date(toString({0}))", "date", "same", 0.3),
    ("ldt", _TEMPORAL, "({0} + {1})", "ldt dur", "add", 1),
    ("ldt", _TEMPORAL, "localdatetime.truncate({0}, {1})", "!timeunit ldt!", "localdatetime.truncate", 0.5),
    ("ldt", _TEMPORAL, "localdatetime({0})", "dt", "localdatetime", 0.5),
    ("dt", _TEMPORAL, "({0} + {1})", "dt dur", "add", 1),
    ("dt", _TEMPORAL, "({0} - {1})", "dt dur", "sub", 0.7),
    ("dt", _TEMPORAL, "datetime.truncate({0}, {1})", "!timeunit dt!", "datetime.truncate", 0.6),
    ("time", _TEMPORAL, "localtime.truncate({0}, {1})", "!clockunit time!", "localtime.truncate", 0.5),
    ("time", _TEMPORAL, "({0} + {1})", "time dur", "add", 0.7),
    ("dur", _TEMPORAL, "({0} + {1})", "dur dur", "add", 1),
    ("dur", _TEMPORAL, "({0} - {1})", "dur dur", "sub", 0.6),
    ("dur", _TEMPORAL, "({0} * {1})", "dur =factor", "mul", 0.5),
    *[
        ("dur", _TEMPORAL, f"{name}({{0}}, {{1}})", "date date", name, 0.4)
        for name in ("duration.between", "duration.inDays", "duration.inMonths")
    ],
    *[
        ("dur", _TEMPORAL, f"{name}({{0}}, {{1}})", "dt dt", name, 0.3)
        for name in ("duration.between", "duration.inSeconds")
    ],
    ("date", _TEMPORAL, "date({{year: 2020, month: {0}, day: {1}}})", "=month =day", "", 0.3),
    ("dt", _TEMPORAL, "datetime({{epochSeconds: {0}}})", "int!", "", 0.3),
    ("dt", _TEMPORAL, "datetime({{date: {0}, hour: 3, timezone: '+01:00'}})", "date!", "", 0.3),
    ("dt", _TEMPORAL, "datetime.fromepoch({0}, {1})", "int! =count", "datetime.fromepoch", 0.2),
    ("dt", _TEMPORAL, "datetime.fromepochmillis({0})", "int!", "datetime.fromepochmillis", 0.2),
    ("ldt", _TEMPORAL, "localdatetime({{date: {0}, hour: 3}})", "date!", "", 0.3),
    ("time", _TEMPORAL, "localtime({0})", "ldt|dt", "localtime", 0.3),
    ("ztime", _TEMPORAL, "time.truncate({0}, {1})", "!clockunit ztime!", "time.truncate", 0.5),
    ("ztime", _TEMPORAL, "({0} + {1})", "ztime dur", "add", 0.7),
    ("dur", _TEMPORAL, "duration({{days: {0}, hours: 5}})", "int", "", 0.3),
    ("dur", _TEMPORAL, "duration.between({0}, {1})", "ldt ldt", "duration.between", 0.2),
    *[("approx", _ARITHMETIC, f"{name}({{0}})", "float|int", name, 0.3) for name in ("sinh", "cosh", "tanh", "coth")],
    ("approx", _ARITHMETIC, "({0} * pi())", "int", "", 0.3),
    ("approx", _ARITHMETIC, "({0} * e())", "int", "", 0.3),
    ("int", _ELEMENT, "path_length({0})", "path", "path_length", 0.2),
    ("int", _LIST, "cardinality({0})", "ints|strs|map", "cardinality", 0.1),
    ("ints", _LIST, "coll.flatten([{0}, {1}])", "ints ints", "", 0.15),
    ("bool", _STRING, "({0} IS NORMALIZED)", "str", "", 0.1),
    ("bool", "point", "point.withinBBox({0}, {1}, {2})", "point point point", "point.withinBBox", 0.2),
    ("str", _STRING, "string.regexReplace({0}, {1}, {2})", "str =simple =needle", "string.regexReplace", 0.1),
    ("point", "point", "point({{x: {0}, y: {1}}})", "int int", "", 0.5),
    ("float", "point", "{0}.x", "point", "", 0.3),
    ("edge", _ELEMENT, "({0}[{1}])", "edges =index", "index", 0.6),
    ("edge", _ELEMENT, "head({0})", "edges", "head", 0.4),
    ("node", _ELEMENT, "head({0})", "nodes", "head", 0.6),
    ("node", _ELEMENT, "last({0})", "nodes", "last", 0.6),
    ("node", _ELEMENT, "({0}[{1}])", "nodes =index", "index", 0.5),
    ("nodes", _ELEMENT, "reverse({0})", "nodes", "reverse", 0.4),
    ("nodes", _ELEMENT, "tail({0})", "nodes", "tail", 0.4),
    ("edges", _ELEMENT, "reverse({0})", "edges", "reverse", 0.4),
)

COMPONENTS = {
    "date": ("year", "month", "day", "week", "dayOfWeek", "ordinalDay", "quarter", "weekYear"),
    "ldt": ("year", "hour", "minute", "second", "millisecond"),
    "dt": ("year", "month", "hour", "second", "offsetMinutes"),
    "time": ("hour", "minute", "second", "millisecond"),
    "dur": ("months", "days", "seconds", "hours", "minutesOfHour"),
}
"""Kind -> the components that are integers."""


def operand(w: Writer, spec: str, depth: int) -> Term:
    """The operand that a form asks for."""
    if spec[0] in "=!":
        value = w.dice.pick(CHOICES[spec[1:]])
        if spec == "!form":
            return Term(value, value)
        return Term(literal(value), value)
    if spec.endswith("!"):
        return certain(w, spec[:-1], depth)
    if "|" in spec:
        kinds = [kind for kind in spec.split("|") if w.profile.has(kind)]
        spec = w.dice.pick(kinds) if kinds else spec.split("|", maxsplit=1)[0]
    return expression(w, spec, depth)


def certain(w: Writer, kind: str, depth: int) -> Term:
    """A value that is not null."""
    text, value = expression(w, kind, depth)
    other = w.dice.pick(VALUES[kind])
    if value is None:
        value = other
    return Term(f"coalesce({text}, {literal(other)})", value)


def valued(function: str, values: list[Any]) -> Any:
    """The value of a function in the witness."""
    if any(value is UNKNOWN for value in values):
        return UNKNOWN
    return (_LITERALS.get(function) or FUNCTIONS[function])(*values)


_LITERALS: dict[str, Callable[..., Any]] = {
    "list": lambda *items: list(items),
    "map": lambda a, b: {"a": a, "b": b},
    "same": lambda value: value,
}
"""What is no function of Cypher."""


_BOUND = {
    "node": ("node",),
    "edge": ("edge",),
    "path": ("path",),
    "nodes": ("node", "nodes", "path"),
    "edges": ("edge", "edges", "path"),
    "node|edge": ("node", "edge"),
}
"""Operands that nothing but variables can be, and the kinds of these."""


def _writer(template: str, specs: list[str], function: str) -> Callable[[Writer, int], Term | None]:
    bound = [spec for spec in specs if spec in _BOUND]

    def write(w: Writer, depth: int) -> Term | None:
        if not all(w.of(*_BOUND[spec]) for spec in bound):
            return None
        operands = [operand(w, spec, depth) for spec in specs]
        text = template.format(*[each.text for each in operands])
        if not function:
            return Term(text)
        try:
            return Term(text, valued(function, [each.value for each in operands]))
        except RunFault:
            return None

    return write


_SINCE = {"||": "neo4j-5", "IS NORMALIZED": "neo4j-5", "coll.flatten()": "neo4j-25"}
"""Constructs that no function of the table says the level of."""


def _register() -> None:
    for kind, group, template, operands, function, weight in FORMS:
        specs = operands.split()
        known = NAMES.get(function)
        level: str = known.since if known is not None else "opencypher-9"
        name = _feature(template, function)
        needs = [spec.rstrip("!") for spec in specs if spec[0] not in "=!" and "|" not in spec]
        since = max(level, _SINCE.get(name, level), key=CYPHER_LEVELS.index)
        construct(kind, name, group, weight, since, " ".join(needs))(_writer(template, specs, function))


def _feature(template: str, function: str) -> str:
    if function in NAMES and not NAMES[function].operator:
        return f"{function}()"
    if function in PARTS:
        return function.replace("_", " ")
    if function in _LITERALS or not function:
        return _without_function(template)
    return _bare(template) or function


def _without_function(template: str) -> str:
    """`map`, `list`, the function of a map or of a list, or an operator."""
    head = template.split("(", maxsplit=1)[0]
    if head.startswith("{{"):
        return "map"
    if head.startswith("["):
        return "list"
    return _bare(template) if not head or head[0] == "{" else f"{head}()"


def _bare(template: str) -> str:
    """The template without its operands and parentheses."""
    bare = template
    for at in range(3):
        bare = bare.replace(f"{{{at}}}", "")
    return " ".join(bare.replace("{{", "{").replace("}}", "}").replace("(", " ").replace(")", " ").split())


_register()


@construct("int", "part of a temporal value", "temporal", 1.0)
def _part(w: Writer, depth: int) -> Term | None:
    kinds = [kind for kind in COMPONENTS if w.profile.has(kind)]
    if not kinds:
        return None
    kind = w.dice.pick(kinds)
    text, value = expression(w, kind, depth)
    key = w.dice.pick(COMPONENTS[kind])
    return Term(f"{text}.{key}", valued("property", [value, key]))
