"""Whether a query only reads: `readonly.py` is the check, `effects.py` knows what calling a name does, and
`effects.toml` is that knowledge."""
