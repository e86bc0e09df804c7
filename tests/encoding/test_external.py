"""Every language, solved by a program that is not ours, and its answer decoded."""

import random
import subprocess
from functools import cache
from itertools import product

import pytest

from mmsat.board import Board
from mmsat.encoding.languages import WRITERS
from mmsat.encoding.solution import read_solution
from mmsat.encoding.writers.score_parts import model
from mmsat.game.game import Game
from mmsat.game.row import Row
from mmsat.game.scoring import SCORINGS
from mmsat.game.scoring.pairs import Pairs
from mmsat.game.space import SPACES
from mmsat.game.words import Words
from mmsat.results.verdict import Status
from tests import twins
from tests.external import program

CORNERS = [
    "1x1",
    "1x1/1=0.1",
    "1x1!/1=1.0",
    "4x6",
    "3x3!b",
    "2x3/12=?.?/13=?.?",
    "2x3w/12=?",
    "2x2/12=9999.0",
    "2x2/12=?.9999",
    "2x2b/12=9999",
    "2x2w/12=9999",
    "2x11/1-10=0.1/10-11=0.1",
    "2x27/27-26=2.0",
    "4x6/1122=1.1/3345=0.2",
    "4x6/1122=1.1/1122=1.2",
    "3x3!/111=1.0/112=0.2",
    "3x3!/111=0.0",
    "3x4!/112=0.?/234=?.2",
    "2x3p/12=??",
    "1x1p/1=G",
    "1x1p/1=Y",
    "2x2p/11=GY",
    "3x2p/111=Y--",
    "4x3p/1122=YYG-/3311=Y-?-",
    "3x3!p/112=-YY",
    "2x3o/13=??",
    "2x1o/11=RL",
    "3x4o/222=ELR/312=?RE",
    "1x1x1/1A=0.0.0",
    "2x2x2/1A2B=0.2.2",
    "2x2x2k/1A2B=0.2.2",
    "2x2x2k/1A1B=0.2.0",
    "3x2x2k/1A1A1B=0.1.2/2B1B1A=?.?.1",
    "3x2x3/1A1A1B=9999.?.?/1A2C1B=1.?.1",
    "2x2x2/1A2B=?.?.9999",
]
COMMANDS = {
    "asp": ["clingo", "FILE"],
    "cnf": ["cadical", "-q", "FILE"],
    "dzn": ["minizinc", "--solver", "gecode", "MODEL", "FILE"],
    "lp": ["glpsol", "--lp", "FILE", "-o", "/dev/stdout"],
    "minizinc": ["minizinc", "--solver", "gecode", "FILE"],
    "opb": ["minisat+", "FILE"],
    "smtlib": ["z3", "FILE"],
}
SLOW_STARTERS = {"dzn": 8, "minizinc": 60}


@cache
def boards():
    """Small boards of every space and scoring, consistent or not, some scores unread."""
    rng = random.Random(20)
    kinds = list(product([*SPACES, "words"], SCORINGS))
    made = [Board.parse(text) for text in CORNERS]
    for space, kind in kinds * 3:
        game = small_game(rng, space, kind)
        code = rng.choice(list(twins.codes(game)))
        rows = []
        for _ in range(rng.randint(1, 5)):
            guess = tuple(rng.choices(range(game.colors), k=game.pegs))
            numbers = list(twins.score(game.scoring, code, guess))
            if rng.random() < 0.15:  # a slip
                numbers[-1] = rng.randint(0, 2 if game.scoring.marks else game.pegs)
            rows.append(Row(guess, tuple(None if rng.random() < 0.2 else n for n in numbers)))
        made.append(Board(game, tuple(rows)))
    rng.shuffle(made)
    return made


def small_game(rng, space, kind):
    """A game of a kind of scoring; a space of words is a few codes drawn from all."""
    pegs = rng.randint(1, 4)
    scoring = SCORINGS[kind]
    if isinstance(scoring, Pairs):
        scoring = type(scoring)(rng.randint(2, 3))
        pegs = min(pegs, 3)
        colors = scoring.shapes * 2
    else:
        colors = rng.randint(pegs if space == "distinct" else 1, 5)
    if space != "words":
        return Game(pegs, colors, SPACES[space], scoring)
    every = list(product(range(colors), repeat=pegs))
    words = rng.sample(every, min(len(every), rng.randint(1, 12)))
    return Game(pegs, colors, Words(words, free=True), scoring)


def solve(name, board, folder):
    """The output of a program on a board."""
    writer = WRITERS[name]
    file = folder / f"board{writer.suffix}"
    file.write_text("".join(writer.write(board)), encoding="utf-8")
    files = {"FILE": str(file), "MODEL": str(folder / "model.mzn")}
    (folder / "model.mzn").write_text(model("minizinc", "mastermind.mzn"), encoding="utf-8")
    command, *rest = COMMANDS[name]
    arguments = [program(command), *(files.get(word, word) for word in rest)]
    done = subprocess.run(arguments, capture_output=True, text=True, check=False, cwd=folder)
    return done.stdout


def test_the_boards_are_of_both_kinds():
    """There is something to find, and something not to be found, in the smallest share too."""
    verdicts = [bool(twins.consistent(board)) for board in boards()]
    unread = [any(None in row.score for row in board.rows) for board in boards()]

    assert {(True, True), (True, False), (False, True), (False, False)} == set(
        zip(verdicts, unread, strict=True)
    )
    assert set(verdicts[: min(SLOW_STARTERS.values())]) == {True, False}
    few = [board.game for board in boards()[: SLOW_STARTERS["minizinc"]]]
    assert {game.scoring.name for game in few} == set(SCORINGS)
    assert {game.space.name for game in few} == {*SPACES, "words"}
    assert set(COMMANDS) == set(WRITERS) - {"wcnf"}


@pytest.mark.parametrize("name", sorted(COMMANDS))
def test_solved_and_decoded(name, tmp_path):
    """The verdict is that of the list of all codes, and the code is in the list."""
    if "minizinc" in COMMANDS[name]:
        program("fzn-gecode")
    for board in boards()[: SLOW_STARTERS.get(name)]:
        expected = twins.consistent(board)
        output = solve(name, board, tmp_path)
        solution = read_solution(output, board.game)
        if expected:
            assert solution.status is Status.CONSISTENT, board
            assert solution.code in expected, board
        else:
            assert solution.status is Status.INCONSISTENT, board
            assert solution.code is None, board
        assert solution.cost is None


def test_all_answers_of_clingo(tmp_path):
    """An independent count: the answer sets are the consistent codes; the first is read."""
    clingo = program("clingo")
    for board in boards()[:20]:
        expected = twins.consistent(board)
        file = tmp_path / "board.asp"
        file.write_text("".join(WRITERS["asp"].write(board)), encoding="utf-8")
        done = subprocess.run([clingo, "0", str(file)], capture_output=True, text=True, check=False)
        assert done.stdout.count("Answer:") == len(expected), board
        assert read_solution(done.stdout, board.game).code in (expected or [None])
