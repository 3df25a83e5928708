"""The grammar and the driver: free of conflicts, true to Lark, cached safely, and no construct without its version."""

from __future__ import annotations

import re
import string
import subprocess
import sys
from functools import cache
from importlib import resources
from pathlib import Path
from typing import Any

import lark.lexer
import pytest
from lark import Lark
from lark.exceptions import UnexpectedInput

from graphir.dialects import CONSTRUCTS, CYPHER_LEVELS
from graphir.grammar import lalr, table
from graphir.grammar.builder import actions
from graphir.grammar.cypher import GRAMMAR, parser
from graphir.grammar.terminals import MARKS
from tests.conformance.suites import corpora, tck
from tests.outside import sample, texts

KEYWORDS_AS_NAMES = [
    "MATCH (any)-[all]->(shortest) WHERE any.x = all.y RETURN case, not, distinct, trail AS walk ORDER BY case.x",
    "MATCH p = ANY SHORTEST (count)-->+(exists) RETURN COUNT { (count) }, count(count), exists {.a}, collect {.*}",
    "RETURN trim(LEADING 'x' FROM y), trim(leading), [x IN xs WHERE x:A|B | x], 1.5e3, 0x1F, .5, 1..2, $p, $`q`",
    "MATCH (n) WHERE n IS NOT NULL AND n IS NFC NORMALIZED AND n IS :: LIST<INT> RETURN DISTINCT n",
]


@cache
def compiled() -> table.Table:
    return table.build(GRAMMAR.read_text(encoding="utf-8"))


@cache
def reference() -> Lark:
    """Lark's own parser for the same grammar, without its check of terminals (below, it is slow)."""
    checked = lark.lexer.has_interegular
    lark.lexer.has_interegular = False
    try:
        return Lark(GRAMMAR.read_text(encoding="utf-8"), parser="lalr", maybe_placeholders=True)
    finally:
        lark.lexer.has_interegular = checked


# ------------------------------------------------------------------ the grammar


def test_the_grammar_is_free_of_conflicts() -> None:
    assert table.build(GRAMMAR.read_text(encoding="utf-8"), strict=True).rules == compiled().rules


def test_no_two_terminals_of_one_preference_fit_the_same_text() -> None:
    """Lark's strict mode would prove it, but its proof knows no look-ahead and takes gigabytes: so, by example."""
    groups: dict[int, list[tuple[str, re.Pattern[str]]]] = {}
    for terminal in reference().terminals:
        if terminal.pattern.type == "re" and terminal.name not in reference().ignore_tokens:
            groups.setdefault(terminal.priority, []).append((terminal.name, re.compile(terminal.pattern.to_regexp())))
    finditer = parser().lexer.finditer
    for query in [case.text for case in sample(tck("opencypher-9"), 200)] + KEYWORDS_AS_NAMES:
        for token in finditer(query):
            start = token.start(token.lastindex or 0)
            for patterns in groups.values():
                ends = {name: m.end() for name, pattern in patterns if (m := pattern.match(query, start))}
                assert len(set(ends.values())) == len(ends), (query, start, ends)


NOISE = {"where", "score", "else_branch", "label_spec"}
"""Rules that are their one operand: `WHERE e` is just `e`."""


def test_no_keyword_is_inlined_away() -> None:
    """`?rule: "NOT"i x` would pass x through and lose NOT."""
    lost = set()
    for rule in reference().rules:
        kept = [symbol for symbol in rule.expansion if not (symbol.is_term and symbol.filter_out)]
        words = [s.name for s in rule.expansion if s.is_term and s.filter_out and s.name.lstrip("_").isalpha()]
        dropped = set(words) - {"LPAR", "RPAR", "LSQB", "RSQB", "LBRACE", "RBRACE", "COLON", "COMMA"}
        if rule.options.expand1 and rule.alias is None and len(kept) == 1 and dropped:
            lost.add(str(rule.options.template_source or rule.origin.name))
    assert lost <= NOISE


def test_marks_begin_no_other_terminal() -> None:
    for name, pattern in compiled().terminals:
        if name == "NAME" or pattern in MARKS or pattern in {re.escape(mark) for mark in MARKS}:
            continue
        for mark in MARKS:
            assert not any(re.match(pattern, mark + after) for after in string.printable), (name, mark)


def test_every_rule_has_its_action_and_every_action_its_rule() -> None:
    rules = {rule.name for rule in compiled().rules if rule.kind == "call"}
    made = {name for name, action in actions().items() if not isinstance(action, type) or name in rules}
    assert rules - set(actions()) == set()
    assert {name for name in made - rules if name.islower()} <= {"as_first_node", "check_coordinates"}


def test_every_construct_is_noted_and_described() -> None:
    files = resources.files("graphir.grammar.builder").iterdir()
    text = "".join(file.read_text(encoding="utf-8") for file in files if file.name.endswith(".py"))
    assert {name for name in CONSTRUCTS if f'"{name}"' not in text} == set()
    assert set(re.findall(r'\.use\("([^"]+)", ', text)) <= set(CONSTRUCTS)
    for construct in CONSTRUCTS.values():
        assert construct.title
        assert CYPHER_LEVELS.index(construct.first) <= CYPHER_LEVELS.index(construct.last)


# ------------------------------------------------------------------ the driver


def outcome(parse: Any, text: str) -> Any:
    try:
        return parse(text)
    except (UnexpectedInput, lalr.Unexpected):
        return None


def test_the_driver_makes_larks_trees() -> None:
    driver = lalr.trees(compiled())
    queries = [case.text for case in tck("opencypher-9")]
    queries += sample([case.text for case in corpora("neo4j-25")], 1500)
    queries += sample(texts("kuzu_ladybug_tests", "sqlpgq").values(), 1000)
    read = 0
    for query in queries:
        found = outcome(driver.parse, query)
        assert found == outcome(reference().parse, query), query
        read += found is not None
    assert read > 4000


@pytest.mark.parametrize(
    ("text", "position", "expected"),
    [
        ("MATCH (a)", 9, {"RETURN", "LPAR", "DASH_DASH", "$END"}),
        ("MATCH (a RETURN a", 9, {"RPAR", "COLON", "WHERE"}),
        ("RETURN 1 +", 10, {"INT", "NAME", "LPAR"}),
        ("RETURN [x IN xs WHERE x > 1", 27, {"RSQB", "BAR"}),
    ],
)
def test_what_is_expected_is_what_could_follow(text: str, position: int, expected: set[str]) -> None:
    found = parser().following(text[:position])
    assert expected - {"$END"} <= found
    for terminal in ("THEN", "RBRACE", "YIELD"):
        assert terminal not in found


def test_an_unexpected_token_is_described() -> None:
    with pytest.raises(lalr.Unexpected) as raised:
        lalr.trees(compiled()).parse("MATCH (a) RETRUN a")
    found = raised.value
    assert (found.kind, found.value, found.position, found.at_end) == ("NAME", "RETRUN", 10, False)
    with pytest.raises(lalr.Unexpected) as raised:
        lalr.trees(compiled()).parse("RETURN")
    assert raised.value.at_end
    assert "STAR" in raised.value.expected


def test_a_part_of_a_text_is_read_in_place() -> None:
    text = "RETURN 1; RETURN x; RETURN"
    query = parser().parse(text, _context(text), 10, 18)
    assert query.span == (10, 18)
    with pytest.raises(lalr.Unexpected) as raised:
        parser().parse(text, _context(text), 20, 26)
    assert raised.value.position == 26


def test_nesting_has_a_limit_and_no_recursion() -> None:
    driver = lalr.trees(compiled())
    assert driver.parse("RETURN " + "(" * 250 + "1" + ")" * 250)
    with pytest.raises(lalr.TooDeep):
        driver.parse("RETURN " + "(" * 10_000)


def _context(text: str) -> Any:
    from graphir.grammar.builder.context import Context

    return Context(text, "neo4j-25")


# ------------------------------------------------------------------ the cache

SMALL = 'start: "a"+ [B]\nB: "b"\n'


@pytest.fixture
def grammar(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("GRAPHIR_CACHE", str(tmp_path / "cache"))
    path = tmp_path / "small.lark"
    path.write_text(SMALL)
    return path


def test_a_table_survives_its_stored_form() -> None:
    assert table.undump(table.dump(compiled())) == compiled()


def test_a_table_is_stored_and_found(grammar: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    made = table.load(grammar)
    assert [file.suffix for file in (tmp_path / "cache").iterdir()] == [".json"]
    monkeypatch.setattr(table, "build", None)
    assert table.load(grammar) == made


def test_another_grammar_is_another_table(grammar: Path) -> None:
    first = table.load(grammar)
    grammar.write_text(SMALL.replace('"b"', '"c"'))
    assert table.load(grammar) != first


def test_a_broken_table_is_made_anew(grammar: Path, tmp_path: Path) -> None:
    made = table.load(grammar)
    (stored,) = (tmp_path / "cache").iterdir()
    for content in ("", "{", "[]", '{"symbols": []}', stored.read_text()[:-9]):
        stored.write_text(content)
        assert table.load(grammar) == made


@pytest.mark.parametrize("folder", ["", "/proc/none", "/dev/null/x"])
def test_without_a_folder_to_write_a_table_is_made(grammar: Path, folder: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GRAPHIR_CACHE", folder)
    assert table.load(grammar) == table.build(SMALL)


def test_many_processes_share_the_cache(grammar: Path, tmp_path: Path) -> None:
    code = f"from pathlib import Path; from graphir.grammar import table; table.load(Path({str(grammar)!r}))"
    running = [subprocess.Popen([sys.executable, "-c", code]) for _ in range(4)]
    assert [process.wait(60) for process in running] == [0, 0, 0, 0]
    assert len(list((tmp_path / "cache").iterdir())) == 1


def test_importing_graphir_loads_no_parser() -> None:
    code = "import sys, graphir; print(any(m.split('.')[0] == 'lark' or 'grammar' in m for m in sys.modules))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "False"


def test_a_cached_table_needs_no_lark() -> None:
    code = "import sys, graphir; graphir.parse('RETURN 1'); graphir.parse('RETURN 2'); print('lark' in sys.modules)"
    subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "False"
