"""The messages of the library's service: modules that the package generates, without types of their own.

`Message`, `Type` and `Cell` say in signatures what is meant.
"""

from __future__ import annotations

from importlib import import_module
from typing import Any, TypeAlias

_ROOT = "zetasql.wasi._pb2.zetasql"

service: Any = import_module(f"{_ROOT}.local_service.local_service_pb2")
options: Any = import_module(f"{_ROOT}.proto.options_pb2")
catalogs: Any = import_module(f"{_ROOT}.proto.simple_catalog_pb2")
graphs: Any = import_module(f"{_ROOT}.proto.simple_property_graph_pb2")
public: Any = import_module(f"{_ROOT}.public.options_pb2")
types: Any = import_module(f"{_ROOT}.public.type_pb2")
values: Any = import_module(f"{_ROOT}.public.value_pb2")

Message: TypeAlias = Any
Type: TypeAlias = Any
"""A `types.TypeProto`."""
Cell: TypeAlias = Any
"""A `values.ValueProto`."""
