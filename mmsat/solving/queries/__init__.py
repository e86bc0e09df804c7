"""Solve queries for codes that satisfy some rows of a board.

`query.py` defines the classes of queries, answers and solvers. Each solver has its own module, and
may use in a query what it learned from earlier queries. `oracle.py` selects the solvers.
"""
