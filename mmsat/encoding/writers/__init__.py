"""The languages of solvers that a board can be written in, by name.

A new language is one module and one line here.
"""

from mmsat.encoding.writers.asp import Asp
from mmsat.encoding.writers.base import Writer
from mmsat.encoding.writers.cnf import Cnf
from mmsat.encoding.writers.dzn import Dzn
from mmsat.encoding.writers.lp import Lp
from mmsat.encoding.writers.minizinc import MiniZinc
from mmsat.encoding.writers.opb import Opb
from mmsat.encoding.writers.smtlib import SmtLib
from mmsat.encoding.writers.wcnf import Wcnf

WRITERS: dict[str, Writer] = {
    each.name: each for each in (Asp(), Cnf(), Dzn(), Lp(), MiniZinc(), Opb(), SmtLib(), Wcnf())
}

__all__ = ["WRITERS", "Writer"]
