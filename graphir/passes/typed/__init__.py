"""The types of values, inferred from patterns, literals and signatures, and what does not fit them.

`clauses.py` carries the types of the variables from clause to clause, `expressions.py` evaluates expressions from the
bottom up, `operators.py` and `calls.py` know what operators, functions and procedures take.  What is not known is `ANY`
and fits everywhere.
"""
