"""Literals against the properties they are compared with: those that cannot match, or not as they are meant.

G320 another type, G321 a number or a boolean in quotes, or a string without, G322 a temporal value as text, G323 a
temporal value of another kind, G324 a value outside of a closed set, G325 a test of text on what is none, G326
wildcards of LIKE, G329 a parameter of another type, G332 a component of what has none.  And what needs no schema: G327
no regular expression, G328 no date, G331 a letter that cannot be there after toLower or toUpper.

Nothing is said unless every type that the property may belong to says so.  Examples are no closed set.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import replace
from functools import partial

from graphir import ir
from graphir.diagnostics import Diagnostic, Edit, Fix, RunFault, Severity, diagnose
from graphir.frozen import frozen
from graphir.nearest import nearest
from graphir.passes.schema.bindings import Bindings
from graphir.passes.schema.constants import (
    CASES,
    EQUALITIES,
    MAKERS,
    ORDERINGS,
    TEMPORAL,
    TEXT_TESTS,
    UNKNOWN,
    Constant,
    Pair,
    constant_of,
    pairs,
)
from graphir.passes.schema.expressions import COMPARED
from graphir.passes.schema.slots import Access
from graphir.schema.model import TYPES, DataType, PropertyType
from graphir.source import Source

_NUMBERS = frozenset(("INTEGER", "FLOAT"))
_OPAQUE = frozenset(("ANY", "UUID", "MAP"))
"""Kinds whose values may be compared with anything, as far as a schema tells."""

_COMPOUND = frozenset((*MAKERS, "POINT"))
_COMPONENTS: Mapping[str, str] = {
    **dict.fromkeys(
        (
            *("year", "quarter", "month", "week", "weekYear", "day", "ordinalDay", "dayOfQuarter", "dayOfWeek"),
            *("hour", "minute", "second", "millisecond", "microsecond", "nanosecond"),
            *("epochMillis", "epochSeconds", "offsetMinutes", "offsetSeconds", "srid"),
            *("years", "quarters", "months", "weeks", "days", "hours", "minutes", "seconds"),
            *("milliseconds", "microseconds", "nanoseconds"),
        ),
        "INTEGER",
    ),
    **dict.fromkeys(("x", "y", "z", "longitude", "latitude", "height"), "FLOAT"),
    **dict.fromkeys(("timezone", "offset", "crs"), "STRING"),
}
"""Component of a temporal value, a duration or a point -> its kind."""

_PLAIN = frozenset(("STRING", "INTEGER", "FLOAT", "BOOLEAN", "LIST"))
"""Kinds whose values have no components."""

_SHOWN = 5
"""How many values a hint lists."""

_MISSING = frozenset(("", "null", "none", "nan", "n/a", "na"))
"""Texts that stand for a value that is missing, in lower case."""

_LENIENT = re.compile(r"[\\{]|[\^$][*+?]|\(\?-")
"""What Java reads in more ways than it says: escapes, braces, repeated anchors, empty flags."""

_LONGEST = 200
"""Longer texts are no names of values, and are not compared letter by letter."""


@frozen
class Known:
    """What every type that a property may belong to says of it: its kinds, and its values where they are closed."""

    named: Callable[[], str]
    """Its name in messages, which is long to find."""
    kinds: frozenset[str]
    types: tuple[PropertyType, ...]

    @property
    def title(self) -> str:
        return self.named()

    @property
    def kind(self) -> str | None:
        return next(iter(self.kinds)) if len(self.kinds) == 1 else None

    @property
    def noun(self) -> str:
        return " or ".join(sorted(self.kinds))

    @property
    def elements(self) -> frozenset[str]:
        """The kinds of the elements of a list; empty where they are not known."""
        found = {TYPES.get(t.type.element.name, "ANY") if t.type and t.type.element else "ANY" for t in self.types}
        return frozenset() if found & _OPAQUE else frozenset(found)

    @property
    def values(self) -> tuple[object, ...] | None:
        """The closed set of values, None where it is not."""
        found: dict[object, None] = {}
        for each in self.types:
            if each.values is None:
                return None
            found.update(dict.fromkeys(each.values))
        return tuple(found)

    @property
    def samples(self) -> list[object]:
        return [value for each in self.types for value in (*(each.values or ()), *each.examples)]


def find_mismatches(
    query: ir.Query, bindings: Bindings | None, source: Source, parameters: Mapping[str, DataType]
) -> list[Diagnostic]:
    """What is wrong with the literals of a query; without bindings what needs no schema."""
    check = _Check(bindings, source, parameters)
    for node in _comparisons(query) if bindings is None else bindings.comparisons:
        if type(node) is ir.Apply and node.function in TEMPORAL:
            check.temporal_text(node)
        else:
            for pair in pairs(node, parameters):
                check.pair(pair)
    if bindings is not None:
        for access in bindings.uses:
            if type(access.place) is ir.Entry and not access.write:
                constant = constant_of(access.place.value, parameters)
                if constant is not None:
                    check.against(access, "eq", constant, None)
        for node, access in bindings.components:
            check.component(node, access)
    if parameters:
        check.counts(query)
    found = check.found
    if any(each.code == "G324" and each.severity == "warning" for each in found):
        found = _left_out(query, found)
    return list({(each.code, each.start, each.end): each for each in found}.values())


def _left_out(query: ir.Query, found: list[Diagnostic]) -> list[Diagnostic]:
    """The findings, those of values that are only left out (`NOT n.genre = 'x'`) as remarks, as those of `<>` are."""
    spans = [node.span for node in _denied(query) if node.span is not None]
    return [
        replace(each, severity="info")
        if each.code == "G324"
        and each.fix is None
        and any(span.start <= each.start and each.end <= span.end for span in spans)
        else each
        for each in found
    ]


def _denied(query: ir.Query) -> Iterator[ir.Node]:
    """The comparisons that a NOT is about, through AND, OR and other NOT."""
    seen: set[int] = set()
    for start in ir.find(query, ir.Apply):
        if start.function != "not" or id(start) in seen:
            continue
        pending: list[tuple[ir.Node, bool]] = [(start, False)]
        while pending:
            node, denied = pending.pop()
            if type(node) is ir.Apply and node.function in ("and", "or", "not"):
                seen.add(id(node))
                pending += [(each, denied != (node.function == "not")) for each in node.args]
            elif denied and type(node) is ir.Apply:
                yield node


def _comparisons(query: ir.Query) -> Iterator[ir.Node]:
    """The same nodes that `bindings` collects."""
    pending: list[ir.Node] = [query.body]
    while pending:
        node = pending.pop()
        cls = type(node)
        if cls is ir.Apply:
            if node.function in COMPARED:  # type: ignore[attr-defined]
                yield node
            pending += node.args  # type: ignore[attr-defined]
        elif cls is ir.Comparison or cls is ir.Case:
            yield node
            pending += ir.children(node)
        elif node.below_:
            pending += ir.children(node)


class _Check:
    def __init__(self, bindings: Bindings | None, source: Source, parameters: Mapping[str, DataType]) -> None:
        self.bindings = bindings
        self.source = source
        self.parameters = parameters
        self.found: list[Diagnostic] = []
        self.components = {} if bindings is None else {id(node): access for node, access in bindings.components}
        self._known: dict[tuple[int, str], Known | None] = {}

    def tell(
        self,
        code: str,
        message: str,
        node: ir.Node,
        hint: str | None = None,
        fix: Fix | None = None,
        *,
        severity: Severity = "warning",
    ) -> None:
        self.found.append(diagnose(self.source, code, message, node.span, severity=severity, hint=hint, fix=fix))

    # -------------------------------------------------------------- what is known

    def known(self, access: Access) -> Known | None:
        """What the schema says of a property, None where it does not say everything."""
        key = id(access.owner), access.key
        if key not in self._known:
            self._known[key] = self._read(access)
        return self._known[key]

    def _read(self, access: Access) -> Known | None:
        assert self.bindings is not None
        owners = self.bindings.owners(access)
        if not owners.types or not owners.complete:
            return None
        kinds = {TYPES.get(each.type.name, "ANY") if each.type is not None else "ANY" for each in owners.types}
        if kinds & _OPAQUE:
            return None
        return Known(partial(_title, self.bindings, access), frozenset(kinds), tuple(owners.types))

    # -------------------------------------------------------------- one comparison

    def pair(self, pair: Pair) -> None:
        constant = pair.constant
        access = self.bindings.access_of(pair.subject) if self.bindings is not None else None
        if pair.operator == "matches":
            self.regex(constant)
        part = self.components.get(id(pair.subject)) if access is None else None
        if access is not None:
            self.against(access, pair.operator, constant, pair.case)
        elif part is not None and isinstance(pair.subject, ir.Property):
            self.against_part(part, pair.subject.key, pair.operator, constant)
        elif isinstance(constant.value, str):
            self.wildcards(pair.operator, constant, ())
        if pair.case is not None:
            self.letters(pair)

    def against(self, access: Access, operator: str, constant: Constant, case: str | None) -> None:
        """A property compared with a constant."""
        known = self.known(access)
        if known is None:
            if isinstance(constant.value, str):
                self.wildcards(operator, constant, ())
            return
        before = len(self.found)
        if operator == "in":
            for item in constant.items:
                inner = constant_of(item, self.parameters)
                if inner is not None:
                    self.against(access, "eq", inner, case)
            return
        if operator == "holds":
            self.holds(known, constant)
            return
        if case is None and constant.kind is not None:
            self.types(known, operator, constant)
        if len(self.found) == before and isinstance(constant.value, str):
            self.wildcards(operator, constant, known.samples)
        if len(self.found) == before and constant.value is not UNKNOWN:
            self.values(known, operator, constant, case)

    def against_part(self, access: Access, key: str, operator: str, constant: Constant) -> None:
        """A component of a property, `n.released.year`, compared with a constant."""
        whole, kind = self.known(access), _COMPONENTS.get(key)
        if whole is None or kind is None or not whole.kinds <= _COMPOUND:
            return
        part = Known(lambda: f"`{key}` of {whole.title}", frozenset((kind,)), ())
        items = constant.items if operator == "in" else (constant.node,)
        for item in items:
            inner = constant_of(item, self.parameters)
            if inner is not None and inner.kind is not None and (operator == "in" or operator in _NEVER):
                self.types(part, "eq" if operator == "in" else operator, inner)

    def holds(self, known: Known, constant: Constant) -> None:
        """`constant IN property`."""
        if "LIST" not in known.kinds and "VECTOR" not in known.kinds:
            hint = "CONTAINS looks for a part of a string" if known.kind == "STRING" else "compare with ="
            self.tell("G320", f"{known.title} is {_a(known.noun)}, and IN needs a list", constant.node, hint)
        elif known.kind == "LIST" and constant.kind is not None and _foreign(constant.kind, known.elements):
            noun = " or ".join(sorted(known.elements))
            message = f"{known.title} is a list of {noun}, and {_described(constant)} is never in it"
            self.tell(_code(constant, "G320"), message, constant.node)

    # -------------------------------------------------------------- types

    def types(self, known: Known, operator: str, constant: Constant) -> None:
        kind = constant.kind
        assert kind is not None
        if operator in TEXT_TESTS:
            if "STRING" not in known.kinds:
                message = f"{known.title} is {_a(known.noun)}, and {_WORDS[operator]} finds nothing in it"
                self.tell("G325", message, constant.node, _text_hint(known))
            elif kind != "STRING":
                message = f"{_WORDS[operator]} needs a string, not {_described(constant)}"
                self.tell(_code(constant, "G320"), message, constant.node)
            return
        if any(_comparable(kind, other) for other in known.kinds):
            return
        if constant.parameter is not None:
            message = f"{known.title} is {_a(known.noun)}, and ${constant.parameter} is declared as {_a(kind)}"
            self.tell("G329", message, constant.node, "declare another type, or convert the value")
            return
        never = _NEVER[operator]
        message = f"{known.title} is {_a(known.noun)}, and {_described(constant)} {never}"
        code, fix, hint = _mending(known, operator, constant)
        # to leave out what stands for no value leaves out nothing, and nothing is missing from the result
        severity: Severity = "info" if operator == "ne" and str(constant.value).lower() in _MISSING else "warning"
        self.tell(code, message, constant.node, hint, fix, severity=severity)

    # -------------------------------------------------------------- values

    def values(self, known: Known, operator: str, constant: Constant, case: str | None) -> None:
        """A value outside of a closed set."""
        values = known.values
        if values is None or known.kinds - {"STRING", *_NUMBERS} or operator in ORDERINGS or operator == "matches":
            return
        value = constant.value
        texts = [str(each) for each in values]
        if case is not None:
            texts = [getattr(text, CASES[case])() for text in texts]
        text = str(value)
        if operator in EQUALITIES:
            if text in texts or value in values or (case is not None and text in map(str, values)):
                return
            near = nearest(text, texts) if isinstance(value, str) and len(text) <= _LONGEST else None
            hint = f"did you mean {_quoted(near)}?" if near else f"its values: {_listed(values)}"
            fix = _replace(self.source, constant, _quoted(near), f"replace it by {_quoted(near)}") if near else None
            message = f"{known.title} has no value {_described_value(constant)}"
            # to leave out what is not there is no fault, unless another name was meant
            severity: Severity = "info" if operator == "ne" and near is None else "warning"
            self.tell("G324", message, constant.node, hint, fix, severity=severity)
        elif isinstance(value, str) and not any(_TESTS[operator](each, text) for each in texts):
            message = f"{known.title} has no value that {_VERBS[operator]} {_described_value(constant)}"
            self.tell("G324", message, constant.node, f"its values: {_listed(values)}")

    # -------------------------------------------------------------- text

    def wildcards(self, operator: str, constant: Constant, samples: Iterable[object]) -> None:
        """`%` as in LIKE, where it stands for itself."""
        text = constant.value
        if operator not in ("eq", "ne", "contains", "starts_with", "ends_with", "matches") or len(text) < 3:
            return
        both = text[0] == text[-1] == "%"
        if operator == "matches" and not both:
            both = (text[0] == "%" or text[-1] == "%") and not any(c in text for c in ".*[(\\|+?")
        inner = text.strip("%")
        if not both or not inner or "%" in inner or any("%" in str(sample) for sample in samples):
            return
        near = f"CONTAINS {_quoted(inner)}"
        message = f"`%` is no wildcard in Cypher: {_described_value(constant)} is looked for as it stands"
        fix = None
        if operator == "contains":
            fix = _replace(self.source, constant, _quoted(inner), "leave the `%` out")
        self.tell("G326", message, constant.node, f"write {near}", fix)

    def regex(self, constant: Constant) -> None:
        """What Java takes for no regular expression."""
        text = constant.value
        if not isinstance(text, str):
            return
        if text[:1] in ("*", "+", "?"):
            message = f"{_described_value(constant)} is no regular expression: nothing stands before the `{text[0]}`"
            self.tell("G327", message, constant.node, "`.*` stands for any characters")
        elif (reason := _broken(text)) is not None:
            self.tell("G327", f"{_described_value(constant)} is no regular expression: {reason}", constant.node)

    def letters(self, pair: Pair) -> None:
        """A capital letter compared with the result of toLower, or the other way round."""
        case = pair.case
        assert case is not None
        constants = [pair.constant]
        if pair.operator == "in":
            constants = [found for item in pair.constant.items if (found := constant_of(item, {})) is not None]
        elif pair.operator in ORDERINGS or pair.operator in ("matches", "holds"):
            return
        for constant in constants:
            if isinstance(constant.value, str) and isinstance(constant.node, ir.Literal):
                right = getattr(constant.value, CASES[case])()
                if right != constant.value and constant.value.isascii():
                    message = f"{case}(..) is never {_described_value(constant)}: the letters are of the other case"
                    if pair.operator in TEXT_TESTS:
                        message = f"{case}(..) never has {_described_value(constant)} in it: other letters are there"
                    fix = _replace(self.source, constant, _quoted(right), f"write {_quoted(right)}", safe=True)
                    self.tell("G331", message, constant.node, None, fix)

    def temporal_text(self, node: ir.Apply) -> None:
        """The text of a temporal value that does not exist."""
        if len(node.args) != 1 or not isinstance(node.args[0], ir.Literal):
            return
        text = node.args[0].value
        if isinstance(text, str) and "[" not in text and not _reads(node.function, text):
            told = "a duration" if node.function == "duration" else f"a value of {node.function}()"
            hint = f"write it as in {node.function}('{_FORMS[node.function]}')"
            self.tell("G328", f"'{_short(text)}' is not the text of {told}", node.args[0], hint)

    def counts(self, query: ir.Query) -> None:
        """A parameter for a number of rows that is declared as something else."""
        for node in ir.find(query.body, ir.Project, ir.Page):
            if node.skip is not None or node.limit is not None:
                for word, count in (("SKIP", node.skip), ("LIMIT", node.limit)):
                    constant = constant_of(count, self.parameters) if isinstance(count, ir.Parameter) else None
                    kind = constant.kind if constant is not None else None
                    if constant is not None and kind is not None and kind != "INTEGER":
                        message = f"{word} needs an INTEGER, and ${constant.parameter} is declared as {_a(kind)}"
                        self.tell("G329", message, constant.node)

    # -------------------------------------------------------------- components

    def component(self, node: ir.Property, access: Access) -> None:
        """`n.released.year` of a property that has no components."""
        known = self.known(access)
        if known is not None and known.kinds <= _PLAIN:
            hint = None
            if known.kind == "STRING" and node.key in _DATE_PARTS:
                hint = f"where the text is a date: date(..).{node.key}"
            message = f"{known.title} is {_a(known.noun)} and has no `{node.key}`"
            self.tell("G332", message, node, hint)


# ------------------------------------------------------------------ rules


def _comparable(one: str, other: str) -> bool:
    """Whether values of two kinds can be equal."""
    if one == other or one in _OPAQUE or other in _OPAQUE:
        return True
    return (one in _NUMBERS and other in _NUMBERS) or {one, other} == {"LIST", "VECTOR"}


def _foreign(kind: str, elements: frozenset[str]) -> bool:
    """Whether a value can be no element."""
    return bool(elements) and not any(_comparable(kind, element) for element in elements)


def _mending(known: Known, operator: str, constant: Constant) -> tuple[str, Fix | None, str | None]:
    """The code of a mismatch, and how it may be mended."""
    kind, value = known.kind, constant.value
    if isinstance(value, str):
        if known.kinds <= _NUMBERS and _is_number(value):
            return "G321", _replace_text(constant, value, "write the number without quotes", safe=True), None
        if kind == "BOOLEAN" and value.lower() in ("true", "false"):
            return "G321", _replace_text(constant, value.lower(), f"write {value.lower()}", safe=True), None
        if kind is not None and kind in MAKERS:
            return "G322", *_temporal(kind, operator, constant)
    if kind == "STRING" and constant.kind in _NUMBERS:
        hint = "toInteger(..) or toFloat(..) of the property compares numbers" if operator in ORDERINGS else None
        quoted = _quoted(constant.text)
        safe = constant.kind == "INTEGER" and operator in EQUALITIES and constant.text == str(value)
        fix = _replace_text(constant, quoted, f"write {quoted}", safe=safe) if hint is None else None
        return "G321", fix, hint
    if kind is not None and kind in MAKERS and constant.kind in MAKERS:
        hint = f"make the value with {MAKERS[kind]}(..), or compare a component"
        return "G323", _other_maker(kind, operator, constant), hint
    if kind in MAKERS and constant.kind == "INTEGER" and kind != "DURATION":
        return "G320", None, "compare a component: `.year` for instance"
    if kind == "LIST" and constant.kind != "LIST":
        return "G320", None, "IN looks for an element: value IN list"
    if kind == "STRING" and constant.kind in MAKERS:
        return "G323", None, "the property is text: compare it with text of the same form"
    if constant.kind == "LIST" and operator == "eq":
        return "G320", None, "IN compares with each element"
    return "G320", None, None


def _other_maker(kind: str, operator: str, constant: Constant) -> Fix | None:
    """`datetime('2024-12-31')` for `date('2024-12-31')`, where both read the text."""
    node = constant.node
    text = node.args[0] if isinstance(node, ir.Apply) and node.function in TEMPORAL and len(node.args) == 1 else None
    if isinstance(text, ir.Literal) and isinstance(text.value, str):
        return _temporal(kind, operator, Constant(node, "STRING", text.value))[0]
    return None


def _temporal(kind: str, operator: str, constant: Constant) -> tuple[Fix | None, str | None]:
    """The text made a value of the kind of the property, if it is the text of one."""
    maker = MAKERS[kind]
    if not _reads(maker, constant.value):
        return None, f"make the value with {maker}(..), as in {maker}('{_FORMS[maker]}')"
    quoted = _quoted(constant.value)
    whole = kind == "DATE" or "T" in constant.value or kind in ("LOCAL TIME", "ZONED TIME", "DURATION")
    exact = len(constant.value) >= 10 or kind not in ("DATE", "LOCAL DATETIME", "ZONED DATETIME")
    safe = exact and (whole or operator in ORDERINGS)
    return _replace_text(constant, f"{maker}({quoted})", f"write {maker}({quoted})", safe=safe), None


def _broken(text: str) -> str | None:
    """Why a text is no regular expression, None where it is one or where Java is more lenient than we know."""
    if len(text) > _LONGEST or _LENIENT.search(text):
        return None
    from graphir.values.regex import compiled

    try:
        compiled(text)
    except RunFault as found:
        told = found.diagnostics[0]
        return told.message.partition(": ")[2] if told.code == "G635" else None
    return None


def _reads(maker: str, text: str) -> bool:
    """Whether a function reads a text."""
    from graphir.values import parsing

    readers: dict[str, Callable[[str], object]] = {
        "date": parsing.parse_date,
        "localtime": parsing.parse_local_time,
        "time": parsing.parse_time,
        "localdatetime": parsing.parse_local_datetime,
        "datetime": parsing.parse_datetime,
        "duration": parsing.parse_duration,
    }
    try:
        readers[maker](text)
    except RunFault:
        return False
    return True


def _is_number(text: str) -> bool:
    """Whether a text is a number as it would be written: no leading zeros or signs that might matter."""
    digits = text.removeprefix("-")
    whole, dot, part = digits.partition(".")
    if not (whole.isascii() and whole.isdigit() and len(whole) < 16):
        return False
    return (whole == "0" or whole[0] != "0") and (not dot or (part.isascii() and part.isdigit()))


def _code(constant: Constant, code: str) -> str:
    return "G329" if constant.parameter is not None else code


# ------------------------------------------------------------------ words

_WORDS = {"starts_with": "STARTS WITH", "ends_with": "ENDS WITH", "contains": "CONTAINS", "matches": "=~"}
_VERBS = {"starts_with": "starts with", "ends_with": "ends with", "contains": "contains"}
_TESTS: dict[str, Callable[[str, str], bool]] = {
    "starts_with": str.startswith,
    "ends_with": str.endswith,
    "contains": lambda text, part: part in text,
}
_NEVER = {
    "eq": "is never equal to it",
    "ne": "always differs from it",
    **dict.fromkeys(ORDERINGS, "is neither less nor greater than it"),
}
_FORMS = {
    "date": "2024-12-31",
    "localtime": "23:59:59",
    "time": "23:59:59+01:00",
    "localdatetime": "2024-12-31T23:59:59",
    "datetime": "2024-12-31T23:59:59Z",
    "duration": "P1Y2M3DT4H5M6S",
}
_DATE_PARTS = frozenset(("year", "month", "day", "quarter", "week", "dayOfWeek", "weekYear", "ordinalDay"))


def _title(bindings: Bindings, access: Access) -> str:
    """The property and whose it is: `Person.age`."""
    index, slot = bindings.index, access.owner
    having = (index.node_owners if slot.node else index.edge_owners).get(access.key, 0)
    mask = (slot.mask | slot.beside()) & having
    names = index.node_names(mask) if slot.node else index.edge_names(mask)
    return f"`{access.key}` of {names[0]}" if len(names) == 1 else f"`{access.key}`"


def _a(noun: str) -> str:
    return f"{'an' if noun[0] in 'AEIOU' else 'a'} {noun}"


def _described(constant: Constant) -> str:
    """The constant in a message."""
    if isinstance(constant.value, str):
        return f"the string '{_short(constant.value)}'"
    if isinstance(constant.value, bool):
        return "true" if constant.value else "false"
    if constant.value is not UNKNOWN:
        return str(constant.text if isinstance(constant.node, ir.Literal) else constant.value)
    return _a(constant.kind or "value")


def _described_value(constant: Constant) -> str:
    return f"'{_short(constant.value)}'" if isinstance(constant.value, str) else str(constant.value)


def _text_hint(known: Known) -> str | None:
    if known.kind == "LIST":
        return "any(x IN .. WHERE ..) tests the elements"
    return "toString(..) makes text of it"


def _short(text: str) -> str:
    return text if len(text) <= 40 else text[:39] + "…"


def _listed(values: tuple[object, ...]) -> str:
    shown = ", ".join(_quoted(value) if isinstance(value, str) else str(value) for value in values[:_SHOWN])
    return shown + (f" and {len(values) - _SHOWN} more" if len(values) > _SHOWN else "")


def _quoted(text: object) -> str:
    """The text as a string literal of Cypher."""
    escaped = str(text).replace("\\", "\\\\").replace("'", "\\'").replace("\n", "\\n")
    return f"'{escaped}'"


def _replace(source: Source, constant: Constant, text: str, title: str, *, safe: bool = False) -> Fix | None:
    """The literal replaced, if it stands in the text as a literal."""
    span = constant.span
    if span is None or source.text[span.start : span.start + 1] not in ("'", '"'):
        return None
    return Fix(title, (Edit(span.start, span.end, text),), safe)


def _replace_text(constant: Constant, text: str, title: str, *, safe: bool) -> Fix | None:
    span = constant.span
    return None if span is None else Fix(title, (Edit(span.start, span.end, text),), safe)
