"""Plain reference implementations, called twins, to compare the fast code with.

They were written independently of the fast code. Scores are found by crossing out pegs, and codes
by listing all of them.
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
    """Return black and white, found by removing pairs of equal pegs until no pair remains."""
    black = white = 0
    code_pegs, guess_pegs = [], []
    for secret, peg in zip(code, guess, strict=True):
        if secret == peg:
            black += 1
        else:
            code_pegs.append(secret)
            guess_pegs.append(peg)
    for peg in guess_pegs:
        if peg in code_pegs:
            code_pegs.remove(peg)
            white += 1
    return black, white


def best_arrangement(code: Sequence[int], guess: Sequence[int]) -> int:
    """Return black + white: the maximum of black over all orders of the pegs of the code."""
    return max(
        sum(secret == peg for secret, peg in zip(order, guess, strict=True))
        for order in permutations(code)
    )


def score(scoring: Scoring, code: Sequence[int], guess: Sequence[int]) -> tuple[int, ...]:
    """Return the score of a guess; only the name and the shapes of `scoring` are used."""
    kinds: dict[str, Callable[[], tuple[int, ...]]] = {
        "black-white": lambda: cross_out(code, guess),
        "black": lambda: cross_out(code, guess)[:1],
        "color": lambda: (sum(cross_out(code, guess)),),
        "places": lambda: two_passes(code, guess),
        "order": lambda: order_marks(code, guess),
        "pairs": lambda: color_and_shape(getattr(scoring, "shapes", 0), code, guess),
        "pairs-one-key": lambda: one_key_per_peg(getattr(scoring, "shapes", 0), code, guess),
    }
    return kinds[scoring.name]()


def count_twice(scoring: Scoring, code: Sequence[int], guess: Sequence[int]) -> tuple[int, ...]:
    """Return the score of a faulty program that counts repeated colors twice.

    It never crosses out a peg of the code.
    """
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
    """Return marks by place: first the pegs in place are crossed out, then the pegs elsewhere."""
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


def order_marks(code: Sequence[int], guess: Sequence[int]) -> tuple[int, ...]:
    """Return marks by alphabet: the color in the code is earlier (0), later (1) or equal (2)."""
    marks = []
    for place in range(len(guess)):
        earlier, later = code[place] < guess[place], code[place] > guess[place]
        marks.append(0 if earlier else 1 if later else 2)
    return tuple(marks)


def color_shape_pairs(shapes: int, numbers: Sequence[int]) -> list[tuple[int, int]]:
    """Return the color and the shape of each peg, found by listing all pairs in order."""
    pairs: list[tuple[int, int]] = []
    while len(pairs) <= max(numbers):
        color = len(pairs) // shapes
        pairs += [(color, shape) for shape in range(shapes)]
    return [pairs[number] for number in numbers]


def color_and_shape(shapes: int, code: Sequence[int], guess: Sequence[int]) -> tuple[int, int, int]:
    """Return black, white, and blue: the number of pegs with only the color or shape in place."""
    black, white = cross_out(code, guess)
    blue = 0
    for secret, guessed in zip(
        color_shape_pairs(shapes, code), color_shape_pairs(shapes, guess), strict=True
    ):
        blue += [one == other for one, other in zip(secret, guessed, strict=True)].count(True) == 1
    return black, white, blue


def one_key_per_peg(shapes: int, code: Sequence[int], guess: Sequence[int]) -> tuple[int, int, int]:
    """Return black, white and blue, with at most one key for each peg of the guess.

    The black keys are given first, then the white ones, then the blue ones.
    """
    secret, guessed = color_shape_pairs(shapes, code), color_shape_pairs(shapes, guess)
    keys = ["black" if secret[peg] == guessed[peg] else "" for peg in range(len(guessed))]
    hidden = [pair for pair, key in zip(secret, keys, strict=True) if not key]
    for peg, pair in enumerate(guessed):
        if not keys[peg] and pair in hidden:
            hidden.remove(pair)
            keys[peg] = "white"
    for peg, (color, shape) in enumerate(guessed):
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
    """Return the guesses that a guess with unread pegs can be.

    They are words if only words may be guessed, and otherwise any sequences of colors.
    """
    guesses: Iterable[Code] = product(range(game.colors), repeat=game.pegs)
    if isinstance(game.space, Words) and not game.space.allows_any_guess and UNREAD in guess:
        guesses = game.space.codes
    return [
        entry
        for entry in guesses
        if all(read in (UNREAD, color) for read, color in zip(guess, entry, strict=True))
    ]


def agrees(scoring: Scoring, code: Code, guess: Code, read: Score) -> bool:
    """Return whether the parts of a score that were read are those of the code."""
    true = score(scoring, code, guess)
    for part, number in enumerate(read):
        if number is not None and number != true[part]:
            return False
    return True


def consistent(board: Board) -> list[Code]:
    """Return the consistent codes in lexicographic order, from a list of all codes."""
    remaining = list(codes(board.game))
    for guess, read in board.rows:
        remaining = [code for code in remaining if agrees(board.game.scoring, code, guess, read)]
    return remaining


def wrong_rows(board: Board, code: Code) -> list[int]:
    """Return the rows, from 0, whose scores the code does not get."""
    scoring = board.game.scoring
    return [
        n for n, (guess, read) in enumerate(board.rows) if not agrees(scoring, code, guess, read)
    ]


def least_wrong(board: Board) -> int:
    """Return the minimum number of rows to change so that a board is consistent."""
    return min(len(wrong_rows(board, code)) for code in codes(board.game))


def holds(variables: VariableMap, literal: int | tuple[int, ...], code: Code) -> bool:
    """Return whether a literal or a conjunction is true of a code.

    The values of all variables are listed: first whether a peg has a color, then whether at least a
    number of pegs have a color.
    """
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
    """Return whether a code satisfies all constraints."""
    return all(
        low <= len([literal for literal in numbers if holds(variables, literal, code)]) <= high
        for numbers, low, high in constraints
    )


def missed_by(
    variables: VariableMap, constraints: Iterable[CardinalityConstraint], code: Code
) -> int:
    """Return the largest deviation of a code from the bounds of the constraints, at least 0."""
    deviations = [0]
    for numbers, low, high in constraints:
        true = len([literal for literal in numbers if holds(variables, literal, code)])
        deviations += [low - true, true - high]
    return max(deviations)


def solutions(system: System, slack: int = 0, graded: bool = False) -> list[tuple[Code, int]]:
    """Return the codes that satisfy all hard constraints, and whose violation is at most `slack`.

    Each code is returned with its violation: the number of missed rows or, with `graded`, the sum
    of their deviations. If the system has a table of codes, only codes of the table are returned.
    """
    results = []
    for code in product(range(system.variables.colors), repeat=system.variables.pegs):
        if system.table is not None and code not in system.table:
            continue
        if satisfies(system.variables, system.hard, code):
            deviations = [missed_by(system.variables, row, code) for row in system.row_constraints]
            violation = sum(deviations) if graded else len([d for d in deviations if d])
            if violation <= slack:
                results.append((code, violation))
    return results


def minimal_conflicts(board: Board) -> set[tuple[int, ...]]:
    """Return the minimal sets of rows, from 0, that no code satisfies."""
    all_rows = range(len(board.rows))
    right = [set(all_rows) - set(wrong_rows(board, code)) for code in codes(board.game)]
    results: set[tuple[int, ...]] = set()
    for size in range(len(board.rows) + 1):
        for rows in combinations(all_rows, size):
            has_smaller = any(set(conflict) <= set(rows) for conflict in results)
            if not has_smaller and not any(set(rows) <= entry for entry in right):
                results.add(rows)
    return results


def smallest_conflict(board: Board, lies: int = 0, by: str = "rows") -> int:
    """Return the size of a smallest conflict if up to `lies` scores or key pegs may be wrong.

    It is a set of rows in which every code finds more lies than these.
    """
    game, all_rows = board.game, range(len(board.rows))
    scoring = game.scoring
    guesses = [possible_guesses(game, guess) for guess, _ in board.rows]

    def price(code: Code, row: int) -> int:
        """Return the number of lies in the score of a row if `code` is the secret."""
        read = board.rows[row].score
        if any(agrees(scoring, code, guess, read) for guess in guesses[row]):
            return 0
        return 1 if by == "rows" else pegs_off(scoring, score(scoring, code, guesses[row][0]), read)

    prices = {tuple(price(code, row) for row in all_rows) for code in codes(game)}
    return next(
        size
        for size in range(len(board.rows) + 1)
        for rows in combinations(all_rows, size)
        if all(sum(entry[row] for row in rows) > lies for entry in prices)
    )


def cheapest_repairs(board: Board) -> dict[tuple[tuple[int, Score], ...], int]:
    """Return the number of nearest codes for each repair.

    A nearest code violates the fewest rows. Its repair has the true scores of these rows.
    """
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
    """Return the number of wrong key pegs of a score: missing, additional or different ones.

    Equal key pegs of both scores are matched. The result is the number of unmatched key pegs of the
    score that has more of them. For marks, it is the number of wrong places.
    """
    if scoring.marks:
        return len([n for n, mark in enumerate(read) if mark is not None and mark != true[n]])
    true_keys = [
        part
        for part, number in enumerate(read)
        if number is not None
        for _ in range(true[part] or 0)
    ]
    read_keys = [part for part, number in enumerate(read) for _ in range(number or 0)]
    max_keys = max(len(true_keys), len(read_keys))
    num_equal = 0
    for key in true_keys:
        if key in read_keys:
            read_keys.remove(key)
            num_equal += 1
    return max_keys - num_equal


def lies_of(board: Board, code: Code, by: str) -> int:
    """Return the number of lies in a board's scores for a code."""
    wrong = wrong_rows(board, code)
    if by == "rows":
        return len(wrong)
    scoring = board.game.scoring
    rows = [board.rows[row] for row in wrong]
    return sum(pegs_off(scoring, score(scoring, code, guess), read) for guess, read in rows)


def within(board: Board, lies: int, by: str) -> list[Code]:
    """Return the codes for which the board has at most `lies` lies, in order."""
    return [code for code in codes(board.game) if lies_of(board, code, by) <= lies]


def read_line(line: bytes, game: Game) -> tuple[object, ...] | None:
    """Parse a log line by regular expressions; return None if the kernel must refuse the line."""
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
    separator, values = re.match(joined(rb"\{"), line), {}
    while separator:
        name = re.compile(joined(plain, b":")).match(line, separator.end())
        key = name and (name[1] if name[1] in members else b"")  # b"": another key
        value = name and re.compile(joined(members[key])).match(line, name.end())
        if not value or (key and key in values):
            return None
        values[key] = (
            next((group for group in value.groups() if group is not None), b"")
            if key == b"id"
            else value.groups()
        )
        separator = re.compile(b",").match(line, value.end())
        if separator is None and not re.compile(joined(rb"\}") + rb"\Z").match(line, value.end()):
            return None
    if b"board" not in values:
        return None
    spelled = speller(game)
    marks = [mark.symbol for mark in game.scoring.marks]
    part = f"[{re.escape(''.join(marks))}]" if marks else f"[0-{min(game.pegs, 9)}]"
    score = ("" if marks else r"\.").join([part] * len(game.parts))
    row = f"([{''.join(spelled.symbols)}]{{{game.pegs}}})=({score})"
    board = values[b"board"][0].decode()
    if not re.fullmatch(f"{re.escape(str(game))}(/{row})+", board):
        return None
    rows = re.findall(f"/{row}", board)
    slip_values = values.get(b"slip")
    if slip_values and (
        int(slip_values[0]) > len(rows) or not re.fullmatch(score, slip_values[1].decode())
    ):
        return None
    recorded_slip = (int(slip_values[0]), slip_values[1].decode()) if slip_values else None
    return values.get(b"id", b"").decode(), board, rows, recorded_slip


def fewest_guesses(game: Game) -> int:
    """Return the size of a smallest set of guesses that distinguishes all distinguishable codes."""
    listed = [*codes(game)]
    rows = [[score(game.scoring, code, guess) for guess in listed] for code in listed]

    def apart(guesses: Iterable[int]) -> int:
        """Return the number of codes that these guesses distinguish."""
        return len({tuple(row[guess] for guess in guesses) for row in rows})

    return next(
        index
        for index in range(len(listed) + 1)
        for guesses in combinations(range(len(listed)), index)
        if apart(guesses) == apart(range(len(listed)))
    )


def count_orbits(game: Game, num_guesses: int, *, own: bool) -> int:
    """Return the number of orbits of sets of guesses under permutations of pegs and colors.

    With `own`, the colors of each peg are permuted independently of those of other pegs.
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
            for guesses in combinations(range(len(listed)), num_guesses)
        }
    )
