"""What `mmsat explain --draw` draws."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from mmsat.cli.output import say
from mmsat.diagnosis.steps.knowledge import frames
from mmsat.english import quantity
from mmsat.files import atomic_write
from mmsat.render.pegboard import svg

if TYPE_CHECKING:
    from mmsat.diagnosis.steps.steps import Steps


def draw_steps(found: Steps, folder: str) -> None:
    """Write one SVG file a step, each whole or not at all."""
    os.makedirs(folder, exist_ok=True)
    drawn = list(frames(found))
    digits = max(2, len(str(len(drawn))))
    for number, frame in enumerate(drawn, 1):
        path = os.path.join(folder, f"step-{number:0{digits}}.svg")
        atomic_write(path, [svg(found.board, frame)])
    say(f"{os.path.normpath(folder)}: {quantity(len(drawn), 'drawing')}")
