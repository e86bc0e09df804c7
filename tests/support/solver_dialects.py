"""Answers in the formats of the supported solvers."""


def literals(code, game):
    """Return the values of the variables of a code, as DIMACS literals."""
    variables = game.variables
    true = {variables.at(peg, color) for peg, color in enumerate(code)}
    return [n if n in true else -n for n in range(1, game.pegs * game.colors + 1)]


def sat(code, game):
    """Return the output format of SAT competitions, with three values per line.

    Auxiliary variables follow the variables of the code.
    """
    values = [*literals(code, game), -10_000_001, 10_000_002, 0]
    lines = [values[start : start + 3] for start in range(0, len(values), 3)]
    return "c talk\ns SATISFIABLE\n" + "".join(f"v {' '.join(map(str, v))}\n" for v in lines)


def minisat(code, game):
    return f"SAT\n{' '.join(map(str, literals(code, game)))} 0\n"


def maxsat(code, game):
    bits = "".join("1" if n > 0 else "0" for n in literals(code, game))
    return f"o 3\no 0\ns OPTIMUM FOUND\nv {bits}01\n"


def old_maxsat(code, game):
    return f"o 0\ns OPTIMUM FOUND\nv {' '.join(map(str, literals(code, game)))}\n"


def opb(code, game):
    words = [f"{'-' * (n < 0)}x{abs(n)}" for n in literals(code, game)]
    return f"s SATISFIABLE\nv {' '.join(words)} -x10000001\n"


def atoms(code, answer):
    literals = " ".join(f"code({peg},{color + 1})" for peg, color in enumerate(code, 1))
    return f"Answer: {answer}\n{literals}\n"


def clingo(code, game):
    """Return two answers, of which the first one is read."""
    return f"Solving...\n{atoms(code, 1)}{atoms([0] * game.pegs, 2)}SATISFIABLE\nModels : 2\n"


def minizinc(code, game):  # noqa: ARG001
    return f"code = {[color + 1 for color in code]};\n----------\n==========\n"


def smtlib(code, game):
    pairs = [
        f"({game.variables.name(abs(n))} {str(n > 0).lower()})"
        for n in reversed(literals(code, game))
    ]
    return "sat\n(" + "\n ".join(pairs) + ")\n"


def glpsol(code, game):
    """Return a solution file of GLPK, in which long names are on separate lines."""
    lines = [
        f"{n:6d} {game.variables.name(abs(n)) + chr(10) if n % 2 else game.variables.name(abs(n))}"
        f"   *   {int(n > 0)}   0   1"
        for n in literals(code, game)
    ]
    head = "Rows:       11\nStatus:     INTEGER OPTIMAL\nObjective:  nothing = 0 (MINimum)\n"
    return head + " 1 peg1        1             1             =\n" + "\n".join(lines) + "\n"


def cbc(code, game):
    lines = [
        f"{n:7d} {game.variables.name(n)}   {'1' if n % 2 else '0.99999999'}    0"
        for n in literals(code, game)
        if n > 0
    ]
    return "Optimal - objective value 0.00000000\n" + "\n".join(lines) + "\n"


DIALECTS = [sat, minisat, maxsat, old_maxsat, opb, clingo, minizinc, smtlib, glpsol, cbc]
