"""Elements of several tables become patterns of one table each, before patterns are folded.

In one FROM a source may be the rows of several tables, one below the other: nodes of several labels, edges of several
types or of either direction.  Here its queries are alternatives.  Those that cannot meet what the query says of the
ends of its edges are dropped.  What is left of one stands there itself; of several, the pattern around them is written
once for each choice that fits, so that every one is a whole pattern and what else the query says of it stands in it.
All of it is algebra of tables: a join of unions is the union of joins.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import islice

from sqlglot import exp

from graphir.backends.sql import build
from graphir.backends.sql.build import Sql, bare
from graphir.backends.sql.catalog import EdgeTable, NodeTable
from graphir.backends.sql.graphtables.abilities import Patterns
from graphir.backends.sql.graphtables.labels import Labelling
from graphir.backends.sql.graphtables.pieces import (
    conjuncts,
    is_granted,
    is_never,
    is_of,
    may_be_same,
    spelled,
    tag_of,
)
from graphir.backends.sql.scans import (
    SOURCE,
    TARGET,
    Part,
    Scanned,
    United,
    identity,
    keys_of,
    source_of,
    walked,
)
from graphir.frozen import frozen
from graphir.ir.names import is_generated
from graphir.schema.ddl.naming import Namespace

CHOICES = 6
"""So many choices are written out as whole patterns; of more, each edge with the nodes at its ends."""

IDENTITIES = frozenset(("id", "f", "t", "o", "n"))
"""The columns of such sources that tell elements apart."""
STEPS = 1000
"""So many steps are taken to find them."""


@frozen
class Option:
    """One alternative of a source: its own sources and conditions, and what the columns are in terms of them.

    `tags`: of columns that are elements of one table, though they come from alternatives themselves.
    """

    sources: Sequence[Sql]
    columns: Mapping[str, Sql] = field(default_factory=dict)
    conditions: Sequence[Sql] = ()
    tags: Mapping[str, str | None] = field(default_factory=dict)
    part: Part | None = None


@frozen
class Side:
    """What stands for an element in an equality: of a source that has it as a column, or as columns of a key under the
    tag of a table.  `alias` is None for what stands outside."""

    alias: str | None
    column: str | None = None
    tag: str | None = None

    def tagged(self, option: Option | None) -> str | None:
        """The tag of the table that the element is in; None where that is not known."""
        if self.column is None or option is None:
            return self.tag
        return tag_of(option.columns[self.column]) or option.tags.get(self.column)


Choice = Mapping[str, Option]
"""Alias of a source -> its alternative."""


class Spreading:
    """Spreads the sources of one statement."""

    def __init__(self, patterns: Patterns, labelling: Labelling) -> None:
        self.patterns = patterns
        self.labelling = labelling
        self._made = 0

    def spread(self, tree: Sql) -> bool:
        """Write alternatives as patterns where that can be, in place; whether anything has changed."""
        selects = [node for node in build.nodes(tree) if isinstance(node, exp.Select)]
        changed = [self._select(each) for each in selects]  # what stands outside says more of what stands inside
        return any(changed)

    def fresh(self) -> str:
        self._made += 1
        return f"m{self._made}"

    def _select(self, select: exp.Select) -> bool:
        found = Spread(self, select)
        if not found.united or not found.narrow():
            return False
        found.settle()
        for members in found.groups():
            if not found.put_together(members):
                found.write_out(members)
        return True


@dataclass(eq=False)
class Spread:
    """The sources of one FROM, and what its WHERE says of them."""

    spreading: Spreading
    select: exp.Select
    options: dict[str, list[Option]] = field(default_factory=dict)
    """Alias -> the alternatives: one for a table."""
    united: list[str] = field(default_factory=list)
    conditions: list[Sql] = field(default_factory=list)
    links: list[tuple[Side, Side]] = field(default_factory=list)
    """Of elements that are the same."""

    def __post_init__(self) -> None:
        for source in self._sources():
            known = build.stands_for(source)
            if isinstance(known, Scanned):
                self.options[source.alias] = [Option([source])]
            elif isinstance(known, United) and isinstance(source, exp.Subquery):
                options = [each for each in self._options(source, known) if not any(map(is_never, each.conditions))]
                if options:
                    self.options[source.alias] = options
                    self.united.append(source.alias)
        if self.united:
            self._untie()
        where = self.select.args.get("where")
        if self.united and where is not None:
            self.conditions = list(conjuncts(where.this))
            self.links = [link for each in self.conditions if (link := self._link(each)) is not None]

    def _untie(self) -> None:
        """Ask that nodes of scans are the same where it was noted."""
        same = [build.equal(one.sql, other.sql) for each in self._sources() for one, other in build.untie(each)]
        where = self.select.args.get("where")
        if same:
            asked = same if where is None else [*same, where.this]
            self.select.set("where", exp.Where(this=build.conjunction(asked)))

    def _sources(self) -> Iterator[Sql]:
        first = self.select.args.get("from_")
        if first is not None:
            yield first.this
        for join in self.select.args.get("joins") or ():
            if not (join.args.get("side") or join.args.get("on")):
                yield join.this

    # -------------------------------------------------------------- alternatives

    def _options(self, source: exp.Subquery, united: United) -> Iterator[Option]:
        queries = [_option(query) for query in build.branches(source.this)]
        parts: Sequence[Part | None] = united.parts or [None] * len(queries)
        both: set[str] = set()
        for query, part in zip(queries, parts, strict=True):
            option = replace(query, part=part)
            if part is None:
                yield option
            elif part.loops and self._is_both(part, united.parts, option):
                both.add(part.table.name)
                yield _undirected(option, part)
            elif part.loops:
                yield option
            elif part.table.name not in both:  # it walks backwards, beside one that walks forwards
                yield replace(option, conditions=_without_loops(option, part))

    def _is_both(self, part: Part, parts: Sequence[Part], option: Option) -> bool:
        """Whether an edge that is walked forwards, and elsewhere backwards, may be written without a direction."""
        table = part.table
        if not self.spreading.patterns.undirected or not isinstance(table, EdgeTable) or table.element is None:
            return False
        if table.element.source != table.element.target:
            return False
        if not any(other.table is table and other.backwards and not other.loops for other in parts):
            return False
        ends = {each.name for each in (*table.source.columns, *table.target.columns)} - set(table.element.properties)
        read = [each for name, each in option.columns.items() if name not in ("f", "t")]
        return not any(column.name in ends for each in read for column in each.find_all(exp.Column))

    # -------------------------------------------------------------- which of them can be

    def _link(self, condition: Sql) -> tuple[Side, Side] | None:
        node = bare(condition)
        if not isinstance(node, exp.EQ):
            return None
        one, other = self._side(node.this), self._side(node.expression)
        if one is None or other is None or (one.alias is None and other.alias is None):
            return None
        return one, other

    def _side(self, piece: Sql) -> Side | None:
        node = bare(piece)
        if isinstance(node, exp.Column):
            if node.table in self.united:
                return Side(node.table, node.name) if node.name in IDENTITIES else None
            return Side(node.table) if self._is_key(node) else None
        if not build.is_identity(node):
            return None
        aliases = {each.table for each in node.expressions if isinstance(each, exp.Column)}
        alias = aliases.pop() if len(aliases) == 1 else None
        return Side(alias if alias in self.options else None, None, tag_of(node))

    def _is_key(self, column: exp.Column) -> bool:
        """Whether a column of a scan is all that tells an element apart."""
        if column.table not in self.options:
            return False
        known = build.stands_for(self.options[column.table][0].sources[0])
        assert isinstance(known, Scanned)
        return any(key.tag is None and key.columns[0].name == column.name for _, key in keys_of(known))

    def narrow(self) -> bool:
        """Drop the alternatives that no row can have; False where nothing is left of a source."""
        pending = list(self.links)
        while pending:
            one, other = pending.pop()
            for side, against in ((one, other), (other, one)):
                if side.alias is None or len(self.options[side.alias]) == 1:
                    continue
                known = self.options[side.alias]
                left = [option for option in known if self._meets(side, option, against)]
                if not left:
                    return False
                if len(left) < len(known):
                    self.options[side.alias] = left
                    pending += [link for link in self.links if side.alias in (link[0].alias, link[1].alias)]
        return True

    def _meets(self, side: Side, option: Option, against: Side) -> bool:
        if against.alias == side.alias:
            return may_be_same(side.tagged(option), against.tagged(option))
        others: Sequence[Option | None] = [None] if against.alias is None else self.options[against.alias]
        return any(may_be_same(side.tagged(option), against.tagged(other)) for other in others)

    def settle(self) -> None:
        """Put the sources with one alternative in their places."""
        for alias in self.united:
            if len(self.options[alias]) > 1:
                continue
            option = self.options[alias][0]
            self._replace([alias], option.sources)
            self.conditions += option.conditions
            self._restate()
            self._substitute({(alias, name): sql for name, sql in option.columns.items()})
            for source in option.sources:
                if isinstance(build.stands_for(source), Scanned):
                    self.options[source.alias] = [Option([source])]
            del self.options[alias]
        self.united = [alias for alias in self.united if alias in self.options]
        self.conditions = [one for each in self.conditions for one in spelled(each)]
        self._restate()
        self.links = [link for each in self.conditions if (link := self._link(each)) is not None]

    # -------------------------------------------------------------- patterns

    def groups(self) -> Iterator[list[str]]:
        """The sources that are written out together."""
        left = dict.fromkeys(self.options)
        for alias in self.united:
            if alias not in left:
                continue
            around = self._around(alias, left)
            if self._count(around) > CHOICES and not self._is_one(around):
                around = self._near(alias, left)
            for each in around:
                del left[each]
            if self._count(around):
                yield around

    def _around(self, alias: str, left: Mapping[str, None]) -> list[str]:
        """All that hangs together with a source."""
        found = [alias]
        for each in found:  # which grows meanwhile
            found += [other for other in self._linked(each) if other in left and other not in found]
        return [each for each in self.options if each in found]

    def _near(self, alias: str, left: Mapping[str, None]) -> list[str]:
        """An edge and the nodes at its ends; of a node the edge comes first."""
        edge = alias if self._is_edge(alias) else next((e for e in self._linked(alias) if self._is_edge(e)), alias)
        if edge not in left:
            edge = alias
        near = [each for each in self._linked(edge) if each in left and not self._is_edge(each)]
        return [each for each in self.options if each in (edge, *near)]

    def _linked(self, alias: str) -> list[str]:
        found = [
            other.alias
            for link in self.links
            for one, other in (link, link[::-1])
            if one.alias == alias and other.alias is not None and other.alias != alias
        ]
        return list(dict.fromkeys(found))

    def _is_edge(self, alias: str) -> bool:
        known = [build.stands_for(source) for option in self.options[alias] for source in option.sources]
        return not all(isinstance(each, Scanned) and isinstance(each.table, NodeTable) for each in known)

    def _count(self, members: Sequence[str]) -> int:
        """How many choices there are, up to one more than are written out."""
        found = list(islice(self.choices(members), STEPS))
        made = [each for each in found if len(each) == len(members)]
        return CHOICES + 1 if len(found) == STEPS else min(len(made), CHOICES + 1)

    def choices(self, members: Sequence[str]) -> Iterator[Choice]:
        """The choices that fit together, and on the way to them those of some members alone."""
        order = self._ordered(members)
        pending: list[dict[str, Option]] = [{}]
        while pending:
            made = pending.pop()
            yield made
            if len(made) == len(order):
                continue
            alias = order[len(made)]
            more = [{**made, alias: option} for option in self.options[alias]]
            pending += [each for each in reversed(more) if self._fits(each, alias)]

    def _ordered(self, members: Sequence[str]) -> list[str]:
        """Members so that each hangs on one before it."""
        order = list(members[:1])
        for each in order:  # which grows meanwhile
            order += [other for other in self._linked(each) if other in members and other not in order]
        return [*order, *[each for each in members if each not in order]]

    def _fits(self, made: Choice, alias: str) -> bool:
        for one, other in self.links:
            known = one.alias in made and other.alias in made
            if known and alias in (one.alias, other.alias):
                assert one.alias is not None
                assert other.alias is not None
                if not may_be_same(one.tagged(made[one.alias]), other.tagged(made[other.alias])):
                    return False
        return True

    def _is_one(self, members: Sequence[str]) -> bool:
        """Whether one pattern, whose elements have one label of several, stands for all choices: nothing is asked of
        such an element but properties that all of its tables expose under one name."""
        if not self.spreading.patterns.alternatives:
            return False
        several = {each: self.options[each] for each in members if len(self.options[each]) > 1}
        if not all(self._are_alike(options) for options in several.values()):
            return False
        links = [each for each in self.conditions if self._is_between(each, members)]
        skipped = {id(column) for each in links for column in build.nodes(each)}
        asked = 0
        for column in build.nodes(self.select):
            if not isinstance(column, exp.Column) or column.table not in members or id(column) in skipped:
                continue
            asked += 1
            if column.table in several and not _is_exposed(column.name, several[column.table]):
                return False
        return asked > 0 or len(several) < len(members) or any(_share(options) for options in several.values())

    def _are_alike(self, options: Sequence[Option]) -> bool:
        """Whether alternatives differ in their tables alone, and there are labels that only these tables have."""
        ways = set()
        tables: list[NodeTable | EdgeTable] = []
        for option in options:
            known = [build.stands_for(source) for source in option.sources]
            if option.part is None or len(known) != 1 or option.conditions or not isinstance(known[0], Scanned):
                return False
            if option.part.table.element is None or not option.part.loops:
                return False
            tables.append(option.part.table)
            ways.add((option.part.backwards, known[0].undirected))
        return len(ways) == 1 and self.spreading.labelling.are_whole(tables)

    def _is_between(self, condition: Sql, members: Sequence[str]) -> bool:
        """Whether a condition says of members alone that they are the same element."""
        link = self._link(condition)
        return link is not None and all(side.alias in members for side in link)

    def put_together(self, members: Sequence[str]) -> bool:
        """Have one pattern for all choices, where there can be one; whether there can."""
        if not self._is_one(members):
            return False
        first = next(each for each in self.choices(members) if len(each) == len(members))
        for alias, option in first.items():
            known = build.stands_for(option.sources[0])
            if len(self.options[alias]) > 1 and isinstance(known, Scanned):
                tables = [each.part.table for each in self.options[alias] if each.part is not None]
                others = tuple([each for each in tables if each is not known.table])
                build.standing(option.sources[0], replace(known, others=others))
                self.options[alias] = [option]
        self.settle()
        return True

    def write_out(self, members: Sequence[str]) -> None:
        """Have a query for each choice of alternatives, in place of the sources."""
        inside = [each for each in self.conditions if is_of(each, members)]
        self.conditions = [each for each in self.conditions if all(each is not other for other in inside)]
        self._restate()
        asked: dict[tuple[str, str], None] = {}
        for column in build.nodes(self.select):
            if isinstance(column, exp.Column) and column.table in members:
                asked[column.table, column.name] = None
        queries: list[Sql] = []
        names: dict[tuple[str, str], str] = {}
        for choice in self.choices(members):
            if len(choice) < len(members):
                continue
            names = names or self._names(asked, choice)
            columns = [build.alias(_chosen(build.column(name, of), choice), names[of, name]) for of, name in asked]
            conditions = [one for each in inside for one in spelled(_chosen(build.again(each), choice))]
            conditions += [build.again(each) for option in choice.values() for each in option.conditions]
            conditions = [each for each in conditions if not is_granted(each)]
            sources = [build.again(source) for option in choice.values() for source in option.sources]
            queries.append(build.select(columns or [build.alias(build.number(1), "one")], sources, conditions))
        alias = self.spreading.fresh()
        self._substitute({place: build.column(name, alias) for place, name in names.items()})
        self._replace(members, [build.derived(build.union(queries), alias)])

    def _names(self, asked: Mapping[tuple[str, str], None], choice: Choice) -> dict[tuple[str, str], str]:
        """What the columns are called: by the variable and the property."""
        taken = Namespace(self.spreading.patterns.spelling)
        found: dict[tuple[str, str], str] = {}
        for alias, name in asked:
            known = [build.stands_for(source) for source in choice[alias].sources]
            variable = next((each.variable for each in known if isinstance(each, Scanned) and each.variable), None)
            own = "key" if name in ("f", "t") else self._read(alias, name)
            end = _end_of(known[0], name) if len(known) == 1 and isinstance(known[0], Scanned) else None
            if end is not None:
                variable, own = end, "key"
            plain = variable if variable is not None and variable.isascii() and variable.isidentifier() else alias
            found[alias, name] = taken.take(f"{plain}_{own}")
        return found

    def _read(self, alias: str, name: str) -> str:
        """The name of the column that is read for another in the first of the alternatives that reads one."""
        for option in self.options[alias]:
            sql = bare(option.columns.get(name) or build.column(name, alias))
            columns = sql.expressions if build.is_identity(sql) else [sql]
            if len(columns) == 1 and isinstance(columns[0], exp.Column):
                return "key" if is_generated(columns[0].name) else columns[0].name
        return name

    # -------------------------------------------------------------- the query

    def _restate(self) -> None:
        kept = [each for each in self.conditions if not is_granted(each)]
        self.select.set("where", exp.Where(this=build.conjunction(kept)) if kept else None)

    def _replace(self, aliases: Sequence[str], sources: Sequence[Sql]) -> None:
        """Put sources in the place of the first of others."""
        made: list[Sql] = []
        pending = list(sources)
        for join in [exp.Join(this=self.select.args["from_"].this), *(self.select.args.get("joins") or ())]:
            if join.this.alias not in aliases:
                made.append(join)
                continue
            made += [exp.Join(this=source) for source in pending]
            pending = []
        self.select.set("from_", exp.From(this=made[0].this))
        self.select.set("joins", made[1:] or None)

    def _substitute(self, known: Mapping[tuple[str, str], Sql]) -> None:
        """Read columns as what they are, in the query and in those inside of it."""
        for column in build.nodes(self.select):
            if not isinstance(column, exp.Column) or (column.table, column.name) not in known:
                continue
            made = build.again(known[column.table, column.name])
            column.replace(made if isinstance(column.parent, exp.Alias) else build.atom(made))
        where = self.select.args.get("where")
        self.conditions = [] if where is None else list(conjuncts(where.this))


# ------------------------------------------------------------------ alternatives of tables


def _end_of(scanned: Scanned, column: str) -> str | None:
    """The variable of the node at the end of an edge that a column tells, alone; None for other columns."""
    named = {SOURCE: scanned.source, TARGET: scanned.target}
    if column in ("f", "t"):
        return named[SOURCE if column == "f" else TARGET]
    keys = keys_of(scanned)
    return next((named.get(role) for role, key in keys if [each.name for each in key.columns] == [column]), None)


def _option(query: exp.Query) -> Option:
    where = query.args.get("where")
    sources = [query.args["from_"].this, *[join.this for join in query.args.get("joins") or ()]]
    columns = {each.alias: each.this for each in query.selects}
    inner = {each.alias: each for each in sources if isinstance(build.stands_for(each), United)}
    tags = {
        name: _only_tag(inner[each.table], each.name)
        for name, each in columns.items()
        if isinstance(each, exp.Column) and each.table in inner
    }
    return Option(sources, columns, [] if where is None else list(conjuncts(where.this)), tags)


def _only_tag(source: Sql, column: str) -> str | None:
    """The tag of the table that the elements in a column of alternatives are in; None where it is not one."""
    columns = [each for query in build.branches(source.this) for each in query.selects]
    found = {tag_of(each.this) for each in columns if each.alias == column}
    return found.pop() if len(found) == 1 else None


def _without_loops(option: Option, part: Part) -> Sequence[Sql]:
    """The conditions, without the one that an edge is no loop where it cannot be one."""
    table = part.table
    assert isinstance(table, EdgeTable)
    if table.source.tag == table.target.tag:
        return option.conditions
    return [each for each in option.conditions if not isinstance(bare(each), exp.NEQ)]


def _undirected(option: Option, part: Part) -> Option:
    """The alternative that an edge is walked either way."""
    table = part.table
    assert isinstance(table, EdgeTable)
    alias = option.sources[0].alias
    source = source_of(table, alias, *part.variables)
    build.standing(source, replace(build.stands_for(source), undirected=True))
    left, right = (identity(key, alias) for key in walked(table))
    return Option([source], {**option.columns, "f": left, "t": right}, part=part)


def _share(options: Sequence[Option]) -> set[str]:
    """The properties that all alternatives expose."""
    elements = [None if option.part is None else option.part.table.element for option in options]
    return set.intersection(*[set() if each is None else set(each.properties.values()) for each in elements])


def _is_exposed(name: str, options: Sequence[Option]) -> bool:
    """Whether a column is, in all alternatives, a property of one name."""
    names: set[str | None] = set()
    for option in options:
        sql = option.columns[name]
        assert option.part is not None
        assert option.part.table.element is not None
        if name in IDENTITIES or not isinstance(sql, exp.Column):
            return False
        names.add(option.part.table.element.properties.get(sql.name))
    return len(names) == 1 and None not in names


def _chosen(piece: Sql, choice: Choice) -> Sql:
    """A piece that reads the alternatives of a choice."""
    made = exp.Paren(this=piece)
    for column in build.nodes(made):
        if isinstance(column, exp.Column) and column.table in choice:
            found = choice[column.table].columns.get(column.name)
            if found is not None:
                column.replace(build.atom(build.again(found)))
    return bare(made)
