"""Features of queries by name, with what finds them in core form.  `known_faults.py` says what engines do with them."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from types import MappingProxyType

from graphir import ir
from graphir.backends.engines.features import patterns, temporal, values
from graphir.backends.engines.features.asked import Asked, Held

__all__ = ["FEATURES", "Asked", "Finder", "Held"]

Finder = Callable[[Asked], Iterator[ir.Node]]

FEATURES: Mapping[str, Finder] = MappingProxyType(
    {
        "boolean of a number": values.boolean_of_number,
        "bound relationship in a subquery": patterns.bound_edge_in_subquery,
        "computed order after OPTIONAL MATCH": patterns.computed_order,
        "conjunction compared": values.conjunction_compared,
        "count of an undirected path": patterns.counted_undirected,
        "element of a list of CASE": values.element_of_case,
        "element with NaN": values.element_with_nan,
        "EXISTS in a pattern comprehension": patterns.pattern_in_comprehension,
        "IN of a comprehension": values.in_comprehension,
        "MATCH of a null node": patterns.null_node_alone,
        "all properties": values.all_properties,
        "argument of another type": values.bad_argument,
        "characters at the end": values.characters_at_end,
        "comparison of durations": temporal.comparison_of_durations,
        "comparison of literals of two types": values.mixed_comparison,
        "comparison of temporal types": temporal.comparison_of_two_kinds,
        "comparison with NaN in lists": values.order_of_lists,
        "condition on a shortest path": patterns.condition_on_shortest,
        "coth": values.cotangent,
        "deviation": values.deviation,
        "distinct NaN": values.distinct_nan,
        "distinct numbers": values.two_kinds_of_numbers,
        "element of a list": values.elements_of_lists,
        "end of a loop": patterns.end_of_loop,
        "epoch and nanoseconds": temporal.epoch_and_nanoseconds,
        "equality of zoned times": temporal.equality_of_zoned,
        "extreme of a list": values.extreme_of_list,
        "float as text": values.float_as_text,
        "float by an integer": values.float_by_integer,
        "function on elements": values.element_functions,
        "index beyond 32 bits": values.far_index,
        "integer of a large float": values.integer_of_float,
        "large integer beside a float": values.large_integer_beside_float,
        "list and null": values.list_and_null,
        "list of several types": values.mixed_lists,
        "loop in a subquery": patterns.loop_in_subquery,
        "nanoseconds": temporal.nanoseconds,
        "negative length": values.negative_length,
        "not a finite number": values.not_finite,
        "null in a property map": patterns.null_maps,
        "open repetition": patterns.open_repetition,
        "order of NaN": values.ordered_nan,
        "order of durations": temporal.order_of_durations,
        "order of maps": values.order_of_maps,
        "part that is missing": temporal.missing_part,
        "pattern at a null node": patterns.pattern_at_null,
        "pattern in a quantifier": patterns.pattern_in_quantifier,
        "percentile of integers": values.percentile,
        "repetition from a bare node": patterns.repetition_from_bare_node,
        "variable with a dot": patterns.dotted_variable,
        "points": values.points,
        "projection in a map": values.projection_in_map,
        "projection of a null element": patterns.null_projection,
        "projection of a relationship": values.projection_of_edge,
        "projections in CASE": values.projections_in_case,
        "property map of another relationship": patterns.map_of_another_edge,
        "quantifier": values.quantified,
        "quantifier in CASE": values.quantifier_in_case,
        "quarterDay": temporal.quarter_day,
        "quotient of the smallest integer": values.smallest_divided,
        "range against its step": values.range_against_step,
        "regular expression without case": values.case_in_expression,
        "relationship matched twice": patterns.edge_matched_twice,
        "remainder of floats": values.float_remainder,
        "repetition": patterns.repetition,
        "reserved property": values.reserved,
        "reverse of another type": values.reversed_value,
        "rounding": values.rounding,
        "rounding with a precision": values.rounding_with_precision,
        "several edges in a MATCH": patterns.several_edges,
        "several labels of one node": patterns.conjunctions,
        "several separators": values.several_separators,
        "slice from the end": values.slice_from_end,
        "subquery in OPTIONAL MATCH": patterns.optional_subquery,
        "sum": values.sums,
        "sum of durations": temporal.sum_of_durations,
        "temporal function": temporal.functions,
        "time as text": temporal.text,
        "time between zones": temporal.between,
        "type of a list": values.types_of_lists,
        "undirected group": patterns.undirected_group,
        "unusual text of a number": values.unusual_number,
        "variable in a property map": patterns.variable_maps,
        "vector": values.vectors,
    }
)
"""A feature by name -> the nodes of a query in core form that have it."""
