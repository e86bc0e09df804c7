"""Plain second definitions, written without a look at the first, to hold the fast code against.

Nothing here is clever: scores are found by crossing pegs out, codes by writing them all down.
"""

from __future__ import annotations

import re
from itertools import combinations, permutations, product
from typing import TYPE_CHECKING

from mmsat.game import UNREAD
from mmsat.game.notation.board_reader import speller
from mmsat.game.words import Words

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from mmsat.constraints import System
    from mmsat.game.board import Board
    from mmsat.game.game import Game
    from mmsat.game.scoring import Scoring
    from mmsat.game.space import CardinalityConstraint, VariableMap

Code = tuple[int, ...]
Score = tuple[int | None, ...]


def cross_out(code: Sequence[int], guess: Sequence[int]) -> tuple[int, int]:
    """Black and white, with the pegs on the table: pairs are taken away until none is left."""
    black = white = 0
    hidden, asked = [], []
    for secret, peg in zip(code, guess, strict=True):
        if secret == peg:
            black += 1
        else:
            hidden.append(secret)
            asked.append(peg)
    for peg in asked:
        if peg in hidden:
            hidden.remove(peg)
            white += 1
    return black, white


def best_arrangement(code: Sequence[int], guess: Sequence[int]) -> int:
    """Black + white: the most blacks that the code's pegs could get in any order."""
    return max(
        sum(secret == peg for secret, peg in zip(order, guess, strict=True))
        for order in permutations(code)
    )


def score(scoring: Scoring, code: Sequence[int], guess: Sequence[int]) -> tuple[int, ...]:
    """Return the score for a kind of scoring; only its name and shapes are used."""
    kinds: dict[str, Callable[[], tuple[int, ...]]] = {
        "black-white": lambda: cross_out(code, guess),
        "black": lambda: cross_out(code, guess)[:1],
        "color": lambda: (sum(cross_out(code, guess)),),
        "places": lambda: two_passes(code, guess),
        "order": lambda: compared(code, guess),
        "pairs": lambda: color_and_shape(getattr(scoring, "shapes", 0), code, guess),
        "pairs-one-key": lambda: one_key_a_peg(getattr(scoring, "shapes", 0), code, guess),
    }
    return kinds[scoring.name]()


def count_twice(scoring: Scoring, code: Sequence[int], guess: Sequence[int]) -> tuple[int, ...]:
    """The score by a program that never crosses a peg of the code out."""
    marks = []
    for place, color in enumerate(guess):
        marks.append(2 if code[place] == color else 1 if list(code).count(color) else 0)
    kinds = {
        "black-white": (marks.count(2), marks.count(1)),
        "color": (marks.count(2) + marks.count(1),),
        "places": tuple(marks),
    }
    return kinds.get(scoring.name) or score(scoring, code, guess)


def two_passes(code: Sequence[int], guess: Sequence[int]) -> tuple[int, ...]:
    """Marks by place: the right ones are struck from the code, then the others look for theirs."""
    hidden: list[int | None] = list(code)
    marks = [0] * len(guess)
    for place in range(len(guess)):
        if guess[place] == code[place]:
            marks[place] = 2
            hidden[place] = None
    for place in range(len(guess)):
        if marks[place] != 2 and guess[place] in hidden:
            marks[place] = 1
            hidden[hidden.index(guess[place])] = None
    return tuple(marks)


def compared(code: Sequence[int], guess: Sequence[int]) -> tuple[int, ...]:
    """Marks by alphabet: the code's is earlier, later, or the same."""
    marks = []
    for place in range(len(guess)):
        earlier, later = code[place] < guess[place], code[place] > guess[place]
        marks.append(0 if earlier else 1 if later else 2)
    return tuple(marks)


def tuples(shapes: int, numbers: Sequence[int]) -> list[tuple[int, int]]:
    """The color and the shape of each peg, found by counting them off."""
    every: list[tuple[int, int]] = []
    while len(every) <= max(numbers):
        color = len(every) // shapes
        every += [(color, shape) for shape in range(shapes)]
    return [every[number] for number in numbers]


def color_and_shape(shapes: int, code: Sequence[int], guess: Sequence[int]) -> tuple[int, int, int]:
    """Black and white on the table as ever; then each place is looked at for a half."""
    black, white = cross_out(code, guess)
    blue = 0
    for secret, asked in zip(tuples(shapes, code), tuples(shapes, guess), strict=True):
        blue += [one == other for one, other in zip(secret, asked, strict=True)].count(True) == 1
    return black, white, blue


def one_key_a_peg(shapes: int, code: Sequence[int], guess: Sequence[int]) -> tuple[int, int, int]:
    """Walk along the guess three times, and give each peg its key peg: black, white, blue."""
    secret, asked = tuples(shapes, code), tuples(shapes, guess)
    keys = ["black" if secret[peg] == asked[peg] else "" for peg in range(len(asked))]
    hidden = [pair for pair, key in zip(secret, keys, strict=True) if not key]
    for peg, pair in enumerate(asked):
        if not keys[peg] and pair in hidden:
            hidden.remove(pair)
            keys[peg] = "white"
    for peg, (color, shape) in enumerate(asked):
        if not keys[peg] and (color == secret[peg][0] or shape == secret[peg][1]):
            keys[peg] = "blue"
    return keys.count("black"), keys.count("white"), keys.count("blue")


def codes(game: Game) -> Iterator[Code]:
    """Yield every code of a game in lexicographic order."""
    if isinstance(game.space, Words):
        return iter(sorted(game.space.codes))
    if game.space.name == "distinct":
        return permutations(range(game.colors), game.pegs)
    return product(range(game.colors), repeat=game.pegs)


def possible_guesses(game: Game, guess: Code) -> list[Code]:
    """Every guess that it can have been: in games of words, words; else any colors."""
    every: Iterable[Code] = product(range(game.colors), repeat=game.pegs)
    if isinstance(game.space, Words) and UNREAD in guess:
        every = game.space.codes
    return [
        entry
        for entry in every
        if all(read in (UNREAD, color) for read, color in zip(guess, entry, strict=True))
    ]


def agrees(scoring: Scoring, code: Code, guess: Code, read: Score) -> bool:
    """Whether the parts of a score that were read are those of the code."""
    true = score(scoring, code, guess)
    for part, number in enumerate(read):
        if number is not None and number != true[part]:
            return False
    return True


def consistent(board: Board) -> list[Code]:
    """The consistent codes, in lexicographic order, from a list of all codes."""
    remaining = list(codes(board.game))
    for guess, read in board.rows:
        remaining = [code for code in remaining if agrees(board.game.scoring, code, guess, read)]
    return remaining


def wrong_rows(board: Board, code: Code) -> list[int]:
    """The rows, from 0, whose scores the code does not get."""
    scoring = board.game.scoring
    return [
        n for n, (guess, read) in enumerate(board.rows) if not agrees(scoring, code, guess, read)
    ]


def least_wrong(board: Board) -> int:
    """The fewest rows that must be changed to make a board consistent."""
    return min(len(wrong_rows(board, code)) for code in codes(board.game))


def holds(variables: VariableMap, literal: int | tuple[int, ...], code: Code) -> bool:
    """Whether a literal, a denied one or a conjunction is true, read off a table of all of them."""
    if isinstance(literal, tuple):
        return False not in [holds(variables, member, code) for member in literal]
    table = [color == secret for secret in code for color in range(variables.colors)]
    for color in range(variables.colors):
        pegs = sum(secret == color for secret in code)
        table += [pegs >= count for count in range(1, variables.pegs + 1)]
    return table[literal - 1] if literal > 0 else not table[-literal - 1]


def satisfies(
    variables: VariableMap, constraints: Iterable[CardinalityConstraint], code: Code
) -> bool:
    """Whether all constraints are true of a code."""
    return all(
        low <= len([literal for literal in numbers if holds(variables, literal, code)]) <= high
        for numbers, low, high in constraints
    )


def missed_by(
    variables: VariableMap, constraints: Iterable[CardinalityConstraint], code: Code
) -> int:
    """How far a code misses that one of some constraints which it misses most."""
    far = [0]
    for numbers, low, high in constraints:
        true = len([literal for literal in numbers if holds(variables, literal, code)])
        far += [low - true, true - high]
    return max(far)


def solutions(system: System, slack: int = 0, graded: bool = False) -> list[tuple[Code, int]]:
    """Return the codes that satisfy the hard constraints and most rows, with their violation.

    If there is a table, the codes are those in the table that satisfy the hard constraints. With
    `graded`, a row counts by the amount it is missed.
    """
    results = []
    for code in product(range(system.variables.colors), repeat=system.variables.pegs):
        if system.table is not None and code not in system.table:
            continue
        if satisfies(system.variables, system.hard, code):
            far = [missed_by(system.variables, row, code) for row in system.rows]
            broken = sum(far) if graded else len([entry for entry in far if entry])
            if broken <= slack:
                results.append((code, broken))
    return results


def minimal_conflicts(board: Board) -> set[tuple[int, ...]]:
    """Every set of rows, from 0, that no code satisfies while one satisfies each smaller set."""
    everything = range(len(board.rows))
    right = [set(everything) - set(wrong_rows(board, code)) for code in codes(board.game)]
    results: set[tuple[int, ...]] = set()
    for size in range(len(board.rows) + 1):
        for rows in combinations(everything, size):
            smaller = any(set(conflict) <= set(rows) for conflict in results)
            if not smaller and not any(set(rows) <= entry for entry in right):
                results.add(rows)
    return results


def smallest_conflict(board: Board, lies: int = 0, by: str = "rows") -> int:
    """The number of rows of the smallest set of which every code misses more than the lies."""
    game, everything = board.game, range(len(board.rows))
    scoring = game.scoring
    guesses = [possible_guesses(game, guess) for guess, _ in board.rows]

    def price(code: Code, row: int) -> int:
        read = board.rows[row].score
        if any(agrees(scoring, code, guess, read) for guess in guesses[row]):
            return 0
        return 1 if by == "rows" else pegs_off(scoring, score(scoring, code, guesses[row][0]), read)

    prices = {tuple(price(code, row) for row in everything) for code in codes(game)}
    return next(
        size
        for size in range(len(board.rows) + 1)
        for rows in combinations(everything, size)
        if all(sum(entry[row] for row in rows) > lies for entry in prices)
    )


def cheapest_repairs(board: Board) -> dict[tuple[tuple[int, Score], ...], int]:
    """Return (row, true score) of the rows missed by nearest codes -> the number of such codes."""
    scoring = board.game.scoring
    least = least_wrong(board)
    results: dict[tuple[tuple[int, Score], ...], int] = {}
    for code in codes(board.game):
        rows = wrong_rows(board, code)
        if len(rows) == least:
            repair = []
            for row in rows:
                guess, read = board.rows[row]
                true = score(scoring, code, guess)
                repair.append(
                    (row, tuple(None if read[n] is None else true[n] for n in range(len(true))))
                )
            results[tuple(repair)] = results.get(tuple(repair), 0) + 1
    return results


def pegs_off(scoring: Scoring, true: Score, read: Score) -> int:
    """Return how many key pegs a score is off, with pegs matched as far as they are equal.

    Unmatched pegs on the larger side are exchanged for those on the other, or removed. For marks,
    the result is the number of wrong places.
    """
    if scoring.marks:
        return len([n for n, mark in enumerate(read) if mark is not None and mark != true[n]])
    there = [n for n, number in enumerate(read) if number is not None for _ in range(true[n] or 0)]
    texts = [n for n, number in enumerate(read) for _ in range(number or 0)]
    fuller = max(len(there), len(texts))
    alike = 0
    for peg in there:
        if peg in texts:
            texts.remove(peg)
            alike += 1
    return fuller - alike


def lies_of(board: Board, code: Code, by: str) -> int:
    """Return the number of lies in a board's scores for a code."""
    wrong = wrong_rows(board, code)
    if by == "rows":
        return len(wrong)
    scoring = board.game.scoring
    rows = [board.rows[row] for row in wrong]
    return sum(pegs_off(scoring, score(scoring, code, guess), read) for guess, read in rows)


def within(board: Board, lies: int, by: str) -> list[Code]:
    """The codes that make no more lies than that, in order."""
    return [code for code in codes(board.game) if lies_of(board, code, by) <= lies]


def read_line(line: bytes, game: Game) -> tuple[object, ...] | None:
    """Parse a log line like the kernel, by regular expressions; return None if it declines."""
    blank, free = rb"[ \t\r]*", rb'"[^"\\\x00-\x1f]*"'
    plain, number = rb'"([ !#-\[\]-~]*)"', rb"(0|[1-9][0-9]{0,17})"

    def joined(*pieces: bytes) -> bytes:
        return blank.join((b"", *pieces, b""))

    small = rb"([1-9][0-9]{0,8})"
    slip = joined(rb"\{", b'"row"', b":", small, b",", b'"true"', b":", plain, rb"\}")
    members = {
        b"id": b"(?:%b|%b)" % (plain, number),
        b"board": plain,
        b"slip": slip,
        b"": b"(?:%b|%b)" % (free, number),
    }
    at, seen = re.match(joined(rb"\{"), line), {}
    while at:
        name = re.compile(joined(plain, b":")).match(line, at.end())
        known_values = name and (name[1] if name[1] in members else b"")
        value = name and re.compile(joined(members[known_values])).match(line, name.end())
        if not value or (known_values and known_values in seen):
            return None
        seen[known_values] = (
            next((group for group in value.groups() if group is not None), b"")
            if known_values == b"id"
            else value.groups()
        )
        at = re.compile(b",").match(line, value.end())
        if at is None and not re.compile(joined(rb"\}") + rb"\Z").match(line, value.end()):
            return None
    if b"board" not in seen:
        return None
    spelled = speller(game)
    marks = [mark.symbol for mark in game.scoring.marks]
    part = f"[{re.escape(''.join(marks))}]" if marks else f"[0-{min(game.pegs, 9)}]"
    score = ("" if marks else r"\.").join([part] * len(game.parts))
    row = f"([{''.join(spelled.symbols)}]{{{game.pegs}}})=({score})"
    board = seen[b"board"][0].decode()
    if not re.fullmatch(f"{re.escape(str(game))}(/{row})+", board):
        return None
    rows = [(guess, message) for guess, message in re.findall(f"/{row}", board)]
    known_values = seen.get(b"slip")
    if known_values and (
        int(known_values[0]) > len(rows) or not re.fullmatch(score, known_values[1].decode())
    ):
        return None
    text = (int(known_values[0]), known_values[1].decode()) if known_values else None
    return seen.get(b"id", b"").decode(), board, rows, text


def fewest_guesses(game: Game) -> int:
    """Return the size of a smallest set of guesses that distinguishes all distinguishable codes."""
    listed = [*codes(game)]
    rows = [[score(game.scoring, code, guess) for guess in listed] for code in listed]

    def apart(guesses: Iterable[int]) -> int:
        return len({tuple(row[guess] for guess in guesses) for row in rows})

    return next(
        index
        for index in range(len(listed) + 1)
        for guesses in combinations(range(len(listed)), index)
        if apart(guesses) == apart(range(len(listed)))
    )


def count_orbits(game: Game, many: int, *, own: bool) -> int:
    """Return the number of orbits of guess sets under permutations of pegs and colors.

    With `own`, each peg has its own permutations of colors.
    """
    listed = [*codes(game)]
    renamings = [*permutations(range(game.colors))]
    images = {
        tuple(
            tuple(names[peg][guess[place]] for peg, place in enumerate(order)) for guess in listed
        )
        for order in permutations(range(game.pegs))
        for names in (
            product(renamings, repeat=game.pegs)
            if own
            else ((renaming,) * game.pegs for renaming in renamings)
        )
    }
    places = {code: place for place, code in enumerate(listed)}
    moves = [[places[code] for code in image] for image in images]
    return len(
        {
            min(tuple(sorted(move[guess] for guess in guesses)) for move in moves)
            for guesses in combinations(range(len(listed)), many)
        }
    )
