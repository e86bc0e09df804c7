"""Suites of instances for solver competitions: a folder that can be submitted as it is.

Each instance is written together with its line of the index, so that an interrupted suite resumes
after the last complete instance. The description of a suite is made from the template
suite_files/description.tex.

The sizes are chosen from benchmarks/results/decide, in which clause-learning solvers had 5 seconds
per board, and from benchmarks/README.md. `python -m benchmarks suite DIR` measures a suite.

- sat: boards that no clause-learning solver decided in 5 seconds, or somewhat larger ones. In
  benchmarks/results/suite, MiniSat decided 3 of the 20 in a minute of processor time; `auto`
  decided all of them in seconds, by algebra, by lattice enumeration or by weighted search.
- pb: the same families at larger sizes, because cutting planes are strong on sums.
- maxsat: boards with wrong scores. The optimum is the smallest number of rows to remove.
- counting: boards with few rows and many codes.
- projected: such boards with at most one wrong score. The variables of the pegs are counted.
- minizinc: boards at sizes that constraint solvers nearly decide.
"""

from __future__ import annotations

import csv
import io
import json
import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from hashlib import sha256
from itertools import count as natural_numbers
from itertools import islice
from pathlib import Path
from typing import Annotated, NamedTuple, NoReturn, TypedDict

import mmsat
from mmsat._util.files import atomic_write
from mmsat._util.results import BoardLine, Digits, NonEmpty, NonNegative, Schema, VerdictName
from mmsat.counting.count import count
from mmsat.diagnosis.check import check
from mmsat.encoding.writers import model
from mmsat.errors import Description, InputError, InternalError, SizeError
from mmsat.game.board import Board, Status
from mmsat.proof.prove import prove
from mmsat.proof.prove_veripb import prove_veripb
from mmsat.reductions.families import FAMILIES, Generated
from mmsat.reductions.samples import Answer
from mmsat.solving.encode import COMPETITIONS, Competition
from mmsat.studies.suite_description import describe

CONSISTENT, INCONSISTENT, SLIPPED, ANY = (
    Answer.CONSISTENT,
    Answer.INCONSISTENT,
    Answer.SLIPPED,
    Answer.ANY,
)
SEEDS_PER_SUITE = 100
"""Suite number s uses the seeds from 100 s, so that suites share no boards."""

BoardRequest = tuple[str, int, Answer, int | None]
"""Family, size, answer, and number of rows (None for the default of the family)."""

PLANS: dict[str, tuple[BoardRequest, ...]] = {
    "sat": (
        ("six-colors", 26, CONSISTENT, None),
        ("six-colors", 24, CONSISTENT, None),
        ("six-colors", 24, SLIPPED, None),
        ("random-classic", 32, CONSISTENT, None),
        ("random-classic", 36, SLIPPED, None),
        ("random-two-color", 60, SLIPPED, None),
        ("random-two-color", 80, CONSISTENT, None),
        ("permutation-game", 48, SLIPPED, None),
        ("one-in-three-3sat", 60, CONSISTENT, None),
        ("one-in-three-3sat", 30, INCONSISTENT, None),
        ("regular-one-in-k", 24, INCONSISTENT, None),
        ("vertex-cover", 14, CONSISTENT, None),
        ("vertex-cover", 12, INCONSISTENT, None),
        ("vertex-cover-regular", 15, INCONSISTENT, None),
        ("exact-cover", 36, CONSISTENT, None),
        ("exact-cover", 28, INCONSISTENT, None),
        ("three-dimensional-matching", 28, INCONSISTENT, None),
        ("linear-system", 36, INCONSISTENT, None),
        ("permanent", 40, CONSISTENT, None),
        ("sat", 6, INCONSISTENT, None),
    ),
    "pb": (
        ("six-colors", 24, SLIPPED, None),
        ("six-colors", 26, CONSISTENT, None),
        ("random-classic", 36, CONSISTENT, None),
        ("random-classic", 40, SLIPPED, None),
        ("random-two-color", 80, SLIPPED, None),
        ("random-two-color", 90, CONSISTENT, None),
        ("permutation-game", 60, SLIPPED, None),
        ("one-in-three-3sat", 200, CONSISTENT, None),
        ("one-in-three-3sat", 150, INCONSISTENT, None),
        ("regular-one-in-k", 36, INCONSISTENT, None),
        ("vertex-cover", 36, CONSISTENT, None),
        ("vertex-cover", 36, INCONSISTENT, None),
        ("vertex-cover-regular", 30, INCONSISTENT, None),
        ("exact-cover", 80, CONSISTENT, None),
        ("exact-cover", 60, INCONSISTENT, None),
        ("three-dimensional-matching", 60, INCONSISTENT, None),
        ("linear-system", 60, INCONSISTENT, None),
        ("permanent", 60, CONSISTENT, None),
        ("sat", 20, INCONSISTENT, None),
        ("sat", 40, CONSISTENT, None),
    ),
    "maxsat": (
        *(("six-colors", size, ANY, None) for size in (8, 10, 12, 14, 16)),
        *(("six-colors", size, SLIPPED, None) for size in (16, 20)),
        *(("six-colors-black", size, ANY, None) for size in (8, 10, 12, 14)),
        ("six-colors-black", 18, SLIPPED, None),
        *(("random-classic", size, ANY, None) for size in (8, 10, 12, 16)),
        *(("random-two-color", size, ANY, None) for size in (20, 24, 30)),
        ("lies", 16, ANY, None),
    ),
    "counting": (
        *(("six-colors", size, CONSISTENT, 3) for size in (12, 14, 16, 18, 20)),
        *(("six-colors", size, CONSISTENT, 4) for size in (14, 16)),
        *(("six-colors-black", size, CONSISTENT, 4) for size in (14, 18, 22)),
        *(("random-classic", size, CONSISTENT, 3) for size in (8, 10)),
        *(("random-two-color", size, CONSISTENT, 4) for size in (40, 60)),
        *(("permanent", size, CONSISTENT, None) for size in (20, 25, 30)),
        *(("exact-cover", size, CONSISTENT, None) for size in (12, 16)),
        ("k-permanent", 20, CONSISTENT, None),
    ),
    "projected": (
        *(("six-colors", size, CONSISTENT, 3) for size in (10, 12, 14, 16, 18)),
        *(("six-colors", size, CONSISTENT, 4) for size in (12, 14, 16)),
        *(("six-colors-black", size, CONSISTENT, 4) for size in (14, 18, 22)),
        *(("random-classic", size, CONSISTENT, 3) for size in (8, 10, 12)),
        *(("random-classic", size, CONSISTENT, 4) for size in (8, 9, 10)),
        *(("random-two-color", size, CONSISTENT, 4) for size in (30, 40, 50)),
    ),
    "minizinc": (
        *(("six-colors", size, CONSISTENT, None) for size in (10, 12, 14, 16, 18)),
        *(("six-colors", size, SLIPPED, None) for size in (10, 12, 14)),
        *(("six-colors-black", size, CONSISTENT, None) for size in (8, 10, 12)),
        *(("random-classic", size, CONSISTENT, None) for size in (10, 12, 16)),
        ("random-classic", 10, SLIPPED, None),
        *(("random-two-color", size, CONSISTENT, None) for size in (20, 30)),
        ("exact-cover", 16, CONSISTENT, None),
        ("vertex-cover-regular", 8, INCONSISTENT, None),
        ("graph-coloring", 20, CONSISTENT, None),
    ),
}
"""The 20 boards of each suite, by the name of the competition."""


MAX_COUNTED_LIES = {"counting": 0, "projected": 1}
"""By the name of the competition: a code is counted if at most this many rows have wrong scores."""

MIN_SCALED_SIZE = 4
"""Minimum size of a scaled board, in the unit of its family. Smaller boards are trivial."""


class PlannedInstance(NamedTuple):
    """An instance to be made, which `mmsat generate` makes as well."""

    family: str
    size: int
    answer: Answer
    rows: int | None
    seed: int

    @property
    def command(self) -> str:
        """The command that makes the board."""
        rows = "" if self.rows is None else f" --rows {self.rows}"
        return (
            f"mmsat generate {self.family} --size {self.size}{rows} --answer {self.answer} "
            f"--seed {self.seed}"
        )


def mix_requests(requests: Iterable[BoardRequest]) -> Iterator[BoardRequest]:
    """Yield the requests in an order such that a short suite has many answers and families.

    The order within a family is kept, so that its boards keep their seeds.
    """
    queues: dict[str, list[BoardRequest]] = {}
    for request in requests:
        queues.setdefault(request[0], []).append(request)
    used: Counter[str] = Counter()
    # Next is the request with the least used answer, and among these, with the least used family.
    # Of equally used answers, SLIPPED is the last.
    while queues:
        family, _, answer, _ = request = min(
            (queue[0] for queue in queues.values()),
            key=lambda request: (used[request[2]], request[2] is SLIPPED, used[request[0]]),
        )
        used[family] += 1
        used[answer] += 1
        yield request
        queues[family] = queues[family][1:]
        if not queues[family]:
            del queues[family]


def plan(competition: str, seed: int, scale: int) -> Iterator[PlannedInstance]:
    """Yield the instances of a suite, with sizes in percent of the planned ones."""
    counts: Counter[str] = Counter()
    for family, size, answer, rows in mix_requests(PLANS[competition]):
        smallest = max(FAMILIES[family].min_size, min(size, MIN_SCALED_SIZE))
        scaled_size = max(smallest, size * scale // 100)
        family_seed = SEEDS_PER_SUITE * seed + counts[family]
        yield PlannedInstance(family, scaled_size, answer, rows, family_seed)
        counts[family] += 1


INDEX_FILE, REQUEST_FILE, TIMES_FILE = "index.csv", "suite.json", "times.csv"
"""The files of the suite: its instances, its request, and the times of solvers if measured."""
INSTANCES, PROOFS = "instances", "proofs"
"""The folders of the suite."""
MODEL_FILE = "mastermind.mzn"
"""The MiniZinc model that the instances of the suite minizinc use."""
TEMPLATES = Path(__file__).with_name("suite_files")
"""The folder of the templates of the description, the README and the license."""


class SuiteInstanceJson(TypedDict):
    """An instance of a suite."""

    name: NonEmpty
    """Name of the file."""
    verdict: VerdictName
    count: Digits | None
    """Number of codes that are models: consistent codes, or for projected counting codes that
    violate at most one row; null if unknown."""
    optimum: NonNegative | None
    """Smallest number of rows to remove; null if unknown or not requested."""
    variables: NonNegative | None
    """Number of variables; null for MiniZinc."""
    constraints: NonNegative | None
    """Number of clauses or constraints; null for MiniZinc."""
    sha256: Annotated[str, Schema(pattern="^[0-9a-f]{64}$")]
    """SHA-256 of the file."""
    gbd_hash: Annotated[str, Schema(pattern="^[0-9a-f]{32}$")] | None
    """Identifier in the Global Benchmark Database; null for MiniZinc."""
    proof: NonEmpty | None
    """Name of the file of the proof; null if there is none."""
    proof_sha256: Annotated[str, Schema(pattern="^[0-9a-f]{64}$")] | None
    """SHA-256 of the proof."""
    command: NonEmpty
    """The command that makes the board."""
    board: BoardLine


COLUMNS = tuple(SuiteInstanceJson.__annotations__)
"""The columns of the index."""
NUMERIC_COLUMNS = ("optimum", "variables", "constraints")
"""The columns with numbers."""


class SuiteRequest(NamedTuple):
    """The instances of a suite. Equal requests make equal instances."""

    competition: str
    """A name in COMPETITIONS."""
    seed: int = 0
    scale: int = 100
    """Sizes of the boards, in percent of the planned ones."""

    @property
    def command(self) -> str:
        """The command that writes the suite."""
        return f"mmsat suite --for {self.competition} --seed {self.seed} --scale {self.scale}"

    def to_dict(self) -> dict[str, object]:
        """Return the content of the file suite.json."""
        return {"mmsat": mmsat.__version__, **self._asdict()}


class Suite(NamedTuple):
    """The instances of a suite that have been written."""

    request: SuiteRequest
    folder: Path
    instances: dict[str, SuiteInstanceJson]
    """The instances by name, in the order of the index."""


def open_suite(folder: Path, request: SuiteRequest) -> Suite:
    """Create a folder for a suite, or open the folder of an interrupted one.

    Instances whose files were changed or lost are dropped, and are made again.

    Raises InputError if the folder has other files, or another suite.
    """
    file = folder / REQUEST_FILE
    if folder.is_dir() and any(folder.iterdir()):
        expected = "a new or an empty folder, or a folder with some files of the same suite"
        try:
            present = json.loads(file.read_text("utf-8"))
        except (OSError, ValueError):
            rule = f"it has other files, and no readable {REQUEST_FILE}"
            raise InputError.of("--output", expected, str(folder), rule) from None
        if present != request.to_dict():
            rule = f"its {REQUEST_FILE} has another request: {json.dumps(present)[:200]}"
            raise InputError.of("--output", expected, str(folder), rule)
    for name in (INSTANCES, PROOFS):
        (folder / name).mkdir(parents=True, exist_ok=True)
    atomic_write(file, [f"{json.dumps(request.to_dict())}\n"])
    instances = {
        instance["name"]: instance
        for instance in read_index(folder / INDEX_FILE)
        if _is_intact(folder, instance)
    }
    return Suite(request, folder, instances)


def read_index(file: Path) -> Iterator[SuiteInstanceJson]:
    """Yield the instances of an index; none if there is no index.

    Raises InputError for another file.
    """
    if not file.exists():
        return
    csv.field_size_limit(1 << 30)  # board lines can exceed the default limit of 128 KiB
    try:
        with file.open(encoding="utf-8", newline="") as lines:
            reader = csv.DictReader(lines, strict=True)
            if "board" not in (reader.fieldnames or ()):
                _refuse_index(file)
            for line in reader:
                values = {name: line[name] or None for name in COLUMNS}
                numbers = {name: int(line[name]) for name in NUMERIC_COLUMNS if line[name]}
                yield SuiteInstanceJson(**{**values, **numbers})  # type: ignore[typeddict-item]
    except (csv.Error, KeyError, TypeError, ValueError):
        _refuse_index(file)


def _refuse_index(file: Path) -> NoReturn:
    """Raise InputError for a file that is not an index."""
    description, rule = Description("another file"), "delete it to make the instances again"
    raise InputError.of(str(file), "the index of a suite", description, rule) from None


def _is_intact(folder: Path, instance: SuiteInstanceJson) -> bool:
    """Return whether the files of an instance have the stated digests."""
    files = {folder / INSTANCES / instance["name"]: instance["sha256"]}
    if instance["proof"]:
        files[folder / PROOFS / instance["proof"]] = instance["proof_sha256"] or ""
    return all(
        file.is_file() and sha256(file.read_bytes()).hexdigest() == digest
        for file, digest in files.items()
    )


def write_suite(
    suite: Suite,
    total: int,
    seconds: float,
    on_progress: Callable[[int, int], None],
) -> None:
    """Write the first `total` instances of a suite, and its description.

    The verdict, the count or the proof of an instance is omitted if it needs more than `seconds`.
    """
    request, folder, instances = suite
    competition = COMPETITIONS[request.competition]
    for number, planned in enumerate(islice(plan(*request), total), 1):
        generated = FAMILIES[planned.family].make(
            planned.size, planned.seed, planned.answer, planned.rows
        )
        name = instance_name(planned, generated.board) + competition.suffix
        present = instances.pop(name, None)
        instances[name] = present or _write_instance(
            folder, competition, name, planned, generated, seconds
        )
        if present is None:
            atomic_write(folder / INDEX_FILE, [print_index(instances)])
        on_progress(number, total)
    # The order is that of the plan, also if some instances were made again. Further instances of an
    # earlier run with a larger `total` come first.
    atomic_write(folder / INDEX_FILE, [print_index(instances)])
    write_texts(suite)


def instance_name(planned: PlannedInstance, board: Board) -> str:
    """Return the name of an instance, without the ending."""
    size = f"{board.game.pegs}x{board.game.colors}"
    parts = ("msp", planned.family, size, len(board.rows), planned.seed)
    return "-".join(map(str, parts))


def _write_instance(  # noqa: PLR0917
    folder: Path,
    competition: Competition,
    name: str,
    planned: PlannedInstance,
    generated: Generated,
    seconds: float,
) -> SuiteInstanceJson:
    """Write an instance and its proof, and return its line of the index."""
    board = generated.board
    if generated.witness is not None and not board.is_consistent(generated.witness):
        raise InternalError(f"the planted code is not consistent with the board {board}")
    made_by = f"{name}, made by mmsat {mmsat.__version__}: {planned.command}"
    comments = (made_by, f"mmsat {board}")  # `mmsat decode` reads the board
    lines = "".join(competition.write(board, comments)).splitlines(keepends=True)
    data = "".join(lines).encode()
    lies = MAX_COUNTED_LIES.get(competition.name)
    number = None if lies is None else _count(board, lies, seconds)
    # A count with lies does not decide whether the board is consistent.
    verdict = _verdict(generated, None if lies else number, seconds)
    proof = _proof(competition, board, verdict, seconds)
    ending = ".pbp" if competition.name == "pb" else ".proof"
    proof_name = name.removesuffix(competition.suffix) + ending if proof else None
    atomic_write(folder / INSTANCES / name, [data])
    if proof and proof_name:
        atomic_write(folder / PROOFS / proof_name, [proof])
    is_formula = competition.gbd_hash is not None  # only MiniZinc has no formula
    variables, constraints = count_formula(lines) if is_formula else (None, None)
    return {
        "name": name,
        "verdict": str(verdict),
        "count": None if number is None else str(number),
        "optimum": _optimum(board, seconds) if competition.name == "maxsat" else None,
        "variables": variables,
        "constraints": constraints,
        "sha256": sha256(data).hexdigest(),
        "gbd_hash": competition.gbd_hash(lines) if competition.gbd_hash else None,
        "proof": proof_name,
        "proof_sha256": sha256(proof).hexdigest() if proof else None,
        "command": planned.command,
        "board": str(board),
    }


def _count(board: Board, lies: int, seconds: float) -> int | None:
    """Return how many codes violate at most `lies` rows, or None if it is not found in time."""
    try:
        result = count(board, lies=lies, timeout=seconds)
    except SizeError:
        return None
    return result.count if result.exact else None


def _verdict(generated: Generated, number: int | None, seconds: float) -> Status:
    """Return the verdict by construction, by the count, or by the solvers."""
    verdicts = {generated.status, Status.UNKNOWN}
    if number is not None:
        verdicts.add(Status.CONSISTENT if number else Status.INCONSISTENT)
    elif generated.status is Status.UNKNOWN:
        verdicts.add(check(generated.board, reason=0, timeout=seconds).status)
    verdicts.remove(Status.UNKNOWN)
    if len(verdicts) > 1:
        raise InternalError(f"the verdicts of the board {generated.board} differ")
    return verdicts.pop() if verdicts else Status.UNKNOWN


def _proof(competition: Competition, board: Board, verdict: Status, seconds: float) -> bytes | None:
    """Return a proof of an inconsistent board, or None if it is not found in time.

    Proofs for pseudo-Boolean solvers are in the format of VeriPB, about the file of the instance.
    """
    if verdict is not Status.INCONSISTENT:
        return None
    try:
        if competition.name == "pb":
            check_result = check(board, reason=0, timeout=seconds)
            proof = prove_veripb(board, verdict=check_result, timeout=seconds)
        else:
            proof = prove(board, timeout=seconds)
    except SizeError:
        return None
    return None if proof is None else proof.text.encode()


def _optimum(board: Board, seconds: float) -> int | None:
    """Return the smallest number of rows to remove, or None if it is not found in time."""
    for lies in natural_numbers():
        status = check(board, lies=lies, reason=0, timeout=seconds).status
        if status is not Status.INCONSISTENT:
            return None if status is Status.UNKNOWN else lies
    raise InternalError("a board without rows has a code")


def count_formula(lines: list[str]) -> tuple[int, int]:
    """Return the numbers of variables and of constraints of a formula, counted in its lines."""
    constraints = [line for line in lines if line[:1] not in ("c", "p", "*")]
    in_sums = (re.findall(r"x(\d+)", line) for line in constraints)
    in_clauses = (line.replace("-", "").split() for line in constraints)
    is_linear = lines[0][:1] == "*"
    # Clauses end with 0. Hard clauses of WCNF begin with "h", and soft ones with their weight, 1,
    # which does not change the maximum.
    numbers = in_sums if is_linear else (words[words[0] == "h" : -1] for words in in_clauses)
    return max(int(number) for line in numbers for number in line), len(constraints)


def print_index(instances: dict[str, SuiteInstanceJson]) -> str:
    """Return the text of the index."""
    text = io.StringIO()
    writer = csv.DictWriter(text, COLUMNS, lineterminator="\n")
    writer.writeheader()
    writer.writerows(instances.values())
    return text.getvalue()


def write_texts(suite: Suite) -> None:
    """Write the description, the license, and the model if the competition needs one."""
    request, folder, instances = suite
    competition = COMPETITIONS[request.competition]
    template = (TEMPLATES / "description.tex").read_text("utf-8")
    times = read_times(folder / TIMES_FILE)
    description = describe(template, competition, request.seed, [*instances.values()], times)
    readme = (TEMPLATES / "README.txt").read_text("utf-8")
    readme = readme.replace("@TITLE@", competition.title).replace("@COMMAND@", request.command)
    texts = {
        "description.tex": description,
        "README.txt": readme,
        "LICENSE": (TEMPLATES / "LICENSE").read_text("utf-8"),
    }
    if competition.name == "minizinc":
        texts[MODEL_FILE] = model("minizinc", MODEL_FILE)
    for name, text in texts.items():
        atomic_write(folder / name, [text])


def read_times(file: Path) -> dict[str, dict[str, str]]:
    """Return the measured times: for each solver, the text of the time by instance."""
    times: dict[str, dict[str, str]] = {}
    if file.exists():
        with file.open(encoding="utf-8", newline="") as lines:
            for line in csv.DictReader(lines):
                times.setdefault(line["solver"], {})[line["name"]] = line["seconds"]
    return times
