"""Which features of the language are on, as data: all that are released, or those of Spanner.

Source: the emulator of Cloud Spanner, backend/query/analyzer_options.cc (2026-03-12).
"""

from __future__ import annotations

from typing import Literal

from graphir.backends.engines.googlesql.protos import Message, options, public, service
from graphir.backends.engines.googlesql.wasm import Instance

Profile = Literal["full", "spanner"]

SPANNER = (
    *("EXTENDED_TYPES", "FUNCTION_ARGUMENTS_WITH_DEFAULTS", "NAMED_ARGUMENTS", "NUMERIC_TYPE", "TABLESAMPLE"),
    *("TIMESTAMP_NANOS", "HAVING_IN_AGGREGATE", "NULL_HANDLING_MODIFIER_IN_AGGREGATE", "ORDER_BY_IN_AGGREGATE"),
    *("LIMIT_IN_AGGREGATE", "ORDER_BY_COLLATE", "SELECT_STAR_EXCEPT_REPLACE", "SAFE_FUNCTION_CALL"),
    *("JSON_KEYS_FUNCTION", "JSON_TYPE", "JSON_ARRAY_FUNCTIONS", "JSON_CONSTRUCTOR_FUNCTIONS"),
    *("JSON_CONTAINS_FUNCTION", "JSON_MUTATOR_FUNCTIONS", "JSON_STRICT_NUMBER_PARSING"),
    *("JSON_VALUE_EXTRACTION_FUNCTIONS", "JSON_LAX_VALUE_EXTRACTION_FUNCTIONS", "DML_RETURNING"),
    *("WITH_EXPRESSION", "TABLE_VALUED_FUNCTIONS", "TOKENIZED_SEARCH", "ADDITIONAL_STRING_FUNCTIONS"),
    *("SEQUENCE_ARG", "JSON_ARRAY_VALUE_EXTRACTION_FUNCTIONS", "JSON_MORE_VALUE_EXTRACTION_FUNCTIONS"),
    *("ENABLE_FLOAT_DISTANCE_FUNCTIONS", "DOT_PRODUCT", "INTERVAL_TYPE", "UUID_TYPE", "FOR_UPDATE"),
    *("SQL_GRAPH", "SQL_GRAPH_ADVANCED_QUERY", "SQL_GRAPH_BOUNDED_PATH_QUANTIFICATION", "SQL_GRAPH_PATH_TYPE"),
    *("SQL_GRAPH_PATH_MODE", "SQL_GRAPH_DYNAMIC_LABEL_PROPERTIES_IN_DDL", "SQL_GRAPH_RETURN_EXTENSIONS"),
    *("SQL_GRAPH_DYNAMIC_LABEL_EXTENSION_IN_DDL", "SQL_GRAPH_DYNAMIC_ELEMENT_TYPE", "INLINE_LAMBDA_ARGUMENT"),
)
_PREFIXES = ("FEATURE_", "FEATURE_V_1_4_", "FEATURE_V_1_3_", "FEATURE_V_1_2_", "FEATURE_V_1_1_")
_RESERVED = {"full": ("GRAPH_TABLE", "QUALIFY"), "spanner": ("GRAPH_TABLE",)}


def language(instance: Instance, profile: Profile) -> Message:
    """The options of a profile: every statement is allowed."""
    asked = service.LanguageOptionsRequest(maximum_features=True)
    found = instance.call("GetLanguageOptions", asked, options.LanguageOptionsProto)
    if profile == "spanner":
        del found.enabled_language_features[:]
        found.enabled_language_features.extend(sorted(map(_feature, SPANNER)))
        found.product_mode = public.PRODUCT_EXTERNAL
    words = sorted({*found.reserved_keywords, *_RESERVED[profile]})
    del found.reserved_keywords[:]
    found.reserved_keywords.extend(words)
    del found.supported_statement_kinds[:]
    return found


def _feature(name: str) -> int:
    known = public.LanguageFeature.keys()
    found: int = public.LanguageFeature.Value(next(each + name for each in _PREFIXES if each + name in known))
    return found


def analysis(instance: Instance, language_options: Message) -> Message:
    """How statements are analyzed under those options: errors in one line, with their place."""
    found = instance.call("GetAnalyzerOptions", service.AnalyzerOptionsRequest(), options.AnalyzerOptionsProto)
    found.language_options.CopyFrom(language_options)
    found.error_message_mode = public.ERROR_MESSAGE_ONE_LINE
    return found
