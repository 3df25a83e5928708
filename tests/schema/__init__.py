"""Schemas: the model, formats, inference."""
