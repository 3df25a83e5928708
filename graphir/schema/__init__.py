"""Schemas of property graphs: the model, and one reader or writer per format."""

from graphir.schema.model import (
    BY_LABEL,
    CLOSED,
    ENDPOINTS_ONLY,
    TYPES,
    Coverage,
    DataType,
    EdgeType,
    Labels,
    NodeType,
    PropertyType,
    Schema,
    Table,
    labels,
)

__all__ = [
    "BY_LABEL",
    "CLOSED",
    "ENDPOINTS_ONLY",
    "TYPES",
    "Coverage",
    "DataType",
    "EdgeType",
    "Labels",
    "NodeType",
    "PropertyType",
    "Schema",
    "Table",
    "labels",
]
