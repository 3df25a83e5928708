"""The frequent slips: what a broken query most likely meant, told by the tokens around the place where it broke.

A table of small tests, tried in order.  Each looks at a `Scene` and answers with a `Slip` or None.  A test claims only
what the text shows: where two readings are possible the hint names both.  Knows the words of Cypher, GQL and SQL, but
neither the grammar's rules nor its terminals, beyond the words that could have stood there.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from graphir.grammar.slips import clauses, languages, patterns, text
from graphir.grammar.slips.scene import Scene, Slip

# The tests in the order in which they are tried: the sure ones first.
SLIPS: tuple[Callable[[Scene], Slip | None], ...] = (
    text.fence,
    text.foreign_character,
    text.not_a_query,
    text.markup_after,
    languages.other_language,
    languages.cypher_option,
    text.quote_in_string,
    text.string_as_name,
    text.unquoted_name,
    text.invalid_number,
    text.placeholder,
    text.label_placeholder,
    languages.wrong_operator,
    languages.negated_operator,
    clauses.case_form,
    patterns.node_form,
    clauses.unbalanced,
    patterns.subquery_form,
    patterns.pattern_form,
    patterns.line_form,
    patterns.label_form,
    clauses.missing_value,
    clauses.stray_comma,
    clauses.clause_as_name,
    languages.foreign_word,
    languages.removed,
    clauses.clause_order,
    clauses.missing_keyword,
    text.prose_after,
    clauses.misspelled_distinct,
    clauses.missing_alias,
    clauses.misspelled,
    clauses.missing_comma,
    text.prose_before,
)


def find(scene: Scene) -> Iterator[Slip]:
    """The slips that the scene shows, the surest first."""
    for test in SLIPS:
        slip = test(scene)
        if slip is not None:
            yield slip
