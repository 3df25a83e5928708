"""The commands as tasks on one query: text and options in, diagnostics and new columns out.  None of them raises.

Those that need the row, or something made of the options, are classes.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from typing import Any

from graphir import api
from graphir.corpora.schemas import Schemas
from graphir.corpora.work import Outcome
from graphir.diagnostics import Diagnostic, GraphirError
from graphir.dialects import DIALECTS
from graphir.functions import FUNCTIONS
from graphir.grammar.readers import lexer
from graphir.ir import Apply, Query, walk
from graphir.ir.json import to_json
from graphir.ir.text import dumps
from graphir.profiles import BLANK
from graphir.reports.tree import outline
from graphir.settings import profile_of

Options = Mapping[str, Any]


def parse(text: str, options: Options) -> Outcome:
    """Whether it parses; its tokens or the tree of what was read, if asked for."""
    columns: dict[str, Any] = {}
    if options["show"] == "tokens":
        tokens = lexer(options["dialect"]).scan(text)
        columns["tokens"] = [[token.start, token.end, token.kind, token.value] for token in tokens]
    try:
        query = api.parse(text, options["dialect"])
    except GraphirError as error:
        return Outcome(error.diagnostics, columns)
    if options["show"] == "tree":
        columns["tree"] = outline(query)
    return Outcome([], columns, _constructs([query], options))


def show_ir(text: str, options: Options) -> Outcome:
    """The IR, as written or in core form, as S-expressions or as JSON."""
    constructs: Collection[str] = ()
    try:
        query = api.parse(text, options["dialect"])
        constructs = _constructs([query], options)
        if options["core"]:
            query = api.to_core(query, text, options["dialect"])
    except GraphirError as error:
        return Outcome(error.diagnostics, {}, constructs)
    return Outcome([], {"ir": to_json(query) if options["json"] else dumps(query)}, constructs)


def layout(text: str, options: Options) -> Outcome:
    """The text in standard layout."""
    try:
        formatted = api.format(text, options["dialect"])
    except GraphirError as error:
        return Outcome(error.diagnostics)
    queries = [s.query for s in api.parse_script(text, options["dialect"])] if options.get("constructs") else []
    return Outcome([], {"formatted": formatted}, _constructs([q for q in queries if q is not None], options))


class _Judged:
    """What needs a profile and the schema of its row."""

    def __init__(self, options: Options) -> None:
        self._options = options
        self._profile = profile_of(options["profile"], BLANK)
        self._schemas = Schemas(options)


class Check(_Judged):
    """What is wrong with it, by a profile and the schema of its row."""

    def __call__(self, text: str, row: Mapping[str, Any]) -> Outcome:
        schema, faults = self._schemas.of(row)
        if faults:
            return Outcome(faults)
        queries, diagnostics = api.examine(text, self._options["dialect"], schema, self._profile)
        return Outcome(diagnostics, {}, _constructs(queries, self._options))


class Repair(_Judged):
    """The text with its fixes, and the findings that were fixed."""

    def __call__(self, text: str, row: Mapping[str, Any]) -> Outcome:
        schema, faults = self._schemas.of(row)
        if faults:
            return Outcome(faults)
        dialect, unsafe = self._options["dialect"], self._options["unsafe"]
        try:
            done = api.repair(text, dialect=dialect, schema=schema, unsafe=unsafe, profile=self._profile)
        except GraphirError as error:
            return Outcome(error.diagnostics)
        applied = [found.to_json() for found in done.applied]
        columns = {"repaired": done.text, "applied": applied}
        return Outcome(list(done.remaining), columns, (), [found.code for found in done.applied])


class Translate:
    """The text in another dialect."""

    def __init__(self, options: Options) -> None:
        self._options = options
        self._schemas = Schemas(options)

    def __call__(self, text: str, row: Mapping[str, Any]) -> Outcome:
        options = self._options
        schema, faults = self._schemas.of(row)
        if faults:
            return Outcome(faults)
        constructs: Collection[str] = ()
        notes: list[Diagnostic] = []
        read, write = DIALECTS[options["from"]], DIALECTS[options["to"]]
        try:
            query = api.parse(text, read.name)
            constructs = _constructs([query], options)
            chosen = {name: options[name] for name in ("lossy", "elements", "max_hops") if name in options}
            translation = api.emit(query, text, read, write, schema, **chosen, notes=notes)
        except GraphirError as error:
            return Outcome(error.diagnostics, {}, constructs)
        return Outcome(notes, {"translation": translation}, constructs)


def _constructs(queries: Iterable[Query], options: Options) -> Collection[str]:
    """What the queries use: nodes of the IR, features in which dialects differ, and functions, by name."""
    if not options.get("constructs"):
        return ()
    from graphir.backends.cypher.features import CLASS_FEATURES

    found: set[str] = set()
    for query in queries:
        for node in walk(query):
            found.add(node.op)
            found.update(feature.name for feature in CLASS_FEATURES.get(type(node), ()) if feature.holds(node))
            if isinstance(node, Apply) and not _is_operator(node.function):
                found.add(f"{node.function}()")
    return found


def _is_operator(function: str) -> bool:
    known = FUNCTIONS.get(function)
    return known is not None and known.operator
