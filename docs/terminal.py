"""Draw the terminal in README.md: `python -m docs.terminal` writes `docs/pictures/wrong-row.svg`.

The picture shows the real output of a command in its real colors. It needs no fonts from a network.
"""

import os
import subprocess
import sys
from io import StringIO
from pathlib import Path

from rich.console import Console
from rich.terminal_theme import MONOKAI
from rich.text import Text

COMMAND = ("check", "4x6/1122=1.1/3345=0.2/4253=3.1")
COLUMNS = 88
PICTURE = Path(__file__).parent / "pictures" / "wrong-row.svg"
SVG = """\
<svg class="rich-terminal" viewBox="0 0 {width} {height}" xmlns="http://www.w3.org/2000/svg">
<title>A terminal: mmsat check marks row 3 as wrong and suggests the score 2.1</title>
<style>
.{unique_id}-matrix {{
    font-family: Menlo, Consolas, "DejaVu Sans Mono", monospace;
    font-size: {char_height}px;
    line-height: {line_height}px;
    white-space: pre;
}}
.{unique_id}-title {{ font-family: sans-serif; font-size: 18px; font-weight: bold; }}
{styles}
</style>
<defs>
<clipPath id="{unique_id}-clip-terminal">
<rect x="0" y="0" width="{terminal_width}" height="{terminal_height}" />
</clipPath>
{lines}
</defs>
{chrome}
<g transform="translate({terminal_x}, {terminal_y})" clip-path="url(#{unique_id}-clip-terminal)">
{backgrounds}
<g class="{unique_id}-matrix">
{matrix}
</g>
</g>
</svg>
"""


def draw() -> str:
    """Run the command, and return a terminal with its colored output as SVG."""
    done = subprocess.run(  # noqa: S603
        [sys.executable, "-m", "mmsat", *COMMAND, "--reason", "60"],
        env={**os.environ, "FORCE_COLOR": "1", "COLUMNS": str(COLUMNS), "TERM": "xterm-256color"},
        capture_output=True,
        text=True,
        check=False,
    )
    console = Console(record=True, width=COLUMNS, file=StringIO(), color_system="standard")
    console.print(Text.assemble("$ mmsat ", " ".join(COMMAND)))
    console.print(Text.from_ansi(done.stdout))
    return console.export_svg(
        title="mmsat", theme=MONOKAI, code_format=SVG, unique_id="mmsat", font_aspect_ratio=0.61
    )


if __name__ == "__main__":
    PICTURE.write_text(draw(), "utf-8")
