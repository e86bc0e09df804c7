"""A plain checker of proofs for VeriPB, from the published description of its format, version 3.

It shares no code with mmsat. Lines must have the published form. A constraint is a dictionary from
literals to coefficients, with its degree: the lower bound of the sum.

The rule `red` adds a constraint with a witness, which replaces a variable. After the replacement,
the new constraint and every constraint with this variable must follow from the others and from the
negated new constraint. As in VeriPB, this is accepted without a proof if the constraint is trivial,
if propagation proves it, or if the negated constraint implies it after the variables that it fixes
are replaced by their values.
"""

from __future__ import annotations

import re

VARIABLE = "[A-Za-z_][A-Za-z0-9_^{}-]+"
LITERAL = f"~?{VARIABLE}"
CONSTRAINT = rf"(?:[+-]?\d+ {LITERAL} )*>= -?\d+"
LINES = {
    "f": r"\d+",
    "pol": rf"(?:\d+|{LITERAL}|[+*dsw])(?: (?:\d+|{LITERAL}|[+*dsw]))*",
    "rup": rf"{CONSTRAINT}(?: :(?: \d+| ~)+)?",
    "red": rf"{CONSTRAINT} : {VARIABLE} -> (?:0|1|{LITERAL})",
    "del": r"id(?: \d+)+",
    "solx": rf"{LITERAL}(?: {LITERAL})*",
    "output": "NONE",
    "conclusion": rf"UNSAT : \d+|SAT : {LITERAL}(?: {LITERAL})*|ENUMERATION_COMPLETE \d+ : \d+",
    "end": "pseudo-Boolean proof",
}
"""The published form of each rule, as far as mmsat uses it."""
ENDS = ["output", "conclusion", "end"]


def negated(literal):
    return literal[1:] if literal[0] == "~" else f"~{literal}"


def normal(terms, degree):
    """Return a constraint with positive coefficients and each variable once."""
    balance = {}
    for number, literal in terms:
        variable = literal.lstrip("~")
        if literal[0] == "~":  # a ~x = a - a x
            degree -= number
        signed = -number if literal[0] == "~" else number
        balance[variable] = balance.get(variable, 0) + signed
    result = {}
    for variable, number in balance.items():
        if number > 0:
            result[variable] = number
        elif number < 0:
            result[f"~{variable}"] = -number
            degree -= number
    return result, degree


def parsed(text):
    """Return the constraint in a text such as `2 x1 1 ~x3 >= 2`."""
    terms, _, degree = text.rpartition(">=")
    words = terms.split()
    return normal([(int(n), x) for n, x in zip(words[::2], words[1::2], strict=True)], int(degree))


def negation(constraint):
    """Return the constraint that holds if and only if another one does not."""
    terms, degree = constraint
    total = sum(terms.values())
    return {negated(x): n for x, n in terms.items()}, total - degree + 1


def refuted(constraints, true=()):
    """Return whether propagation finds a contradiction, and the literals that it makes true."""
    true = {*true}
    changed = True
    while changed:
        changed = False
        for terms, degree in constraints:
            slack = -degree
            slack += sum(n for x, n in terms.items() if negated(x) not in true)
            if slack < 0:
                return True, true
            for literal, number in terms.items():
                if number > slack and literal not in true and negated(literal) not in true:
                    true.add(literal)
                    changed = True
    return False, true


def substituted(constraint, witness):
    """Return a constraint after the replacement of literals by a witness.

    The witness maps literals to literals, to True or to False.
    """
    terms, degree = constraint
    kept = []
    for literal, number in terms.items():
        value = witness.get(literal, literal)
        if value is True:
            degree -= number
        elif value is not False:
            kept.append((number, value))
    return normal(kept, degree)


def implies(premise, goal):
    """Return whether a constraint implies another because all literals are at most 1.

    If terms of the premise are omitted or reduced, its degree is reduced by their coefficients.
    """
    lost = sum(max(0, n - goal[0].get(x, 0)) for x, n in premise[0].items())
    return premise[1] - lost >= goal[1]


def polished(words, constraints):
    """Return the constraint of an expression in reverse Polish notation."""
    stack = []
    for word, following in zip(words, [*words[1:], ""], strict=True):
        if word == "+":
            (one, a), (other, b) = stack.pop(), stack.pop()
            stack.append(normal([(n, x) for c in (one, other) for x, n in c.items()], a + b))
        elif word in ("*", "d"):
            number, (terms, degree) = stack.pop(), stack.pop()
            times, divisor = (number, 1) if word == "*" else (1, number)
            scaled = {x: -(-n * times // divisor) for x, n in terms.items() if times}
            stack.append((scaled, -(-degree * times // divisor)))
        elif word == "s":
            terms, degree = stack.pop()
            degree = max(degree, 0)
            stack.append(({x: min(n, degree) for x, n in terms.items() if degree}, degree))
        elif not word.isdigit():
            stack.append(({word: 1}, 0))
        else:
            stack.append(int(word) if following in ("*", "d") else constraints[int(word)])
    (result,) = stack
    return result


def is_redundant(constraint, variable, value, constraints):
    """Return whether a constraint may be added by `red` with a witness for one variable."""
    witness = {variable: value, f"~{variable}": {True: False, False: True}.get(value)}
    premise = negation(constraint)
    fixed = refuted([premise])[1]
    units = dict.fromkeys(fixed, True) | {negated(x): False for x in fixed}
    for goal in (constraint, *constraints):
        if variable in goal[0] or f"~{variable}" in goal[0]:
            wanted = substituted(goal, witness)
            if not (
                wanted[1] <= 0
                or refuted([premise, negation(wanted)])[0]
                or implies(substituted(premise, units), substituted(wanted, units))
            ):
                return False
    return True


def read_opb(text):
    """Return the constraints of a file in OPB by number; an equation counts as two constraints."""
    constraints = []
    for line in text.splitlines():
        if line and line[0] != "*":
            sides = line.rstrip("; ").replace(">=", "=").split("=")
            constraints.append(parsed(f"{sides[0]}>={sides[1]}"))
            if ">=" not in line:
                turned = " ".join(
                    str(-int(word)) if place % 2 == 0 else word
                    for place, word in enumerate(sides[0].split())
                )
                constraints.append(parsed(f"{turned} >= {-int(sides[1])}"))
    return dict(enumerate(constraints, 1))


def derived(rule, content, constraints):
    """Return the constraint that a line adds; raise AssertionError if it does not follow."""
    if rule == "pol":
        return polished(content.split(), constraints)
    body, _, hints = content.partition(" : ")
    added = parsed(body)
    if rule == "rup":
        negative = negation(added)
        used = [negative if word == "~" else constraints[int(word)] for word in hints.split()]
        assert refuted(used if hints else [negative, *constraints.values()])[0], content
        return added
    variable, _, value = hints.split()
    truth = {"0": False, "1": True}.get(value, value)
    assert is_redundant(added, variable, truth, constraints.values()), content
    return added


def holds(constraint, literals):
    """Return whether an assignment, given by its true literals, satisfies a constraint."""
    return sum(n for x, n in constraint[0].items() if x in literals) >= constraint[1]


def conclusion_of(text, opb, preserved):
    """Check a proof, and return the words of its conclusion; raise AssertionError if it is wrong.

    `preserved` has the variables of which the assignments are enumerated.
    """
    first, *lines = text.splitlines()
    assert first == "pseudo-Boolean proof version 3.0"
    formula = read_opb(opb)
    constraints, last, solutions, ends = dict(formula), len(formula), set(), []
    conclusion = []
    for line in lines:
        if line[0] == "%":
            continue
        rule, _, content = line.removesuffix(" ;").partition(" ")
        assert line.endswith(" ;"), line
        assert re.fullmatch(LINES[rule], content), line
        assert not ends or rule in ENDS
        if rule == "f":
            assert int(content) == last
        elif rule == "del":
            for number in map(int, content.split()[1:]):
                assert number > len(formula)
                del constraints[number]
        elif rule in ENDS:
            ends.append(rule)
            conclusion = content.split() if rule == "conclusion" else conclusion
        elif rule == "solx":
            literals = {*content.split()}
            assert not any(negated(x) in literals for x in literals)
            assert all(holds(constraint, literals) for constraint in constraints.values()), line
            chosen = frozenset(x for x in literals if x.lstrip("~") in preserved)
            assert len(chosen) == len(preserved)
            solutions.add(chosen)
            last += 1
            constraints[last] = {negated(x): 1 for x in chosen}, 1
        else:
            last += 1
            constraints[last] = derived(rule, content, constraints)
    assert ends == ENDS
    kind, *rest = conclusion
    if kind == "SAT":
        assert all(holds(constraint, {*rest[1:]}) for constraint in formula.values())
    else:
        terms, degree = constraints[int(rest[-1])]
        assert sum(terms.values()) < degree
        assert kind == "UNSAT" or int(rest[0]) == len(solutions)
    return conclusion
