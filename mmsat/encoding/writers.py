"""Write boards in the languages of other solvers.

DIMACS: CNF, which every SAT solver reads, and WCNF, for MaxSAT solvers
    The comments name the variables (`c varname 8 peg2color2`), code variables first, and list the
    code variables for model counters (`c p show 1 2 .. 0`). The formula in CNF has one model per
    consistent code. If a board has two colors and its rows determine how many pegs have each color,
    the formula in CNF is that of short combinations of its rows (`two_colors.short_system`). Each
    row alone is a sum over all pegs, but the rows of reductions differ at few pegs, so the formula
    has up to a thousand times fewer clauses. All other languages contain the rows themselves.
    The optimum of the WCNF is the smallest number of rows whose removal makes the board consistent,
    and the code of the solution satisfies the other rows. The WCNF has the classic header
    `p wcnf VARIABLES CLAUSES TOP`, which old and new solvers read: clauses of weight TOP are hard,
    and each row has one soft clause of weight 1, its selector.
LP, the text format of CPLEX (also read by glpsol, cbc, HiGHS, ...)
    Variables have their names (peg2color5, color5least3), and constraints are named after their
    subject (peg2, color5_low, row3_1). There is nothing to optimize, so the objective is 0 times
    the first variable. The format limits the length of lines, so long sums are split into several
    lines.
OPB, for pseudo-Boolean solvers
    Variables x1, x2, ... are numbered as in mmsat.encoding.integer_models, so that the code
    variables have the same numbers as in DIMACS. Comments name them (`* varname x8 peg2color2`).
    The format has only `>=` and `=`, so an upper bound is written with all signs inverted.
MiniZinc, for constraint and integer solvers
    The model is in the catalogue and is followed by the data of the board. The data alone can be
    used with this model or with a custom one.
ASP, answer set programs for clingo
    The rules are in the catalogue and are followed by the board as facts.
SMT-LIB 2, in the logic QF_LIA
    There is a Boolean for each peg and color, and sums of them are integers.

DIMACS, LP and OPB are written from the constraints of the board. The models in MiniZinc, ASP and
SMT-LIB state the rules of scoring themselves: black counts equal pegs, the pegs in common are the
sum over colors of the smaller of two counts, and a mark gives the state of its peg. So the models
are an independent check of the constraints, but support only the kinds of scoring in `KINDS`.

The Global Benchmark Database (GBD) identifies an instance by an MD5 of its normalized text: all
comments and headers are removed, and spaces are unified. `gbd_hash_of_clauses` and the functions
after it compute this hash.
"""

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from itertools import chain
from typing import Any, NamedTuple

from mmsat._util.files import catalogue_folder
from mmsat._util.text import join_words
from mmsat.constraints import System
from mmsat.encoding import Encoding, Formula, clause_encodings
from mmsat.encoding.cnf import cnf
from mmsat.encoding.integer_models import LinearConstraint, LinearSystem
from mmsat.errors import Description, InputError
from mmsat.game import Row
from mmsat.game.board import Board
from mmsat.game.game import Game
from mmsat.game.scoring import Pairs


class ScoreParts(NamedTuple):
    """The parts of a score. None means that a part or a mark was not read, or is not scored.

    If the scoring has marks, there is one mark per peg; otherwise the tuples are empty.
    """

    black: int | None = None
    """Pegs right in place."""
    white: int | None = None
    """Pegs of the right color elsewhere."""
    color: int | None = None
    """Pegs of the right color in any place."""
    blue: int | None = None
    """Pegs that agree with the code in exactly one of hue and shape (scoring by pairs)."""
    places: tuple[int | None, ...] = ()
    """Marks: 2 for right in place, 1 for elsewhere, 0 for absent."""
    order: tuple[int | None, ...] = ()
    """Marks: 2 for right in place, 1 if the color in the code is later, 0 if it is earlier."""


COUNTS = ("black", "white", "color", "blue")
"""The parts that are one number per row."""
MARKS = ("places", "order")
"""The parts that are one mark per peg; also the names of these kinds of scoring."""

KINDS = ("black-white", "black", "color", "pairs", "pairs-one-key", *MARKS)
"""The kinds of scoring that the models support."""
FORMATS = "cnf, wcnf, opb and lp"
"""The formats that support all boards, for error messages."""


def score_parts(board: Board) -> list[ScoreParts]:
    """Return the score parts of each row.

    Raises InputError for boards that the models do not support: those with known codes, with
    another kind of scoring, or with guesses whose pegs were not all read.
    """
    scoring = board.game.scoring
    if board.known:
        description = Description("known codes")
        raise InputError.of(
            "the board", "no known codes", description, f"only {FORMATS} exclude them"
        )
    if board.has_unread_pegs:
        description = Description("a ? in a guess")
        raise InputError.of("the board", "complete guesses", description, f"only {FORMATS} allow ?")
    if scoring.name not in KINDS:
        expected = f"a game scored by {join_words(KINDS, 'or')}"
        rule = f"only {FORMATS} support other scorings"
        raise InputError.of("the board", expected, str(board.game), rule)
    parts = scoring.parts(board.game.pegs)
    rows: Iterator[dict[str, Any]] = (
        {scoring.name: row.score} if scoring.marks else dict(zip(parts, row.score, strict=True))
        for row in board.rows
    )
    return [ScoreParts(**row) for row in rows]


def may_repeat(game: Game) -> bool:
    """Return whether codes may repeat a color. True for games of words, whose list decides."""
    return {"repeats": True, "distinct": False, "words": True}[game.space.name]


def words(game: Game) -> tuple[tuple[int, ...], ...]:
    """Return the list of codes of a game of words, or an empty tuple for any other game."""
    return game.space.table() or ()


def shapes(game: Game) -> int | None:
    """Return the number of shapes per hue, or None if colors are not pairs of a hue and a shape."""
    return game.scoring.shapes if isinstance(game.scoring, Pairs) else None


def has_one_key(game: Game) -> bool:
    """Return whether a peg that counts as white never counts as blue."""
    return game.scoring.name == "pairs-one-key"


def model(language: str, name: str) -> str:
    """Return the text of a model in the catalogue."""
    return (catalogue_folder("encodings") / "models" / language / name).read_text(encoding="utf-8")


SHORT_COMMENT = "c the rows are combined to short equations with the same codes\n"
"""The comment of a formula that is not made from the rows themselves."""


def write_cnf(board: Board, encoding: str | Encoding) -> Iterator[str]:
    """Yield one clause per line. Raises InputError if the encoding needs more than clauses.

    The rows of two-color boards are replaced by short combinations with the same codes.
    """
    # imported here, because `verify` uses this module and loads no algebra
    from mmsat.constraints.two_colors import short_system

    system = short_system(board)
    formula = clause_formula(board, encoding, system=system)
    lines = cnf_lines(board, encoding, formula)
    # the first line is the board
    return lines if system is None else chain([next(lines), SHORT_COMMENT], lines)


def write_wcnf(board: Board, encoding: str | Encoding) -> Iterator[str]:
    """Yield hard clauses and soft rows. Raises InputError like `write_cnf`."""
    return _wcnf_lines(board, encoding, clause_formula(board, encoding, with_selectors=True))


def clause_formula(
    board: Board,
    encoding: str | Encoding,
    *,
    with_selectors: bool = False,
    system: System | None = None,
) -> Formula:
    """Return the formula of a board, or of another system with the same codes.

    Raises InputError if it needs more than clauses.
    """
    formula = cnf(system or System.of(board), encoding, with_selectors=with_selectors)
    if formula.at_most:
        rule = "this encoding does not consist of clauses only"
        expected = f"one of {', '.join(clause_encodings())}"
        raise InputError.of("the encoding", expected, str(encoding), rule)
    return formula


def cnf_lines(board: Board, encoding: str | Encoding, formula: Formula) -> Iterator[str]:
    """Yield the lines of a formula of clauses in DIMACS CNF."""
    yield from _comments(board, encoding, formula)
    yield f"p cnf {formula.variables} {len(formula.clauses)}\n"
    for clause in formula.clauses:
        yield " ".join(map(str, [*clause, 0])) + "\n"


def _wcnf_lines(board: Board, encoding: str | Encoding, formula: Formula) -> Iterator[str]:
    """Yield the lines of the WCNF file, in which each selector is a soft clause of weight 1."""
    yield from _comments(board, encoding, formula)
    top_weight = len(formula.selectors) + 1
    clauses = len(formula.clauses) + len(formula.selectors)
    yield f"p wcnf {formula.variables} {clauses} {top_weight}\n"
    for clause in formula.clauses:
        yield " ".join(map(str, [top_weight, *clause, 0])) + "\n"
    for selector in formula.selectors:
        yield f"1 {selector} 0\n"


def _comments(board: Board, encoding: str | Encoding, formula: Formula) -> Iterator[str]:
    """Yield the board, the encoding, the names of the variables, and the list of code variables."""
    yield f"c mmsat {board}\n"
    yield f"c encoding {encoding}\n"
    for variable, name in sorted(formula.names.items()):
        yield f"c varname {variable} {name}\n"
    code = " ".join(map(str, range(1, formula.code_variables + 1)))
    yield f"c p show {code} 0\n"


TERMS_PER_LINE = 10
"""The number of terms or variables per line of LP."""
COMMENT_CHARACTERS = 200
"""The maximum length of a comment in a line of LP."""


def write_lp(board: Board) -> Iterator[str]:
    """Yield an objective that is always 0, the constraints, and all variables as binary."""
    system = LinearSystem.of(System.of(board))
    names = [system.names[variable] for variable in range(1, system.variables + 1)]
    yield from lp_comment(f"mmsat {board}")
    yield f"Minimize\n nothing: 0 {names[0]}\n"
    yield "Subject To\n"
    for constraint in system.constraints:
        yield from _lp_lines(constraint, names)
    yield "Binary\n"
    yield f" {_wrap(names)}\n"
    yield "End\n"


def lp_comment(text: str) -> Iterator[str]:
    """Yield the lines of a comment. CBC aborts if a line has more than 1,024 characters."""
    for start in range(0, len(text), COMMENT_CHARACTERS):
        yield f"\\ {text[start : start + COMMENT_CHARACTERS]}\n"


def _lp_lines(constraint: LinearConstraint, names: Sequence[str]) -> Iterator[str]:
    """Yield one line, or two for two different bounds, because not all solvers read ranges."""
    terms = _wrap(
        [_lp_term(coefficient, names[variable - 1]) for coefficient, variable in constraint.terms]
    )
    if constraint.low == constraint.high:
        yield f" {constraint.name}: {terms} = {constraint.low}\n"
        return
    has_two_bounds = constraint.low is not None and constraint.high is not None
    low_ending, high_ending = ("_least", "_most") if has_two_bounds else ("", "")
    if constraint.low is not None:
        yield f" {constraint.name}{low_ending}: {terms} >= {constraint.low}\n"
    if constraint.high is not None:
        yield f" {constraint.name}{high_ending}: {terms} <= {constraint.high}\n"


def _lp_term(coefficient: int, name: str) -> str:
    """Return a term of a sum with its sign, such as `+ 2 x1`."""
    factor = "" if abs(coefficient) == 1 else f"{abs(coefficient)} "
    return f"{'-' if coefficient < 0 else '+'} {factor}{name}"


def _wrap(words: Sequence[str]) -> str:
    """Join words by spaces, with a line break after every TERMS_PER_LINE words."""
    lines = [
        " ".join(words[start : start + TERMS_PER_LINE])
        for start in range(0, len(words), TERMS_PER_LINE)
    ]
    return "\n  ".join(lines)


def write_opb(board: Board) -> Iterator[str]:
    """Yield one constraint per line, after the header, which must come first."""
    system = LinearSystem.of(System.of(board))
    lines = [text for constraint in system.constraints for text in _opb_lines(constraint)]
    equal_count = sum(" = " in line for line in lines)
    yield (
        f"* #variable= {system.variables} #constraint= {len(lines)} #equal= {equal_count} "
        f"intsize= {_integer_bits(system)}\n"
    )
    yield f"* mmsat {board}\n"
    for variable, name in sorted(system.names.items()):
        yield f"* varname x{variable} {name}\n"
    yield from lines


def _integer_bits(system: LinearSystem) -> int:
    """Return the number of bits of the largest sum of absolute values in a constraint.

    The bound is counted too, so that a solver can evaluate every constraint with such integers.
    """
    return max(
        (
            sum(abs(coefficient) for coefficient, _ in constraint.terms)
            + max(abs(constraint.low or 0), abs(constraint.high or 0))
        ).bit_length()
        for constraint in system.constraints
    )


def _opb_lines(constraint: LinearConstraint) -> Iterator[str]:
    """Yield the lines of a constraint. OPB has `=` and `>=`, but not `<=`."""
    if constraint.low == constraint.high:
        yield f"{_opb_sum(constraint, 1)} = {constraint.low} ;\n"
        return
    if constraint.low is not None:
        yield f"{_opb_sum(constraint, 1)} >= {constraint.low} ;\n"
    if constraint.high is not None:
        yield f"{_opb_sum(constraint, -1)} >= {-constraint.high} ;\n"


def _opb_sum(constraint: LinearConstraint, sign: int) -> str:
    """Return the sum of a constraint, or its negation if `sign` is -1."""
    return " ".join(
        [f"{sign * coefficient:+} x{variable}" for coefficient, variable in constraint.terms]
    )


def write_minizinc(board: Board) -> Iterator[str]:
    """Return the model from the catalogue, followed by the data."""
    return iter((model("minizinc", "mastermind.mzn"), "\n", *write_dzn(board)))


def write_dzn(board: Board) -> Iterator[str]:
    """Yield the parameters of mastermind.mzn, one per line.

    Colors are numbered from 1. A value of -1 means that a part of a score was not read.
    """
    game = board.game
    yield f"% mmsat {board}\n"
    yield f"pegs = {game.pegs};\n"
    yield f"colors = {game.colors};\n"
    yield f"rows = {len(board.rows)};\n"
    yield f"may_repeat = {_truth(may_repeat(game))};\n"
    yield f"words = {_table(_from_one(words(game)), game.pegs)};\n"
    yield f"shapes = {shapes(game) or 1};\n"
    yield f"one_key = {_truth(has_one_key(game))};\n"
    yield f"guess = {_table(_from_one(row.guess for row in board.rows), game.pegs)};\n"
    scores = score_parts(board)
    for part in COUNTS:
        yield f"{part} = {_list(_or_unread(getattr(score, part)) for score in scores)};\n"
    for part in MARKS:
        marks = [marks for score in scores if (marks := getattr(score, part))]
        yield f"{part} = {_table((map(_or_unread, row) for row in marks), game.pegs)};\n"


def _or_unread(value: int | None) -> int:
    """Return a number of the data for MiniZinc, which is -1 if it was not read."""
    return -1 if value is None else value


def _truth(value: bool) -> str:
    return str(value).lower()


def _from_one(codes: Iterable[Iterable[int]]) -> Iterator[list[int]]:
    """Number the colors of codes from 1."""
    return ([color + 1 for color in code] for code in codes)


def _list(numbers: Iterable[int]) -> str:
    return f"[{', '.join(map(str, numbers))}]"


def _table(rows: Iterable[Iterable[int]], width: int) -> str:
    """Return a two-dimensional array of numbers, which may have no rows."""
    lists = [list(row) for row in rows]
    numbers = _list(number for row in lists for number in row)
    return f"array2d(1..{len(lists)}, 1..{width}, {numbers})"


PLACES = ("absent", "elsewhere", "right")
"""The names of the marks of `ScoreParts.places`, indexed by their numbers."""
ORDER = ("earlier", "later", "right")
"""The names of the marks of `ScoreParts.order`, indexed by their numbers."""


def write_asp(board: Board) -> Iterator[str]:
    """Return the rules from the catalogue, followed by the facts. All numbering starts at 1."""
    return iter((model("asp", "mastermind.lp"), "\n", *_facts(board)))


def _facts(board: Board) -> Iterator[str]:
    """Yield the facts of the game and of each row."""
    game = board.game
    yield f"% mmsat {board}\n"
    yield f"peg(1..{game.pegs}).\n"
    yield f"color(1..{game.colors}).\n"
    if not may_repeat(game):
        yield "no_repeats.\n"
    if has_one_key(game):
        yield "one_key.\n"
    if shape_count := shapes(game):
        pairs = (divmod(color, shape_count) for color in range(game.colors))
        yield (
            " ".join(
                f"pair({color},{hue + 1},{shape + 1})."
                for color, (hue, shape) in enumerate(pairs, 1)
            )
            + "\n"
        )
    for number, word in enumerate(words(game), 1):
        yield (
            " ".join(f"word({number},{peg},{color + 1})." for peg, color in enumerate(word, 1))
            + "\n"
        )
    for number, (row, score) in enumerate(zip(board.rows, score_parts(board), strict=True), 1):
        guess = (f"guess({number},{peg},{color + 1})." for peg, color in enumerate(row.guess, 1))
        yield " ".join([f"row({number}).", *guess, *_score_facts(number, score)]) + "\n"


def _score_facts(row: int, score: ScoreParts) -> Iterator[str]:
    """Yield the facts of one score."""
    for part in COUNTS:
        if (value := getattr(score, part)) is not None:
            yield f"told({row},{part},{value})."
    for names, marks in ((PLACES, score.places), (ORDER, score.order)):
        for peg, mark in enumerate(marks, 1):
            if mark is not None:
                yield f"marked({row},{peg},{names[mark]})."


def write_smtlib(board: Board) -> Iterator[str]:
    """Yield declarations, assertions and, at the end, the queries."""
    pegs, colors = range(1, board.game.pegs + 1), range(1, board.game.colors + 1)
    yield f"; mmsat {board}\n"
    yield "(set-option :produce-models true)\n"
    yield "(set-logic QF_LIA)\n"
    for peg in pegs:
        for color in colors:
            yield f"(declare-fun {_at(peg, color)} () Bool)\n"
    yield "; the number of pegs of each color\n"
    for color in colors:
        yield f"(define-fun color{color} () Int {_count(_at(peg, color) for peg in pegs)})\n"
    yield "; one color per peg\n"
    for peg in pegs:
        yield f"(assert (= {_count(_at(peg, color) for color in colors)} 1))\n"
    if not may_repeat(board.game):
        yield "; no color repeats\n"
        for color in colors:
            yield f"(assert (<= color{color} 1))\n"
    if codes := words(board.game):
        yield "; one of the words\n"
        yield f"(assert {_any(map(_equals, codes))})\n"
    for number, (row, score) in enumerate(zip(board.rows, score_parts(board), strict=True), 1):
        yield f"; row {number}\n"
        yield from _number_assertions(board.game, row, score)
        yield from _mark_assertions(board.game, row, score)
    yield "(check-sat)\n"
    yield f"(get-value ({' '.join(_at(peg, color) for peg in pegs for color in colors)}))\n"


def _number_assertions(game: Game, row: Row, score: ScoreParts) -> Iterator[str]:
    """Yield the assertions that state the numbers of a score."""
    guess = [color + 1 for color in row.guess]
    black = _count(_at(peg, color) for peg, color in enumerate(guess, 1))
    common = _sum(
        f"(ite (< color{color} {times}) color{color} {times})"
        for color, times in sorted(Counter(guess).items())
    )
    if score.black is not None:
        yield f"(assert (= {black} {score.black}))\n"
    if score.white is not None:
        yield f"(assert (= (- {common} {black}) {score.white}))\n"
    if score.color is not None:
        yield f"(assert (= {common} {score.color}))\n"
    if score.blue is not None:
        yield f"(assert (= {_count(_blues(game, row))} {score.blue}))\n"


def _mark_assertions(game: Game, row: Row, score: ScoreParts) -> Iterator[str]:
    """Yield the assertions that state the marks of a score."""
    guess = [color + 1 for color in row.guess]
    for peg, mark in enumerate(score.places, 1):
        if mark is not None:
            yield f"(assert {_place_mark(guess, peg, mark)})\n"
    for peg, mark in enumerate(score.order, 1):
        if mark is not None:
            guessed_color = guess[peg - 1]
            possible_colors = {
                0: range(1, guessed_color),
                1: range(guessed_color + 1, game.colors + 1),
                2: (guessed_color,),
            }[mark]
            yield f"(assert {_any(_at(peg, color) for color in possible_colors)})\n"


def _place_mark(guess: list[int], peg: int, mark: int) -> str:
    """Return the formula that a peg of the guess has this mark."""
    right, elsewhere = _at(peg, guess[peg - 1]), _elsewhere(guess, peg)
    return {0: f"(not (or {right} {elsewhere}))", 1: elsewhere, 2: right}[mark]


def _blues(game: Game, row: Row) -> Iterator[str]:
    """Yield for each peg the formula that it is blue: half right and, with one key, not white."""
    guess = [color + 1 for color in row.guess]
    shape_count = shapes(game) or 1
    for peg, guessed_color in enumerate(guess, 1):
        half_right = _any(
            _at(peg, color)
            for color in range(1, game.colors + 1)
            if _are_half_equal(color - 1, guessed_color - 1, shape_count)
        )
        if has_one_key(game):
            yield f"(and {half_right} (not {_elsewhere(guess, peg)}))"
        else:
            yield half_right


def _are_half_equal(color: int, guessed_color: int, shapes: int) -> bool:
    """Return whether two colors (from 0) agree in exactly one of hue and shape."""
    return (color // shapes == guessed_color // shapes) != (
        color % shapes == guessed_color % shapes
    )


def _elsewhere(guess: list[int], peg: int) -> str:
    """Return the formula that a peg of the guess is not right in place but its color is elsewhere.

    The copies of a color that the code has elsewhere are assigned to the guess's pegs of this color
    from left to right, except to pegs that are right in place.
    """
    guessed_color = guess[peg - 1]
    wrong = f"(not {_at(peg, guessed_color)})"
    copies = _count(
        _at(guess_peg, guessed_color)
        for guess_peg, color in enumerate(guess, 1)
        if color != guessed_color
    )
    assigned = _count(
        f"(not {_at(guess_peg, guessed_color)})"
        for guess_peg, color in enumerate(guess[: peg - 1], 1)
        if color == guessed_color
    )
    return f"(and {wrong} (< {assigned} {copies}))"


def _equals(code: Iterable[int]) -> str:
    """Return the formula that the code equals `code`, of colors from 0."""
    pegs = [_at(peg, color + 1) for peg, color in enumerate(code, 1)]
    return pegs[0] if len(pegs) == 1 else f"(and {' '.join(pegs)})"


def _at(peg: int, color: int) -> str:
    """Return the name of the variable that is true if a peg has a color."""
    return f"peg{peg}color{color}"


def _count(names: Iterable[str]) -> str:
    """Return the number of true Booleans."""
    return _sum(f"(ite {name} 1 0)" for name in names)


def _any(terms: Iterable[str]) -> str:
    """Return the disjunction of the terms; `or` needs at least two."""
    operands = list(terms)
    return (
        f"(or {' '.join(operands)})" if len(operands) > 1 else operands[0] if operands else "false"
    )


def _sum(terms: Iterable[str]) -> str:
    """Return the sum of the terms; `+` needs at least two."""
    operands = list(terms)
    return f"(+ {' '.join(operands)})" if len(operands) > 1 else operands[0] if operands else "0"


def gbd_hash_of_clauses(lines: Iterable[str]) -> str:
    """Return the hash of a formula in DIMACS CNF."""
    clauses = (" ".join(line.split()) for line in lines if line[:1] not in ("c", "p"))
    return _md5(" ".join(clauses))


def gbd_hash_of_soft_clauses(lines: Iterable[str]) -> str:
    """Return the hash of a formula in WCNF as of 2022.

    The program that defines this hash writes a space only before the clauses after the first soft
    clause, so that hard clauses are joined without a space.
    """
    text, is_after_soft = [], False
    for line in lines:
        if line[:1] != "c":
            text.append(f"{' ' * is_after_soft}{' '.join(line.split())}")
            is_after_soft = is_after_soft or line[:1] != "h"
    return _md5("".join(text))


def gbd_hash_of_sums(lines: Iterable[str]) -> str:
    """Return the hash of constraints in OPB: without `+`, and without spaces around the end."""
    constraints = (line for line in lines if line[:1] != "*")
    return _md5("".join(re.sub(r" *;\s*", ";", line.replace("+", "")) for line in constraints))


def _md5(text: str) -> str:
    import hashlib

    return hashlib.md5(text.encode(), usedforsecurity=False).hexdigest()
