"""A query against a schema: what its variables may be, what the schema does not have, and which way edges run."""
