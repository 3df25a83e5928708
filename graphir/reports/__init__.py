"""Diagnostics of finished rows for people (text) and for tools (SARIF).  Knows no task and no terminal."""
