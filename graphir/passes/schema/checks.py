"""What a query asks of a schema that the schema does not have.

G140 an unknown label, G141 an unknown relationship type, G142 a property that nothing has, G143 a property of another
type, G144 ends that no such relationship has, G145 a label for a type or a type for a label, G146 labels that no node
has together; and, where the query writes what the schema does not have: G150 a label, G151 a type, G152 a property,
G153 a relationship between such ends.

What the schema does not claim to list in full (`Coverage`) is never missing from it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from graphir import ir
from graphir.diagnostics import Diagnostic, Edit, Fix, diagnose
from graphir.ir.names import is_generated
from graphir.nearest import nearest
from graphir.passes.schema.bindings import Bindings
from graphir.passes.schema.slots import Access, LabelUse, Link, Slot
from graphir.quoting import ticked
from graphir.source import Source, Span

_SHOWN = 4
"""How many types a message names."""


def find_unknown(bindings: Bindings, source: Source) -> list[Diagnostic]:
    """What is asked for, or written, that the schema does not have; each once for a place."""
    found = [each for use in bindings.labels for each in _label(bindings, source, use)]
    found += [_property(bindings, source, use) for use in bindings.uses if not bindings.has_property(use)]
    found += [_ends(bindings, source, link) for link in bindings.links if _impossible(bindings, link)]
    found += [_clash(source, place, slot) for place, slot in bindings.contradictions]
    return list({(each.code, each.start, each.end): each for each in found}.values())


# ------------------------------------------------------------------ labels and types


def _label(bindings: Bindings, source: Source, use: LabelUse) -> Iterator[Diagnostic]:
    index, name = bindings.index, use.name
    labels, types = index.labels, index.types
    if use.node is None:
        if name not in labels and name not in types and index.coverage.labels and index.coverage.types:
            yield _unknown(source, use, "label or relationship type", [*labels, *types])
    elif use.node and name not in labels and index.coverage.labels:
        if name in types and not use.write:
            yield _swapped(source, use, "a relationship type", "a label", labels)
        else:
            yield _unknown(source, use, "label", labels)
    elif not use.node and name not in types and index.coverage.types:
        if name in labels and not use.write:
            yield _swapped(source, use, "a label", "a relationship type", types)
        else:
            yield _unknown(source, use, "relationship type", types)


def _unknown(source: Source, use: LabelUse, what: str, known: Iterable[str]) -> Diagnostic:
    code = "G141" if use.node is False else "G140"
    if use.write:
        code = "G151" if use.node is False else "G150"
        message = f"The query creates the {what} `{use.name}`, which the schema does not have"
    else:
        message = f"The schema has no {what} `{use.name}`"
    near = nearest(use.name, known)
    span = _place(source, use)
    hint = f"did you mean `{near}`?" if near else f"it has {listed(known)}"
    spoken = near if isinstance(use.place, ir.LabelName) or (near and near.isidentifier()) else None
    fix = _rename(source, span, use.name, spoken)
    return diagnose(source, code, message, span, severity="warning", hint=hint, fix=fix)


def _swapped(source: Source, use: LabelUse, what: str, wanted: str, known: Iterable[str]) -> Diagnostic:
    near = nearest(use.name, known)
    hint = f"did you mean `{near}`?" if near else f"the schema has {listed(known)}"
    message = f"`{use.name}` is {what}, not {wanted}"
    return diagnose(source, "G145", message, _place(source, use), severity="warning", hint=hint)


def _place(source: Source, use: LabelUse) -> Span | None:
    span = use.place.span
    if span is None or isinstance(use.place, ir.LabelName):
        return span
    at = source.text.find(use.name, span.start, span.end)
    return span if at < 0 else Span(at, at + len(use.name))


def _clash(source: Source, place: ir.Node, slot: Slot) -> Diagnostic:
    name = f"`{slot.name}`" if slot.name else "the node"
    message = f"No node of the schema has all the labels that {name} is asked to have"
    return diagnose(source, "G146", message, place.span, severity="warning", hint="write `|` for either label")


# ------------------------------------------------------------------ properties


def _property(bindings: Bindings, source: Source, use: Access) -> Diagnostic:
    """A property that no type has which its element may be of."""
    index, slot, key = bindings.index, use.owner, use.key
    mask = slot.mask | slot.beside()
    tables = index.node_properties if slot.node else index.edge_properties
    own = [name for at in index.bits(mask, nodes=slot.node) for name in tables[at]]
    whose = _whose(bindings, use)
    nodes = index.node_names(index.node_owners.get(key, 0))
    edges = index.edge_names(index.edge_owners.get(key, 0))
    span = _key(source, use)
    near = nearest(key, own)
    code = "G143" if nodes or edges else "G142"
    if use.write:
        code = "G152"
        message = f"The query writes the property `{key}`, which {whose} does not have in the schema"
    else:
        message = f"{whose[0].upper()}{whose[1:]} has no property `{key}`"
    others = [f"nodes {listed(nodes)}"] if nodes else []
    others += [f"relationships {listed(edges)}"] if edges else []
    hints = [f"did you mean `{near}`?"] if near else []
    if others and not near and not use.write and (holder := _holder(bindings, use)) is not None:
        hints.append(f"did you mean `{holder}.{key}`?")
    if others and not (near and use.write):
        hints.append(f"`{key}` is a property of {' and of '.join(others)}")
    if not hints:
        hints.append(f"there are {listed(sorted(set(own)))}" if own else "it has no properties")
    fix = _rename(source, span, key, near)
    return diagnose(source, code, message, span, severity="warning", hint="; ".join(hints), fix=fix)


def _whose(bindings: Bindings, use: Access) -> str:
    """The element of a property in words, with what it may be."""
    index, slot, place = bindings.index, use.owner, use.place
    base = place.base if isinstance(place, (ir.Property, ir.Index)) else None
    called = base.name if isinstance(base, ir.Ref) else slot.name
    name = f"`{called}`" if called and not is_generated(called) else "the node" if slot.node else "the relationship"
    mask = slot.shown() | slot.beside()
    types = index.node_names(mask) if slot.node else index.edge_names(mask)
    everything = len(types) == len(index.nodes if slot.node else index.types)
    if everything and len(types) > 1:
        return name
    return f"{name} ({listed(types, 'or')})"


def _holder(bindings: Bindings, use: Access) -> str | None:
    """The one variable beside the element, in a pattern, that surely has the property."""
    index, place = bindings.index, use.place
    base = place.base if isinstance(place, ir.Property) else None
    if not isinstance(base, ir.Ref) or base.name != use.owner.name:
        return None
    names = set()
    for link in bindings.links:
        if link.bounds is not None or use.owner not in link.slots():
            continue
        for slot in link.slots():
            having = (index.node_owners if slot.node else index.edge_owners).get(use.key, 0)
            if slot.name and slot.mask > 0 and not slot.mask & ~having:
                names.add(slot.name)
    return names.pop() if len(names) == 1 else None


def _key(source: Source, use: Access) -> Span | None:
    """Where the name of the property stands."""
    span = use.place.span
    if span is None:
        return None
    text, key = source.text, use.key
    if isinstance(use.place, ir.Entry):
        found = Span(span.start, span.start + len(key))
    else:
        found = Span(span.end - len(key), span.end)
    if text[found.start : found.end] == key:
        return found
    at = text.find(key, span.start, span.end)
    return Span(at, at + len(key)) if at >= 0 else span


# ------------------------------------------------------------------ ends


def _impossible(bindings: Bindings, link: Link) -> bool:
    """Whether no edge of the schema can be this one, in either direction.

    Of an edge without a type that is certain only where the schema lists every type.
    """
    certain = link.edge.named or bindings.index.coverage.types
    return certain and not link.rivals and (link.void or (link.write and link.flipped))


def _ends(bindings: Bindings, source: Source, link: Link) -> Diagnostic:
    index = bindings.index
    types = index.edge_names(link.edge.mask) if link.edge.named else []
    what = f"{listed(types, 'or')} relationship" if types else "relationship"
    left, right = describe(bindings, link.left), describe(bindings, link.right)
    if link.write:
        begin, end = (right, left) if link.direction == "in" else (left, right)
        made = listed(types, "or") if types else "a relationship"
        message = f"The query creates {made} from {begin} to {end}, which the schema does not have"
    elif link.bounds is not None:
        message = f"The schema has no path of {what}s between {left} and {right}"
    else:
        message = f"The schema has no {what} between {left} and {right}"
    code = "G153" if link.write else "G144"
    known = triples(bindings, link.edge.mask) if link.edge.named else []
    hint = f"it has {listed(known, quoted=False)}" if known else None
    return diagnose(source, code, message, link.pattern.span, severity="warning", hint=hint)


def describe(bindings: Bindings, slot: Slot) -> str:
    """The node types of a slot in words."""
    names = bindings.index.node_names(slot.shown()) if slot.mask >= 0 else []
    if not names or len(names) == len(bindings.index.nodes) > 1:
        return "any node"
    return listed(names, "or")


def triples(bindings: Bindings, mask: int) -> list[str]:
    """The triples of an edge mask, as patterns."""
    found = []
    for at in bindings.index.bits(mask, nodes=False):
        edge = bindings.index.edges[at]
        ends = ["" if end is None else "".join(f":{label}" for label in end) for end in (edge.source, edge.target)]
        found.append(f"({ends[0]})-[:{edge.type}]->({ends[1]})")
    return list(dict.fromkeys(found))


# ------------------------------------------------------------------ words and repairs


def listed(names: Iterable[str], last: str = "and", *, quoted: bool = True) -> str:
    """Names for a message, the first few of many."""
    every = list(dict.fromkeys(names))
    shown = [f"`{name}`" if quoted else name for name in every[:_SHOWN]]
    if not shown:
        return "none"
    if len(every) > _SHOWN:
        return f"{', '.join(shown)} {last} {len(every) - _SHOWN} more"
    return shown[0] if len(shown) == 1 else f"{', '.join(shown[:-1])} {last} {shown[-1]}"


def _rename(source: Source, span: Span | None, name: str, near: str | None) -> Fix | None:
    """Replace a name by another.  Never safe: both may be meant."""
    if near is None or span is None or source.text[span.start : span.end].strip("`") != name:
        return None
    spelled = near if near.isidentifier() and near.isascii() else ticked(near)
    text = source.text
    if not text[span.start : span.end].startswith("`") and text[span.start - 1 : span.start] == "`":
        spelled = ticked(near)[1:-1]
    return Fix(f"replace `{name}` by `{near}`", (Edit(span.start, span.end, spelled),))
