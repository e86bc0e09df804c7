"""
Mastermind satisfiability: find a code that gets exactly the given scores.

Execution:
  python Mastermind.py -data=classic.json
  python Mastermind.py -data=classic.json -solve
"""

from pycsp3 import *

pegs, colors, guesses, blacks, whites = data

# code[p] is the color of the pth peg
code = VarArray(size=pegs, dom=range(1, colors + 1))

# used[c] is the number of pegs of color c + 1
used = VarArray(size=colors, dom=range(pegs + 1))

satisfy(
    # computing the number of pegs of each color
    [used[c] == Count(code, value=c + 1) for c in range(colors)],
    # black: pegs at which guess and code agree
    [
        Sum(code[p] == guess[p] for p in range(pegs)) == black
        for guess, black in zip(guesses, blacks)
    ],
    # black and white: for each color, the smaller of its numbers in guess and code
    [
        Sum(min(used[c - 1], guess.count(c)) for c in sorted(set(guess))) == black + white
        for guess, black, white in zip(guesses, blacks, whites)
    ],
)
