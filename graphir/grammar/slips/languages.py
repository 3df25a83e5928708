"""Slips into other languages: SQL, GQL, schema languages, and Cypher of another version."""

from __future__ import annotations

import re

from graphir.diagnostics import Edit, Fix
from graphir.grammar.slips.scene import Scene, Slip, ends_operand, insert, substitute
from graphir.source import Span

_SQL_FIRST: dict[str, str | None] = {
    "SELECT": "Cypher reads with `MATCH (n:Label) WHERE .. RETURN ..`",
    "UPDATE": "Cypher changes values with `MATCH (n:Label) SET n.property = value`",
    "FROM": "Cypher reads with `MATCH (n:Label) WHERE .. RETURN ..`",
    "COPY": "Cypher reads files with `LOAD CSV FROM .. AS row`",
    "BEGIN": "transactions are the driver's; give the query alone",
    "COMMIT": "transactions are the driver's; give the query alone",
    "ROLLBACK": "transactions are the driver's; give the query alone",
    "INSTALL": None,
    "ATTACH": None,
    "EXPORT": None,
    "IMPORT": None,
    "PRAGMA": None,
    "TRUNCATE": "Cypher deletes with `MATCH (n:Label) DETACH DELETE n`",
}
_CREATED = frozenset({"TABLE", "NODE", "REL", "VIEW", "MACRO", "SEQUENCE", "TYPE", "FUNCTION", "SCHEMA"})


def other_language(scene: Scene) -> Slip | None:
    """A statement of SQL, Kuzu's schema language, Gremlin, SPARQL or GQL, told by its first words."""
    if scene.at > 3 or not scene.tokens:
        return None
    start = Scene(scene.text, scene.tokens, 0, scene.dialect)
    first, second, third = start.word(0), start.word(1), start.word(2)
    here = start.span(0, scene.at)
    if scene.at == 0 and first in _SQL_FIRST and second not in ("(", "="):
        return Slip("G012", f"`{first}` begins a statement of SQL, not of Cypher", start.span(), _SQL_FIRST[first])
    if first == "CREATE" and second in _CREATED and start.kind(2) == "word":
        hint = "Cypher needs no schema: labels, types and properties come with the data; see `CREATE CONSTRAINT`"
        shown = f"CREATE {second} {third}" if third == "TABLE" else f"CREATE {second}"
        return Slip("G012", f"`{shown}` belongs to another language, not to Cypher", here, hint)
    if first in ("INSERT", "DELETE") and second in ("INTO", "FROM"):
        adds = "Cypher adds nodes with `CREATE (:Label {property: value})`"
        instead = adds if first == "INSERT" else _SQL_FIRST["TRUNCATE"]
        return Slip("G012", f"`{first} {second}` is SQL, not Cypher", start.span(0, 1), instead)
    if first == "G" and second == "." and third in ("V", "E"):
        return Slip("G012", "this is Gremlin, not Cypher", start.span(0, 2))
    if first == "PREFIX" or (first in ("ASK", "CONSTRUCT") and second in ("{", "WHERE")):
        return Slip("G012", "this is SPARQL, not Cypher", start.span())
    if scene.at == 0 and first == "GRAPH" and scene.kind(1) in ("word", "name"):
        hint = f"Cypher names the graph with `USE {scene.token(1).value}`, or not at all"
        return Slip(
            "G013", "`GRAPH name` begins a query of GQL (Spanner, BigQuery), not of Cypher", start.span(0, 1), hint
        )
    if scene.at == 0 and first in ("SESSION",):
        return Slip("G013", f"`{first}` is GQL, not Cypher", start.span())
    return None


def cypher_option(scene: Scene) -> Slip | None:
    """`CYPHER setting = [..]`: what no option can be."""
    if scene.word(-1) != "=" or scene.at not in (3, 4) or scene.tokens[0].value.upper() != "CYPHER":
        return None
    message = f"`{scene.token(-2).value}` is no option of CYPHER: the value of one is a word, a number or a string"
    return Slip("G001", message, scene.span(-2), None, None, scene.span(-2))


_NOT_CYPHER: dict[str, str] = {
    "LIKE": "use `CONTAINS`, `STARTS WITH`, `ENDS WITH`, or `=~` with a regular expression",
    "ILIKE": "use `toLower(a) CONTAINS toLower(b)`, or `=~ '(?i).*'`",
    "RLIKE": "use `=~` with a regular expression",
    "REGEXP": "use `=~` with a regular expression",
    "SIMILAR": "use `=~` with a regular expression",
    "GLOB": "use `=~` with a regular expression",
    "BETWEEN": "write `low <= x AND x <= high`, or `low <= x <= high`",
    "HAVING": "filter after grouping: `WITH key, count(*) AS n WHERE n > 1 RETURN ..`",
    "FROM": "Cypher has no FROM: what is read stands in `MATCH`",
    "JOIN": "a join is a path: `(a:A)-[:R]->(b:B)`, or two patterns with a condition in `WHERE`",
    "INNER": "a join is a path: `(a:A)-[:R]->(b:B)`, or two patterns with a condition in `WHERE`",
    "LEFT": "an outer join is `OPTIONAL MATCH`",
    "RIGHT": "an outer join is `OPTIONAL MATCH`",
    "FULL": "an outer join is `OPTIONAL MATCH`",
    "OVER": "Cypher has no window functions: collect into a list, or use a subquery",
    "QUALIFY": "Cypher has no window functions: collect into a list, or use a subquery",
    "NULLS": "null sorts last ascending and first descending; sort by `x IS NULL` first to change that",
    "SORT": "write `ORDER BY`",
    "FETCH": "write `LIMIT n`",
    "TOP": "write `LIMIT n` at the end",
    "MINUS": "use `WHERE NOT EXISTS { .. }`",
    "EXCEPT": "use `WHERE NOT EXISTS { .. }`",
    "INTERSECT": "match both patterns in one query",
    "COLUMNS": "write `RETURN` with the columns",
    "SELECT": "write a subquery: `COLLECT { MATCH .. RETURN .. }`, `COUNT { .. }` or `CALL { .. }`",
    "ISNULL": "write `x IS NULL`",
    "NOTNULL": "write `x IS NOT NULL`",
    "VALUES": "give the values in the pattern: `(:Label {property: value})`",
    "UNNEST": "write `UNWIND list AS x`",
}
_COMMENTS = "`--` is a relationship; a comment begins with `//`, or stands in `/* */`"
_GQL_WORDS = frozenset({"EXCEPT", "INTERSECT", "COLUMNS"})


def foreign_word(scene: Scene) -> Slip | None:
    """A word of SQL or GQL in the middle of a query."""
    word = scene.word()
    if scene.kind() == "word" and word in _NOT_CYPHER and not (word == "MINUS" and scene.kind(1) == "number"):
        code = "G013" if word in _GQL_WORDS else "G012"
        if word in ("LEFT", "RIGHT", "FULL") and scene.word(1) not in ("JOIN", "OUTER"):
            return None
        return Slip(code, f"Cypher has no `{word}`", scene.span(), _NOT_CYPHER[word], _instead(scene, word))
    if scene.word(-1) in ("SELECT", "TOP") and scene.kind(-1) == "word" and scene.kind() in ("word", "number", "name"):
        word = scene.word(-1)
        return Slip("G012", f"Cypher has no `{word}`", scene.span(-1), _NOT_CYPHER[word])
    if word == "*" and scene.word(-1) == "SELECT":
        return Slip("G012", "Cypher has no `SELECT`", scene.span(-1), _NOT_CYPHER["SELECT"])
    if word == "*" and scene.word(-1) == "." and scene.kind(-2) in ("word", "name"):
        name = scene.token(-2).value
        hint = f"all properties are `properties({name})` or `{name} {{.*}}`"
        return Slip("G012", f"`{name}.*` is SQL", scene.span(-2, 0), hint)
    dashes = next((i for i in (-1, -2) if scene.word(i) == "--" and scene.kind() == "word"), None)
    if dashes is not None and scene.kind(dashes + 1) == "word" and not scene.touches(dashes):
        fix = substitute(scene.span(dashes), "--", "//")
        return Slip("G012", "`--` begins no comment", scene.span(dashes), _COMMENTS, fix)
    if (word == "--" and scene.kind(1) == "word" and scene.word(1) not in ("", "(")) or word == "#":
        fix = substitute(scene.span(), word, "//")
        hint = _COMMENTS if word == "--" else "a comment begins with `//`"
        return Slip("G012", f"`{word}` begins no comment", scene.span(), hint, fix)
    if word == "AS" and scene.owner == "CAST":
        hint = "convert with `toInteger(x)`, `toFloat(x)`, `toString(x)`, `toBoolean(x)`, `date(x)`"
        return Slip("G012", "Cypher has no `CAST`", scene.span(), hint)
    if word == "," and scene.owner in ("IN", "UNWIND", "RETURN", "=", "WITH") and scene.bracket == "(":
        return Slip("G012", "a list stands in brackets", scene.span(), "write `[a, b]`")
    if word == "," and scene.clause == "LIMIT":
        return Slip("G012", "LIMIT takes one number", scene.span(), "write `SKIP n LIMIT m`")
    if scene.kind() == "string" and scene.word(-1) in ("DATE", "TIME", "TIMESTAMP", "DATETIME", "INTERVAL"):
        function = {"TIMESTAMP": "datetime", "INTERVAL": "duration"}.get(scene.word(-1), scene.word(-1).lower())
        return Slip(
            "G012", "a typed literal of SQL or GQL", scene.span(-1, 0), f"write `{function}({scene.token().value})`"
        )
    if word == "*" and scene.word(-1) == "DISTINCT" and scene.bracket == "(":
        return Slip("G012", "`DISTINCT *` counts nothing in particular", scene.span(-1, 0), "name what is counted")
    return None


def _instead(scene: Scene, word: str) -> Fix | None:
    """The operator of Cypher that says the same, where one does."""
    here = scene.span()
    if word in ("ISNULL", "NOTNULL"):
        return substitute(here, scene.token().value, "IS NULL" if word == "ISNULL" else "IS NOT NULL", safe=True)
    if word in ("REGEXP", "RLIKE"):
        return substitute(here, scene.token().value, "=~")
    if word == "FETCH" or word != "LIKE" or scene.kind(1) != "string":
        return None
    literal = scene.token(1).value
    like = _LIKE.fullmatch(literal[1:-1])
    if like is None:
        return None
    operator = {(True, True): "CONTAINS", (False, True): "STARTS WITH", (True, False): "ENDS WITH"}.get(
        (bool(like[1]), bool(like[3])), "="
    )
    return substitute(scene.span(0, 1), f"LIKE {literal}", f"{operator} {literal[0]}{like[2]}{literal[0]}")


# A pattern of LIKE with wildcards at its ends only.
_LIKE = re.compile(r"(%?)([^%_\\]+)(%?)", re.DOTALL)


def removed(scene: Scene) -> Slip | None:
    """Clauses of Cypher before Neo4j 4."""
    first = scene.tokens[0].value.upper() if scene.tokens else ""
    if scene.word(-1) == "UNIQUE" and scene.word(-2) == "CREATE":
        return Slip("G022", "`CREATE UNIQUE` is no longer part of Cypher", scene.span(-2, -1), "use `MERGE`")
    if scene.at == 0 and first == "START" and scene.word(2) == "=":
        return Slip(
            "G022", "`START` is no longer part of Cypher", scene.span(), "use `MATCH (n) WHERE elementId(n) = ..`"
        )
    if scene.at <= 1 and first == "USING" and "PERIODIC" in (scene.word(), scene.word(1)):
        here = Span(scene.tokens[0].start, scene.tokens[1].end)
        hint = "use `CALL (row) { .. } IN TRANSACTIONS OF 1000 ROWS`"
        return Slip("G022", "`USING PERIODIC COMMIT` is no longer part of Cypher", here, hint)
    return None


_OPERATORS = {
    "==": ("=", "equality is written `=`"),
    "=>": (">=", "greater or equal is written `>=`"),
    "=<": ("<=", "less or equal is written `<=`"),
    "!=": ("<>", "inequality is written `<>`"),
    "&&": ("AND", "write `AND`"),
    "**": ("^", "a power is written `^`"),
    ":=": ("=", "write `=`"),
    "=!": ("<>", "inequality is written `<>`"),
    "><": ("<>", "inequality is written `<>`"),
    "!<": (">=", "write `>=`"),
    "!>": ("<=", "write `<=`"),
    "^^": ("XOR", "write `XOR`"),
    "//": ("/", "write `/`"),
}


def wrong_operator(scene: Scene) -> Slip | None:
    if scene.at >= len(scene.tokens) or scene.kind() != "punctuation":
        return None
    value = scene.word()
    for first in (0, -1):
        both = scene.word(first) + (scene.word(first + 1) if scene.kind(first + 1) == "punctuation" else "")
        touching = scene.at + first >= 0 and scene.at + first + 1 < len(scene.tokens) and scene.touches(first + 1)
        if (touching and both in _OPERATORS and scene.bracket != "[") or (both in ("&&", "=<") and touching):
            fix = _operator(scene, scene.span(first, first + 1), both)
            return Slip(
                "G014", f"Cypher has no operator `{both}`", scene.span(first, first + 1), _OPERATORS[both][1], fix
            )
    if value == "=>" and scene.word(-1) == "]":
        fix = substitute(scene.span(), value, "->")
        return Slip("G014", "Cypher has no arrow `=>`", scene.span(), "an arrow is written `->`", fix)
    if value in _OPERATORS and len(value) == 2:
        fix = _operator(scene, scene.span(), value)
        return Slip("G014", f"Cypher has no operator `{value}`", scene.span(), _OPERATORS[value][1], fix)
    if value == "!" and scene.operand:
        fix = substitute(scene.span(), "!", "NOT ")
        return Slip("G014", "Cypher has no operator `!` on values", scene.span(), "write `NOT`", fix)
    if value == "?" and ends_operand(scene, -1):
        return Slip("G014", "Cypher has no operator `?`", scene.span(), "write `CASE WHEN condition THEN a ELSE b END`")
    if value == "=" and scene.bracket == "{" and scene.kind(-1) in ("word", "name") and scene.word(-2) in ("{", ","):
        fix = substitute(scene.span(), "=", ":")
        return Slip("G014", "a map takes no `=`", scene.span(), f"write `{scene.token(-1).value}: ..`", fix)
    if value in ("<", ">", "<=", ">=", "<>", "=") and scene.word(-1) in ("AND", "OR", "XOR"):
        hint = f"repeat it: `x > 1 {scene.word(-1)} x < 5`, or write a range `1 < x < 5`"
        return Slip("G014", f"`{value}` lacks its left side", scene.span(), hint)
    if value in ("<", ">", "<=", ">=", "<>", "=") and scene.word(-1) == ":" and scene.bracket == "{":
        hint = "a map in a pattern tests equality; write other comparisons in `WHERE`"
        return Slip("G014", f"`{value}` cannot stand in a map", scene.span(), hint)
    return None


_SURE_OPERATORS = frozenset({"==", "!=", "&&", "=<", "=!", "><"})


def _operator(scene: Scene, span: Span, value: str) -> Fix:
    """What Cypher writes for an operator of another language, with spaces around words."""
    new = _OPERATORS[value][0]
    before = " " if new.isalpha() and scene.text[span.start - 1 : span.start].strip() else ""
    after = " " if new.isalpha() and scene.text[span.end : span.end + 1].strip() else ""
    fix = substitute(span, value, new, safe=value in _SURE_OPERATORS)
    return Fix(fix.title, (Edit(span.start, span.end, before + new + after),), fix.safe)


def negated_operator(scene: Scene) -> Slip | None:
    """`x NOT IN list`: in Cypher NOT stands before the whole comparison."""
    if scene.word() != "NOT" or scene.kind() != "word" or not ends_operand(scene, -1):
        return None
    after = scene.word(1)
    if after in ("IN", "CONTAINS", "STARTS", "ENDS", "LIKE", "BETWEEN", "EXISTS"):
        shown = {"STARTS": "STARTS WITH", "ENDS": "ENDS WITH"}.get(after, after)
        if after in ("LIKE", "BETWEEN"):
            return Slip("G012", f"Cypher has no `{shown}`", scene.span(0, 1), _NOT_CYPHER[after])
        hint = f"write `NOT x {shown} y`"
        return Slip("G014", f"Cypher has no operator `NOT {shown}`", scene.span(0, 1), hint, _negate_before(scene))
    if after == "NULL":
        fix = insert(scene.token().start, "IS ")
        return Slip("G014", "`NOT NULL` lacks its IS", scene.span(0, 1), "write `x IS NOT NULL`", fix)
    return None


def _negate_before(scene: Scene) -> Fix | None:
    """NOT moves before the left side, where that is a name or a property."""
    first = -1
    while scene.word(first - 1) == "." and scene.kind(first - 2) in ("word", "name"):
        first -= 2
    if scene.kind(first) not in ("word", "name") or scene.word(first - 1) not in _BEFORE_CONDITIONS:
        return None
    start, end = scene.token(first).start, scene.token(-1).end
    edits = (Edit(start, start, "NOT "), Edit(end, scene.token().end, ""))
    return Fix("write NOT before the comparison", edits, True)


_BEFORE_CONDITIONS = frozenset({"WHERE", "AND", "OR", "XOR", "(", "RETURN", ",", "WHEN"})
