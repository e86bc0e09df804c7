"""Queries about rows of a board: whether a code satisfies all of them.

`query.py` defines the protocol. Each solver is a class in a file of its own, and keeps what it
learned from one query to the next. `oracle.py` decides which solver runs when.
"""
