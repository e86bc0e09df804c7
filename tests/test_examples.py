"""The recipes run from end to end, and are kept without outputs."""

from __future__ import annotations

import ast
import re
import runpy
import sys
from pathlib import Path

import nbformat
import pytest
from nbclient import NotebookClient

EXAMPLES = Path(__file__).parents[1] / "examples"
NOTEBOOKS = sorted(EXAMPLES.glob("*.ipynb"))


@pytest.fixture(params=NOTEBOOKS, ids=lambda path: path.stem)
def notebook(request):
    return nbformat.read(request.param, as_version=4)


def cells(notebook):
    return [cell for cell in notebook.cells if cell.cell_type == "code"]


def test_a_notebook_is_kept_without_outputs(notebook):
    nbformat.validate(notebook)
    assert len(cells(notebook)) >= 4
    for cell in cells(notebook):
        assert cell.outputs == []
        assert cell.execution_count is None


def test_a_notebook_runs(notebook, monkeypatch):
    """Run the cells in this process; their results can be displayed."""
    monkeypatch.setenv("MPLBACKEND", "Agg")
    names = {"__name__": "__main__"}
    drawn = 0
    for cell in cells(notebook):
        tree = ast.parse(cell.source)
        last = tree.body.pop() if isinstance(tree.body[-1], ast.Expr) else None
        exec(compile(tree, cell.id, "exec"), names)  # noqa: S102
        if last is not None:
            shown = eval(compile(ast.Expression(last.value), cell.id, "eval"), names)  # noqa: S307
            drawn += "<svg" in getattr(shown, "_repr_svg_", str)()
            assert len(repr(shown)) < 2000
    assert drawn >= 1


@pytest.mark.slow
def test_a_notebook_runs_in_a_kernel(notebook):
    """As a reader runs it."""
    NotebookClient(notebook, timeout=300, resources={"metadata": {"path": EXAMPLES}}).execute()
    outputs = [output for cell in cells(notebook) for output in cell.outputs]
    assert any("image/svg+xml" in output.get("data", {}) for output in outputs)


def test_the_lecture_has_ten_cells():
    lecture = nbformat.read(EXAMPLES / "np-completeness.ipynb", as_version=4)
    assert len(cells(lecture)) == 10


def test_the_audit_finds_the_errors(capsys, monkeypatch):
    monkeypatch.setattr(sys, "argv", ["audit_app.py", str(EXAMPLES / "app-log.jsonl")])
    with pytest.raises(SystemExit) as end:
        runpy.run_path(str(EXAMPLES / "audit_app.py"), run_name="__main__")
    assert end.value.code == 1
    printed = capsys.readouterr().out
    assert "Position 3: 3 codes are left, and the app says 5." in printed
    assert "Position 4 has no code." in printed
    assert "Row 3 can't be right" in printed


WRONG_LINES = """x
[1]
{"board": 5, "left": 1}
{"board": "4x6", "left": "all"}
{"board": "4x"}
{"board": "4x6/12=1.1", "left": 1}
"""
SHAPE = 'expected {"board": "4x6/1122=1.1", "left": 208}'
FAULTS = (
    "Expecting value: line 1 column 1 (char 0)",
    *(SHAPE, SHAPE, SHAPE, SHAPE),
    "the board, line 1, column 5: expected 4 colors, not 2, found '12'",
)


@pytest.mark.parametrize(
    ("text", "paragraphs"),
    [
        ("", ["The log is empty."]),
        ('{"board": "4x6/1122=1.1", "left": 208}\n', ["The app is right in every position."]),
        (WRONG_LINES, [f"Position {n} cannot be read: {why}" for n, why in enumerate(FAULTS, 1)]),
    ],
)
def test_the_audit_reads_any_text(text, paragraphs, monkeypatch, tmp_path, capsys):
    log = tmp_path / "log.jsonl"
    log.write_text(text, "utf-8")
    monkeypatch.setattr(sys, "argv", ["audit_app.py", str(log)])
    with pytest.raises(SystemExit) as end:
        runpy.run_path(str(EXAMPLES / "audit_app.py"), run_name="__main__")
    assert end.value.code == (text == WRONG_LINES)
    assert capsys.readouterr().out.rstrip("\n").split("\n\n") == paragraphs


def test_the_audit_refuses_logs_that_cannot_be_read(monkeypatch, tmp_path):
    (tmp_path / "latin.jsonl").write_bytes(b"\xff")
    for log in (tmp_path / "none.jsonl", tmp_path, tmp_path / "latin.jsonl"):
        monkeypatch.setattr(sys, "argv", ["audit_app.py", str(log)])
        with pytest.raises(SystemExit, match=r": cannot be read \("):
            runpy.run_path(str(EXAMPLES / "audit_app.py"), run_name="__main__")


def test_every_recipe_is_listed():
    page = (EXAMPLES / "README.md").read_text("utf-8")
    for file in EXAMPLES.iterdir():
        assert re.search(rf"\({file.name}[)/]", page) or file.name in ("README.md", "__pycache__")


def test_a_script_without_arguments_prints_its_usage(monkeypatch):
    scripts = [file for file in EXAMPLES.glob("*.py") if "__main__" in file.read_text("utf-8")]
    assert scripts
    for script in scripts:
        monkeypatch.setattr(sys, "argv", [script.name])
        with pytest.raises(SystemExit, match=f"usage: python examples/{script.name} "):
            runpy.run_path(str(script), run_name="__main__")
