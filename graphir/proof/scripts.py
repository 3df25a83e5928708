"""A disagreement as a Python script that shows it: the graph, the queries, what each engine gave, and an assertion.

The script needs `graphir.connect` and the engines, nothing of this package.  It ends in an AssertionError as long as
they disagree.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any

from graphir import api, ir
from graphir.backends.cypher import print_query
from graphir.backends.engines.constants import constant
from graphir.diagnostics import GraphirError
from graphir.graphs import PropertyGraph
from graphir.proof.answers import Answer
from graphir.proof.descriptions import named
from graphir.proof.disagreements import Disagreement
from graphir.proof.panels import Panel, Speaker
from graphir.proof.questions import Question
from graphir.values.entities import Edge, Node
from graphir.values.json import to_json
from graphir.values.text import text as literal

_WIDTH = 110
_MOST_ROWS = 5
"""Rows of an answer that a comment shows."""

_TAIL = """

results = []
for name, number in ANSWERS:
    query, dialect = QUERIES[number]
    with graphir.connect(name, **OPTIONS.get(name, {})) as engine:
        engine.load(GRAPH)
        try:
            {asking}
        except graphir.RunFault as fault:
            result = None
            print(f"{name}, query {number + 1}: fails: {fault}")
        else:
            count = len(result.rows)
            print(f"{name}, query {number + 1}: {count} row{'s' * (count != 1)}", *map(str, result.rows), sep="\\n    ")
    results.append(result)

for result in results[1:]:
    both_fail = result is results[0] is None
    same = both_fail or rows_equal(results[0], result, STRICTLY)
    assert same, same.reason
"""

_ASKED = "result = reference(engine, query, PARAMETERS, dialect)"
_SPOKEN = """with engine.speaking(SPOKEN[number]) if number in SPOKEN else nullcontext():
                result = reference(engine, query, PARAMETERS, dialect)"""


def script(found: Disagreement, panel: Panel | None = None) -> str:
    """The text of the script.  With the panel it also says in which words each engine is asked.

    Options of engines are left out, but for the address of a server: it is read from the environment (`NEO4J_URI`).
    """
    answers = _telling(found)
    options = _options(answers, panel)
    lists = any(opening.kind == "list" for question in found.questions for opening in question.openings)
    columns = "any" if len(found.questions) > 1 else "position"
    spoken = {at: question.spoken for at, question in enumerate(found.questions) if question.spoken}
    lines = [
        f'"""{_title(found)}"""',
        "",
        *(["import os"] if options else []),
        *(["from contextlib import nullcontext"] if spoken else []),
        *([""] if options or spoken else []),
        "import graphir",
        "from graphir.evaluation import Strict, reference, rows_equal",
        *(["from graphir.values.json import from_json"] if _parameters(found) else []),
        "",
        *_commented(create_statement(found.graph) or "the empty graph"),
        f"GRAPH = {_graph(found.graph)}",
        "QUERIES = [",
        *[line for question in found.questions for line in _question(question, answers, panel)],
        "]",
        f"PARAMETERS = {_parameters(found) or '{}'}",
        f"OPTIONS = {options or '{}'}",
        *([f"SPOKEN = {_source(spoken)}"] if spoken else []),
        "ANSWERS = [",
        *[line for answer in answers for line in _answer(answer)],
        "]",
        f"STRICTLY = Strict(columns={_quoted(columns)}, lists={_quoted('unordered' if lists else 'ordered')})",
    ]
    return "\n".join(lines) + "\n" + _TAIL.replace("{asking}", _SPOKEN if spoken else _ASKED)


def _title(found: Disagreement) -> str:
    verdict = found.verdict
    odd = ", ".join(dict.fromkeys(named(answer, several=len(found.questions) > 1) for answer in verdict.odd))
    names = ", ".join(
        dict.fromkeys(named(answer, several=len(found.questions) > 1) for answer in verdict.answers if answer.counts)
    )
    told = "Some fail where others give rows" if verdict.status == "failing" else "Different rows"
    return f"{told}: {odd} against the others of {names}." if odd else f"{told}: {names}."


def _telling(found: Disagreement) -> list[Answer]:
    """One answer of each group where there are many, else all that count: the largest group first."""
    return [found.verdict.answers[at] for group in found.verdict.groups for at in group]


def _question(question: Question, answers: list[Answer], panel: Panel | None) -> Iterator[str]:
    for name, dialect, text in spellings(question, answers, panel):
        if text.split() != question.text.split():
            yield f"    # to {name}, in {dialect}:"
            yield from (f"    #   {line}" for line in text.splitlines())
    yield f"    ({_quoted(question.text)}, {_quoted(question.dialect)}),"


def spellings(question: Question, answers: list[Answer], panel: Panel | None) -> Iterator[tuple[str, str, str]]:
    """How the engines that speak a dialect are asked: their name, the dialect, the text."""
    for name in dict.fromkeys(answer.engine for answer in answers) if panel else ():
        engine = panel.engine(name) if panel else None
        if not isinstance(engine, Speaker) or not engine.dialects:
            continue
        for dialect in (question.spoken,) if question.spoken else engine.spoken(question.dialect):
            try:
                yield name, dialect, api.translate(question.text, question.dialect, dialect)
            except GraphirError:  # the next of its dialects
                continue
            break


def _answer(answer: Answer) -> Iterator[str]:
    yield f"    ({_quoted(answer.engine)}, {answer.question}),"
    if answer.finding is not None:
        yield f"    #   fails: {answer.finding.code}: {' '.join(answer.finding.message.split())[:_WIDTH]}"
        return
    rows = answer.result.rows if answer.result is not None else []
    for row in rows[:_MOST_ROWS]:
        yield f"    #   {', '.join(map(literal, row))}"
    if len(rows) != 1 and not rows[_MOST_ROWS:]:
        yield f"    #   {len(rows)} rows"
    elif rows[_MOST_ROWS:]:
        yield f"    #   and {len(rows) - _MOST_ROWS} more rows"


def _options(answers: list[Answer], panel: Panel | None) -> str:
    """The options of servers, as source; empty where no engine needs any."""
    told = []
    for name in dict.fromkeys(answer.engine for answer in answers) if panel else ():
        if panel and "uri" in panel.options(name):
            more = ', "keep": False' if panel.options(name).get("keep") is False else ""
            told.append(f'"{name}": {{"uri": os.environ["{name.upper()}_URI"]{more}}}')
    return f"{{{', '.join(told)}}}" if told else ""


def _parameters(found: Disagreement) -> str:
    """The parameters as source, as documents; empty where there are none."""
    values: dict[str, Any] = {}
    for question in found.questions:
        values.update(question.parameters)
    return f"from_json({_source(to_json(values))})" if values else ""


def _quoted(text: str) -> str:
    """A text as source: over several lines as it is, in double quotes where that needs no escape."""
    if "\n" in text and not set(text) & {"\\", '"', "\r"}:
        return f'"""{text}"""'
    plain = json.dumps(text, ensure_ascii=False)
    return plain if "\\" not in plain else repr(text)


def _source(value: Any) -> str:
    """A document as source."""
    match value:
        case str():
            return _quoted(value)
        case list() | tuple():
            return f"[{', '.join(map(_source, value))}]"
        case dict():
            return f"{{{', '.join(f'{_source(key)}: {_source(item)}' for key, item in value.items())}}}"
        case _:
            return repr(value)


def _commented(text: str) -> list[str]:
    return [f"# {line}" for line in text.splitlines()]


def _graph(graph: PropertyGraph) -> str:
    """The document of the graph as source, an element on each line; what is empty is left out."""
    document = graph.to_dict()
    if not graph.nodes:
        return '{"nodes": [], "edges": []}'
    lines = ["{"]
    for kind in ("nodes", "edges"):
        rows = [{key: value for key, value in row.items() if value not in ([], {})} for row in document[kind]]
        lines.append(f'    "{kind}": [' + ("" if rows else "],"))
        lines += [f"        {_source(row)}," for row in rows] + (["    ],"] if rows else [])
    return "\n".join([*lines, "}"])


# ------------------------------------------------------------------ CREATE


def create_statement(graph: PropertyGraph) -> str:
    """The graph as a CREATE statement of Cypher 25, empty for the empty graph.

    >>> create_statement(PropertyGraph.from_dict({"nodes": [{"id": 7, "labels": ["A"]}]}))
    'CREATE (n0:A)'
    """
    if not graph.nodes:
        return ""
    names = {node.id: f"n{at}" for at, node in enumerate(graph.nodes)}
    used = {end for edge in graph.edges for end in (edge.start, edge.end)}
    paths = [ir.Path((_node(node, names),)) for node in graph.nodes if node.id not in used]
    told: set[Any] = set()
    for edge in graph.edges:
        ends = []
        for end in (edge.start, edge.end):
            node = next(node for node in graph.nodes if node.id == end)
            ends.append(ir.NodePattern(names[end]) if end in told else _node(node, names))
            told.add(end)
        paths.append(ir.Path((ends[0], _edge(edge), ends[1])))
    return print_query(ir.Query(ir.Pipeline((ir.Insert(tuple(paths)),))), "neo4j-25")


def _node(node: Node, names: Mapping[Any, str]) -> ir.NodePattern:
    carried = [ir.LabelName(label) for label in node.labels]
    labels = ir.LabelAnd(tuple(carried), legacy=True) if len(carried) > 1 else carried[0] if carried else None
    return ir.NodePattern(names[node.id], labels, _map(node.properties))


def _edge(edge: Edge) -> ir.EdgePattern:
    return ir.EdgePattern(None, ir.LabelName(edge.type), _map(edge.properties))


def _map(properties: Mapping[str, Any]) -> ir.MapOf | None:
    entries = [ir.Entry(key, constant(value)) for key, value in properties.items()]
    return ir.MapOf(tuple(entries)) if entries else None
