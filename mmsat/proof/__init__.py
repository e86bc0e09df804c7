"""Machine-checkable proofs: files that certify a verdict without trust in any solver.

`prove` runs solvers and writes a proof. `verify` checks a proof and loads no solver.
"""
