"""graphir: a compiler for property-graph queries.

    >>> import graphir
    >>> query = graphir.parse("MATCH (a:Person)-[:KNOWS]->(b) RETURN b.name")
    >>> graphir.check("MATCH (a:Person)-[:KNOWS]->(b) RETURN b.name")
    []

The names below are the public interface.  They are imported when they are first used.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from graphir.api import check as check
    from graphir.api import format as format
    from graphir.api import literals as literals
    from graphir.api import parse as parse
    from graphir.api import parse_script as parse_script
    from graphir.api import repair as repair
    from graphir.api import translate as translate
    from graphir.backends.engines import connect as connect
    from graphir.backends.engines.results import Result as Result
    from graphir.diagnostics import Diagnostic as Diagnostic
    from graphir.diagnostics import Edit as Edit
    from graphir.diagnostics import Fix as Fix
    from graphir.diagnostics import GraphirError as GraphirError
    from graphir.diagnostics import RunFault as RunFault
    from graphir.diagnostics import SemanticFault as SemanticFault
    from graphir.diagnostics import SyntaxFault as SyntaxFault
    from graphir.diagnostics import Unsupported as Unsupported
    from graphir.diagnostics import UsageFault as UsageFault
    from graphir.evaluation.comparison import rows_equal as rows_equal
    from graphir.grammar.cypher import Statement as Statement
    from graphir.graphs import PropertyGraph as PropertyGraph
    from graphir.ir import Query as Query
    from graphir.passes.schema.locations import LiteralUse as LiteralUse
    from graphir.profiles import Profile as Profile
    from graphir.repairs import Repair as Repair
    from graphir.schema.model import Schema as Schema
    from graphir.settings import read_profiles as read_profiles
    from graphir.values.entities import Edge as Edge
    from graphir.values.entities import Node as Node
    from graphir.values.entities import Path as Path

__version__ = "0.1.0"

_HOMES = {
    "graphir.backends.engines": ("connect",),
    "graphir.backends.engines.results": ("Result",),
    "graphir.api": ("check", "format", "literals", "parse", "parse_script", "repair", "translate"),
    "graphir.diagnostics": (
        "Diagnostic",
        "Edit",
        "Fix",
        "GraphirError",
        "RunFault",
        "SemanticFault",
        "SyntaxFault",
        "Unsupported",
        "UsageFault",
    ),
    "graphir.evaluation.comparison": ("rows_equal",),
    "graphir.grammar.cypher": ("Statement",),
    "graphir.graphs": ("PropertyGraph",),
    "graphir.ir": ("Query",),
    "graphir.values.entities": ("Edge", "Node", "Path"),
    "graphir.passes.schema.locations": ("LiteralUse",),
    "graphir.profiles": ("Profile",),
    "graphir.repairs": ("Repair",),
    "graphir.schema.model": ("Schema",),
    "graphir.settings": ("read_profiles",),
}
_HOME = {name: module for module, names in _HOMES.items() for name in names}

__all__ = [
    "Diagnostic",
    "Edge",
    "Edit",
    "Fix",
    "GraphirError",
    "LiteralUse",
    "Node",
    "Path",
    "Profile",
    "PropertyGraph",
    "Query",
    "Repair",
    "Result",
    "RunFault",
    "Schema",
    "SemanticFault",
    "Statement",
    "SyntaxFault",
    "Unsupported",
    "UsageFault",
    "__version__",
    "check",
    "connect",
    "format",
    "literals",
    "parse",
    "parse_script",
    "read_profiles",
    "repair",
    "rows_equal",
    "translate",
]


def __getattr__(name: str) -> Any:
    if name not in _HOME:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value = getattr(import_module(_HOME[name]), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
