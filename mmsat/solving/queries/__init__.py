"""Solve queries for codes that satisfy some rows of a board.

`query.py` defines the protocol. Each solver has its own module, and may keep what it learned from
one query to the next. `oracle.py` decides which solver runs when.
"""
