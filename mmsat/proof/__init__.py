"""Proofs that a machine checks: files that show a verdict to whoever trusts no solver.

`prove` asks solvers for a proof and writes it down; `verify` checks one and loads no solver.
"""
