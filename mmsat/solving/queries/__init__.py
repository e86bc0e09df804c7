"""Solve queries for codes that satisfy some rows of a board.

`query.py` defines the classes of queries, answers and solvers. The solvers are in `solvers.py` and
`presolved.py`; each may use in a query what it learned from earlier queries. `oracle.py` selects
the solvers.
"""
