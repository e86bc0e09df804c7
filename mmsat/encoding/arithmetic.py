"""Formulas of whole numbers as text: what the catalogue's sizes are written in.

A formula may use its parameters, + - * // %, comparisons, `A if B else C`, the functions of TOOLS,
`sum(A for t in range(B, C))`, and the other formulas of the same table, itself included. Nothing
else is read, so that a formula can do nothing but count. Every value is kept, so that recursion
costs each value once.
"""

from __future__ import annotations

import ast
import operator
from math import comb, isqrt
from typing import TYPE_CHECKING

from mmsat.errors import InternalError

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    Scope = Mapping[str, int]
    Node = Callable[[Scope], int]

TOOLS: dict[str, Callable[..., int]] = {"min": min, "max": max, "comb": comb, "isqrt": isqrt}
"""The functions that every formula may call."""

OPERATORS: dict[type[ast.AST], Callable[[int, int], int]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.FloorDiv: operator.floordiv,
    ast.Mod: operator.mod,
    ast.Eq: operator.eq,
    ast.NotEq: operator.ne,
    ast.Lt: operator.lt,
    ast.LtE: operator.le,
    ast.Gt: operator.gt,
    ast.GtE: operator.ge,
}


class Formulas:
    """Formulas that may call each other, by name."""

    def __init__(self) -> None:
        """Start with none."""
        self._formulas: dict[str, tuple[Sequence[str], Node]] = {}
        self._values: dict[tuple[str, tuple[int, ...]], int] = {}

    def define(self, name: str, parameters: Sequence[str], text: str) -> None:
        """Add a formula; raises InternalError where the text is more than arithmetic."""
        tree = ast.parse(text.strip(), mode="eval").body
        self._formulas[name] = (parameters, self._compile(tree, frozenset(parameters), text))

    def value(self, name: str, *arguments: int) -> int:
        """The value of a formula for these arguments, in the order of its parameters."""
        key = (name, arguments)
        if key not in self._values:
            if name not in self._formulas:
                raise InternalError(f"a formula calls {name!r}, which is not defined")
            parameters, compute = self._formulas[name]
            self._values[key] = int(compute(dict(zip(parameters, arguments, strict=True))))
        return self._values[key]

    def _compile(self, tree: ast.expr, names: frozenset[str], text: str) -> Node:
        """A part of a formula as a function of its parameters."""
        match tree:
            case ast.Constant(value=int(number)):
                return lambda _: number
            case ast.Name(id=name) if name in names:
                return lambda scope: scope[name]
            case ast.BinOp(left=left, op=op, right=right) if type(op) in OPERATORS:
                return self._binary(left, op, right, names, text)
            case ast.Compare(left=left, ops=[op], comparators=[right]) if type(op) in OPERATORS:
                return self._binary(left, op, right, names, text)
            case ast.IfExp(test=test, body=body, orelse=other):
                when, then, otherwise = (
                    self._compile(part, names, text) for part in (test, body, other)
                )
                return lambda scope: then(scope) if when(scope) else otherwise(scope)
            case ast.Call(
                func=ast.Name(id="sum"),
                args=[
                    ast.GeneratorExp(
                        elt=term,
                        generators=[
                            ast.comprehension(
                                target=ast.Name(id=name),
                                iter=ast.Call(
                                    func=ast.Name(id="range"), args=[start, stop], keywords=[]
                                ),
                                ifs=[],
                            )
                        ],
                    )
                ],
                keywords=[],
            ):
                low, high = (self._compile(part, names, text) for part in (start, stop))
                each = self._compile(term, names | {name}, text)
                return lambda scope: sum(
                    each({**scope, name: number}) for number in range(low(scope), high(scope))
                )
            case ast.Call(func=ast.Name(id=name), args=arguments, keywords=[]):
                return self._call(name, [self._compile(part, names, text) for part in arguments])
        raise InternalError(f"{ast.unparse(tree)!r} is not arithmetic, in the formula {text!r}")

    def _binary(
        self, left: ast.expr, op: ast.AST, right: ast.expr, names: frozenset[str], text: str
    ) -> Node:
        """An operator between two parts."""
        apply = OPERATORS[type(op)]
        one, other = self._compile(left, names, text), self._compile(right, names, text)
        return lambda scope: apply(one(scope), other(scope))

    def _call(self, name: str, arguments: Sequence[Node]) -> Node:
        """A tool or another formula, applied."""
        if name in TOOLS:
            tool = TOOLS[name]
            return lambda scope: tool(*[argument(scope) for argument in arguments])
        return lambda scope: self.value(name, *[argument(scope) for argument in arguments])
