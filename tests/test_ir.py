"""The IR declarations, equality and hash, and walking and rewriting without recursion."""

from __future__ import annotations

import dataclasses
import math
import pickle

import pytest

import graphir
from graphir import ir
from graphir.diagnostics import SyntaxFault
from graphir.ir import (
    REGISTRY,
    Apply,
    Expression,
    Literal,
    Node,
    Property,
    Ref,
    children,
    depth,
    find,
    holds,
    rewrite,
    strangers,
    transform,
    walk,
)
from graphir.ir import json as ir_json
from graphir.ir import text as ir_text
from graphir.ir.declarations import declared
from graphir.ir.names import generated, is_generated
from graphir.source import Span

DEPTH = 10_000


def chain(levels: int, bottom: Node) -> Node:
    made = bottom
    for _ in range(levels):
        made = Apply("neg", (made,))  # type: ignore[arg-type]
    return made


def test_every_class_is_declared_once_and_exported() -> None:
    assert len(set(REGISTRY.values())) == len(REGISTRY)
    for op, cls in REGISTRY.items():
        assert cls.op == op
        assert getattr(ir, cls.__name__) is cls


@pytest.mark.parametrize("cls", REGISTRY.values(), ids=list(REGISTRY))
def test_every_field_holds_an_atom_a_node_or_a_tuple_of_them(cls: type[Node]) -> None:
    fields = declared(cls)
    assert [f.name for f in fields if not f.note] == list(cls.fields_)
    for field in fields:
        assert field.name not in ("op", "span")
        assert field.shape.atoms or field.shape.nodes or field.shape.items
        assert field.shape.items is None or field.shape.items.items is None, "a tuple of tuples"
        assert field.required or field.shape.admits(field.default)


def test_nodes_are_frozen_and_slotted() -> None:
    node = Ref("a")
    assert not hasattr(node, "__dict__")
    with pytest.raises(dataclasses.FrozenInstanceError):
        node.name = "b"  # type: ignore[misc]


@pytest.mark.parametrize(
    ("a", "b", "same"),
    [
        (Literal(1), Literal(1), True),
        (Literal(1), Literal(1.0), False),
        (Literal(1), Literal(True), False),
        (Literal(math.nan), Literal(-math.nan), True),
        (Literal("1"), Literal(1), False),
        (Literal(31, text="0x1F"), Literal(31, text="31"), True),
        (Ref("a", span=Span(0, 1)), Ref("a"), True),
        (Ref("a"), ir.Parameter("a"), False),
        (Apply("not", (Ref("a"),)), Apply("not", (Ref("b"),)), False),
        (ir.ListOf((Ref("a"),)), ir.ListOf((Ref("a"), Ref("a"))), False),
    ],
)
def test_equality_is_structural_and_type_exact(a: Node, b: Node, same: bool) -> None:
    assert (a == b) is same
    assert not same or hash(a) == hash(b)


def test_a_node_is_no_other_value() -> None:
    assert Ref("a") != "a"


def test_repr_makes_the_node_again() -> None:
    item = ir.Item(Apply("add", (Property(Ref("a"), "x"), Literal(1.5))), "s", span=Span(0, 3), text="a.x + 1.5")
    assert repr(item) == (
        "Item(value=Apply(function='add', args=(Property(base=Ref(name='a'), key='x'), Literal(value=1.5))), name='s')"
    )
    assert eval(repr(item), vars(ir)) == item
    assert repr(ir.ListOf((Literal(None),))) == "ListOf(items=(Literal(value=None),))"


def test_children_are_in_field_order() -> None:
    case = ir.Case(Ref("s"), (ir.Branch((Literal(1),), Literal(2)),), Literal(3))
    assert list(children(case)) == [case.subject, case.branches[0], case.default]


def test_walk_gives_parents_first_in_source_order() -> None:
    tree = Apply("add", (Property(Ref("a"), "x"), Ref("b")))
    assert [node.op for node in walk(tree)] == ["apply", "property", "ref", "ref"]


def test_rewrite_shares_what_it_does_not_touch_and_keeps_spans() -> None:
    left, right = Property(Ref("a"), "x"), Ref("b", span=Span(4, 5))
    tree = Apply("add", (left, right), span=Span(0, 5))

    def rename(node: Node) -> Node:
        return dataclasses.replace(node, name="c") if isinstance(node, Ref) and node.name == "b" else node

    made = rewrite(tree, rename)
    assert made == Apply("add", (left, Ref("c")))
    assert made.args[0] is left
    assert made.span == tree.span
    assert made.args[1].span == right.span
    assert rewrite(tree, lambda node: node) is tree


QUERY = (
    "MATCH p = (a:A {x: 1})-[r:R|S*1..2]->(b) WHERE a.x = 1 AND EXISTS { (b)--(c:C) } RETURN a.y AS y, [x IN b.l | x.z]"
)


@pytest.mark.parametrize("cls", [*REGISTRY.values(), Expression, ir.Operator, ir.Body, Node])
def test_a_node_knows_which_classes_are_in_it(cls: type[Node]) -> None:
    query = graphir.parse(QUERY)
    copies = [query, pickle.loads(pickle.dumps(query)), rewrite(query, _renamed), ir_text.loads(ir_text.dumps(query))]
    for tree in copies:
        found = [part for part in walk(tree) if isinstance(part, cls)]
        assert holds(tree, cls) == bool(found)
        assert [id(part) for part in find(tree, cls)] == [id(part) for part in found]
    both = [part for part in walk(query) if isinstance(part, (cls, Ref))]
    assert [id(part) for part in find(query, cls, Ref)] == [id(part) for part in both]


def test_strangers_are_of_none_of_the_very_classes() -> None:
    tree = Apply("eq", (Property(Ref("a"), "x"), Literal(1)))
    assert not list(strangers(tree, frozenset((Apply, Property, Ref, Literal))))
    assert not list(strangers(tree, frozenset((Apply, Property, Ref, Literal, ir.Match))))
    assert list(strangers(tree, frozenset((Apply, Property, Ref)))) == [Literal(1)]
    assert list(strangers(tree, frozenset((Expression,)))) == list(walk(tree))


def _renamed(node: Node) -> Node:
    return Ref("new") if isinstance(node, Ref) else node


def test_rewrite_for_some_classes_does_what_it_does_for_all() -> None:
    query = graphir.parse(QUERY)
    some = rewrite(query, _renamed, Ref)
    assert some == rewrite(query, _renamed) != query
    assert rewrite(query, _renamed, ir.Merge) is query
    seen: list[Node] = []

    def rule(origin: Node, node: Node) -> Node:
        seen.append(origin)
        return node

    assert transform(query, rule, ir.NodePattern, ir.LabelName) is query
    everything: list[Node] = []
    transform(query, lambda origin, node: everything.append(origin) or node)  # type: ignore[func-returns-value]
    assert seen == [part for part in everything if isinstance(part, (ir.NodePattern, ir.LabelName))]


def test_ten_thousand_levels_do_not_recurse() -> None:
    one, two = chain(DEPTH, Ref("a")), chain(DEPTH, Ref("a"))
    assert one == two
    assert hash(one) == hash(two)
    assert one != chain(DEPTH, Ref("b"))
    assert sum(1 for _ in walk(one)) == DEPTH + 1
    assert depth(one) == DEPTH + 1
    assert rewrite(one, lambda node: Ref("b") if node == Ref("a") else node) == chain(DEPTH, Ref("b"))
    assert repr(one).startswith("Apply(function='neg', args=(Apply(")
    assert ir_text.loads(ir_text.dumps(one)) == one
    assert ir_json.from_json(ir_json.to_json(one)) == one


def test_generated_names_cannot_be_written_by_a_user() -> None:
    assert is_generated(generated("n", 1))
    assert not is_generated("n1")
    assert not is_generated(None)


# ------------------------------------------------------------------ the text form


def test_text_is_short_and_leaves_defaults_out() -> None:
    item = ir.Item(Property(Ref("n"), "first name"), "x")
    assert ir_text.dumps(item) == '(item (property (ref n) "first name") :name x)'


@pytest.mark.parametrize(
    ("node", "text"),
    [
        (Literal("a"), '(literal "a")'),
        (Literal(None), "(literal null)"),
        (Literal("null"), '(literal "null")'),
        (Literal(True), "(literal true)"),
        (Literal(1), "(literal 1)"),
        (Literal(1.0), "(literal 1.0)"),
        (Literal("1.0"), '(literal "1.0")'),
        (Literal(math.nan), "(literal nan)"),
        (Literal(-math.inf), "(literal -inf)"),
        (Literal("inf"), '(literal "inf")'),
        (Ref("null"), '(ref "null")'),
        (Ref("a b"), '(ref "a b")'),
        (Ref("größe"), '(ref "größe")'),
        (Ref("%n1"), '(ref "%n1")'),
        (Ref(generated("n", 1)), "(ref %n1)"),
        (Ref(""), '(ref "")'),
        (ir.Slice(Ref("a"), None, Literal(2)), "(slice (ref a) null (literal 2))"),
        (ir.ListOf(), "(list)"),
        (ir.MapOf((ir.Entry("k", Literal(1)),)), "(map :entries [(entry k (literal 1))])"),
    ],
)
def test_atoms_are_unambiguous(node: Node, text: str) -> None:
    assert ir_text.dumps(node) == text
    assert ir_text.loads(text) == node


def test_wide_text_is_broken_into_lines() -> None:
    wide = ir.ListOf(tuple([Literal("x" * 20)] * 6))
    lines = ir_text.dumps(wide).split("\n")
    assert max(map(len, lines)) <= ir_text.WIDTH
    assert len(lines) == 7
    assert ir_text.loads("\n".join(lines)) == wide


@pytest.mark.parametrize(
    ("text", "column", "message"),
    [
        ("", 1, "no node"),
        ("   ", 4, "no node"),
        ("(ref", 5, "the text ends inside a node"),
        ("(ref a", 7, "the text ends inside a node"),
        ("(nothing a)", 2, "unknown operator nothing"),
        ("(ref a) b", 9, "text after the node"),
        ("[(ref a)]", 1, "a list where a node was expected"),
        ("(ref a b)", 1, "ref has only 1 fields without a name"),
        ("(ref 1)", 1, "name of ref must be str"),
        ("(ref)", 1, "ref lacks name"),
        ("(ref a]", 7, "] does not match"),
        ("(item (ref a) :nam x)", 1, "item has no field nam"),
        ("(item (ref a) :name)", 20, "no value for :name"),
        ("(item (ref a) :name x :name y)", 23, ":name stands twice"),
        ("(item :name x (ref a))", 21, "a value without a name after named ones"),
        ("(literal 1 :text x)", 1, "literal has no field :text by name here"),
        ("(ref (ref a))", 1, "name of ref must be str"),
        ('(ref "a', 6, "unexpected character"),
        ("(ref a) )", 9, "text after the node"),
        (")", 1, "a node was expected"),
    ],
)
def test_bad_text_is_a_fault_with_a_place(text: str, column: int, message: str) -> None:
    with pytest.raises(SyntaxFault) as caught:
        ir_text.loads(text)
    (found,) = caught.value.diagnostics
    assert (found.code, found.column, found.message) == ("G130", column, message)


# ------------------------------------------------------------------ the JSON form


def test_json_has_a_version_and_leaves_defaults_out() -> None:
    item = ir.Item(Literal(1.5), "x", span=Span(3, 9), text="1.5")
    plain = {"op": "item", "value": {"op": "literal", "value": {"float": "1.5"}}, "name": "x"}
    assert ir_json.to_json(item) == {"version": 1, "root": plain}
    spans = ir_json.to_json(item, spans=True)
    assert spans == {"version": 1, "root": {**plain, "text": "1.5", "span": [3, 9]}}
    read = ir_json.from_json(spans)
    assert isinstance(read, ir.Item)
    assert (read.text, read.span) == ("1.5", Span(3, 9))


@pytest.mark.parametrize(
    ("document", "message"),
    [
        (None, "a document has a version and a root"),
        ({"root": {"op": "ref", "name": "a"}}, "a document has a version and a root"),
        ({"version": 2, "root": {}}, "version 2 is not known; this is version 1 at /version"),
        ({"version": 1, "root": {"op": "ref", "name": "a"}, "x": 1}, "a document has nothing but a version and a root"),
        ({"version": 1, "root": [1]}, "the root is not a node at /root"),
        ({"version": 1, "root": {"op": "nothing"}}, "unknown operator 'nothing' at /root"),
        ({"version": 1, "root": {"op": "ref", "name": "a", "nam": 1}}, "ref has no field nam at /root"),
        ({"version": 1, "root": {"op": "ref", "name": 1}}, "name of ref must be str at /root"),
        ({"version": 1, "root": {"op": "list", "items": [{"op": "ref"}]}}, "ref lacks name at /root/items/0"),
        ({"version": 1, "root": {"op": "literal", "value": {"float": "x"}}}, "not a float at /root/value"),
        (
            {"version": 1, "root": {"op": "literal", "value": 1.5}},
            'a number with a fraction is written {"float": "1.5"} at /root/value',
        ),
        (
            {"version": 1, "root": {"op": "ref", "name": "a", "span": [2, 1]}},
            "a span is two offsets in order at /root",
        ),
    ],
)
def test_bad_json_is_a_fault_with_a_place(document: object, message: str) -> None:
    with pytest.raises(SyntaxFault) as caught:
        ir_json.from_json(document)
    (found,) = caught.value.diagnostics
    assert (found.code, found.message) == ("G131", message)


def test_the_schema_has_every_operator_and_refuses_the_rest() -> None:
    jsonschema = pytest.importorskip("jsonschema")
    made = ir_json.schema()
    jsonschema.Draft202012Validator.check_schema(made)
    assert {f"op-{op}" for op in REGISTRY} <= made["$defs"].keys()
    validator = jsonschema.Draft202012Validator(made)
    assert validator.is_valid({"version": 1, "root": {"op": "ref", "name": "a"}})
    assert not validator.is_valid({"version": 1, "root": {"op": "ref", "name": 1}})
    assert not validator.is_valid({"version": 1, "root": {"op": "ref", "name": "a", "x": 1}})
    assert not validator.is_valid({"version": 2, "root": {"op": "ref", "name": "a"}})
    literal = {"op": "literal", "value": {"float": "nan"}}
    assert validator.is_valid({"version": 1, "root": literal})


@pytest.mark.parametrize("cls", REGISTRY.values(), ids=list(REGISTRY))
def test_fields_that_may_hold_nodes_are_known(cls: type[Node]) -> None:
    holding = [
        f.name for f in declared(cls) if not f.note and (f.shape.nodes or (f.shape.items and f.shape.items.nodes))
    ]
    assert list(cls.below_) == holding
    assert not any(f.shape.nodes for f in declared(cls) if f.shape.items), "a node or a tuple"
