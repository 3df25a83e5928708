"""Queries that write: clause by clause over tables of bindings, in one transaction."""
