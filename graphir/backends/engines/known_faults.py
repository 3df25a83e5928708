"""What engines are known to do wrong, as data: a feature of queries by name, the engine, and what it does.

A query with such a feature is refused for that engine (G625): a wrong row that looks right is worse than none.  The
features are found in core IR (`features/`); `docs/engines.md` lists them, and `tests/engines/reduced_faults.py` has the
smallest query and graph of each.  A session that is `trusting` runs such queries, too.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from graphir import ir
from graphir.backends.engines.features import FEATURES, Asked, Held
from graphir.backends.engines.features.values import ordering

__all__ = ["FEATURES", "KNOWN_FAULTS", "KnownFault", "find", "ordering"]


@dataclass(frozen=True, slots=True)
class KnownFault:
    """An engine, a feature of queries, and what that engine does with it."""

    engine: str
    feature: str
    told: str
    dialect: str | None = None
    """The dialect in which the engine has to be asked for that; None: any."""


KNOWN_FAULTS: tuple[KnownFault, ...] = (
    KnownFault("neo4j", "range against its step", "`range(0, 1, -123)` gives [0] where [] is due"),
    KnownFault("neo4j", "distinct NaN", "two NaN count as different values when duplicates are removed or grouped"),
    KnownFault("neo4j", "characters at the end", "`rtrim('aab', 'ab')` leaves the first character, whatever it is"),
    KnownFault("neo4j", "large integer beside a float", "`9007199254740993 = 9007199254740992.0` is true, by rounding"),
    KnownFault("neo4j", "quotient of the smallest integer", "`-9223372036854775808 / -1` is negative, with no error"),
    KnownFault(
        "neo4j",
        "computed order after OPTIONAL MATCH",
        "a computed column that is sorted is null after `OPTIONAL MATCH ()-[{k: n.i}]->()` without a match",
    ),
    KnownFault(
        "neo4j",
        "projections in CASE",
        "of two projections of a variable in a CASE one is computed for both; what reads a property twice has it once",
    ),
    KnownFault(
        "neo4j", "nameless node in a nameless one", "a subquery in the property map of a node takes one for the other"
    ),
    KnownFault("neo4j", "loop of a bound relationship", "`WITH DISTINCT r MATCH (n)-[r]->(n)` keeps what is no loop"),
    KnownFault("arcadedb", "pattern at a null node", "a pattern that begins at a null node matches everything"),
    KnownFault("arcadedb", "vector", "a vector comes back as a list of floats"),
    KnownFault("arcadedb", "variable with a dot", "properties of a variable whose name has a dot are null"),
    KnownFault("arcadedb", "condition on a shortest path", "the condition is asked of the shortest path alone"),
    KnownFault("arcadedb", "relationship matched twice", "`(a)-[r]->(b), (c)-[r]->(d)` has rows where none can be"),
    KnownFault("arcadedb", "loop in a subquery", "`(n)-->(n)` that a subquery binds need not come back to `n`"),
    KnownFault("arcadedb", "MATCH of a null node", "`MATCH (n)` of a null `n` has a row where none is due"),
    KnownFault("arcadedb", "EXISTS in a pattern comprehension", "EXISTS in its WHERE is false for every element"),
    KnownFault("arcadedb", "property map of another relationship", "`-[{k: r.k}]->` finds nothing"),
    KnownFault("arcadedb", "conjunction compared", "a WHERE `(true AND m.b) > n.b` finds nothing"),
    KnownFault("arcadedb", "element of a list of CASE", "`[CASE .. END][0]` is an element of what CASE gives"),
    KnownFault("arcadedb", "bound relationship in a subquery", "`[()-[r]->() | 1]` of a bound `r` finds others, too"),
    KnownFault("arcadedb", "pattern in a quantifier", "a condition `none(x IN null WHERE ()--())` holds"),
    KnownFault("arcadedb", "undirected group", "`(()--(g)){0,1}` takes a relationship from a node to itself twice"),
    KnownFault("arcadedb", "end of a loop", "`startNode(r).x = n.x` finds no relationship from a node to itself"),
    KnownFault("arcadedb", "quantifier in CASE", "a condition `CASE WHEN false THEN none(..) END` holds"),
    KnownFault("arcadedb", "projection in a map", "`{a: n {.x}}` gives the projection in place of the map"),
    KnownFault("arcadedb", "sum of durations", "`sum` and `avg` take no durations"),
    KnownFault("arcadedb", "percentile of integers", "`percentileCont(1, 0.5)` is 1.0 where Neo4j gives 1"),
    KnownFault("arcadedb", "time as text", "`toString` leaves out seconds that are zero: '10:00' for '10:00:00'"),
    KnownFault("arcadedb", "type of a list", "`valueType([1])` is LIST<ANY>"),
    KnownFault("arcadedb", "order of maps", "maps are not ordered by their size, keys and values"),
    KnownFault("arcadedb", "order of durations", "P31D comes before P1M, which is shorter on average"),
    KnownFault("arcadedb", "comparison of durations", "`<` of durations is false where null is due"),
    KnownFault("arcadedb", "comparison of temporal types", "`<` of different types is false where null is due"),
    KnownFault("arcadedb", "comparison with NaN in lists", "`[0.0 / 0.0] < [1.0]` is false where null is due"),
    KnownFault("arcadedb", "time between zones", "`duration.between` miscounts days and hours between offsets"),
    KnownFault("arcadedb", "rounding with a precision", "`round(-2.5, 0)` is -3.0 where -2.0 is due"),
    KnownFault("arcadedb", "float by an integer", "a float divided by the integer zero is infinity, not an error"),
    KnownFault("arcadedb", "extreme of a list", "`coll.max([0, null])` is 0 where null is due"),
    KnownFault("arcadedb", "coth", "`coth(0)` is infinity where NaN is due"),
    KnownFault("arcadedb", "quarterDay", "a part that it does not know is null"),
    KnownFault("arcadedb", "part that is missing", "`date('2020-01-01').foo` is null where an error is due"),
    KnownFault("arcadedb", "epoch and nanoseconds", "`nanosecond` beside `epochMillis` is ignored"),
    KnownFault("arcadedb", "points", "distances on the globe, names of systems and missing parts are its own"),
    KnownFault("arcadedb", "unusual text of a number", "`toInteger('0x1F')` and `toBoolean(' true ')` are null"),
    KnownFault("arcadedb", "index beyond 32 bits", "`[1, 2, 3][4294967296]` is 1 where null is due"),
    KnownFault("kglite", "not a finite number", "NaN and infinity become null"),
    KnownFault("kglite", "open repetition", "a repetition without an upper bound stops at ten rounds"),
    KnownFault(
        "kglite",
        "repetition from a bare node",
        "its relationships are listed backwards, as they are walked to the left",
    ),
    KnownFault("kglite", "variable in a property map", "`{x: a.x}` is never met where the same MATCH binds `a`"),
    KnownFault("kglite", "reserved property", "`id`, `title` and `type` are properties that every node has"),
    KnownFault("kglite", "all properties", "`keys`, `properties` and `.*` also give `id`, `title` and `type`"),
    KnownFault("kglite", "temporal function", "parts, arithmetic and truncation of temporal values are often wrong"),
    KnownFault("kglite", "nanoseconds", "values come back without what is below microseconds"),
    KnownFault("kglite", "condition on a shortest path", "the condition is asked of the shortest path alone"),
    KnownFault("kglite", "relationship matched twice", "`(a)-[r]->(b)-[r]->(c)` has rows where none can be"),
    KnownFault("kglite", "count of an undirected path", "the count of `(a)--(b)<--(c)` is 0"),
    KnownFault("kglite", "element with NaN", "a node that holds NaN is not equal to itself"),
    KnownFault("kglite", "boolean of a number", "`toBoolean` takes no numbers"),
    KnownFault("kglite", "list and null", "`[1] + null` is [1, null] where null is due"),
    KnownFault("kglite", "projection of a relationship", "`r {.w}` is null"),
    KnownFault("kglite", "sum of durations", "`sum` of durations is 0, `avg` null"),
    KnownFault("kglite", "deviation", "`stDev(1)` is null where 0.0 is due"),
    KnownFault("kglite", "integer of a large float", "`toInteger(1e30)` is null where the largest integer is due"),
    KnownFault("kglite", "distinct numbers", "1 and 1.0 count as different values when duplicates are removed"),
    KnownFault("kglite", "rounding", "`round(-2.5)` is -3.0, and precisions are taken of binary fractions"),
    KnownFault("kglite", "float as text", "`toString(1e21)` is written without an exponent"),
    KnownFault("kglite", "time as text", "`toString` leaves out seconds that are zero: '10:00' for '10:00:00'"),
    KnownFault("kglite", "unusual text of a number", "`toInteger(' 1 ')` and `toFloat('1d')` are null"),
    KnownFault("kglite", "negative length", "`left('abc', -1)` is 'abc' where an error is due"),
    KnownFault("kglite", "several separators", "`split('a1b2', ['1', '2'])` is null"),
    KnownFault("kglite", "regular expression without case", "`'É' =~ '(?i)é'` is true where false is due"),
    KnownFault("kglite", "argument of another type", "`toInteger([1])` is null where an error is due"),
    KnownFault("kglite", "reverse of another type", "`reverse(1)` is '1' where an error is due"),
    KnownFault("kglite", "order of maps", "maps are not ordered by their size, keys and values"),
    KnownFault("kglite", "order of durations", "P31D comes before P1M, which is shorter on average"),
    KnownFault("kglite", "comparison of durations", "`duration('P1D') <= duration('P1D')` is null"),
    KnownFault("kglite", "comparison of temporal types", "`date('2020-01-01') = '2020-01-01'` is true"),
    KnownFault("kglite", "equality of zoned times", "values are equal if their instants are, whatever their offsets"),
    KnownFault("kglite", "type of a list", "the types of a list of several are in another order"),
    KnownFault("grafeo", "null in a property map", "`{x: null}` is met by what has no `x`"),
    KnownFault("grafeo", "sum", "the sum of no values is null where 0 is due"),
    KnownFault(
        "grafeo", "quantifier", "`any`, `all`, `none`, `single` over a null are false or true where null is due"
    ),
    KnownFault("grafeo", "comparison of literals of two types", "`'1' > 0` is true where null is due"),
    KnownFault("grafeo", "IN of a comprehension", "`null IN []` of a comprehension is null where false is due"),
    KnownFault("grafeo", "subquery in OPTIONAL MATCH", "a row is dropped where one with nulls is due"),
    KnownFault("grafeo", "projection of a null element", "a map of nulls comes where null is due"),
    KnownFault("grafeo", "remainder of floats", "`2.5 % 0.0` is null where NaN is due"),
    KnownFault("grafeo", "slice from the end", "`[1, 2, 3][1..-1]` gives [2, 3] where [2] is due"),
    KnownFault("grafeo", "temporal function", "parts, arithmetic and truncation of temporal values are often wrong"),
    KnownFault("grafeo", "float as text", "`toString(2.0)` is '2' where '2.0' is due"),
    KnownFault("grafeo", "comparison of lists", "`[1] > []` is null where true is due"),
    KnownFault("grafeo", "element in coalesce or CASE", "`coalesce(null, n)` is the number of the node"),
    KnownFault("grafeo", "MATCH of a null node", "`MATCH (n)` of a null `n` has a row where none is due"),
    KnownFault("grafeo", "discrete percentile of integers", "`percentileDisc(1, 1.0)` is 1.0 where 1 is due"),
    KnownFault("grafeo", "rounding of integers", "`floor(2)` is 2 where 2.0 is due"),
    KnownFault("grafeo", "nanoseconds", "values come back without what is below microseconds"),
    KnownFault("ladybug", "several edges in a MATCH", "the edges of a match need not be different"),
    KnownFault("ladybug", "several labels of one node", "`:A:B` matches what has one of the labels"),
    KnownFault("ladybug", "repetition", "paths may use an edge more than once"),
    KnownFault("ladybug", "element of a list", "lists count from 1 and slices include their end"),
    KnownFault("ladybug", "function on elements", "labels, types and ids of elements are not those of Cypher"),
    KnownFault("ladybug", "temporal function", "temporal values have other functions there"),
    KnownFault("ladybug", "list of several types", "the elements of a list become texts where their types differ"),
    KnownFault("ladybug", "float by an integer", "a float divided by the integer zero is infinity, not an error"),
    KnownFault("googlesql", "order of NaN", "NaN is the least number in an order, and both `min` and `max` give it"),
    KnownFault("spanner", "order of NaN", "NaN is the least number in an order, and both `min` and `max` give it"),
)


def find(
    engine: str, dialect: str, core: ir.Query, parameters: Mapping[str, Any], held: Held | None = None
) -> tuple[KnownFault, ir.Node] | None:
    """The first known fault of the engine that the query, sent in that dialect, runs into, with its place.

    `held` is what is known of its data; without it a property may be of any type.
    """
    asked = Asked(core, parameters, held or Held(complete=False))
    for known in KNOWN_FAULTS:
        if known.engine == engine and known.dialect in (None, dialect):
            for node in FEATURES[known.feature](asked):
                return known, node
    return None
