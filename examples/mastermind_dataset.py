"""Suites of Mastermind boards as a dataset of CPMpy.

    from cpmpy.tools.io.opb import load_opb
    dataset = MastermindDataset("data", competition="pb", scale=20, download=True)
    for file, info in dataset:
        print(info["name"], info["verdict"], load_opb(file).solve())

The first use writes the suite by `mmsat suite`; nothing is downloaded. The metadata of an instance
are the columns of the index, such as the verdict, the number of solutions and the hashes.
"""

import csv
import pathlib
import subprocess
import sys
from typing import Any

from cpmpy.tools.datasets import FileDataset

ENDINGS = {"sat": ".cnf", "counting": ".cnf", "maxsat": ".wcnf", "pb": ".opb", "minizinc": ".dzn"}
"""The endings of the instances, by competition."""


class MastermindDataset(FileDataset):
    """Instances of the Mastermind satisfiability problem.

    Parameters
    ----------
    root : str, default "."
        Folder of all datasets.
    competition : {"sat", "pb", "maxsat", "counting", "minizinc"}, default "pb"
        Competition whose format the instances have.
    seed : int, default 0
        Number of the suite; suites share no boards.
    scale : int, default 100
        Sizes of the boards, in percent of those for competitions.
    count : int, default 20
        Number of instances.
    **options
        `download`, `transform`, `target_transform` and the other options of `FileDataset`.
    """

    name = "mastermind"
    description = "Mastermind satisfiability: is there a code that gets exactly these scores?"
    homepage = ""  # there is none yet
    citation = (
        'J. Stuckman and G.-Q. Zhang, "Mastermind is NP-complete", INFOCOMP Journal of Computer '
        "Science 5 (2), 2006."
    )

    def __init__(
        self,
        root: str = ".",
        *,
        competition: str = "pb",
        seed: int = 0,
        scale: int = 100,
        count: int = 20,
        **options: Any,
    ) -> None:
        self.competition, self.seed, self.scale, self.count = competition, seed, scale, count
        self.suite = pathlib.Path(root).expanduser() / self.name / f"{competition}-{seed}-{scale}"
        super().__init__(
            root, dataset_dir=self.suite / "instances", extension=ENDINGS[competition], **options
        )

    def categories(self) -> dict[str, Any]:
        """Return the options that select the instances."""
        return {"competition": self.competition, "seed": self.seed, "scale": self.scale}

    def download(self) -> None:
        """Write the suite; an interrupted one is resumed."""
        self.suite.parent.mkdir(parents=True, exist_ok=True)
        options = {
            "--for": self.competition,
            "--seed": self.seed,
            "--scale": self.scale,
            "--count": self.count,
            "-o": self.suite,
        }
        words = [str(word) for option in options.items() for word in option]
        subprocess.run([sys.executable, "-m", "mmsat", "suite", *words], check=True)  # noqa: S603

    def collect_instance_metadata(self, file: pathlib.Path) -> dict[str, Any]:
        """Return the columns of the index for an instance, except its name."""
        csv.field_size_limit(1 << 30)  # board lines can be long
        with (self.suite / "index.csv").open(encoding="utf-8", newline="") as lines:
            (line,) = (line for line in csv.DictReader(lines) if line["name"] == file.name)
        del line["name"]
        return line
