"""
Mastermind satisfiability: find a code that gets exactly the given scores.

    python mastermind_cpmpy.py ../data/classic.json
"""

import json
import sys

import cpmpy as cp


def mastermind(pegs, colors, guesses, blacks, whites):
    """Return the model, and the variables of the code."""
    code = cp.intvar(1, colors, shape=pegs, name="code")
    model = cp.Model()
    for guess, black, white in zip(guesses, blacks, whites):
        # Black: pegs at which guess and code agree.
        model += cp.sum([code[p] == guess[p] for p in range(pegs)]) == black
        # Black and white: for each color, the smaller of its numbers in guess and code.
        common = [cp.min([cp.Count(code, c), guess.count(c)]) for c in sorted(set(guess))]
        model += cp.sum(common) == black + white
    return model, code


if __name__ == "__main__":
    with open(sys.argv[1], encoding="utf-8") as file:
        model, code = mastermind(**json.load(file))
    print(code.value() if model.solve() else "no code gets these scores")
