"""Algebraic certificates: rows of a two-color board whose combination contradicts every code.

Let N be the number of pegs and K the number of pegs at which the code has the second color. A guess
has that color at the pegs S, and the code at t of these. Then black = t + (N - |S| - (K - t)), and
black and white together are N - |K - |S||. So K and a score in which black, or white, was read give
t.

Count 1 for each peg in S and -1 for every other peg. Then the pegs at which the code has the second
color add up to t - (K - t) = 2t - K. A combination of rows with integer multipliers gives a number
v_p for each peg and a total. K itself can be included, with 1 for each peg. There is no code if

- a modulus divides every v_p but not the total; or
- the total is below the sum of the negative v_p, or above the sum of the positive ones.

In the file, `weighing` lists rows that exclude some values of K on their own, whatever t is. Each
other value of K has its line, unless there is a line for any K. Such a line uses rows in which
black was read, because then 2t - K = black - N + |S| for every K.

    weighing 2
    K 4: 1 x K + 1 x row 1 - 2 x row 3 modulus 2
    K any: 1 x row 1 + 1 x row 2 out of reach

This module shares no code with the algebra that finds such multipliers. Its cost is one step for
each peg of each row, and for each K at each row of `weighing`.
"""

import re
from collections.abc import Iterable

from mmsat._util.text import quantity
from mmsat.game.board import Board
from mmsat.game.refutation import Combination, Refutation

COMBINATION_LINE = re.compile(r"K (any|[0-9]{1,6}): (.*) (?:modulus ([0-9]{1,4000})|out of reach)")
TERM = re.compile(r"([+-]) ([0-9]{1,4000}) x (K|row ([0-9]{1,9}))")
WEIGHING_LINE = re.compile(r"weighing((?: [0-9]{1,9})*)")
SCORINGS = ("black-white", "black", "color")


def print_certificate(refutation: Refutation) -> str:
    """Return a refutation as lines of text; rows count from 1."""
    weighing = "".join(f" {row + 1}" for row in refutation.weighing)
    return f"weighing{weighing}\n" + "".join(
        f"K {'any' if combination.weight is None else combination.weight}: {_terms(combination)} "
        f"{'out of reach' if combination.modulus is None else f'modulus {combination.modulus}'}\n"
        for combination in refutation.combinations
    )


def _terms(combination: Combination) -> str:
    """Return the multipliers and their rows as text."""
    terms = [(combination.times_weight, "K")] if combination.times_weight else []
    terms += [(times, f"row {row + 1}") for row, times in combination.rows]
    text = " ".join(f"{'-' if n < 0 else '+'} {abs(n)} x {name}" for n, name in terms)
    return text.removeprefix("+ ")


def read_certificate(text: str) -> Refutation | None:
    """Return the refutation with this text, or None if it is not in the canonical form."""
    first, *lines = text.split("\n")
    weighing = WEIGHING_LINE.fullmatch(first)
    parsed_lines = [_read(line) for line in lines[:-1]]
    combinations = tuple(combination for combination in parsed_lines if combination is not None)
    if weighing is None or len(combinations) < len(parsed_lines):
        return None
    refutation = Refutation(tuple(int(n) - 1 for n in weighing[1].split()), combinations)
    return refutation if print_certificate(refutation) == text else None


def _read(line: str) -> Combination | None:
    """Return the combination of a line, or None if the line has another form."""
    match = COMBINATION_LINE.fullmatch(line)
    if match is None:
        return None
    terms = match[2] if match[2].startswith("- ") else f"+ {match[2]}"
    times_weight, rows = 0, []
    for term in TERM.finditer(terms):
        times = int(term[1] + term[2])
        if term[4] is None:
            times_weight = times
        else:
            rows.append((int(term[4]) - 1, times))
    weight = None if match[1] == "any" else int(match[1])
    modulus = None if match[3] is None else int(match[3])
    return Combination(weight, tuple(rows), times_weight, modulus)


def flaw(board: Board, refutation: Refutation) -> str | None:
    """Return why a refutation does not prove that a board has no code, or None if it does."""
    game = board.game
    if game.colors != 2 or game.scoring.name not in SCORINGS:
        return f"{game} is not a game of two colors scored by black, white or color"
    if game.space.name not in ("repeats", "distinct"):
        return f"the codes of {game} are a list"
    row_count = len(board.rows)
    if not all(0 <= row < row_count for row in refutation.rows):
        return f"it uses rows beyond row {row_count}"
    weights = {combination.weight for combination in refutation.combinations}
    for weight in () if None in weights else all_weights(board):
        ruled_out = any(not shared_pegs(board, row, weight) for row in refutation.weighing)
        if not ruled_out and weight not in weights:
            return f"codes with {quantity(weight, 'peg')} of the second color are not refuted"
    for combination in refutation.combinations:
        problem = _combination_flaw(board, combination)
        if problem is not None:
            given = "any K" if combination.weight is None else f"K = {combination.weight}"
            return f"for {given}, {problem}"
    return None


def all_weights(board: Board) -> Iterable[int]:
    """Return the possible numbers of pegs at which a code has the second color."""
    pegs = board.game.pegs
    if board.game.space.name == "repeats":
        return range(pegs + 1)
    return [weight for weight in (0, 1) if pegs - weight <= 1]  # no color repeats


def shared_pegs(board: Board, row: int, weight: int) -> range:
    """Return the possible numbers of pegs with the second color in both a code and the guess.

    The code has this weight and gets the score of the row. If black is not known, the range may be
    long. It is empty if no code of this weight gets the score.
    """
    guess, score = board.rows[row]
    pegs, ones = board.game.pegs, sum(guess)
    common = pegs - abs(weight - ones)
    black, white = None, None
    match board.game.scoring.name:
        case "black-white":
            black, white = score
        case "black":
            (black,) = score
        case _:
            (both,) = score
            if both is not None and both != common:
                return range(0)
    if white is not None:
        if black is not None and black + white != common:
            return range(0)
        black = common - white
    lowest, highest = max(0, weight + ones - pegs), min(weight, ones)
    if black is None:
        return range(lowest, highest + 1)
    shared, odd = divmod(black - pegs + ones + weight, 2)
    return range(shared, shared + 1) if lowest <= shared <= highest and not odd else range(0)


def _combination_flaw(board: Board, combination: Combination) -> str | None:
    """Return why a combination is not a contradiction, or None if it is one."""
    pegs, weight, modulus = board.game.pegs, combination.weight, combination.modulus
    if weight is None and combination.times_weight:
        return "K is added, but its value is not given"
    coefficients, total = (
        [combination.times_weight] * pegs,
        combination.times_weight * (weight or 0),
    )
    for row, times in combination.rows:
        guess = board.rows[row].guess
        row_sum = signed_sum(board, row, weight)
        if row_sum is None:
            return f"the sum of row {row + 1} is not determined"
        total += times * row_sum
        coefficients = [
            number + (times if color else -times)
            for number, color in zip(coefficients, guess, strict=True)
        ]
    if modulus is not None:
        if modulus > 1 and not any(number % modulus for number in coefficients) and total % modulus:
            return None
        return f"the total {total} is no contradiction modulo {modulus}"
    lowest, highest = sum(n for n in coefficients if n < 0), sum(n for n in coefficients if n > 0)
    if lowest <= total <= highest:
        return f"the total {total} is possible, as the left side is {lowest} to {highest}"
    return None


def signed_sum(board: Board, row: int, weight: int | None) -> int | None:
    """Return the sum of a row's signs over the code's pegs of the second color; None if unknown."""
    guess, score = board.rows[row]
    if weight is None:
        is_black = board.game.scoring.name != "color"
        black = score[0] if is_black else None
        return None if black is None else black - board.game.pegs + sum(guess)
    shared = shared_pegs(board, row, weight)
    return 2 * shared[0] - weight if len(shared) == 1 else None
