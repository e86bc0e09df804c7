"""What `explain --steps` prints and draws."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, NoReturn

from mmsat.cli.exits import FAILURE, SUCCESS, leave
from mmsat.cli.interruptible import interruptible
from mmsat.cli.output import print_json, say
from mmsat.diagnosis.steps.steps import Steps
from mmsat.english import quantity
from mmsat.files import atomic_write

if TYPE_CHECKING:
    from mmsat.board import Board


def explain_steps(
    board: Board,
    engine: str,
    seed: int | None,
    timeout: float | None,
    *,
    as_json: bool,
    draw: str | None,
    verbose: bool,
) -> NoReturn:
    """Explain a board step by step, and end the command: 1 where the time was up."""
    from mmsat.diagnosis.steps.stepwise import steps  # noqa: PLC0415  (loads the engines)

    so_far = [Steps.undecided(board)]

    def note(found: Steps) -> None:
        so_far[:] = [found]
        work.tell(f"{len(found.steps)} steps so far")

    with interruptible() as work:
        so_far[:] = [steps(board, engine=engine, timeout=timeout, seed=seed, on_progress=note)]
    (found,) = so_far
    if draw is not None:
        draw_steps(found, Path(draw))
    if as_json:
        print_json(found.to_dict())
    else:
        print_steps(found, in_full=verbose)
    if verbose:
        say(f"explained in {found.seconds:.3f} s")
    if work.is_interrupted:
        say("interrupted")
    leave(work.code or (SUCCESS if found.is_complete else FAILURE))


def print_steps(found: Steps, *, in_full: bool) -> None:
    """Print the board with the rows that are used marked, then the steps; in full, boards too."""
    from mmsat.diagnosis.steps.knowledge import frames  # noqa: PLC0415
    from mmsat.render.board import BoardTable  # noqa: PLC0415
    from mmsat.render.pegboard import lines  # noqa: PLC0415
    from mmsat.render.spans import Span  # noqa: PLC0415
    from mmsat.render.table import paragraphs  # noqa: PLC0415
    from mmsat.render.terminal import show, style, wrap_width  # noqa: PLC0415

    used = sorted({row for step in found.steps for row in step.rows})
    table = BoardTable(found.board, style(), used, meaning="used below")
    show(table.lines(every_row=in_full))
    show([[]])
    drawn = frames(found) if in_full else iter(())
    for line in found.lines():
        margin = "    " * line.depth
        width = wrap_width()
        room = None if width is None else max(20, width - len(margin))
        show([Span(margin), *each] for each in paragraphs([line.text], room))
        if in_full and line.step is not None:
            show([[]])
            boards = lines(found.board, next(drawn), style())
            show([Span(margin + "    "), *each] for each in boards)
            show([[]])


def draw_steps(found: Steps, folder: Path) -> None:
    """Write one SVG file a step, each whole or not at all."""
    from mmsat.diagnosis.steps.knowledge import frames  # noqa: PLC0415
    from mmsat.render.stepsvg import svg  # noqa: PLC0415

    folder.mkdir(parents=True, exist_ok=True)
    drawn = list(frames(found))
    digits = max(2, len(str(len(drawn))))
    for number, frame in enumerate(drawn, 1):
        atomic_write(folder / f"step-{number:0{digits}}.svg", [svg(found.board, frame)])
    say(f"{folder}: {quantity(len(drawn), 'drawing')}")
