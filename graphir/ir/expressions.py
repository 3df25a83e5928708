"""Expressions of the Graph-IR, for every dialect.

Operators and built-in functions are `Apply` with a canonical name of `graphir.functions`; a function that the
table does not know stays a `Call` under the name the user wrote.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from graphir.ir.node import Node, node, note

if TYPE_CHECKING:
    from graphir.ir.operators import Body, SortKey
    from graphir.ir.patterns import LabelExpression, Path


class Expression(Node):
    """Base of everything that has a value."""

    __slots__ = ()


@node("literal")
class Literal(Expression):
    """A decoded constant; `text` remembers its spelling (0x1F, "it's")."""

    value: bool | int | float | str | None
    text: str | None = note(default=None)


@node("parameter")
class Parameter(Expression):
    """`$name`; `legacy` remembers the old spelling `{name}`."""

    name: str
    legacy: bool = note(default=False)


@node("ref")
class Ref(Expression):
    """The value of a variable."""

    name: str


@node("keyword")
class Keyword(Expression):
    """A bare constant word that a function takes as an argument: NFC, EUCLIDEAN, INTEGER8 (upper case)."""

    name: str


@node("property")
class Property(Expression):
    """`base.key`."""

    base: Expression
    key: str


@node("index")
class Index(Expression):
    """`base[index]`: list element, map value or dynamic property."""

    base: Expression
    index: Expression


@node("slice")
class Slice(Expression):
    """`base[low..high]`; a bound that is None is open."""

    base: Expression
    low: Expression | None
    high: Expression | None


@node("list")
class ListOf(Expression):
    items: tuple[Expression, ...] = ()


@node("entry")
class Entry(Node):
    """One `key: value` of a map, a map projection or the options of a statement."""

    key: str
    value: Expression


@node("map")
class MapOf(Expression):
    entries: tuple[Entry, ...] = ()


@node("apply")
class Apply(Expression):
    """A canonical operator or function (see `graphir.functions`) on its arguments.

    `and`, `or`, `xor`, `add`, `mul` and `concat` take two or more arguments and fold from the left.
    """

    function: str
    args: tuple[Expression, ...] = ()
    distinct: bool = False


@node("call")
class Call(Expression):
    """A function outside the table (plugin, user-defined, misspelled), its name as written, part by part."""

    name: tuple[str, ...]
    args: tuple[Expression, ...] = ()
    distinct: bool = False


@node("comparison")
class Comparison(Expression):
    """A chain `a < b <= c` of two or more comparisons; core writes it as a conjunction.

    `operators` are canonical names (eq, ne, lt, le, gt, ge), one fewer than `operands`.
    """

    operands: tuple[Expression, ...]
    operators: tuple[str, ...]


@node("has-labels")
class HasLabels(Expression):
    """`base:Label` and `base IS Label`: the element carries the labels (or the type)."""

    base: Expression
    labels: LabelExpression


@node("value-type")
class ValueType(Node):
    """A value type.

    `name` is upper case with single spaces: INTEGER, STRING, LIST, UNION (`A | B`), VECTOR, ANY, ZONED DATETIME ...
    `arguments` are the element type of a list, the members of a union, the coordinate type of a vector, the types of
    the fields of a record, whose names are `fields` ("" for one without a name);
    `size` is the dimension of a vector or the length of a string.  `text` remembers the words of a type without
    arguments (TINYINT, NUMERIC(10, 2)).
    """

    name: str
    arguments: tuple[ValueType, ...] = ()
    not_null: bool = False
    size: int | None = None
    fields: tuple[str, ...] = ()
    text: str | None = note(default=None)


@node("is-typed")
class IsTyped(Expression):
    """`base IS :: TYPE`."""

    base: Expression
    type: ValueType


@node("is-normalized")
class IsNormalized(Expression):
    """`base IS [form] NORMALIZED`."""

    base: Expression
    form: str = "NFC"


@node("case-subject")
class CaseSubject(Expression):
    """The value of CASE inside a test that is written without it: `WHEN > 3`, `WHEN IS NULL`."""


@node("branch")
class Branch(Node):
    """One WHEN: the alternatives (`WHEN 1, 2`) and the result.

    Under a subject an alternative that does not hold `CaseSubject` is compared with the subject for equality.
    """

    tests: tuple[Expression, ...]
    result: Expression


@node("case")
class Case(Expression):
    """`CASE [subject] WHEN .. THEN .. [ELSE ..] END`; without a subject every branch has one predicate."""

    subject: Expression | None
    branches: tuple[Branch, ...]
    default: Expression | None = None


@node("quantified")
class Quantified(Expression):
    """`all|any|none|single (variable IN source WHERE predicate)`."""

    kind: str
    variable: str
    source: Expression
    predicate: Expression | None = None


@node("list-comprehension")
class ListComprehension(Expression):
    """`[variable IN source WHERE where | body]`."""

    variable: str
    source: Expression
    where: Expression | None = None
    body: Expression | None = None


@node("pattern-comprehension")
class PatternComprehension(Expression):
    """`[path WHERE where | body]`."""

    path: Path
    where: Expression | None
    body: Expression


@node("reduce")
class Reduce(Expression):
    """`reduce(accumulator = initial, variable IN source | body)`."""

    accumulator: str
    initial: Expression
    variable: str
    source: Expression
    body: Expression


@node("all-reduce")
class AllReduce(Expression):
    """`allReduce(accumulator = initial, variable IN source | body, predicate)` (Cypher 25)."""

    accumulator: str
    initial: Expression
    variable: str
    source: Expression
    body: Expression
    predicate: Expression


@node("projected-property")
class ProjectedProperty(Node):
    """`.key` in a map projection."""

    key: str


@node("projected-variable")
class ProjectedVariable(Node):
    """`name` in a map projection: the entry `name: name`."""

    name: str


@node("projected-all")
class ProjectedAll(Node):
    """`.*` in a map projection."""


@node("map-projection")
class MapProjection(Expression):
    """`base {.key, name, key: value, .*}`."""

    base: Ref
    items: tuple[ProjectedProperty | ProjectedVariable | ProjectedAll | Entry, ...] = ()


@node("pattern-expression")
class PatternExpression(Expression):
    """A pattern where a value stands: `(a)-->(b)` or `shortestPath(..)`.

    Core has a `Subquery` instead of the former.
    """

    path: Path


@node("subquery")
class Subquery(Expression):
    """`EXISTS | COUNT | COLLECT | VALUE { .. }`: kind in lower case.

    The short form `EXISTS { (a)-->(b) WHERE p }` is the body with a single MATCH and no RETURN.
    """

    kind: str
    body: Body


@node("cast")
class Cast(Expression):
    """`CAST(value AS type FORMAT format)`; `safe`: null where the value is none of the type; `half_even`: a float half
    between two integers becomes the even one, else the one away from zero.

    `keyword` remembers the spelling `literal`: `DATE '2020-01-01'`, `ARRAY<INT64>[1]`.
    """

    value: Expression
    type: ValueType
    format: Expression | None = None
    safe: bool = False
    half_even: bool = False
    keyword: str = note(default="cast")


@node("named")
class Named(Expression):
    """A field of a record or an argument, with its name if it has one: `value AS name`, `name => value`."""

    name: str | None
    value: Expression


@node("struct")
class Struct(Expression):
    """`STRUCT<type>(value AS name, ..)`: a record whose fields have an order, and names if they are given some."""

    fields: tuple[Named, ...] = ()
    type: ValueType | None = None


@node("lambda")
class Lambda(Expression):
    """`(names) -> body`, an argument of functions on lists."""

    parameters: tuple[str, ...]
    body: Expression


@node("modified")
class Modified(Expression):
    """An argument of an aggregate with what the aggregate does to its rows: `value IGNORE NULLS HAVING MAX x ORDER BY k
    LIMIT n`.  `nulls` is ignore or respect, `having` is max or min."""

    value: Expression
    nulls: str | None = None
    having: str | None = None
    having_value: Expression | None = None
    order: tuple[SortKey, ...] = ()
    limit: Expression | None = None


@node("collated")
class Collated(Expression):
    """`value COLLATE collation`; the collation by its name, part by part."""

    value: Expression
    collation: tuple[str, ...]


@node("filtered")
class Filtered(Expression):
    """`aggregate FILTER (WHERE where)`: the aggregate of those rows alone."""

    aggregate: Expression
    where: Expression


@node("within")
class Within(Expression):
    """`aggregate WITHIN GROUP (ORDER BY order)`: the aggregate of the rows in that order."""

    aggregate: Expression
    order: tuple[SortKey, ...]


@node("worded-call")
class WordedCall(Expression):
    """A function of SQL with words between its arguments or behind them: `TRIM(BOTH a FROM b)`, `JSON_ARRAY(a NULL ON
    NULL)`.

    `name` is in upper case, `words` are those words, in upper case and in order, `returned` is the type behind
    RETURNING.  `text` is the call as it stood.
    """

    name: str
    args: tuple[Expression, ...]
    words: tuple[str, ...] = ()
    returned: ValueType | None = None
    distinct: bool = False
    text: str = note(default="")


@node("sql-operator")
class SqlOperator(Expression):
    """`left operator right`, an operator of a database: `->`, `->>`, `~`, `@>`, .."""

    operator: str
    left: Expression
    right: Expression


@node("array-slice")
class ArraySlice(Expression):
    """`base[low:high]` of SQL: places count from 1, and both ends are in it."""

    base: Expression
    low: Expression | None
    high: Expression | None


@node("window")
class Window(Expression):
    """`function OVER (base PARTITION BY partition ORDER BY order frame)`.

    `over` is what stands behind OVER, as text; `base` is the window of the WINDOW clause that it names, `frame` the
    text of ROWS, RANGE or GROUPS.
    """

    function: Expression
    over: str
    base: str | None = None
    partition: tuple[Expression, ...] = ()
    order: tuple[SortKey, ...] = ()
    frame: str = ""


@node("unpack")
class Unpack(Expression):
    """`**value`: every field of the value as a column; without a value, every variable (`*` behind other items)."""

    value: Expression | None = None


@node("graph-name")
class GraphName(Expression):
    """A graph, or a table function, by its name, part by part."""

    name: tuple[str, ...]
