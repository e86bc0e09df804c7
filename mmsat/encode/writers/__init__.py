"""The languages of solvers that a board can be written in, by name.

A new language is one module and one line here.
"""

from mmsat.encode.writers.asp import Asp
from mmsat.encode.writers.base import Writer
from mmsat.encode.writers.cnf import Cnf
from mmsat.encode.writers.dzn import Dzn
from mmsat.encode.writers.lp import Lp
from mmsat.encode.writers.minizinc import MiniZinc
from mmsat.encode.writers.opb import Opb
from mmsat.encode.writers.smtlib import SmtLib
from mmsat.encode.writers.wcnf import Wcnf

WRITERS: dict[str, Writer] = {
    each.name: each for each in (Asp(), Cnf(), Dzn(), Lp(), MiniZinc(), Opb(), SmtLib(), Wcnf())
}

__all__ = ["WRITERS", "Writer"]
