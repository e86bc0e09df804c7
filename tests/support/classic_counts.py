"""Boards whose number of codes is a classical number, made by the reductions of this project.

Each function returns a board and its number of codes. This number is computed by a formula, or is a
published value; it was never counted by this program.
"""

from __future__ import annotations

import math
from itertools import combinations, product

import networkx as nx

import mmsat

MENAGE = {5: 13, 7: 579, 9: 43387}
LATIN = {2: 2, 3: 12, 4: 576, 5: 161280}
STEINER = {7: 30, 9: 840}
DOMINOES = {(4, 4): 36, (6, 6): 6728, (8, 8): 12988816}


def permanent(rows):
    """Return the board whose number of codes is the permanent of a 0/1 matrix."""
    text = "\n".join(" ".join(str(int(one)) for one in row) for row in rows)
    return mmsat.reduce("permanent", text + "\n").board


def factorial(size):
    return permanent([[1] * size for _ in range(size)]), math.factorial(size)


def derangements(size):
    number = sum((-1) ** k * math.factorial(size) // math.factorial(k) for k in range(size + 1))
    return permanent([[row != column for column in range(size)] for row in range(size)]), number


def menage(size):
    rows = [[(column - row) % size > 1 for column in range(size)] for row in range(size)]
    return permanent(rows), MENAGE[size]


def dominoes(height, width):
    """Count tilings of a rectangle: perfect matchings of its black squares with its white ones."""
    squares = list(product(range(height), range(width)))
    black = [square for square in squares if sum(square) % 2 == 0]
    white = [square for square in squares if sum(square) % 2]
    rows = [[abs(a - c) + abs(b - d) == 1 for c, d in white] for a, b in black]
    return permanent(rows), DOMINOES[height, width]


def exact_cover(elements, sets):
    lines = [" ".join(str(element + 1) for element in sorted(entry)) for entry in sets]
    text = "\n".join([f"p cover {elements} {len(sets)}", *lines])
    return mmsat.reduce("exact-cover", text + "\n").board


def latin(order):
    """Count Latin squares: each cell, each row and symbol, and each column and symbol once."""
    n = order
    sets = [
        (r * n + c, n * n + r * n + s, 2 * n * n + c * n + s)
        for r, c, s in product(range(n), repeat=3)
    ]
    return exact_cover(3 * n * n, sets), LATIN[order]


def steiner(points):
    """Count labelled Steiner triple systems: sets of triples that cover each pair once."""
    pairs = {pair: number for number, pair in enumerate(combinations(range(points), 2))}
    sets = [
        tuple(pairs[pair] for pair in combinations(triple, 2))
        for triple in combinations(range(points), 3)
    ]
    return exact_cover(len(pairs), sets), STEINER[points]


def colorings(graph, colors, number):
    return mmsat.reduce("graph-coloring", graph, k=colors).board, number


def petersen_colorings():
    return colorings(nx.petersen_graph(), 3, 120)


def complete_colorings(size):
    return colorings(nx.complete_graph(size), size, math.factorial(size))


def cycle_colorings(size, colors):
    """Count colorings of a cycle by its chromatic polynomial."""
    number = (colors - 1) ** size + (-1) ** size * (colors - 1)
    return colorings(nx.cycle_graph(size), colors, number)


def petersen_covers():
    return mmsat.reduce("vertex-cover", nx.petersen_graph(), k=6).board, 5


def cycle_covers(size, k):
    """Count covers of a cycle by k nodes; their complements are independent sets."""
    remaining = size - k
    number = size * math.comb(size - remaining, remaining) // (size - remaining)
    return mmsat.reduce("vertex-cover", nx.cycle_graph(size), k=k).board, number


def lucas(size):
    """Count independent sets of a cycle, as models of a formula: the Lucas numbers."""
    before, number = 2, 1
    for _ in range(size - 1):
        before, number = number, before + number
    clauses = "\n".join(f"-{node + 1} -{(node + 1) % size + 1} 0" for node in range(size))
    return mmsat.reduce("sat", f"p cnf {size} {size}\n{clauses}\n").board, number


SMALL = {
    "4! permutations": lambda: factorial(4),
    "6! permutations": lambda: factorial(6),
    "8! permutations": lambda: factorial(8),
    "derangements of 5": lambda: derangements(5),
    "derangements of 7": lambda: derangements(7),
    "menage numbers 5": lambda: menage(5),
    "menage numbers 7": lambda: menage(7),
    "domino tilings 4 x 4": lambda: dominoes(4, 4),
    "domino tilings 6 x 6": lambda: dominoes(6, 6),
    "Latin squares of order 2": lambda: latin(2),
    "Latin squares of order 3": lambda: latin(3),
    "Latin squares of order 4": lambda: latin(4),
    "Steiner triple systems on 7": lambda: steiner(7),
    "3-colorings of Petersen's graph": petersen_colorings,
    "5-colorings of a complete graph": lambda: complete_colorings(5),
    "4-colorings of a cycle of 9": lambda: cycle_colorings(9, 4),
    "covers of Petersen's graph": petersen_covers,
    "covers of a cycle of 10": lambda: cycle_covers(10, 5),
    "covers of a cycle of 12": lambda: cycle_covers(12, 7),
    "Lucas number 10": lambda: lucas(10),
}
LARGE = {
    "12! permutations": lambda: factorial(12),
    "derangements of 11": lambda: derangements(11),
    "menage numbers 9": lambda: menage(9),
    "domino tilings 8 x 8": lambda: dominoes(8, 8),
    "Latin squares of order 5": lambda: latin(5),
    "Steiner triple systems on 9": lambda: steiner(9),
    "Lucas number 60": lambda: lucas(60),
    "3-colorings of a cycle of 40": lambda: cycle_colorings(40, 3),
}
