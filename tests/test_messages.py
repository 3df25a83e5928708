"""What is said of queries that do not parse: the code, the place, what was found and expected, the hint."""

from __future__ import annotations

from bisect import bisect_right
from collections import Counter

import pytest

import graphir
from graphir.diagnostics import Diagnostic, SyntaxFault, render
from graphir.grammar import cypher, messages
from graphir.grammar.lexical import scan
from graphir.source import Source
from tests import outside


def fault(text: str, dialect: str = "neo4j-25") -> Diagnostic:
    with pytest.raises(SyntaxFault) as caught:
        cypher.parse(text, dialect)
    return caught.value.diagnostics[0]


# Realistic slips by code: the query with ▸ before the guilty token, and words of the hint (or of the message, where
# there is no hint).
SLIPS: dict[str, list[tuple[str, str]]] = {
    "G001": [
        ("FOREACH ▸x IN [1] | CREATE (:A)", "unexpected `x`: expected `(`"),
        ("RETURN 1 UNION ▸2", "unexpected `2`: expected a clause, `{`, `ALL` or `DISTINCT`"),
    ],
    "G002": [
        ("MATCH (n {name: ▸'Ann) RETURN n", "close the string with `'`; a quote inside it is written"),
        ("MATCH (n {name: ▸'Ann}) WHERE n.x = 'y' RETURN n", "a ' is missing: as it stands, this string ends only at"),
        ('MATCH (n {name: ▸"Ann}) RETURN n', 'close the string with `"`; a quote inside it is written'),
    ],
    "G003": [
        ("MATCH (n:▸`Big Shop) RETURN n", "close the name with a back-tick"),
    ],
    "G004": [
        ("MATCH (n) ▸/* all RETURN n", "close the comment with `*/`"),
    ],
    "G009": [
        ("CREATE (n {name: 'x', age▸: })", "write `key: value`"),
        ("MATCH (n) RETURN n ORDER BY n.x LIMIT ▸RETURN n", "an expression is missing before `RETURN`"),
        ("MATCH (n) RETURN▸", "the query ends too early: expected an expression, `*`,"),
        ("MATCH (n) WHERE ▸RETURN n", "an expression is missing before `RETURN`"),
        ("MATCH (n) WHERE n.a = 1 AND ▸RETURN n", "an expression is missing before `RETURN`"),
        ("MATCH (a)-[r:R]▸-> RETURN a", "write `()` for any node"),
        ("MATCH (a)-[r:R]->▸", "the query ends too early: expected `(`, `*`, `+` or `{`"),
        ("RETURN▸", "the query ends too early: expected an expression, `*`,"),
    ],
    "G010": [
        ("MATCH (a)-[:R▸->(b) RETURN b", "`]` is missing before `->`"),
        ("MATCH (a▸-->(b) RETURN b", "`)` is missing before `--`"),
        ("MATCH (a:▸)A) RETURN a", "without it the brackets pair up"),
        ("MATCH (a) ▸{RETURN a", "without it the brackets pair up"),
        ("MATCH (a {x: 1▸]}) RETURN a", "remove it, or open it with `[`"),
        ("MATCH (n {name: 'Ann'▸) RETURN n", "`}` is missing before `)`"),
        ("MATCH (n:Person ▸RETURN n", "`)` is missing before `RETURN`"),
        ("MATCH (n) WHERE (n.a = 1 AND n.b = 2 ▸RETURN n", "`)` is missing before `RETURN`"),
        ("MATCH (n) RETURN count(n▸", "`)` is missing"),
        ("MATCH (n)▸) RETURN n", "remove it, or open it with `(`"),
        ("MATCH (n) WHERE EXISTS { (n)-->() ▸RETURN n", "`}` is missing before `RETURN`"),
        ("MATCH (n) WHERE n.tags = ['a', 'b' ▸RETURN n", "`]` is missing before `RETURN`"),
    ],
    "G011": [
        ("MATCH (n:Person) ▸RETRUN n.name", "did you mean `RETURN`?"),
        ("▸MACTH (n:Person) RETURN n", "did you mean `MATCH`?"),
        ("MATCH (n:Person) ▸WEHRE n.age > 3 RETURN n", "did you mean `WHERE`?"),
        ("▸OPTIONL MATCH (n) RETURN n", "did you mean `OPTIONAL`?"),
        ("MATCH (n) RETURN ▸DISTNCT n.name", "did you mean `DISTINCT`?"),
        ("MATCH (n) RETURN n.name ▸ODER BY n.name", "did you mean `ORDER`?"),
        ("MATCH (n) RETURN n.name AS name ORDER BY name ▸DECS", "did you mean `DESC`?"),
        ("MATCH (n) RETURN n ▸LIMTI 5", "did you mean `LIMIT`?"),
        ("MATCH (n) WHERE n.name ▸STRATS WITH 'A' RETURN n", "did you mean `STARTS`?"),
        ("MATCH (n) WHERE n.name ▸CONTIANS 'A' RETURN n", "did you mean `CONTAINS`?"),
    ],
    "G012": [
        ("▸SELECT name FROM person", "Cypher reads with `MATCH (n:Label) WHERE .. RETURN ..`"),
        (
            "▸SELECT * FROM GRAPH_TABLE (g MATCH (a) COLUMNS (a.name))",
            "Cypher reads with `MATCH (n:Label) WHERE .. RETURN ..`",
        ),
        ("▸UPDATE person SET age = 3", "Cypher changes values with `MATCH (n:Label) SET"),
        ("INSERT ▸INTO person VALUES ('Ann')", "Cypher adds nodes with `CREATE (:Label {property: value})`"),
        ("DELETE ▸FROM person WHERE age > 3", "Cypher deletes with `MATCH (n:Label) DETACH DELETE n`"),
        ("CREATE ▸TABLE person (name STRING)", "Cypher needs no schema: labels, types and properties come"),
        (
            "CREATE ▸NODE TABLE Person(name STRING, PRIMARY KEY(name))",
            "Cypher needs no schema: labels, types and properties come",
        ),
        ("MATCH (n) WHERE n.name ▸LIKE 'A%' RETURN n", "use `CONTAINS`, `STARTS WITH`, `ENDS WITH`, or `=~` with"),
        ("MATCH (n) WHERE n.name ▸NOT LIKE 'A%' RETURN n", "use `CONTAINS`, `STARTS WITH`, `ENDS WITH`, or `=~` with"),
        ("MATCH (n) WHERE n.age ▸BETWEEN 3 AND 5 RETURN n", "write `low <= x AND x <= high`, or `low <= x <= high`"),
        (
            "MATCH (n) RETURN n.city, count(*) AS c ▸HAVING c > 3",
            "filter after grouping: `WITH key, count(*) AS n WHERE n >",
        ),
        (
            "MATCH (a:A) ▸INNER JOIN (b:B) ON a.id = b.id RETURN a",
            "a join is a path: `(a:A)-[:R]->(b:B)`, or two patterns",
        ),
        (
            "MATCH (n) RETURN n ORDER BY n.age DESC ▸NULLS LAST",
            "null sorts last ascending and first descending; sort by",
        ),
        ("MATCH (n) RETURN ▸TOP 5 n", "write `LIMIT n` at the end"),
        ("MATCH (n) RETURN n LIMIT 5▸, 10", "write `SKIP n LIMIT m`"),
        (
            "MATCH (n) RETURN n.name, rank() ▸OVER (ORDER BY n.age) AS r",
            "Cypher has no window functions: collect into a list, or",
        ),
        ("MATCH (n) RETURN CAST(n.age ▸AS STRING) AS age", "convert with `toInteger(x)`, `toFloat(x)`, `toString(x)`,"),
        ("MATCH (n) WHERE n.age IN (1▸, 2) RETURN n", "write `[a, b]`"),
        ("MATCH (n) WHERE n.born < ▸DATE '2000-01-01' RETURN n", "write `date('2000-01-01')`"),
        (
            "MATCH (n) WHERE n.age = (▸SELECT max(m.age) FROM m) RETURN n",
            "write a subquery: `COLLECT { MATCH .. RETURN .. }`,",
        ),
        ("MATCH (n) RETURN n▸.*", "all properties are `properties(n)` or `n {.*}`"),
        ("MATCH (n) RETURN n -- ▸all of them", "a comment begins with `//`"),
        ("MATCH (n) RETURN n ▸# all of them", "a comment begins with `//`"),
    ],
    "G013": [
        ("MATCH (a)▸->(b) RETURN b", "Cypher writes `(a)-->(b)` or names the relationship:"),
        ("▸GRAPH g MATCH (n) RETURN n", "Cypher names the graph with `USE g`, or not at all"),
        ("MATCH (n) RETURN n.a AS a ▸EXCEPT MATCH (m) RETURN m.a AS a", "use `WHERE NOT EXISTS { .. }`"),
    ],
    "G014": [
        ("MATCH (n) WHERE n.age > 3 AND ▸< 5 RETURN n", "repeat it"),
        ("MATCH (n:A {name ▸= 'x'}) RETURN n", "write `name: ..`"),
        ("MATCH (n) WHERE n.age ▸== 3 RETURN n", "equality is written `=`"),
        ("MATCH (n) WHERE n.age ▸=> 3 RETURN n", "greater or equal is written `>=`"),
        ("MATCH (n) WHERE n.age ▸=< 3 RETURN n", "less or equal is written `<=`"),
        ("MATCH (n) WHERE n.age ▸!= 3 RETURN n", "write `<>`"),
        ("MATCH (n) WHERE n.a ▸&& n.b RETURN n", "write `AND`"),
        ("MATCH (n) WHERE ▸!n.a RETURN n", "write `NOT`"),
        ("MATCH (n) WHERE n.name ▸NOT IN ['a'] RETURN n", "write `NOT x IN y`"),
        ("MATCH (n) WHERE n.name ▸NOT CONTAINS 'a' RETURN n", "write `NOT x CONTAINS y`"),
        ("MATCH (n) RETURN n.a ▸? 1 : 2", "write `CASE WHEN condition THEN a ELSE b END`"),
        ("MATCH (n {age: ▸> 3}) RETURN n", "a map in a pattern tests equality; write other"),
    ],
    "G015": [
        ("MATCH (n {name: ▸“Ann”}) RETURN n", 'write `"`'),
        ("MATCH (n {name: ▸‘Ann’}) RETURN n", "write `'`"),
        ("MATCH (a)-[:R]▸→(b) RETURN b", "write `->`"),
        ("MATCH (n) WHERE n.age ▸≥ 3 RETURN n", "write `>=`"),
        ("MATCH (n)▸\u200b RETURN n", "remove it"),
    ],
    "G016": [
        ("▸Here is the query: MATCH (n) RETURN n", "`Here` begins no statement: this reads like prose"),
        ("▸Answer: MATCH (n) RETURN n", "give the query alone, without the text around it"),
        ("▸<think>x</think> MATCH (n) RETURN n", "give the query alone, without the text around it"),
        ("▸```cypher MATCH (n) RETURN n ```", "give the text between the fences alone"),
        ('▸"MATCH (n) RETURN n"', "give the query without the quotes around it"),
        ("▸:param x => 1", "commands that begin with `:` belong to Neo4j Browser and"),
        ("MATCH (n) RETURN n LIMIT 3 ▸<|im_end|>", "give the query alone, without the text around it"),
    ],
    "G017": [
        ("MATCH (n) WHERE n.name = ▸{name} RETURN n", "write `$name`"),
        ("MATCH (n) WHERE n.name = ▸@name RETURN n", "a parameter is written `$name`"),
        ("MATCH (n) WHERE n.name = ▸? RETURN n", "a parameter is written `$name`"),
        ("MATCH (n) WHERE n.name = ▸${name} RETURN n", "a parameter is written `$name`"),
        ("MATCH (n) WHERE n.name = ▸{{name}} RETURN n", "a parameter is written `$name`"),
        ("MATCH (n:▸$label) RETURN n", "a label from a parameter is written `$($label)`"),
        ("MATCH (n) WHERE n-[▸:R]->() RETURN n", "a parameter is written `$R`, a label predicate `variable:R`"),
    ],
    "G018": [
        ("RETURN [1 ▸2] AS x", "a comma is missing before `2`"),
        ("RETURN {a: 1 ▸b: 2} AS x", "a comma is missing before `b`"),
        ("MATCH (n) RETURN n.a ▸n.b", "a comma is missing before `n`"),
        ("MATCH (n) WITH n.name AS name ▸count(*) AS c RETURN c", "a comma is missing before `count`"),
        ("MATCH (n) SET n.a = 1 ▸n.b = 2", "a comma is missing before `n`"),
    ],
    "G019": [
        ("MATCH (n) ▸GROUP BY n.x RETURN n.x", "are the grouping keys"),
        ("CALL apoc.x(1) ▸AS y RETURN y", "write `YIELD column AS name`"),
        ("MATCH (n) RETURN n ▸WHERE n.age > 3", "filter before: put it after `MATCH`, or write `WITH .."),
        ("MATCH (n) WHERE n.a = 1 ▸WHERE n.b = 2 RETURN n", "join the conditions with `AND`"),
        ("▸WHERE n.a = 1 RETURN n", "it stands after `MATCH` or `WITH`"),
        ("MATCH (n) ▸AND n.a = 1 RETURN n", "conditions stand after `WHERE`; patterns are separated by"),
        ("MATCH (n) RETURN n ORDER BY n.a WHERE ▸n.a > 1", "filter before RETURN, with WITH .. WHERE"),
        ("MERGE (a:A)▸, (b:B) RETURN a", "write another `MERGE` for the next pattern"),
        ("CREATE (n:A) ▸ON CREATE SET n.a = 1", "`ON CREATE` and `ON MATCH` belong to MERGE"),
    ],
    "G020": [
        ("MATCH (n) RETURN n.name ▸name", "write `AS name`, or a comma before `name`"),
        ("UNWIND [1, 2] ▸x RETURN x", "write `AS x`"),
    ],
    "G022": [
        ("CREATE ▸UNIQUE (a)-[:R]->(b)", "use `MERGE`"),
        ("▸START n = node(1) RETURN n", "use `MATCH (n) WHERE elementId(n) = ..`"),
        (
            "▸USING PERIODIC COMMIT 500 LOAD CSV FROM 'x' AS row RETURN row",
            "use `CALL (row) { .. } IN TRANSACTIONS OF 1000 ROWS`",
        ),
    ],
    "G023": [
        ("MATCH (n) RETURN n.name AS ▸Full Name", "write `` `Full Name` ``, or a comma between the two"),
        ("MATCH (n:Big ▸Shop) RETURN n", "write `` `Big Shop` ``"),
        ("MATCH ()-[:ACTED▸-IN]->() RETURN 1", "write `` `ACTED-IN` ``"),
        ("MATCH (n:▸3D) RETURN n", "write it in back-ticks: `` `3D` ``"),
        ("CALL ▸my-procedure() YIELD x RETURN x", "write `` `my-procedure` ``"),
    ],
    "G024": [
        ("MATCH (n) RETURN n.name AS ▸'Name'", "write `Name`"),
        ("MATCH (n {▸'name': 'Ann'}) RETURN n", "write `name`"),
        ("MATCH (n) RETURN n.▸'name'", "write `name`"),
        ("MATCH (n:▸'Person') RETURN n", "write `Person`"),
    ],
    "G025": [
        (
            "MATCH (n {title: 'A Hard Day▸'s Night', by: 'x'}) RETURN n.by AS `b`, 'y' AS y",
            "if it belongs to the string, write it `\\'` or put the",
        ),
        ("MATCH (n {title: 'it▸''s'}) RETURN n", "a quote inside a string is written `\\'`"),
    ],
    "G026": [
        ("RETURN [1, 2▸,] AS x", "remove it, or write what is missing"),
        ("MATCH (n) RETURN n.a, n.b, ▸ORDER BY n.a", "remove it, or write what is missing"),
        ("MATCH (n), ▸RETURN n", "remove it, or write what is missing"),
    ],
    "G027": [
        (
            "MATCH (n) RETURN CASE WHEN n.a THEN 1 ELSE ▸IF n.b THEN 2 END AS x",
            "write another `WHEN condition THEN value`",
        ),
        (
            "MATCH (n) RETURN CASE WHEN n.a THEN 1 ▸ELSEIF n.b THEN 2 END AS x",
            "write another `WHEN condition THEN value`",
        ),
        ("MATCH (n) RETURN ▸CASE WHEN n.a THEN 1 ELSE 2 AS x", "a CASE ends with `END`"),
    ],
    "G028": [
        ("CREATE (a), ▸b:B {x: 1})", "write `(b:..)`"),
        ("MATCH (a)-▸r:R]->(b) RETURN b", "write `-[:r]->`"),
        ("MATCH (a)-▸(r:R)->(b) RETURN b", "write `-[r:TYPE]->`"),
        ("MATCH (a)▸-(b) RETURN b", "write `--`, `-->` or `<--`"),
        ("MATCH (a)-[:R]▸-->(b) RETURN b", "write `]->` or `]-`"),
        ("MATCH ▸[a:A] RETURN a", "write `(n:Label)`"),
        ("MATCH (a:A ▸name: 'x'}) RETURN a", "write `{name: ..}`"),
        ("MATCH p = shortestPath ▸(a)-[*]-(b) RETURN p", "write `shortestPath((a)-[*]-(b))`"),
        ("MATCH (a) ▸(b) RETURN a", "write a relationship such as `-->` between them, or a"),
        ("MATCH (a)-[:R]▸>(b) RETURN b", "write `]->`"),
        ("MATCH (a)-[:R]▸(b) RETURN b", "write `]->(` or `]-(`"),
        ("MATCH (a)-[:R]->▸b RETURN b", "write `(b)`"),
        ("MATCH ▸n RETURN n", "write `(n)`"),
        ("MATCH (a)▸--[:R]--(b) RETURN b", "write `-[..]-`"),
        ("MATCH (a)▸-<-[:R]-(b) RETURN b", "write `<-[..]-`"),
        ("MATCH (a)-[:R*1▸-3]->(b) RETURN b", "write `*1..3`"),
        ("MATCH (a)-[:R]->{1▸..3}(b) RETURN b", "write `{1,3}`"),
        ("MATCH (n:A ▸OR B) RETURN n", "write `|`"),
        ("MATCH (n:A▸, B) RETURN n", "write `|` for either, `&` for both"),
        ("MATCH (n ▸Person) RETURN n", "write `:Person`"),
        ("MATCH (n:Person ▸= {name: 'Ann'}) RETURN n", "write `{name: value}` at once"),
    ],
    "G029": [
        ("MATCH (n) WHERE EXISTS { (n)-->(m) ▸AND m.a = 1 } RETURN n", "write `WHERE` before the condition"),
        ("MATCH (n) WHERE size ▸{(n)-->()} > 3 RETURN n", "write `COUNT {`"),
        ("MATCH (n) WHERE EXISTS { (n▸.name) } RETURN n", "that a property is there is tested by `n.property IS NOT"),
        (
            "MATCH (n) WHERE n.age = (MATCH (m) ▸RETURN max(m.age)) RETURN n",
            "write a subquery: `COLLECT { MATCH .. RETURN .. }`,",
        ),
        (
            "MATCH (n) RETURN [(n)-->(m) ▸RETURN m.name] AS names",
            "write `[(a)-->(b) | b.name]`, or a subquery `COLLECT {",
        ),
    ],
    "G031": [
        ("MATCH (n) ▸n.age > 3 RETURN n", "conditions begin with `WHERE`"),
        ("▸(n:Person) RETURN n", "patterns begin with `MATCH`"),
    ],
    "G030": [
        ("RETURN ▸12abc AS x", "hexadecimal numbers begin with 0x"),
        ("RETURN ▸1__000 AS x", "hexadecimal numbers begin with 0x, octal ones with 0o;"),
    ],
}


@pytest.mark.parametrize(("marked", "code", "phrase"), [(q, c, p) for c, rows in SLIPS.items() for q, p in rows])
def test_slips(marked: str, code: str, phrase: str) -> None:
    diagnostic = fault(marked.replace("▸", ""))
    assert (diagnostic.code, diagnostic.start) == (code, marked.index("▸"))
    assert diagnostic.start <= diagnostic.end
    assert phrase in (diagnostic.hint or diagnostic.message)


# What parses must not look like a slip to anyone: near misses of the tests above.
@pytest.mark.parametrize(
    "text",
    [
        "MATCH (select:From) WHERE select.like = 'it''s' OR true RETURN select".replace("''", "\\'"),
        "MATCH (n) RETURN n.where AS order, n.limit AS match, n.return AS having",
        "MATCH (a)<-[:A|B|C*1..3]-(b) RETURN a",
        "MATCH (n) WHERE NOT n.name IN ['a'] AND n.x <> 3 RETURN n {.*}",
        "MATCH (n) RETURN CASE WHEN n.a THEN CASE n.b WHEN 1 THEN 2 END ELSE 3 END AS x",
        "MATCH (n) RETURN count(DISTINCT n) AS c, [x IN [1, 2] WHERE x > 1 | x] AS l",
        "MATCH (n:`Big Shop` {`first name`: 'A'}) RETURN n.`first name` AS `the name`",
        "RETURN 'a // b' AS a, \"/*\" AS b // 'c",
        "MATCH (n) WHERE n.text = 'SELECT * FROM t' RETURN n",
        "MATCH (n) RETURN -n.a - -n.b AS x",
    ],
)
def test_no_slip(text: str) -> None:
    cypher.parse(text)


# ------------------------------------------------------------------ what was expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("UNWIND [1] §", ("an operator", "`AS`")),
        ("UNWIND [1] AS §", ("a name",)),
        ("RETURN 1 AS x §", ("a clause", "`,`", "`GROUP`", "the end of the query")),
        ("RETURN 1 §", ("an operator", "a clause", "`,`", "`AS`", "`GROUP`", "the end of the query")),
        ("RETURN NOT §", ("an expression",)),
        ("LOAD §", ("`CSV`",)),
        ("MATCH (n) USING §", ("a kind of index", "`INDEX`", "`JOIN`", "`SCAN`")),
        ("FOREACH (x IN y | §", ("an updating clause",)),
        ("MATCH (a)-[r] §", ("`->`", "`-`")),
        ("OPTIONAL §", ("`CALL`", "`MATCH`")),
        ("§", ("a clause", "`{`")),
    ],
)
def test_expected_words_are_few_and_grouped(text: str, expected: tuple[str, ...]) -> None:
    before = text.removesuffix("§")
    assert messages.expectation(cypher.parser().following(before)) == expected


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("LOAD XML FROM 'x' AS row RETURN row", "unexpected `XML`: expected `CSV`"),
        ("MATCH (n) RETURN", "the query ends too early: expected an expression, `*`, `ALL` or `DISTINCT`"),
        ("RETURN 1 UNION 2", "unexpected `2`: expected a clause, `{`, `ALL` or `DISTINCT`"),
    ],
)
def test_the_message_names_what_was_found_and_expected(text: str, message: str) -> None:
    assert fault(text).message == message


def test_a_long_list_is_cut_in_the_message_and_whole_in_the_diagnostic() -> None:
    assert messages.sentence(str(i) for i in range(20)) == "0, 1, 2, 3, 4, 5, 6, .."
    assert messages.sentence(["a"]) == "a"
    assert messages.sentence(["a", "b", "c"]) == "a, b or c"


def test_every_terminal_of_the_grammar_has_a_word() -> None:
    table = cypher.parser().table
    patterns = {name: pattern.upper() for name, pattern in table.terminals}
    rules = {rule.origin for rule in table.rules}
    named = {symbol for row in table.rows for symbol in row} - rules
    for terminal in {symbol.lstrip("_") for symbol in named} - messages.WORDS.keys():
        spelled = table.keywords.get(terminal, "").lstrip("_") == terminal
        spelled = spelled or terminal in patterns.get(terminal, patterns.get(f"_{terminal}", ""))
        assert spelled, f"{terminal} needs a word in messages.WORDS"


# ------------------------------------------------------------------ places


def test_line_and_column_in_a_text_of_several_lines() -> None:
    diagnostic = fault("MATCH (n:Person)\n// who\nWHERE n.age > 3\n  RETRUN n")
    assert (diagnostic.line, diagnostic.column) == (4, 3)
    assert render(Source("MATCH (n)\nRETURN n.a b c", "q.cypher"), fault("MATCH (n)\nRETURN n.a b c")).startswith(
        "q.cypher:2:12"
    )


def test_the_caret_stands_under_the_guilty_token() -> None:
    text = "MATCH (n:Person)\n\tWEHRE n.age > 3 RETURN n"
    assert render(Source(text), fault(text)).splitlines()[1:3] == [
        "   2 | \tWEHRE n.age > 3 RETURN n",
        "     | \t^^^^^",
    ]


def test_places_are_those_of_the_text_before_escapes_are_resolved() -> None:
    text = "MATCH (\\u006e) WHERE \\u006e.x == 1 RETURN n"
    diagnostic = fault(text, "neo4j-5")
    assert diagnostic.code == "G014"
    assert text[diagnostic.start : diagnostic.end] == "=="


def test_a_script_reports_every_broken_statement() -> None:
    text = "RETURN 1;\nMATCH (n) RETRUN n;\n\nRETURN 'a;b';\nSELECT 1;\nRETURN 'open"
    found = graphir.parse_script(text)
    codes = [s.fault and s.fault.diagnostics[0].code for s in found]
    lines = [s.fault and s.fault.diagnostics[0].line for s in found]
    assert codes == [None, "G011", None, "G012", "G002"]
    assert lines == [None, 2, None, 5, 6]


@pytest.mark.parametrize(
    ("text", "code"),
    [("", "G008"), (" // nothing\n;", "G008"), ("RETURN 1; RETURN 2", "G007"), ("RETURN '\\u00'", "G005")],
)
def test_texts_that_are_not_one_statement(text: str, code: str) -> None:
    assert fault(text).code == code


def test_opencypher_reads_escapes_in_strings_only() -> None:
    assert fault("RETURN '\\d+' AS x", "opencypher-9").code == "G005"
    assert fault("RETURN '\\d+' AS x", "opencypher-9").column == 9


# ------------------------------------------------------------------ against the server

SYNTAX = {"42I06", "42I19", "42I47", "42I02", "42I49", "42I07"}
"""The causes that are the parser's own: unexpected token, string, escape, comment, operator, number."""


def test_agreement_with_the_server_on_rejected_queries() -> None:
    """The server points at the token that broke it; our place is the same, or one token apart."""
    verdicts = {row["key"]: row["cypher25"] for row in outside.rows("corpora/neo4j_server_verdicts")}
    places: Counter[str] = Counter()
    codes: Counter[str] = Counter()
    for key, text in outside.texts().items():
        verdict = verdicts.get(key, {})
        if verdict.get("cause") not in SYNTAX or "position" not in verdict:
            continue
        if verdict.get("prefix") or verdict.get("statements"):
            continue
        diagnostic = fault(text)
        server = verdict["position"][2]
        codes[diagnostic.code] += 1
        starts = [token.start for token in scan(text) if token.kind != "comment"]
        apart = abs(_index(starts, text, diagnostic.start) - _index(starts, text, server))
        places["near" if apart <= 1 else "far"] += 1
    total = places.total()
    assert total > 200
    assert places["near"] >= total * 0.98, places
    assert codes["G001"] <= total * 0.2, codes


def _index(starts: list[int], text: str, offset: int) -> int:
    """The number of the token at an offset; the number of tokens at the end."""
    return len(starts) if offset >= len(text.rstrip()) else bisect_right(starts, offset) - 1


@pytest.mark.parametrize(
    "text",
    [
        "MATCH (n) LET a = n.x RETURN a",
        "MATCH (n) FILTER n.x = 1 RETURN n",
        "FOR x IN [1] RETURN x",
        "MATCH (n) RETURN n NEXT MATCH (m) RETURN m",
        "MATCH (n) RETURN n.x AS x, count(*) AS c GROUP BY x",
    ],
)
def test_clauses_of_cypher_25_are_named_in_cypher_5(text: str) -> None:
    cypher.parse(text, "neo4j-25")
    diagnostic = fault(text, "neo4j-5")
    assert diagnostic.code == "G021"
    assert diagnostic.hint


# ------------------------------------------------------------------ several errors of one statement


@pytest.mark.parametrize(
    ("marked", "codes"),
    [
        ("MATCH (n) WHERE n.x ▸== 1 RETURN n.name ▸WHERE n.age > 3", ["G014", "G019"]),
        ("MATCH (a:▸$A) MATCH (b:▸$B) RETURN a, b", ["G017", "G017"]),
        ("MATCH (n) RETURN n▸.* UNION ALL MATCH (m) RETURN m▸.*", ["G012", "G012"]),
        ("MATCH (n) WHERE n.x ▸!= 1 WITH n ▸LIMTI 3 RETURN n", ["G014", "G011"]),
    ],
)
def test_errors_of_other_clauses_are_told_as_well(marked: str, codes: list[str]) -> None:
    text = marked.replace("▸", "")
    found = graphir.check(text)
    assert [d.code for d in found] == codes
    assert [text[: d.start] for d in found] == ["".join(marked.split("▸")[: i + 1]) for i in range(len(codes))]


@pytest.mark.parametrize(
    "text",
    [
        "MATCH (n RETURN n.a b",
        "Please give me a query that will MATCH a node and RETURN it or so",
        "CREATE SEQUENCE err START WITH 1 INCREMENT -1",
        "MATCH (n) WHERE n.name = 'it's' RETURN n.a b",
        "MATCH (n) WHERE n.x == 1 AND n.y STARTS WITH 'a' RETURN n",
        "LOAD XML WITH HEADERS FROM 'x' AS row RETURN row",
        "MERGE (n) SET n.x == 1 ON CREATE SET n.y = 2 ON MATCH SET n.z = 3",
        "MATCH (n) WHERE n.x == 1 RETURN n.match, n.return AS with",
    ],
)
def test_what_may_follow_from_the_first_error_is_not_told(text: str) -> None:
    assert len(graphir.check(text)) == 1


def test_every_construct_that_the_dialect_lacks_is_told() -> None:
    found = graphir.check("MATCH (n) FILTER n.x > 1 LET y = 1 RETURN y", "neo4j-5")
    assert [(d.code, d.column) for d in found] == [("G021", 11), ("G021", 26)]
    assert found[0].fix is not None
