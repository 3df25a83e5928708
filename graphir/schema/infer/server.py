"""The schema of the graph in a running Neo4j, by plain MATCH queries and SHOW CONSTRAINTS: nothing is installed there.

Nodes are taken by their whole sets of labels.  Everything is read in transactions that read only.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from graphir.quoting import ticked
from graphir.schema.infer.faults import unreadable
from graphir.schema.infer.statistics import CATEGORIES, EXAMPLES, ORDERED, is_closed, one_type, plain
from graphir.schema.model import CLOSED, Coverage, DataType, EdgeType, Labels, NodeType, PropertyType, Schema, labels

if TYPE_CHECKING:
    from collections.abc import Iterator

    from neo4j import Driver, ManagedTransaction

_LABELS = "CALL db.labels() YIELD label RETURN label ORDER BY label"
_TYPES = "CALL db.relationshipTypes() YIELD relationshipType RETURN relationshipType ORDER BY relationshipType"
_SETS = "MATCH (n) WITH labels(n) AS found, count(*) AS rows RETURN found, rows"
_SOME_SETS = "MATCH (n:{name}) WITH n LIMIT $sample WITH labels(n) AS found, count(*) AS rows RETURN found, rows"
_TRIPLES = (
    "MATCH (a)-[r:{name}]->(b) WITH r, a, b LIMIT $sample "
    "WITH labels(a) AS source, labels(b) AS target, count(*) AS rows RETURN source, target, rows"
)
_NODE = "MATCH (x{of}) WHERE size(labels(x)) = $size WITH x LIMIT $sample"
_EDGE = (
    "MATCH (a{source})-[x:{name}]->(b{target}) WHERE size(labels(a)) = $sizes[0] AND size(labels(b)) = $sizes[1] "
    "WITH x LIMIT $sample"
)
_KEYS = " UNWIND keys(x) AS key RETURN DISTINCT key ORDER BY key"
_PROPERTY = (
    " WITH x.{key} AS value WITH count(*) AS rows, count(value) AS present, count(DISTINCT value) AS different, "
    "collect(DISTINCT valueType(value)) AS types, collect(DISTINCT value)[..{limit}] AS values, "
    "min(value) AS least, max(value) AS greatest RETURN *"
)
_ALL = 2**62


def infer(
    source: str | Driver, database: str | None, sample: int | None, auth: tuple[str, str] | None = None
) -> Schema:
    """See `graphir.schema.infer.from_neo4j`."""
    try:
        import neo4j
    except ImportError:
        raise unreadable("a live Neo4j needs the package neo4j: pip install graphir[neo4j]") from None
    if sample is not None and sample < 1:
        raise unreadable(f"a sample of {sample} shows nothing; it is at least 1")
    with (
        faults(neo4j),
        connected(source, auth) as driver,
        driver.session(database=database, default_access_mode=neo4j.READ_ACCESS) as session,
    ):
        return Inference(lambda query, given: session.execute_read(_run, query, given), sample).schema()


def _run(work: ManagedTransaction, query: str, parameters: dict[str, Any]) -> list[dict[str, Any]]:
    return work.run(query, parameters).data()  # pyright: ignore[reportArgumentType]


@contextmanager
def connected(source: str | Driver, auth: tuple[str, str] | None) -> Iterator[Driver]:
    """The driver; one that is made here is closed here."""
    from neo4j import GraphDatabase

    if not isinstance(source, str):
        yield source
        return
    with GraphDatabase.driver(source, auth=auth) as driver:
        driver.verify_connectivity()  # without it, a server that is not there is asked again for half a minute
        yield driver


@contextmanager
def faults(neo4j: Any) -> Iterator[None]:
    """What the driver raises is a UsageFault (G082); `neo4j` is the package."""
    try:
        yield
    except (neo4j.exceptions.Neo4jError, neo4j.exceptions.DriverError, ValueError) as fault:
        raise unreadable(f"the Neo4j cannot be read: {fault}") from None


def _pattern(names: Labels) -> str:
    return "".join(f":{ticked(name)}" for name in names)


@dataclass(frozen=True, slots=True)
class Constraint:
    """A constraint as Neo4j lists it: its kind, the labels or the type it is on, the properties."""

    kind: str
    names: frozenset[str]
    properties: tuple[str, ...]


class Inference:
    """One database; `run` gives the rows of a query with parameters."""

    def __init__(self, run: Callable[[str, dict[str, Any]], list[dict[str, Any]]], sample: int | None) -> None:
        self.run = run
        self.sample = sample
        self.counts: dict[Labels, int] = {}
        self.guesses: dict[str, None] = {}

    def rows(self, query: str, **parameters: Any) -> list[dict[str, Any]]:
        return self.run(query, {**parameters, "sample": self.sample or _ALL})

    def schema(self) -> Schema:
        constraints = list(self._constraints())
        nodes = [self._node(of, constraints) for of in self._sets()]
        edges = [edge for name in self._types() for edge in self._edges(name, constraints)]
        self.guesses["a property that takes few texts, many times each, is taken to take no other"] = None
        return Schema(tuple(nodes), tuple(edges), self._coverage(), guesses=tuple(self.guesses))

    def _coverage(self) -> Coverage:
        """Labels and types are complete, the rest only if all of it was looked at."""
        if self.sample is None:
            return CLOSED
        self.guesses[f"{self.sample} nodes of each label and {self.sample} edges of each type were looked at"] = None
        return Coverage(endpoints=False, properties=False, combinations=False)

    def _constraints(self) -> Iterable[Constraint]:
        for row in self.rows("SHOW CONSTRAINTS YIELD type, labelsOrTypes, properties"):
            yield Constraint(row["type"], frozenset(row["labelsOrTypes"]), tuple(row["properties"]))

    def _types(self) -> list[str]:
        return [row["relationshipType"] for row in self.rows(_TYPES)]

    def _sets(self) -> list[Labels]:
        """The sets of labels that nodes have, and labels that no node has (any more) but that the database knows."""
        queries = [_SETS]
        known = [row["label"] for row in self.rows(_LABELS)]
        if self.sample is not None:
            queries = [_SOME_SETS.replace("{name}", ticked(label)) for label in known]
        for query in queries:
            for row in self.rows(query):
                of = labels(*row["found"])
                self.counts[of] = max(self.counts.get(of, 0), row["rows"])
        seen = {label for of in self.counts for label in of}
        return [*sorted(self.counts), *(labels(label) for label in known if label not in seen)]

    def _node(self, of: Labels, constraints: Sequence[Constraint]) -> NodeType:
        if of not in self.counts:
            return NodeType(of, (), count=0)
        matched = _NODE.replace("{of}", _pattern(of))
        found = self._properties(matched, {"size": len(of)}, ":".join(of))
        ours = [one for one in constraints if one.kind.startswith(("NODE", "UNIQUENESS")) and one.names & {*of}]
        properties, key = _constrained(found, ours)
        return NodeType(of, properties, key, count=None if self.sample else self.counts[of])

    def _edges(self, name: str, constraints: Sequence[Constraint]) -> Iterable[EdgeType]:
        ours = [one for one in constraints if one.kind.startswith("RELATIONSHIP") and name in one.names]
        triples = self.rows(_TRIPLES.replace("{name}", ticked(name)))
        if not triples:
            yield EdgeType(name, None, None, (), count=0)
        for row in triples:
            source, target = labels(*row["source"]), labels(*row["target"])
            matched = _EDGE.replace("{source}", _pattern(source)).replace("{target}", _pattern(target))
            sizes = {"sizes": [len(source), len(target)]}
            found = self._properties(matched.replace("{name}", ticked(name)), sizes, name)
            properties, key = _constrained(found, ours)
            edge = EdgeType(name, source, target, properties, key)
            if self.sample is None:
                count = row["rows"]
                degrees = count / self.counts[source], count / self.counts[target]
                edge = replace(edge, count=count, degrees=degrees)
            yield edge

    def _properties(self, matched: str, sizes: Mapping[str, Any], owner: str) -> list[PropertyType]:
        limit = max(CATEGORIES, EXAMPLES)
        query = _PROPERTY.replace("{limit}", str(limit))
        keys = [row["key"] for row in self.rows(matched + _KEYS, **sizes)]
        return [
            self._property(key, self.rows(matched + query.replace("{key}", ticked(key)), **sizes)[0], owner)
            for key in keys
        ]

    def _property(self, name: str, row: Mapping[str, Any], owner: str) -> PropertyType:
        type = self._type([word for word in row["types"] if word != "NULL"], f"{owner}.{name}")
        closed = is_closed(type, row["different"], row["present"])
        values = tuple(_plain(value) for value in row["values"])
        ordered = type is not None and type.name in ORDERED
        simple = type is not None and type.name not in ("LIST", "BOOLEAN", "POINT", "VECTOR")
        whole = self.sample is None
        return PropertyType(
            name,
            type,
            nullable=row["present"] < row["rows"] or (None if not whole else False),
            values=tuple(sorted(values)) if closed and whole else None,
            examples=values[:EXAMPLES] if simple and not (closed and whole) else (),
            minimum=_plain(row["least"]) if ordered and whole else None,
            maximum=_plain(row["greatest"]) if ordered and whole else None,
            distinct=row["different"] if whole else None,
        )

    def _type(self, words: Sequence[str], of: str) -> DataType | None:
        type, several = one_type(words)
        if several:
            self.guesses[f"{of} has values of several types, {', '.join(sorted(words))}: its type is unknown"] = None
        return type


def _constrained(
    found: Sequence[PropertyType], constraints: Sequence[Constraint]
) -> tuple[tuple[PropertyType, ...], tuple[str, ...]]:
    """The properties with what constraints say of them, and the key."""
    by_name = {one.name: one for one in found}
    key: tuple[str, ...] = ()
    for one in constraints:
        if "KEY" in one.kind:
            key = key or one.properties
        for name in one.properties:
            if name not in by_name:
                continue
            if len(one.properties) == 1 and ("UNIQUENESS" in one.kind or "KEY" in one.kind):
                by_name[name] = replace(by_name[name], unique=True)
            if "EXISTENCE" in one.kind or "KEY" in one.kind:
                by_name[name] = replace(by_name[name], nullable=False)
    return tuple(by_name.values()), tuple(name for name in key if name in by_name)


def _plain(value: Any) -> Any:
    """A value of the driver; its temporal values as text, without the zeros at the end of the seconds."""
    iso = getattr(value, "iso_format", None)
    if iso is None:
        return plain(value)
    whole, dot, rest = iso().partition(".")
    digits = len(rest) - len(rest.lstrip("0123456789"))
    fraction = rest[:digits].rstrip("0")
    return whole + (dot + fraction if fraction else "") + rest[digits:]
