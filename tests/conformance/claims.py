"""What is claimed of every query that an engine accepts, checked one by one.

`faults` says which claims fail for a text; the tests compare that with the list of known misses, `triage` groups it.
"""

from __future__ import annotations

import json
import traceback
from collections.abc import Callable, Iterator
from typing import Any, NamedTuple, TypeVar

from graphir.backends.cypher.format import format_text
from graphir.backends.cypher.legalize import legalize
from graphir.backends.cypher.printer import print_query
from graphir.diagnostics import GraphirError
from graphir.grammar.cypher import parse, parse_script
from graphir.grammar.lexical import comments
from graphir.ir import Query, walk
from graphir.ir import json as ir_json
from graphir.ir import text as ir_text
from graphir.passes.conditions import violations
from graphir.passes.normalize import normalize
from graphir.passes.scope import analyze
from graphir.source import Source

T = TypeVar("T")

SYNTAX = ("parse", "spans", "round trip", "format")
FORMS = ("ir text", "ir json")
MEANING = ("scope", "core", "core text", "legal")
ALL = SYNTAX + FORMS + MEANING


class Fault(NamedTuple):
    """A claim that fails, and how; `refused`: by a diagnostic, as is right where the query is invalid."""

    claim: str
    detail: str
    refused: bool = False


class Failed(Exception):
    """A claim is false; the text says how."""


def faults(text: str, dialect: str, chosen: tuple[str, ...] = ALL) -> list[Fault]:
    """The chosen claims that fail for the statements of a text."""
    found: list[Fault] = []
    queries = attempt("parse", found, lambda: parsed(text, dialect))
    if queries is None:
        return found
    source = Source(text)
    if "format" in chosen:
        attempt("format", found, lambda: formats(text, dialect, queries))
    for query in queries:
        for claim in chosen:
            if check := CHECKS.get(claim):
                attempt(claim, found, lambda check=check, query=query: check(query, source, dialect))  # type: ignore[misc]
    return found


def attempt(claim: str, found: list[Fault], action: Callable[[], T]) -> T | None:
    """The result of an action; what it raises becomes a fault."""
    try:
        return action()
    except GraphirError as error:
        found.append(Fault(claim, str(error), refused=True))
    except Failed as error:
        found.append(Fault(claim, str(error)))
    except Exception as error:  # noqa: BLE001 a crash on one query must not hide the others
        frame = traceback.extract_tb(error.__traceback__)[-1]
        place = f"{frame.filename.rpartition('/graphir/')[2]}:{frame.lineno}"
        found.append(Fault(claim, f"CRASH {type(error).__name__}: {str(error)[:200]} ({place})"))
    return None


def parsed(text: str, dialect: str) -> list[Query]:
    """The queries of a text with one statement or several."""
    queries = []
    for statement in parse_script(text, dialect):
        if statement.query is None:
            raise statement.fault or Failed("neither a query nor a fault")
        queries.append(statement.query)
    if len(queries) == 1 and parse(text, dialect) != queries[0]:
        raise Failed("parse and parse_script differ")
    if not queries:
        raise Failed("no statement")
    return queries


def has_spans(query: Query, source: Source, _: str) -> None:
    if query.span is None:
        raise Failed("the query has no span")
    for node in walk(query):
        if node.span and not 0 <= node.span.start <= node.span.end <= len(source.text):
            raise Failed(f"{node.op} has the span {tuple(node.span)}")


def prints(query: Query, _: Source, dialect: str) -> None:
    printed = print_query(query, dialect)
    again = reparsed(printed, dialect)
    if again != query:
        raise Failed(f"{difference(query, again)} in: {printed}")
    if (twice := print_query(again, dialect)) != printed:
        raise Failed(f"printed once: {printed}\nand twice: {twice}")


def reparsed(printed: str, dialect: str) -> Query:
    try:
        return parse(printed, dialect)
    except GraphirError as error:
        raise Failed(f"{error} in: {printed}") from error


def formats(text: str, dialect: str, queries: list[Query]) -> None:
    formatted = format_text(text, dialect)
    if format_text(formatted, dialect) != formatted:
        raise Failed(f"not idempotent: {formatted}\nand then: {format_text(formatted, dialect)}")
    if parsed(formatted, dialect) != queries:
        raise Failed(f"means something else: {formatted}")
    if remarks(formatted, dialect) != remarks(text, dialect):
        raise Failed(f"comments lost or moved: {formatted}")


def remarks(text: str, dialect: str) -> list[str]:
    """The comments of a text, each line stripped."""
    found = (text[start:end] for start, end in comments(text, dialect))
    return ["\n".join(line.strip() for line in remark.strip().splitlines()) for remark in found]


def keeps_text(query: Query, _: Source, __: str) -> None:
    if (again := ir_text.loads(ir_text.dumps(query))) != query:
        raise Failed(difference(query, again))


def keeps_json(query: Query, _: Source, __: str) -> None:
    if (again := ir_json.from_json(json.loads(json.dumps(ir_json.to_json(query))))) != query:
        raise Failed(difference(query, again))


def resolves(query: Query, source: Source, dialect: str) -> None:
    errors = [d for d in analyze(query, source, dialect).diagnostics if d.severity == "error"]
    if errors:
        raise Failed("; ".join(f"{d.code} {d.message}" for d in errors))


def normalizes(query: Query, source: Source, dialect: str) -> None:
    core = normalize(query, source, dialect)
    if broken := violations(core):
        raise Failed("; ".join(broken))
    if (again := normalize(core, source, dialect)) != core:
        raise Failed("core is not a fixed point: " + difference(core, again))


def prints_core(query: Query, source: Source, dialect: str) -> None:
    core = normalize(query, source, dialect)
    reparsed(print_query(legalize(core, dialect, source), dialect), dialect)


def is_sayable(query: Query, source: Source, dialect: str) -> None:
    """What a dialect accepts needs no rewriting for that dialect, but for the names of columns."""
    again = legalize(query, dialect, source)
    if legalize(again, dialect, source) != again:
        raise Failed("legalization is not idempotent: " + difference(again, legalize(again, dialect, source)))
    if (once := print_query(again, dialect)) != (twice := print_query(reparsed(once, dialect), dialect)):
        raise Failed(f"printed once: {once}\nand twice: {twice}")


CHECKS: dict[str, Callable[[Query, Source, str], None]] = {
    "spans": has_spans,
    "round trip": prints,
    "ir text": keeps_text,
    "ir json": keeps_json,
    "scope": resolves,
    "core": normalizes,
    "core text": prints_core,
    "legal": is_sayable,
}


def difference(a: Any, b: Any) -> str:
    """Where two nodes first differ."""
    return next(differences(a, b, "query"), "no difference")


def differences(a: Any, b: Any, place: str) -> Iterator[str]:
    pending = [(a, b, place)]
    while pending:
        a, b, place = pending.pop()
        if a == b and type(a) is type(b):
            continue
        if type(a) is not type(b):
            yield f"{place}: {shown(a)} became {shown(b)}"
        elif isinstance(a, tuple):
            if len(a) != len(b):
                yield f"{place}: {len(a)} items became {len(b)}"
            pending.extend((x, y, f"{place}[{i}]") for i, (x, y) in reversed(list(enumerate(zip(a, b, strict=False)))))
        elif hasattr(a, "fields_"):
            pending.extend((getattr(a, f), getattr(b, f), f"{place}.{f}") for f in reversed(a.fields_))
        else:
            yield f"{place}: {a!r} became {b!r}"


def shown(value: Any) -> str:
    return getattr(value, "op", "") or repr(value)[:60]
