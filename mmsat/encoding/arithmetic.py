"""Formulas of whole numbers as text: what the catalogue's sizes are written in.

A formula may use its parameters, + - * // %, comparisons, `A if B else C`, the functions of TOOLS,
`sum(A for t in range(B, C))`, and the other formulas of the same table, itself included. Nothing
else gets past the check of its syntax tree, so that a formula can do nothing but count; what does
is Python. Every value is kept, so that recursion costs each value once.
"""

import ast
from collections.abc import Callable, Iterable, Sequence
from functools import cache
from math import comb, isqrt
from typing import Any

from mmsat.errors import InternalError

TOOLS: dict[str, Callable[..., int]] = {"min": min, "max": max, "comb": comb, "isqrt": isqrt}
"""The functions that every formula may call."""
SUMMING: dict[str, Callable[..., Any]] = {"sum": sum, "range": range}
"""Those that are for sums over a range only."""
OPERATORS = (ast.Add, ast.Sub, ast.Mult, ast.FloorDiv, ast.Mod)
COMPARISONS = (ast.Eq, ast.NotEq, ast.Lt, ast.LtE, ast.Gt, ast.GtE)


class Formulas:
    """Formulas that may call each other, by name."""

    def __init__(self) -> None:
        self._scope: dict[str, Any] = {**TOOLS, **SUMMING, "__builtins__": {}}

    def define(self, name: str, parameters: Sequence[str], text: str) -> None:
        """Add a formula; raises InternalError where the text is more than arithmetic."""
        text = text.strip()
        if not is_arithmetic(ast.parse(text, mode="eval").body, frozenset(parameters)):
            raise InternalError(f"the formula {text!r} is not arithmetic")
        function = f"lambda {', '.join(parameters)}: ({text})"
        self._scope[name] = cache(eval(function, self._scope))  # noqa: S307  (the tree was checked)

    def value(self, name: str, *arguments: int) -> int:
        """The value of a formula for these arguments, in the order of its parameters."""
        try:
            return int(self._scope[name](*arguments))
        except (KeyError, NameError) as error:
            raise InternalError(f"a formula is not defined: {error}") from error


def is_arithmetic(tree: ast.expr, names: frozenset[str]) -> bool:
    """Whether an expression only counts, with these names for numbers."""

    def are_arithmetic(parts: Iterable[ast.expr], more: frozenset[str] = frozenset()) -> bool:
        return all(is_arithmetic(part, names | more) for part in parts)

    match tree:
        case ast.Constant(value=int()):
            return True
        case ast.Name(id=name):
            return name in names
        case ast.BinOp(left=left, op=op, right=right):
            return isinstance(op, OPERATORS) and are_arithmetic((left, right))
        case ast.Compare(left=left, ops=[op], comparators=[right]):
            return isinstance(op, COMPARISONS) and are_arithmetic((left, right))
        case ast.IfExp(test=test, body=body, orelse=other):
            return are_arithmetic((test, body, other))
        case ast.Call(
            func=ast.Name(id="sum"),
            args=[
                ast.GeneratorExp(
                    elt=term,
                    generators=[
                        ast.comprehension(
                            target=ast.Name(id=name),
                            iter=ast.Call(func=ast.Name(id="range"), args=[low, high], keywords=[]),
                            ifs=[],
                        )
                    ],
                )
            ],
            keywords=[],
        ):
            return are_arithmetic((low, high)) and are_arithmetic([term], frozenset({name}))
        case ast.Call(func=ast.Name(id=name), args=parts, keywords=[]):
            return name not in SUMMING and are_arithmetic(parts)
    return False
