"""Schemas as data definition statements: property graphs over tables, Kuzu, Neo4j, GQL."""
