"""What functions and operators take and give, read off `functions.tsv`, and which signature a call has.

`functions.tsv` has a row per function: its name (those of operators begin with `$`); scalar, aggregate or analytic; the
profile that has it (spanner, or full: only GoogleSQL with every feature); its signatures, `(argument,..)result`, with
`;` between them.  An argument is a type; `T1` stands for one type throughout a signature, ANY for each; NODE, EDGE,
ELEMENT, PATH and LAMBDA speak for themselves; `name=>` gives the name it may be passed by; `?` is optional and `*`
repeated.  `~` is in front of signatures that Spanner's emulator does not have.
Source of the rows: the built-in functions that ZetaSQL 2025.11.2 lists.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib import resources

from graphir.passes.google.coercion import Typed, coerces, supertype
from graphir.passes.google.types import ELEMENTS, UNKNOWN, Type, array_of, named, struct_of


@dataclass(frozen=True, slots=True)
class Argument:
    """`count` is one, optional or repeated."""

    type: str
    name: str = ""
    count: str = "one"


@dataclass(frozen=True, slots=True)
class Signature:
    arguments: tuple[Argument, ...]
    result: str


@dataclass(frozen=True, slots=True)
class Function:
    """`mode` is scalar, aggregate or analytic; `profile` is spanner or full."""

    name: str
    mode: str
    profile: str
    signatures: tuple[Signature, ...]


@cache
def functions(*, emulated: bool = False) -> Mapping[str, Function]:
    """Every built-in function by its name in upper case, path by path, and the operators; `emulated`: those alone that
    Spanner's emulator has."""
    text = resources.files("graphir").joinpath("passes", "google", "functions.tsv").read_text(encoding="utf-8")
    found = {}
    for line in text.splitlines():
        name, mode, profile, signatures = line.split("\t")
        if emulated and profile == "full":
            continue
        listed = [each for each in signatures.split(";") if each and not (emulated and each[0] == "~")]
        found[name] = Function(name, mode, profile, tuple([_signature(each.removeprefix("~")) for each in listed]))
    return found


def _signature(text: str) -> Signature:
    arguments, _, result = text[1:].rpartition(")")
    return Signature(tuple([_argument(each) for each in split(arguments)]), result)


def split(text: str) -> list[str]:
    """The parts of a list with commas that are in no angle brackets."""
    parts: list[str] = []
    depth = start = 0
    for at, character in enumerate(text):
        depth += (character == "<") - (character == ">" and text[at - 1] != "=")
        if character == "," and not depth:
            parts.append(text[start:at])
            start = at + 1
    return [*parts, text[start:]] if text else []


def _argument(text: str) -> Argument:
    name, arrow, rest = text.partition("=>")
    spelled = rest if arrow else text
    count = {"?": "optional", "*": "repeated"}.get(spelled[-1], "one")
    return Argument(spelled.rstrip("?*"), name if arrow else "", count)


# ------------------------------------------------------------------ types in signatures


@cache
def read_type(text: str) -> Type:
    """The type that a signature writes; those that have no counterpart are unknown."""
    if text.startswith("ARRAY<"):
        return array_of(read_type(text[6:-1]))
    if text.startswith("STRUCT<"):
        return struct_of(
            *[(name, read_type(of)) for name, _, of in (each.rpartition(" ") for each in split(text[7:-1]))]
        )
    if text.startswith("RANGE<"):
        return Type("RANGE", read_type(text[6:-1]))
    if text.startswith("ENUM"):
        return named("ENUM")
    return named(text) if text in _KINDS else UNKNOWN


_KINDS_TEXT = """
    BOOL INT32 INT64 UINT32 UINT64 FLOAT DOUBLE NUMERIC BIGNUMERIC STRING BYTES DATE TIMESTAMP DATETIME TIME INTERVAL
    JSON UUID GEOGRAPHY TOKENLIST
"""
_KINDS = frozenset(_KINDS_TEXT.split())


# ------------------------------------------------------------------ matching


@dataclass(frozen=True, slots=True)
class Passed:
    """An argument of a call: its type, the name it is passed by, whether it is a lambda or a bare word."""

    typed: Typed
    name: str = ""
    form: str = "value"


def resolve(function: Function, given: Sequence[Passed], *, elements: bool) -> Type | None:
    """The type of the result under the first signature that takes these arguments; None where none does.

    `elements` says whether nodes and edges may be values of functions that are not about graphs.
    """
    results = [found for each in function.signatures if (found := _apply(each, given, elements)) is not None]
    if not results:
        return None
    unsure = any(each.typed.type.kind == "UNKNOWN" or each.typed.constant == "null" for each in given)
    return UNKNOWN if unsure and len(set(results)) > 1 else results[0]


def _apply(signature: Signature, given: Sequence[Passed], elements: bool) -> Type | None:
    pairs = _paired(signature, given)
    if pairs is None:
        return None
    bound: dict[str, list[Typed]] = {}
    for argument, passed in pairs:
        if not _takes(argument.type, passed, bound, elements):
            return None
    chosen: dict[str, Type] = {}
    for variable, members in bound.items():
        common = supertype(members)
        if common is None or (common.kind in ELEMENTS and not elements):
            return None
        chosen[variable] = common
    return _result(signature.result, chosen)


def _paired(signature: Signature, given: Sequence[Passed]) -> list[tuple[Argument, Passed]] | None:
    """Which argument of a signature each of a call is; None where their numbers do not fit."""
    pairs: list[tuple[Argument, Passed]] = []
    arguments = list(signature.arguments)
    positional = [each for each in given if not each.name]
    for passed in (each for each in given if each.name):
        argument = next((each for each in arguments if each.name == passed.name.lower()), None)
        if argument is None:
            return None
        arguments.remove(argument)
        pairs.append((argument, passed))
    repeated = [each for each in arguments if each.count == "repeated"]
    return _by_place(arguments, positional, repeated, pairs)


def _by_place(
    arguments: list[Argument],
    positional: list[Passed],
    repeated: list[Argument],
    pairs: list[tuple[Argument, Passed]],
) -> list[tuple[Argument, Passed]] | None:
    if not repeated:
        required = sum(each.count == "one" for each in arguments)
        if not required <= len(positional) <= len(arguments):
            return None
        return [*pairs, *zip(arguments, positional, strict=False)]
    first = arguments.index(repeated[0])
    head = arguments[:first]
    tail = [each for each in arguments[first + len(repeated) :] if each.count == "one"]
    middle = positional[first : len(positional) - len(tail)]
    if len(positional) < len(head) + len(tail) or len(middle) % len(repeated):
        return None
    cycled = [(repeated[at % len(repeated)], each) for at, each in enumerate(middle)]
    ends = zip(tail, positional[len(positional) - len(tail) :], strict=True) if tail else ()
    return [*pairs, *zip(head, positional, strict=False), *cycled, *ends]


_GRAPH = {"NODE": ("GRAPH_NODE",), "EDGE": ("GRAPH_EDGE",), "ELEMENT": tuple(ELEMENTS), "PATH": ("GRAPH_PATH",)}


def _takes(wanted: str, passed: Passed, bound: dict[str, list[Typed]], elements: bool) -> bool:
    given = passed.typed
    if passed.form == "lambda":
        return wanted == "LAMBDA"
    if passed.form == "word":
        return wanted.startswith("ENUM")
    if wanted == "LAMBDA":
        return False
    if wanted in _GRAPH:
        return given.type.kind in _GRAPH[wanted] or (given.type.kind == "UNKNOWN" and given.constant != "null")
    if wanted.startswith("T") and wanted[1:].isdigit():
        bound.setdefault(wanted, []).append(given)
        return True
    if wanted.startswith("ARRAY<T"):
        return _takes_array(wanted[6:-1], given, bound)
    if wanted == "ANY":
        return elements or given.type.kind not in ELEMENTS
    expected = read_type(wanted)
    return expected.kind == "UNKNOWN" or coerces(given, expected)


def _takes_array(variable: str, given: Typed, bound: dict[str, list[Typed]]) -> bool:
    kind = given.type.kind
    if given.constant == "null" or kind == "UNKNOWN":
        return True
    if kind != "ARRAY":
        return False
    element = given.type.element or UNKNOWN
    bound.setdefault(variable, []).append(Typed(element, "literal" if given.constant == "literal" else ""))
    return True


def _result(text: str, chosen: Mapping[str, Type]) -> Type:
    if text.startswith("T") and text[1:].isdigit():
        return chosen.get(text, UNKNOWN)
    if text.startswith("ARRAY<T") and text[7:-1].isdigit():
        element = chosen.get(text[6:-1], UNKNOWN)
        return array_of(element) if element.kind != "UNKNOWN" else UNKNOWN
    return read_type(text)
