"""Size expressions compute the same values as Python, and can only compute."""

from __future__ import annotations

from math import comb, isqrt

import pytest

from mmsat._util.fields import SizeExpressions
from mmsat.errors import InternalError


def value(text: str, **scope: int) -> int:
    expressions = SizeExpressions()
    expressions.define("expression", list(scope), text)
    return expressions.value("expression", *scope.values())


@pytest.mark.parametrize(
    "text",
    [
        "a + b * 3 - a // b",
        "a % b",
        "a if a < b else b",
        "(a == b) + (a != b) * 2 + (a <= b) * 4 + (a >= b) * 8 + (a > b) * 16",
        "min(a, b) + max(a, b) * 10",
        "comb(a, b) + isqrt(a * b)",
        "sum(t * a for t in range(b, 2 * a + 1))",
        "sum(comb(a, b) for a in range(b, 9))",
    ],
)
def test_the_value_of_an_expression_is_the_value_in_python(text):
    functions = {"comb": comb, "isqrt": isqrt}
    for a in range(9):
        for b in range(1, 9):
            assert value(text, a=a, b=b) == eval(text, {**functions, "a": a, "b": b})  # noqa: S307


def test_expressions_can_call_each_other_and_themselves():
    expressions = SizeExpressions()
    expressions.define("fibonacci", ["n"], "n if n < 2 else fibonacci(n - 1) + before(n, 2)")
    expressions.define("before", ["n", "k"], "fibonacci(n - k)")

    assert [expressions.value("fibonacci", n) for n in range(10)] == [
        0,
        1,
        1,
        2,
        3,
        5,
        8,
        13,
        21,
        34,
    ]
    assert expressions.value("fibonacci", 90) == 2880067194370816120


@pytest.mark.parametrize(
    "text",
    [
        "a ** a",
        "a.real",
        "[a][0]",
        "'a'",
        "1.5",
        "b",
        "__import__('os')(a)",
        "(lambda: a)()",
        "min(*[a])",
        "max(a, key=a)",
        "1 < a < 3",
        "a and 1",
        "sum([a])",
        "sum(t for t in a)",
        "sum(t for t in range(a) if t)",
        "sum(t for t in range(a) for s in range(a))",
        "(a := 1)",
        "a << 9",
    ],
)
def test_text_that_is_not_arithmetic_is_refused(text):
    with pytest.raises(InternalError):
        SizeExpressions().define("expression", ["a"], text)


def test_a_call_of_an_undefined_expression_is_an_error():
    with pytest.raises(InternalError, match="elsewhere"):
        value("elsewhere(a)", a=1)
