"""Algebraic certificates: rows of a two-color board that add up to what no code can have.

Let N be the pegs and K those where the code has the second color. A guess has that color at the
pegs S, and t of the K are among them. Then black = t + (N - |S| - (K - t)), and black and white
together are N - |K - |S||. So K and a score that tells black, or white, give t.

Counted 1 at S and -1 elsewhere, the code's K pegs add up to t - (K - t) = 2t - K. Rows, each times
a whole number, add up to a number v_p for each peg and a total; so does K itself, with 1 for each
peg. There is no code if

- a modulus divides every v_p and not the total; or
- the total is below the sum of the negative v_p, or above that of the positive ones.

In the file, `weighing` names rows that rule out a K alone, whatever t is. Each K that they leave
has its line, unless a line is for any K: that uses rows that tell black, for then 2t - K = black -
N + |S| whatever K is.

    weighing 2
    K 4: 1 x K + 1 x row 1 - 2 x row 3 modulus 2
    K any: 1 x row 1 + 1 x row 2 out of reach

Nothing here is shared with the algebra that finds such numbers. Costs a look at each peg of each
row, and of each K at each row of `weighing`.
"""

import re
from collections.abc import Iterable

from mmsat.board import Board
from mmsat.results.verdict import Combination, Refutation

LINE = re.compile(r"K (any|[0-9]{1,6}): (.*) (?:modulus ([0-9]{1,4000})|out of reach)")
TERM = re.compile(r"([+-]) ([0-9]{1,4000}) x (K|row ([0-9]{1,9}))")
NUMBERS = re.compile(r"weighing((?: [0-9]{1,9})*)")
SCORINGS = ("black-white", "black", "color")


def print_certificate(refutation: Refutation) -> str:
    """A refutation as lines, rows from 1."""
    weighing = "".join(f" {row + 1}" for row in refutation.weighing)
    return f"weighing{weighing}\n" + "".join(
        f"K {'any' if combination.weight is None else combination.weight}: {_terms(combination)} "
        f"{'out of reach' if combination.modulus is None else f'modulus {combination.modulus}'}\n"
        for combination in refutation.combinations
    )


def _terms(combination: Combination) -> str:
    terms = [(combination.times_weight, "K")] if combination.times_weight else []
    terms += [(times, f"row {row + 1}") for row, times in combination.rows]
    text = " ".join(f"{'-' if n < 0 else '+'} {abs(n)} x {what}" for n, what in terms)
    return text.removeprefix("+ ")


def read_certificate(text: str) -> Refutation | None:
    """The refutation that was written like this, or None where it is none."""
    first, *lines = text.split("\n")
    weighing = NUMBERS.fullmatch(first)
    found = [_read(line) for line in lines[:-1]]
    combinations = tuple(combination for combination in found if combination is not None)
    if weighing is None or len(combinations) < len(found):
        return None
    refutation = Refutation(tuple(int(n) - 1 for n in weighing[1].split()), combinations)
    return refutation if print_certificate(refutation) == text else None


def _read(line: str) -> Combination | None:
    match = LINE.fullmatch(line)
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
    """Why a refutation does not show that a board has no code; None where it does."""
    game = board.game
    if game.colors != 2 or game.scoring.name not in SCORINGS:
        return f"a certificate is for two colors scored by black, white or color, not for {game}"
    if game.space.name not in ("repeats", "distinct"):
        return f"a certificate is not for {game}, whose codes are a list"
    many = len(board.rows)
    if not all(0 <= row < many for row in refutation.rows):
        return f"the certificate names rows beyond {many}"
    weights = {combination.weight for combination in refutation.combinations}
    for weight in () if None in weights else all_weights(board):
        ruled_out = any(not shared_pegs(board, row, weight) for row in refutation.weighing)
        if not ruled_out and weight not in weights:
            return f"nothing shows that no code has {weight} pegs of the second color"
    for combination in refutation.combinations:
        wrong = _wrong(board, combination)
        if wrong is not None:
            given = "any K" if combination.weight is None else f"K = {combination.weight}"
            return f"for {given}, {wrong}"
    return None


def all_weights(board: Board) -> Iterable[int]:
    """The numbers of pegs that a code may have of the second color."""
    pegs = board.game.pegs
    if board.game.space.name == "repeats":
        return range(pegs + 1)
    return [weight for weight in (0, 1) if pegs - weight <= 1]  # no color twice


def shared_pegs(board: Board, row: int, weight: int) -> range:
    """The pegs that a code of this weight and the guess can share in the second color."""
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
    least, most = max(0, weight + ones - pegs), min(weight, ones)
    if black is None:
        return range(least, most + 1)
    shared, odd = divmod(black - pegs + ones + weight, 2)
    return range(shared, shared + 1) if least <= shared <= most and not odd else range(0)


def _wrong(board: Board, combination: Combination) -> str | None:
    """Why a combination is no contradiction; None where it is one."""
    pegs, weight, modulus = board.game.pegs, combination.weight, combination.modulus
    if weight is None and combination.times_weight:
        return "K is added, which is not known"
    left, total = [combination.times_weight] * pegs, combination.times_weight * (weight or 0)
    for row, times in combination.rows:
        guess = board.rows[row].guess
        made = signed_sum(board, row, weight)
        if made is None:
            return f"row {row + 1} does not tell what it adds up to"
        total += times * made
        left = [
            number + (times if color else -times) for number, color in zip(left, guess, strict=True)
        ]
    if modulus is not None:
        if modulus > 1 and not any(number % modulus for number in left) and total % modulus:
            return None
        return f"{modulus} does not divide the left side alone; the total is {total}"
    least, most = sum(n for n in left if n < 0), sum(n for n in left if n > 0)
    if least <= total <= most:
        return f"the total {total} is within reach, from {least} to {most}"
    return None


def signed_sum(board: Board, row: int, weight: int | None) -> int | None:
    """What the code's pegs of the second color add up to at a row, if it tells that."""
    guess, score = board.rows[row]
    if weight is None:
        is_black = board.game.scoring.name != "color"
        black = score[0] if is_black else None
        return None if black is None else black - board.game.pegs + sum(guess)
    shared = shared_pegs(board, row, weight)
    return 2 * shared[0] - weight if len(shared) == 1 else None
