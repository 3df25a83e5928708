"""ONE ROW PER VERTEX, EDGE and STEP of a graph table: the elements of its path as rows, and what numbers them.

`MATCH p .. ONE ROW PER STEP (v, e, w)` is a row for every place in the list of the edges of `p`, and one where there is
none.  MATCHNUM() numbers the matches in some order.  Facts: Oracle's "Graph Developer's Guide" (ONE ROW PER, MATCHNUM,
ELEMENT_NUMBER): elements count from 1, so that vertices have odd numbers; a step of a path without edges has its first
vertex alone.
"""

from __future__ import annotations

from dataclasses import replace

from graphir import ir
from graphir.ir import Apply, Branch, Call, Case, Expression, GraphTable, Index, Item, Let, Literal, Node, Property, Ref
from graphir.passes.names import Maker
from graphir.passes.selects.scopes import NoGraphQuery


def with_rows(query: ir.Query) -> ir.Query:
    """The query with the rows of its graph tables spelled out.  Raises NoGraphQuery for those of several paths."""
    if not any(isinstance(node, GraphTable) and _is_asked(node) for node in ir.walk(query)):
        return query
    maker = Maker(query)

    def rule(node: Node) -> Node:
        return _Rows(node, maker).table() if isinstance(node, GraphTable) and _is_asked(node) else node

    return ir.rewrite(query, rule)


def _is_asked(table: GraphTable) -> bool:
    if table.rows is not None and table.rows.kind != "match":
        return True
    return any(_called(node) == "matchnum" for node in ir.walk(table.body))


def _called(node: Node) -> str | None:
    """The function that is called, of those that number."""
    name = node.name[-1].lower() if isinstance(node, Call) and len(node.name) == 1 else None
    return name if name in ("matchnum", "element_number", "path_name") else None


class _Rows:
    """The rows of one graph table."""

    def __init__(self, table: GraphTable, maker: Maker) -> None:
        self.whole = table
        self.maker = maker
        self.vertices, self.edges = maker.make("n"), maker.make("e")
        self.place, self.number = maker.make("i"), maker.make("m")
        self.numbers: dict[str, Expression] = {}
        """Iterators -> the numbers of their elements."""
        self.path: str | None = None
        """The name of the path, as it was given."""

    def table(self) -> GraphTable:
        body, rows = self.whole.body, self.whole.rows
        first = body.operators[0] if isinstance(body, ir.Pipeline) else None
        if not isinstance(body, ir.Pipeline) or not isinstance(first, ir.Match):
            raise NoGraphQuery("ONE ROW PER has no counterpart in graph queries here", self.whole.span)
        made: list[ir.Operator] = [first]
        steps: list[ir.Operator] = []
        if rows is not None and rows.kind != "match":
            if len(rows.variables) != (3 if rows.kind == "step" else 1):
                raise NoGraphQuery("a step has three variables, a vertex and an edge have one", rows.span)
            made = self._listed(first, rows)
            steps = {"vertex": self._vertices, "edge": self._edges, "step": self._steps}[rows.kind](rows)
        columns = [ir.rewrite(each, self._numbered) for each in body.operators[1:]]
        if any(isinstance(node, Ref) and node.name == self.number for each in columns for node in ir.walk(each)):
            read = {node.name for each in [*steps, *columns] for node in ir.walk(each) if isinstance(node, Ref)}
            made += self._numbering(first, read)
        return replace(self.whole, body=replace(body, operators=(*made, *steps, *columns)), rows=None)

    def _listed(self, match: ir.Match, rows: ir.RowShape) -> list[ir.Operator]:
        """The match, and the elements of its path."""
        named = [at for at, path in enumerate(match.paths) if path.variable in rows.paths]
        chosen = named if rows.paths else list(range(len(match.paths)))
        if len(chosen) != 1:
            raise NoGraphQuery("ONE ROW PER of several paths has no counterpart in graph queries", rows.span)
        path = match.paths[chosen[0]]
        self.path = path.variable
        name = Ref(path.variable or self.maker.make("p"), span=rows.span)
        paths = tuple(
            [replace(each, variable=name.name) if each is path else each for each in match.paths],
        )
        lists = (
            Item(Apply("nodes", (name,), span=rows.span), self.vertices, span=rows.span),
            Item(Apply("relationships", (name,), span=rows.span), self.edges, span=rows.span),
        )
        return [replace(match, paths=paths), Let(lists, span=rows.span)]

    def _vertices(self, rows: ir.RowShape) -> list[ir.Operator]:
        (name,) = rows.variables
        self.numbers = {name: self._element(1)}
        return [ir.Unwind(Ref(self.vertices), name, None, self._counted(), span=rows.span)]

    def _edges(self, rows: ir.RowShape) -> list[ir.Operator]:
        (name,) = rows.variables
        self.numbers = {name: self._element(2)}
        return [ir.Unwind(Ref(self.edges), name, None, self._counted(), span=rows.span)]

    def _counted(self) -> str | None:
        """The variable of the places, where they are asked for."""
        asked = any(_called(node) == "element_number" for node in ir.walk(self.whole.body))
        return self.place if asked else None

    def _steps(self, rows: ir.RowShape) -> list[ir.Operator]:
        first, edge, last = rows.variables
        self.numbers = {first: self._element(1)}
        self.numbers |= {edge: self._element(2, of=edge), last: self._element(3, of=edge)}
        empty = Apply("eq", (Apply("size", (Ref(self.edges),)), Literal(0)))
        source = Case(None, (Branch((empty,), ir.ListOf((Literal(None),))),), Ref(self.edges))
        behind = Apply("add", (Ref(self.place), Literal(1)))
        ends = (Item(Index(Ref(self.vertices), Ref(self.place)), first), Item(Index(Ref(self.vertices), behind), last))
        return [ir.Unwind(source, edge, None, self.place, span=rows.span), Let(ends, span=rows.span)]

    def _element(self, first: int, of: str | None = None) -> Expression:
        """The number of an element, from that of the first place on; null where an element is null."""
        number: Expression = Apply("add", (Apply("mul", (Ref(self.place), Literal(2))), Literal(first)))
        if of is None:
            return number
        return Case(None, (Branch((Apply("is_not_null", (Ref(of),)),), number),), None)

    def _numbered(self, node: Node) -> Node:
        """With numbers in place of the functions that tell them."""
        name = _called(node)
        if name == "matchnum":
            return Ref(self.number, span=node.span)
        if name == "path_name":
            return Literal(self.path, span=node.span)
        if name == "element_number":
            assert isinstance(node, Call)
            of = node.args[0] if len(node.args) == 1 else None
            if isinstance(of, Ref) and of.name in self.numbers:
                return self.numbers[of.name]
        return node

    def _numbering(self, match: ir.Match, read: set[str]) -> list[ir.Operator]:
        """The matches as a list, and each of them again with its place."""
        bound = {each.variable for each in ir.walk(match) if isinstance(each, (ir.NodePattern, ir.EdgePattern))}
        held = sorted({name for name in (*bound, self.vertices, self.edges) if name is not None and name in read})
        fields = {name: f"f{at}" for at, name in enumerate(held, 1)}
        entry = ir.MapOf(tuple([ir.Entry(field, Ref(name)) for name, field in fields.items()]))
        matches, each = self.maker.make("l"), self.maker.make("x")
        again = tuple([Item(Property(Ref(each), field), name) for name, field in fields.items()])
        return [
            ir.Project((Item(Apply("collect", (entry,)), matches),), group_by=()),
            ir.Unwind(Ref(matches), each, self.number),
            ir.Project((*again, Item(Ref(self.number), self.number))),
        ]
