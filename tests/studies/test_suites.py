"""Suites for competitions: every instance is solved again, and every hash computed again."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
from collections import Counter
from hashlib import sha256
from itertools import islice

import pytest

import mmsat
from mmsat.reductions.families import FAMILIES
from mmsat.solving.encode import COMPETITIONS, read_solution
from mmsat.studies.suite_description import KINDS, describe
from mmsat.studies.suites import (
    COLUMNS,
    MAX_COUNTED_LIES,
    PLANS,
    TEMPLATES,
    SuiteRequest,
    open_suite,
    plan,
    read_index,
    write_suite,
)
from tests.support.cli_runner import fault_lines, run
from tests.support.external import program as external
from tests.support.schemas import validator

SCALE = 20
COUNT = {"sat": 12, "pb": 10, "maxsat": 12, "counting": 12, "projected": 12, "minizinc": 8}


@pytest.fixture(scope="module", params=COMPETITIONS)
def suite(request, tmp_path_factory):
    folder = tmp_path_factory.mktemp(request.param) / "suite"
    result = run(*command(request.param, COUNT[request.param]), "-o", folder, "--json")
    assert result.exit_code == 0, result.stderr
    document = json.loads(result.stdout)
    validator("suite").validate(document)
    return request.param, folder, document["instances"]


def command(name, count):
    return ("suite", "--for", name, "--scale", SCALE, "--count", count, "--solver-timeout", 2)


def board_of(instance):
    """Return the board that the command of an instance makes."""
    result = run(*instance["command"].split()[1:], "--to", "line")
    assert result.stdout == f"{instance['board']}\n"
    return mmsat.Board.parse(instance["board"])


@pytest.mark.parametrize("name", PLANS)
def test_a_plan_has_twenty_instances_that_the_families_can_make(name):
    assert {*PLANS} == {*COMPETITIONS}
    planned = [*plan(name, 0, 100)]
    assert len(planned) == len({*planned}) == 20
    for instance in planned:
        family = FAMILIES[instance.family]
        assert instance.answer in family.answers
        assert instance.rows is None or family.accepts_rows
    seeds = [
        {(instance.family, instance.seed) for instance in plan(name, seed, 100)} for seed in (0, 1)
    ]
    assert not seeds[0] & seeds[1]


def test_the_index_lists_exactly_the_files_with_their_hashes(suite):
    name, folder, instances = suite
    assert [*read_index(folder / "index.csv")] == instances
    assert len(instances) == COUNT[name]
    assert (folder / "index.csv").read_text().splitlines()[0].split(",") == [*COLUMNS]
    assert {file.name for file in (folder / "instances").iterdir()} == {
        instance["name"] for instance in instances
    }
    proofs = {instance["proof"] for instance in instances} - {None}
    assert {file.name for file in (folder / "proofs").iterdir()} == proofs
    for instance in instances:
        data = (folder / "instances" / instance["name"]).read_bytes()
        assert sha256(data).hexdigest() == instance["sha256"]
        gbd_hash = COMPETITIONS[name].gbd_hash
        lines = data.decode().splitlines(keepends=True)
        assert (gbd_hash(lines) if gbd_hash else None) == instance["gbd_hash"]
        if gbd_hash and name != "maxsat":
            (header,) = (line for line in lines if line.startswith(("p cnf", "* #variable")))
            sizes = [int(number) for number in re.findall(r"\d+", header)]
            assert sizes[:2] == [instance["variables"], instance["constraints"]]


def models(file):
    """Return the number of models projected on the shown variables, counted by ganak."""
    from pyganak import Counter as Ganak

    lines = [line.split() for line in file.read_text().splitlines()]
    (shown,) = (line[3:-1] for line in lines if line[:3] == ["c", "p", "show"])
    (variables,) = (int(line[2]) for line in lines if line[:2] == ["p", "cnf"])
    ganak = Ganak()
    ganak.new_vars(variables)
    ganak.add_clauses([*map(int, line[:-1])] for line in lines if line[0] not in ("c", "p"))
    ganak.set_sampling_set([*map(int, shown)])
    return ganak.count()


def test_every_verdict_count_and_optimum_is_right(suite):
    name, folder, instances = suite
    for instance in instances:
        board = board_of(instance)
        expected = mmsat.check(board, timeout=60, reason=0).status
        assert instance["verdict"] == expected
        if name == "counting":
            assert int(instance["count"]) == mmsat.count(board, method="ganak").count
        if name == "projected":
            assert int(instance["count"]) == models(folder / "instances" / instance["name"])
        if name == "maxsat":
            optimum = instance["optimum"]
            assert mmsat.check(board, lies=optimum).is_consistent
            assert not optimum or mmsat.check(board, lies=optimum - 1).is_consistent is False
        size = f"-{board.game.pegs}x{board.game.colors}-{len(board.rows)}-"
        assert size in instance["name"]


def test_every_instance_is_solved_by_another_program(suite):
    name, folder, instances = suite
    if name not in ("sat", "minizinc"):
        return
    for instance in instances:
        board = mmsat.Board.parse(instance["board"])
        file = folder / "instances" / instance["name"]
        if name == "sat":
            answer = run_program(external("minisat"), file, folder / "answer")
        else:
            solver = (external("minizinc"), "--solver", "gecode")
            answer = run_program(*solver, folder / "mastermind.mzn", file)
        code = read_solution(answer, board.game).code
        assert (code is not None) == (instance["verdict"] == "consistent")
        assert code is None or board.is_consistent(code)
        decoded = run("decode", file, "-", "--json", stdin=answer)
        assert json.loads(decoded.stdout)["board"] == instance["board"]
        assert decoded.exit_code == (20 if code is None else 10)


def test_every_instance_has_its_board(suite):
    _, folder, instances = suite
    for instance in instances:
        file = folder / "instances" / instance["name"]
        result = run("decode", file, "-", "--json", stdin="s UNSATISFIABLE\n")
        assert json.loads(result.stdout)["board"] == instance["board"]


def run_program(*arguments):
    """Return the answer of a solver, which MiniSat writes to its last argument."""
    done = subprocess.run(arguments, capture_output=True, text=True, timeout=60, check=False)
    file = arguments[-1]
    return file.read_text() if file.name == "answer" else done.stdout


def test_every_proof_holds_and_is_about_the_board(suite):
    name, folder, instances = suite
    for instance in instances:
        if instance["proof"] is None:
            assert instance["proof_sha256"] is None
            continue
        data = (folder / "proofs" / instance["proof"]).read_bytes()
        assert sha256(data).hexdigest() == instance["proof_sha256"]
        assert instance["verdict"] == "inconsistent"
        assert mmsat.verify(data, board=instance["board"]).holds
        ending = ".pbp" if name == "pb" else ".proof"
        assert instance["proof"].endswith(ending)
    if name in ("sat", "pb"):
        assert any(instance["proof"] for instance in instances)


def test_the_description_is_well_formed_and_complete(suite):
    name, folder, instances = suite
    text = (folder / "description.tex").read_text()
    assert COMPETITIONS[name].title in text
    assert "@" not in text
    for instance in instances:
        assert instance["name"] in text
        assert instance["command"].split()[2] in text
    assert re.findall(r"\\begin\{(\w+\*?)\}", text)
    stack = []
    for kind, environment in re.findall(r"\\(begin|end)\{(\w+\*?)\}", text):
        if kind == "begin":
            stack.append(environment)
        else:
            assert stack.pop() == environment
    assert not stack
    body = text.partition("\\section")[2]
    assert not re.search(r"(?<!\\)[%#]", body)
    assert text.count("{") == text.count("}")
    assert "MIT License" in (folder / "LICENSE").read_text()
    assert "index.csv" in (folder / "README.txt").read_text()
    assert (folder / "mastermind.mzn").exists() == (name == "minizinc")


@pytest.mark.parametrize("name", PLANS)
def test_latex_makes_two_pages_of_the_description_of_a_whole_suite(name, tmp_path):
    """The numbers are as long as any. Machines without LaTeX check only the source, above."""
    if shutil.which("pdflatex") is None:
        pytest.skip("pdflatex is not installed (packages texlive-publishers and others)")
    competition = COMPETITIONS[name]
    instances = [
        {
            "name": f"msp-{planned.family}-120x120-100-{planned.seed}{competition.suffix}",
            "verdict": "inconsistent",
            "count": str(10**14) if name in MAX_COUNTED_LIES else None,
            "optimum": 10 if name == "maxsat" else None,
            "variables": 10**6,
            "constraints": 10**7,
            "proof": "a.proof",
            "command": planned.command,
        }
        for planned in plan(name, 0, 100)
    ]
    times = {
        solver: {instance["name"]: ">3600" for instance in instances}
        for solver in ("MiniSat", "mmsat")
    }
    template = (TEMPLATES / "description.tex").read_text()
    text = describe(template, competition, 0, instances, times)
    (tmp_path / "description.tex").write_text(text)
    for _ in range(2):
        words = ("pdflatex", "-interaction=nonstopmode", "-halt-on-error", "description.tex")
        done = subprocess.run(words, cwd=tmp_path, capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stdout[-2000:]
    assert "(2 pages," in done.stdout
    assert not re.search(r"undefined|multiply|Overfull .* wide", done.stdout), done.stdout


def test_the_sentences_of_the_description_fit_its_table(suite):
    """The kinds, verdicts, proofs and sizes are those of the instances in the index."""
    name, folder, instances = suite
    text = " ".join((folder / "description.tex").read_text().split())
    answers = {instance["command"].split("--answer ")[1].split()[0] for instance in instances}
    for answer, sentence in KINDS.items():
        assert (sentence in text) == (answer in answers)
    verdicts = Counter(instance["verdict"] for instance in instances)
    for verdict in mmsat.Status:
        stated = re.search(rf"(\d+) {verdict}\b(?=,| and|\.)", text)
        assert (int(stated[1]) if stated else 0) == verdicts[verdict]
    proven = sum(instance["proof"] is not None for instance in instances)
    assert (f"For {proven} of the inconsistent ones" in text) == (proven > 0)
    assert "small in the number" not in text
    for key in ("variables", "constraints"):
        sizes = [instance[key] for instance in instances if instance[key] is not None]
        for size in (min(sizes), max(sizes)) if sizes else ():
            assert f"{size:,}" in text.partition("section{Families}")[0]
    if name == "sat":
        assert len({*verdicts} - {"unknown"}) == 2


@pytest.mark.parametrize("name", PLANS)
@pytest.mark.parametrize("count", [4, 8])
def test_a_small_suite_has_several_families_and_answers(name, count):
    """The mixed order has the same boards as the plan: families keep the order of their seeds."""
    first = [*islice(plan(name, 0, 100), count)]
    certain = {"consistent", "inconsistent"} & {request[2] for request in PLANS[name]}
    assert certain <= {planned.answer for planned in first}
    families = {request[0] for request in PLANS[name]}
    assert len({planned.family for planned in first}) >= min(count, len(families)) / 2
    expected: Counter[tuple] = Counter()
    seeds: Counter[str] = Counter()
    for family, size, answer, rows in PLANS[name]:
        expected[family, size, answer, rows, seeds[family]] += 1
        seeds[family] += 1
    assert Counter(plan(name, 0, 100)) == expected


def contents(folder):
    return {
        str(file.relative_to(folder)): file.read_bytes()
        for file in folder.rglob("*")
        if file.is_file()
    }


def test_an_interrupted_suite_resumes_and_has_the_same_bytes(tmp_path):
    """Damaged instances are made again; intact ones are not."""
    request = SuiteRequest("sat", 3, SCALE)
    for folder, counts in ((tmp_path / "whole", (5,)), (tmp_path / "parts", (1, 3, 5))):
        for count in counts:
            write_suite(open_suite(folder, request), count, 2, lambda *_: None)
    whole = contents(tmp_path / "whole")
    assert contents(tmp_path / "parts") == whole

    damaged, intact, *_ = sorted((tmp_path / "whole" / "instances").iterdir())
    damaged.write_text("p cnf 0 0\n")
    before = intact.stat().st_mtime_ns
    write_suite(open_suite(tmp_path / "whole", request), 5, 2, lambda *_: None)
    assert contents(tmp_path / "whole") == whole
    assert intact.stat().st_mtime_ns == before


def test_measured_times_are_in_the_table(tmp_path):
    request = SuiteRequest("sat", 0, SCALE)
    suite = open_suite(tmp_path / "s", request)
    write_suite(suite, 2, 2, lambda *_: None)
    name = next(iter(suite.instances))
    (tmp_path / "s" / "times.csv").write_text(f"name,solver,seconds\n{name},mini_sat,12.5\n")
    write_suite(open_suite(tmp_path / "s", request), 2, 2, lambda *_: None)
    text = (tmp_path / "s" / "description.tex").read_text()
    assert "& mini\\_sat \\\\" in text
    assert text.count("& 12.5 \\\\") == 1
    assert "not been measured" not in text


@pytest.mark.parametrize(
    ("files", "message"),
    [
        ({"a.txt": "x"}, "has other files"),
        ({"suite.json": "{"}, "has other files"),
        ({"suite.json": '{"seed": 1}'}, "another request"),
    ],
)
def test_a_folder_with_other_files_is_refused_and_kept(files, message, tmp_path):
    for name, text in files.items():
        (tmp_path / name).write_text(text)
    (line,) = fault_lines(run(*command("sat", 1), "-o", tmp_path))
    assert message in line
    assert {file.name: file.read_text() for file in tmp_path.iterdir()} == files


@pytest.mark.parametrize("text", ["name,board\na,b\n", 'name\n"a', "\0", "x\n1\n"])
def test_another_index_is_refused(text, tmp_path):
    folder = tmp_path / "suite"
    assert run(*command("sat", 1), "-o", folder).exit_code == 0
    (folder / "index.csv").write_text(text)
    (line,) = fault_lines(run(*command("sat", 1), "-o", folder))
    assert "expected the index of a suite" in line


def test_the_index_of_a_suite_is_not_a_board(tmp_path):
    folder = tmp_path / "suite"
    run(*command("sat", 1), "-o", folder)
    for name in ("check", "count"):
        (line,) = fault_lines(run(name, folder / "index.csv"))
        assert "found the index of a suite (column 12 has the boards" in line
    run(
        "generate", "six-colors", "--size", 3, "--count", 2, "--to", "cnf", "-o", tmp_path / "other"
    )
    (line,) = fault_lines(run("check", tmp_path / "other" / "index.csv"))
    assert "column 4 has the boards" in line


def test_the_boards_are_not_made_before_they_are_needed():
    assert [instance.seed for instance in islice(plan("maxsat", 2, 100), 2)] == [200, 200]
