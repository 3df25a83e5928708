"""Cypher as a target: features, legalization, printer, formatter."""

from graphir.backends.cypher.printer import print_query as print_query
