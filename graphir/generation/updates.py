"""Queries that write, and then ask what is there: CREATE, MERGE, SET, REMOVE, DELETE, FOREACH.

The order in which rows write is not determined, so what is written does not depend on it: rows are distinct, a value is
made of constants and of the element that is written to, and deleting comes last.  The answer is read behind
`WITH count(*)`, which has one row whatever was written.
"""

from __future__ import annotations

from collections.abc import Callable

from graphir.generation.clauses import match
from graphir.generation.constructs import declare
from graphir.generation.dice import Weighted
from graphir.generation.expressions import constant_value, expression
from graphir.generation.kinds import MIXED, VALUES, literal, spelled
from graphir.generation.scope import Variable
from graphir.generation.vocabulary import EdgeShape, NodeShape, Properties, Property
from graphir.generation.writer import Writer

declare(
    "update",
    *("CREATE", "MERGE", "SET", "SET of a map", "SET of a label", "REMOVE", "DELETE", "DETACH DELETE", "FOREACH"),
    *("ON CREATE SET", "ON MATCH SET", "CREATE of an edge", "MERGE of an edge"),
)


def update(w: Writer) -> str:
    """A whole query that writes."""
    texts = []
    if w.vocabulary.nodes and (w.world is None or w.world.nodes) and w.dice.chance(0.8):
        texts += _rows(w)
    for _ in w.dice.repeats(1, 3, 0.4):
        texts.append(_written(w))
    if w.of("node", "edge") and w.plan.share("DELETE", 1) and w.dice.chance(0.25):
        texts.append(_delete(w))
    return " ".join([*[text for text in texts if text], _answer(w)])


def _rows(w: Writer) -> list[str]:
    """Distinct rows of nodes and edges to write to."""
    text = match(w)
    found = w.of("node", "edge")
    if not found:
        return [text]
    kept = w.dice.shuffled(found)[: w.dice.pick((1, 1, 2))]
    w.scope = {variable.text: variable for variable in kept}
    w.use("WITH", "DISTINCT")
    return [text, f"WITH DISTINCT {', '.join(w.scope)}"]


def _written(w: Writer) -> str:
    options: Weighted[Callable[[Writer], str]] = Weighted(
        (write, weight * w.plan.share(name, 1)) for name, weight, write, fits in _WRITES if fits(w)
    )
    return w.dice.weighted(options)(w) if options else ""


# ------------------------------------------------------------------ values


def _stored(w: Writer, kind: str) -> str:
    """A constant that a property can hold."""
    kind = w.dice.pick(MIXED) if kind == "any" else kind
    value = w.dice.pick(VALUES[kind])
    return w.parameter(value).text if w.dice.chance(0.1) else literal(value)


def _value(w: Writer, of: Variable, key: Property) -> str:
    """A value for a property that is made of constants and of its element alone."""
    if key.kind not in ("int", "str", "bool", "float", "date") or w.dice.chance(0.4):
        return "null" if w.dice.chance(0.1) else _stored(w, key.kind)
    kept, w.scope = w.scope, {of.text: of}
    w.nested += 2
    with w.free():
        text = expression(w, key.kind, 1).text
    w.nested -= 2
    w.scope = kept
    return text


def _writable(properties: Properties, w: Writer) -> list[Property]:
    """Those that no key is made of."""
    keys = (w.vocabulary.node_key, w.vocabulary.edge_key)
    return [each for each in properties if each.name not in keys]


def _map(w: Writer, properties: Properties, share: float = 0.4) -> str:
    chosen = w.dice.some(_writable(properties, w), share)
    parts = [f"{spelled(each.name)}: {_stored(w, each.kind)}" for each in chosen]
    return f" {{{', '.join(parts)}}}" if parts else ""


def _new_node(w: Writer, name: str = "") -> str:
    shape = w.dice.pick(w.vocabulary.nodes or (NodeShape(("A",)),))
    labels = "".join(f":{spelled(label)}" for label in shape.labels)
    return f"({name}{labels}{_map(w, shape.properties)})".replace("( {", "({")


def _new_edge(w: Writer) -> str:
    shape = w.dice.pick(w.vocabulary.edges or (EdgeShape("R"),))
    return f"[:{spelled(shape.type)}{_map(w, shape.properties)}]"


# ------------------------------------------------------------------ clauses


def _create(w: Writer) -> str:
    w.use("CREATE")
    return f"CREATE {_new_node(w)}"


def _create_edge(w: Writer) -> str:
    w.use("CREATE", "CREATE of an edge")
    first = w.dice.pick(w.of("node")).text
    other = f"({w.dice.pick(w.of('node')).text})" if w.dice.chance(0.5) else _new_node(w)
    edge = _new_edge(w)
    return f"CREATE ({first})-{edge}->{other}" if w.dice.chance(0.7) else f"CREATE {other}-{edge}->({first})"


def _merge(w: Writer) -> str:
    """MERGE of a node by constants; what it then sets counts how often it was met."""
    w.use("MERGE")
    shape = w.dice.pick([shape for shape in w.vocabulary.nodes if shape.labels])
    label = spelled(w.dice.pick(shape.labels))
    usable = [each for each in _writable(shape.properties, w) if each.kind in ("int", "str", "bool", "date")]
    key = w.dice.pick(usable) if usable else None
    inner = f" {{{spelled(key.name)}: {literal(w.dice.pick(VALUES[key.kind]))}}}" if key else ""
    name = w.name("m")
    text = f"MERGE ({name}:{label}{inner})"
    if w.allows("ON CREATE SET", 0.4):
        text += f" ON CREATE SET {name}.made = {w.dice.pick((1, 2))}"
    if w.allows("ON MATCH SET", 0.4):
        text += f" ON MATCH SET {name}.met = coalesce({name}.met, 0) + 1"
    return text


def _merge_edge(w: Writer) -> str:
    w.use("MERGE", "MERGE of an edge")
    nodes = w.of("node")
    a, b = w.dice.pick(nodes).text, w.dice.pick(nodes).text
    shape = w.dice.pick(w.vocabulary.edges)
    name = w.name("m")
    text = f"MERGE ({a})-[{name}:{spelled(shape.type)}]->({b})"
    if w.allows("ON CREATE SET", 0.3):
        text += f" ON CREATE SET {name}.made = 1"
    return text


def _set(w: Writer) -> str:
    w.use("SET")
    of = w.dice.pick([variable for variable in w.of("node", "edge") if _writable(variable.properties, w)])
    items = []
    for _ in w.dice.repeats(1, 2, 0.3):
        key = w.dice.pick(_writable(of.properties, w))
        items.append(f"{of.text}.{spelled(key.name)} = {_value(w, of, key)}")
    return f"SET {', '.join(items)}"


def _set_map(w: Writer) -> str:
    w.use("SET", "SET of a map")
    of = w.dice.pick(w.of("node", "edge"))
    sign = w.dice.pick(("+=", "="))
    return f"SET {of.text} {sign} {_map(w, of.properties, 0.6).strip() or '{}'}"


def _set_label(w: Writer) -> str:
    w.use("SET", "SET of a label")
    return f"SET {w.dice.pick(w.of('node')).text}:{spelled(w.dice.pick((*w.vocabulary.labels, 'New')))}"


def _remove(w: Writer) -> str:
    w.use("REMOVE")
    if w.vocabulary.labels and w.of("node") and w.dice.chance(0.5):
        return f"REMOVE {w.dice.pick(w.of('node')).text}:{spelled(w.dice.pick(w.vocabulary.labels))}"
    of = w.dice.pick([variable for variable in w.of("node", "edge") if _writable(variable.properties, w)])
    return f"REMOVE {of.text}.{spelled(w.dice.pick(_writable(of.properties, w)).name)}"


def _foreach(w: Writer) -> str:
    w.use("FOREACH")
    values = literal([constant_value(w, "int") for _ in w.dice.repeats(0, 3, 0.7)])
    name = w.name("z")
    shape = w.dice.pick(w.vocabulary.nodes or (NodeShape(("A",)),))
    labels = "".join(f":{spelled(label)}" for label in shape.labels)
    inner = f"CREATE ({labels} {{made: {name}}})".replace("( {", "({")
    owners = w.of("node")
    if owners and w.dice.chance(0.4):
        owner = w.dice.pick(owners).text
        inner = f"SET {owner}.made = coalesce({owner}.made, 0) + coalesce({name}, 1)"
    return f"FOREACH ({name} IN {values} | {inner})"


def _delete(w: Writer) -> str:
    gone = w.dice.pick(w.of("node", "edge"))
    word = "DELETE" if gone.kind == "edge" else "DETACH DELETE"
    w.use(word)
    return f"{word} {gone.text}"


# ------------------------------------------------------------------ the answer


def _answer(w: Writer) -> str:
    """What is there now."""
    count = w.name("c")
    shown = [spelled(each.name) for each in w.dice.shuffled(w.vocabulary.properties)[:3]]
    text = f"WITH count(*) AS {count} OPTIONAL MATCH "
    columns: list[str]
    match w.dice.below(4):
        case 0:
            text += "(m)"
            columns = [f"m.{key}" for key in (*shown, "made", "met")] + ["size(labels(m))"]
        case 1:
            text += "(m)-[r]->(k)"
            keys = [spelled(each.name) for shape in w.vocabulary.edges for each in shape.properties][:2]
            columns = ["type(r)", "size(labels(m))", *[f"{end}.{key}" for key in shown[:1] for end in "mk"]]
            columns += [f"r.{key}" for key in dict.fromkeys(keys)] + ["r.made"]
        case 2:
            label = f":{spelled(w.dice.pick(w.vocabulary.labels))}" if w.vocabulary.labels else ""
            text += f"(m{label})"
            columns = ["count(m)", "count(m.made)", *[f"count(DISTINCT m.{key})" for key in shown]]
        case _:
            text += "(m)"  # not the node itself: an engine gives new ones ids of its own
            columns = ["properties(m)", "size(labels(m))"]
    return f"{text} RETURN {', '.join([count, *[f'{column} AS x{at}' for at, column in enumerate(columns)]])}"


def _has_writable(w: Writer) -> bool:
    return any(_writable(variable.properties, w) for variable in w.of("node", "edge"))


_WRITES: tuple[tuple[str, float, Callable[[Writer], str], Callable[[Writer], bool]], ...] = (
    ("CREATE", 1.5, _create, lambda w: True),
    ("SET", 3, _set, _has_writable),
    ("CREATE of an edge", 2, _create_edge, lambda w: bool(w.of("node"))),
    ("MERGE", 1.5, _merge, lambda w: any(shape.labels for shape in w.vocabulary.nodes)),
    ("MERGE of an edge", 1.5, _merge_edge, lambda w: bool(w.of("node") and w.vocabulary.edges)),
    ("SET of a map", 1.5, _set_map, lambda w: bool(w.of("node", "edge"))),
    ("SET of a label", 1, _set_label, lambda w: bool(w.of("node"))),
    ("REMOVE", 1.5, _remove, _has_writable),
    ("FOREACH", 1, _foreach, lambda w: w.has("neo4j-5")),
)
"""Construct, weight, writer, and where it can stand."""
