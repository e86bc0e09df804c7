"""External programs solve boards in every language, and their answers are decoded."""

import random
import subprocess
from functools import cache
from itertools import product

import pytest

from mmsat.encoding.writers import model
from mmsat.game import Row
from mmsat.game.board import Board, Status
from mmsat.game.game import Game
from mmsat.game.scoring import SCORINGS, Pairs
from mmsat.game.space import SPACES
from mmsat.game.words import Words
from mmsat.solving.encode import WRITERS, read_solution
from tests.support import twins
from tests.support.external import module, program

EDGE_CASES = [
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
    "asp": ("asp", "clingo FILE"),
    "asp --outf=1": ("asp", "clingo --outf=1 FILE"),
    "asp --outf=2": ("asp", "clingo --outf=2 FILE"),
    "asp --verbose=0": ("asp", "clingo --verbose=0 FILE"),
    "cnf": ("cnf", "cadical -q FILE"),
    "cnf, a result file": ("cnf", "minisat FILE ANSWER"),
    "cnf, z3": ("cnf", "z3 -dimacs FILE"),
    "dzn": ("dzn", "minizinc --solver gecode MODEL FILE"),
    "lp": ("lp", "glpsol --lp FILE -o ANSWER"),
    "lp, cbc": ("lp", "cbc FILE solve solution ANSWER"),
    "lp, raw": ("lp", "glpsol --lp FILE -w ANSWER"),
    "minizinc": ("minizinc", "minizinc --solver gecode FILE"),
    "minizinc --json-stream": ("minizinc", "minizinc --solver gecode --json-stream FILE"),
    "minizinc json": ("minizinc", "minizinc --solver gecode --output-mode json FILE"),
    "opb": ("opb", "minisat+ FILE"),
    "smtlib": ("smtlib", "z3 FILE"),
}
"""Ways to solve a board: the format and the command, with ANSWER if it writes this file."""
MAX_BOARDS = {"dzn": 8, "minizinc": 60, "minizinc --json-stream": 8, "minizinc json": 8}
"""Maximum number of boards for programs that start slowly."""


@cache
def boards():
    """Return small boards of every space and scoring, some inconsistent or with unread scores."""
    rng = random.Random(20)
    spaces_and_scorings = list(product([*SPACES, "words"], SCORINGS))
    created = [Board.parse(text) for text in EDGE_CASES]
    for space, scoring_name in spaces_and_scorings * 3:
        game = small_game(rng, space, scoring_name)
        code = rng.choice(list(twins.codes(game)))
        rows = []
        for _ in range(rng.randint(1, 5)):
            guess = tuple(rng.choices(range(game.colors), k=game.pegs))
            score = list(twins.score(game.scoring, code, guess))
            if rng.random() < 0.15:  # a slip
                score[-1] = rng.randint(0, 2 if game.scoring.marks else game.pegs)
            rows.append(Row(guess, tuple(None if rng.random() < 0.2 else n for n in score)))
        created.append(Board(game, tuple(rows)))
    rng.shuffle(created)
    return created


def small_game(rng, space, scoring_name):
    """Return a small game. A space of words has a few random codes."""
    pegs = rng.randint(1, 4)
    scoring = SCORINGS[scoring_name]
    if isinstance(scoring, Pairs):
        scoring = type(scoring)(rng.randint(2, 3))
        pegs = min(pegs, 3)
        colors = scoring.shapes * 2
    else:
        colors = rng.randint(pegs if space == "distinct" else 1, 5)
    if space != "words":
        return Game(pegs, colors, SPACES[space], scoring)
    all_codes = list(product(range(colors), repeat=pegs))
    words = rng.sample(all_codes, min(len(all_codes), rng.randint(1, 12)))
    return Game(pegs, colors, Words(words, allows_any_guess=True), scoring)


def solve(name, board, folder):
    """Return the output of a program for a board."""
    language, command = COMMANDS[name]
    writer = WRITERS[language]
    answer = folder / "answer"
    answer.unlink(missing_ok=True)
    file = write(writer, board, folder)
    (folder / "model.mzn").write_text(model("minizinc", "mastermind.mzn"), encoding="utf-8")
    files = {"FILE": str(file), "MODEL": str(folder / "model.mzn"), "ANSWER": str(answer)}
    program_name, *words = command.split()
    arguments = [program(program_name), *(files.get(word, word) for word in words)]
    completed = subprocess.run(arguments, capture_output=True, text=True, check=False, cwd=folder)
    return answer.read_text(encoding="utf-8") if "ANSWER" in words else completed.stdout


def write(writer, board, folder):
    """Write the file of a board and return its path."""
    file = folder / f"board{writer.suffix}"
    file.write_text("".join(writer.export(board)), encoding="utf-8")
    return file


def compare(output, board):
    """Compare a decoded output with the list of all consistent codes."""
    expected = twins.consistent(board)
    solution = read_solution(output, board.game)
    if expected:
        assert solution.status is Status.CONSISTENT, board
        assert solution.code in expected, board
    else:
        assert solution.status is Status.INCONSISTENT, board
        assert solution.code is None, board
    assert solution.cost is None


def test_the_boards_cover_all_games_verdicts_and_unread_scores():
    """Even the smallest subset has consistent and inconsistent boards."""
    verdicts = [bool(twins.consistent(board)) for board in boards()]
    unread = [any(None in row.score for row in board.rows) for board in boards()]

    assert {(True, True), (True, False), (False, True), (False, False)} == set(
        zip(verdicts, unread, strict=True)
    )
    assert set(verdicts[: min(MAX_BOARDS.values())]) == {True, False}
    games = [board.game for board in boards()[: MAX_BOARDS["minizinc"]]]
    assert {game.scoring.name for game in games} == set(SCORINGS)
    assert {game.space.name for game in games} == {*SPACES, "words"}
    assert {language for language, _ in COMMANDS.values()} == set(WRITERS) - {"wcnf"}


@pytest.mark.parametrize("name", sorted(COMMANDS))
def test_the_decoded_answer_of_a_program_is_right(name, tmp_path):
    if "minizinc" in COMMANDS[name][1]:
        program("fzn-gecode")
    for board in boards()[: MAX_BOARDS.get(name)]:
        compare(solve(name, board, tmp_path), board)


def test_every_solution_style_of_highs_is_read(tmp_path):
    """HiGHS has five styles of solution files, of which two are the formats of GLPK."""
    highspy = module("highspy")
    answer = tmp_path / "answer.sol"
    for board in boards():
        solver = highspy.Highs()
        solver.setOptionValue("output_flag", False)
        solver.readModel(str(write(WRITERS["lp"], board, tmp_path)))
        solver.run()
        for style in range(5):
            solver.writeSolution(str(answer), style)
            compare(answer.read_text(encoding="utf-8"), board)


def test_the_cost_of_maxsat_is_the_minimum_number_of_violated_rows(tmp_path):
    """RC2 of PySAT solves WCNF: a board is consistent if no row is violated."""
    rc2 = module("pysat.examples.rc2")
    formulas = module("pysat.formula")
    for board in boards():
        text = write(WRITERS["wcnf"], board, tmp_path).read_text(encoding="utf-8")
        with rc2.RC2(formulas.WCNF(from_string=text)) as solver:
            model = solver.compute()
            cost = solver.cost
        output = f"o {cost}\ns OPTIMUM FOUND\nv {' '.join(map(str, model))} 0\n"
        solution = read_solution(output, board.game)
        violated = min(len(board.missed(code)) for code in twins.codes(board.game))
        assert (solution.cost, cost) == (violated, violated), board
        is_consistent = solution.status is Status.CONSISTENT
        assert is_consistent == bool(twins.consistent(board)), board


def test_long_lines_of_comments_do_not_stop_cbc(tmp_path):
    """CBC aborts if a line has more than 1,024 characters."""
    board = Board.parse("/".join(["20x2", *["1" * 20 + "=10.10"] * 60]))
    assert len(str(board)) > 1024
    file = write(WRITERS["lp"], board, tmp_path)
    assert max(map(len, file.read_text(encoding="utf-8").split("\n"))) <= 255
    answer = tmp_path / "answer"
    command = [program("cbc"), str(file), "solve", "solution", str(answer)]
    subprocess.run(command, capture_output=True, check=True, cwd=tmp_path)
    assert (
        read_solution(answer.read_text(encoding="utf-8"), board.game).status is Status.INCONSISTENT
    )


def test_clingo_has_one_answer_set_per_consistent_code(tmp_path):
    """Of several answers, `read_solution` returns the first."""
    clingo = program("clingo")
    for board in boards()[:20]:
        expected = twins.consistent(board)
        file = tmp_path / "board.asp"
        file.write_text("".join(WRITERS["asp"].write(board)), encoding="utf-8")
        completed = subprocess.run(
            [clingo, "0", str(file)], capture_output=True, text=True, check=False
        )
        assert completed.stdout.count("Answer:") == len(expected), board
        assert read_solution(completed.stdout, board.game).code in (expected or [None])
