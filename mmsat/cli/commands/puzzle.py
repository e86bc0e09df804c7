"""The command `mmsat puzzle`."""

import random
from collections.abc import Iterator, Mapping
from functools import partial
from itertools import islice
from typing import Any, NotRequired

import click

from mmsat._util.files import atomic_write
from mmsat._util.text import quantity
from mmsat.cli import options
from mmsat.cli.output import FAILURE, SUCCESS, Job, leave, leave_early, print_json, say
from mmsat.cli.parameters import Choice, Number, misuse, refuse_with
from mmsat.cli.proof_files import ProofFileJson, prove_codes, refuse_standard_output
from mmsat.game.game import Game
from mmsat.play.minimal_puzzle import minimal_puzzle
from mmsat.play.puzzle import Puzzle, PuzzleJson, Requirements, check_request, has_clues, puzzles
from mmsat.render.picture import require_glyphs
from mmsat.render.reports import print_report
from mmsat.render.reports.puzzles import pdf_sheet, sheet
from mmsat.solving.deadline import Deadline, TimeUpError, stream_with_progress


class PuzzleOutputJson(PuzzleJson):
    """A board with exactly one code and no superfluous row."""

    proof: NotRequired[ProofFileJson | None]
    """With --proof: the proof that there is no other code; null if none was written."""


WORDINGS = ("table", "padlock")
EXTREME_OPTIONS = {"fewest": "--fewest-rows", "most": "--most-rows"}
NUM_NEW_SEEDS = 1_000_000
"""If no seed is given, one below this is drawn, so that it is short."""


@options.command(
    "puzzle",
    "mmsat puzzle 4x6",
    "mmsat puzzle 4x6 --grade 3 --seed 7 -v",
    "mmsat puzzle 4x6 --grade 2 --count 12 -o sheet.pdf",
    "mmsat puzzle number --words padlock --easy-last",
    "mmsat puzzle 3x4b --most-rows",
    "mmsat puzzle 4x6 --proof puzzle.proof",
    "mmsat puzzle bulls-and-cows --rows 5 --max-black 1 --count 3 --json",
)
@options.game
@click.option("--grade", type=Number(1, 6), help="Difficulty of the hardest step.")
@click.option("--rows", type=Number(1), help="Number of rows.")
@click.option("--max-black", type=Number(0), help="Maximum number of blacks in a row.")
@click.option("--all-colors", is_flag=True, help="Guess every color of the code.")
@click.option("--easy-last", is_flag=True, help="Put the most informative rows last.")
@click.option(
    "--fewest-rows",
    "extreme",
    flag_value="fewest",
    help="Find and prove the minimum number of rows.",
)
@click.option(
    "--most-rows",
    "extreme",
    flag_value="most",
    help="Find and prove the maximum number of rows.",
)
@click.option(
    "--words", type=Choice(WORDINGS), default=WORDINGS[0], help="Print a table, or sentences."
)
@options.count(1, "puzzles")
@options.seed(None, "Random seed [default: a new one, which is printed].")
@options.timeout
@options.file(
    "-o", "--output", endings=(".svg", ".pdf"), help="Draw a printable sheet (.svg, .pdf)."
)
@options.file("--proof", metavar="FILE", help="Write a proof that there is no other solution.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON Lines.")
@options.verbose
def puzzle_command(
    game: Game,
    *,
    extreme: str | None,
    words: str,
    count: int,
    seed: int | None,
    timeout: float | None,
    output: str | None,
    proof: str | None,
    as_json: bool,
    verbose: bool,
    **requirements: Any,
) -> None:
    """Make puzzles: boards with exactly one solution, graded by difficulty.

    Every row of a puzzle is necessary. Grades are those of `mmsat explain --steps`, from 1 (one row
    at a time) to 6 (nested assumptions). GAME has up to a million codes. -v prints the steps of the
    solution; a sheet has the solutions at the end. --json also has a distractor for each row: a
    code that fits all other rows.

    If no board matches, prints the grades found (exit code 1). --fewest-rows and --most-rows search
    small games completely.
    """
    is_padlock = words == "padlock"
    check_options(game, requirements, count=count, extreme=extreme, proof=proof, words=words)
    check_symbols(game, output)
    job = Job(FAILURE, "drawing boards")  # the exit code until all puzzles are made
    finished: list[Puzzle] = []
    if extreme is None and seed is None:
        seed = random.SystemRandom().randrange(NUM_NEW_SEEDS)
        say(f"seed {seed}")

    def note(boards_by_grade: Mapping[int, int]) -> None:
        board_count = f"{quantity(sum(boards_by_grade.values()), 'board')} graded"
        puzzle_count = f"{quantity(len(finished), 'puzzle')} of {count}, " if count > 1 else ""
        job.progress.report(f"{puzzle_count}{board_count}", len(finished) / count)

    def note_sets(rows: int, sets: int) -> None:
        job.progress.report(f"{quantity(rows, 'row')} so far, {sets:,} sets of guesses seen")

    def work() -> int:
        make_puzzles = partial(puzzles, game, seed=seed, **requirements)
        try:
            if extreme is not None:
                show(iter([minimal_puzzle(game, extreme, timeout=timeout, on_progress=note_sets)]))
            elif timeout is None:
                show(make_puzzles(on_progress=note))
            else:
                show(stream_with_progress(Deadline(timeout), note, make_puzzles))
        except TimeUpError:
            return FAILURE
        return SUCCESS

    def show(new_puzzles: Iterator[Puzzle]) -> None:
        for number, puzzle in enumerate(islice(new_puzzles, count)):
            job.progress.clear()
            finished.append(puzzle)
            if as_json and proof is None:
                print_json(puzzle.to_dict())
            if as_json or output is not None:
                continue
            click.echo("\n" * bool(number) + str(puzzle.board))
            print_report(puzzle, in_full=verbose, is_padlock=is_padlock)
            if extreme is not None:
                comparison = "more" if extreme == "most" else "fewer"
                click.echo(f"Proven: no puzzle of a {game} game has {comparison} rows.")

    try:
        work_code = job.run(work)
    finally:  # draw the puzzles made so far, even if an exception ended the search
        if output is not None and finished:
            draw = pdf_sheet if output.endswith(".pdf") else sheet
            atomic_write(output, [draw(finished, is_padlock=is_padlock)])
            say(f"{output}: {quantity(len(finished), 'puzzle')}")
    exit_code = job.code or work_code
    if proof is not None and finished:
        remaining = None if timeout is None else max(0.0, timeout - job.progress.seconds)
        prove_puzzle(finished[0], proof, remaining, exit_code, as_json=as_json)
    leave_early(exit_code)


def check_options(
    game: Game,
    requirements: dict[str, Any],
    *,
    count: int,
    extreme: str | None,
    proof: str | None,
    words: str,
) -> None:
    """Refuse options that exclude each other, and requirements that no puzzle can meet."""
    refuse_standard_output(proof, writes_veripb=True)
    if proof is not None and count > 1:
        refuse_with("--proof", ["--count"], "A proof is about one puzzle.")
    if words == "padlock" and not has_clues(game):
        misuse(f"--words padlock needs scores that count colors; {game} has other scores.")
    if extreme is not None:
        names = filter(options.is_chosen, (*requirements, "count", "seed"))
        refuse_with(EXTREME_OPTIONS[extreme], map(options.option_name, names))
    else:
        others = (name for name in requirements if name != "grade")
        check_request(game, Requirements(**{name: requirements[name] for name in others}))


def check_symbols(game: Game, output: str | None) -> None:
    """Raise MmsatError if the sheet is a PDF file, whose font lacks a symbol of the game."""
    if output is not None and output.endswith(".pdf"):
        require_glyphs("".join(game.spelled.names))


def prove_puzzle(
    puzzle: Puzzle, file: str, timeout: float | None, exit_code: int, *, as_json: bool
) -> None:
    """Write a proof that a puzzle has one solution; if there is none, end the command.

    With `as_json`, also print the document of the puzzle. If the command was interrupted before,
    and so has an exit code, no proof is made.
    """
    proof, proof_code = prove_codes(puzzle.board, file, timeout, exit_code)
    if as_json:
        document: PuzzleOutputJson = {**puzzle.to_dict(), "proof": proof}
        print_json(document)
    if proof_code and not exit_code:
        leave(proof_code)  # the reason was printed
