"""How the package is built: no import circle, imports at the top, short files, verbs as names."""

from __future__ import annotations

import ast
import re
import subprocess
import sys
from functools import cache
from pathlib import Path

import networkx as nx

ROOT = Path(__file__).parents[1]
TOP = {
    *("ARCHITECTURE.md", "CHANGELOG.md", "CITATION.cff", "CONTRIBUTING.md", "LICENSE", "Makefile"),
    *("SECURITY.md", "requirements.lock"),
    *(
        "README.md",
        "benchmarks",
        "docs",
        "encodings",
        "examples",
        "instances",
        "mmsat",
        "pyproject.toml",
        "tests",
    ),
}
"""What stands at the top of a checkout, beside what begins with a dot and what git ignores."""
MADE = {"__pycache__", "build", "dist", "mmsat.egg-info"}
LONGEST = 600
"""Lines of a module at most."""
PARTICIPLE = re.compile(
    r"_*(?!(?:seed|need|feed|embed|shed|exceed|breed|proceed|speed)$)"
    r"(?:[a-z]+ed|told|known|said|proven|shown|found|seen|made|given|chosen|held|kept|left|taken"
    r"|written)"
)


CONTRACT = {"mmsat.board.changed", "mmsat.board.missed"} | {
    f"mmsat.enumeration.{name}.forced" for name in ("codes", "odds")
}
"""Methods of public classes, which people call by these names."""
HIDDEN = {"mmsat.cli", "mmsat.solving.weighted"}
"""Modules that import another in a function: `cli` handles Ctrl-C before it imports anything, and
the weighted search seldom needs presolve."""


@cache
def modules() -> dict[str, ast.Module]:
    """Every module of the package by its full name."""
    files = {
        ".".join(file.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__"): file
        for file in sorted((ROOT / "mmsat").rglob("*.py"))
    }
    return {name: ast.parse(file.read_text("utf-8")) for name, file in files.items()}


def functions(tree: ast.Module) -> list[ast.FunctionDef | ast.AsyncFunctionDef]:
    """All functions and methods of a module, however deep."""
    kinds = (ast.FunctionDef, ast.AsyncFunctionDef)
    return [node for node in ast.walk(tree) if isinstance(node, kinds)]


def own_imports(tree: ast.AST) -> set[str]:
    """The modules of the package that some code imports, wherever the import stands."""
    wanted = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            wanted |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module:
            wanted |= {f"{node.module}.{alias.name}" for alias in node.names}
    found = set()
    for name in wanted:
        longest = name
        while longest and longest not in modules():
            longest = longest.rpartition(".")[0]
        if longest and longest != "mmsat":
            found.add(longest)
    return found


def import_graph() -> nx.DiGraph:
    """Who imports whom, at the top, in functions and for types alike."""
    graph = nx.DiGraph()
    for name, tree in modules().items():
        if name != "mmsat":  # the door names all rooms, and no room goes through it
            graph.add_edges_from((name, other) for other in own_imports(tree) - {name})
    return graph


def test_no_modules_import_each_other_in_a_circle():
    graph = import_graph()
    assert len(graph) > 200
    circles = [sorted(part) for part in nx.strongly_connected_components(graph) if len(part) > 1]
    assert not circles


def test_own_modules_are_imported_at_the_top():
    hidden = {name for name, tree in modules().items() if any(map(own_imports, functions(tree)))}
    assert hidden == HIDDEN


def test_no_function_is_named_by_a_participle():
    participles = {
        f"{name}.{function.name}"
        for name, tree in modules().items()
        for function in functions(tree)
        if PARTICIPLE.fullmatch(function.name)
        and not any("property" in ast.unparse(mark) for mark in function.decorator_list)
    }
    assert participles - CONTRACT == set()


def test_the_probe_for_participles_sees_them():
    bad = ("told", "_poured", "listed", "proven")
    good = ("seed", "_need", "read", "left_of", "embed", "count", "is_listed")
    assert [name for name in (*bad, *good) if PARTICIPLE.fullmatch(name)] == [*bad]


def described_methods(name: str, classes: dict[str, list[ast.ClassDef]]) -> set[str]:
    """The methods of the classes of a name, and of those that they derive from, with docstrings."""
    found = set()
    for kind in classes.get(name, ()):
        found |= {
            method.name
            for method in kind.body
            if isinstance(method, ast.FunctionDef) and ast.get_docstring(method)
        }
        for base in kind.bases:
            plain = base.value if isinstance(base, ast.Subscript) else base
            found |= described_methods(getattr(plain, "id", ""), classes)
    return found


def test_public_methods_say_what_they_do_or_override_one_that_does():
    classes: dict[str, list[ast.ClassDef]] = {}
    for tree in modules().values():
        for kind in (node for node in ast.walk(tree) if isinstance(node, ast.ClassDef)):
            classes.setdefault(kind.name, []).append(kind)
    methods = [
        (kind.name, method.name)
        for kinds in classes.values()
        for kind in kinds
        for method in kind.body
        if isinstance(method, ast.FunctionDef) and not method.name.startswith("_")
    ]
    assert len(methods) > 300
    public = [each for each in methods if not each[0].startswith("_")]
    silent = [each for each in public if each[1] not in described_methods(each[0], classes)]
    assert silent == []


def test_no_module_is_long():
    lines = {
        file.name: file.read_text("utf-8").count("\n") for file in (ROOT / "mmsat").rglob("*.py")
    }
    assert max(lines.values()) <= LONGEST, max(lines, key=lines.__getitem__)


def test_ruff_checks_every_file_of_the_package():
    """A pattern without a slash excludes folders of that name at any depth."""
    command = [Path(sys.executable).with_name("ruff"), "check", "--show-files", ROOT]
    listed = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    folders = ("mmsat", "tests", "benchmarks", "examples", "docs")
    files = {str(file) for folder in folders for file in (ROOT / folder).rglob("*.py")}

    assert files - set(listed.splitlines()) == set()


def test_no_message_has_a_placeholder_that_is_never_filled():
    """In an f-string `{{}}` is a plain pair of braces, which a reader of the message sees."""
    texts = [
        (name, node.value)
        for name, tree in modules().items()
        for joined in ast.walk(tree)
        if isinstance(joined, ast.JoinedStr)
        for node in joined.values
        if isinstance(node, ast.Constant) and re.search(r"\{[a-z_]*\}", str(node.value))
    ]

    assert texts == []


def test_the_top_of_a_checkout_is_as_contracted():
    found = {path.name for path in ROOT.iterdir() if not path.name.startswith(".")}
    assert found - MADE <= TOP
    for name in ("encodings", "instances"):  # a package there would hide the standard library's
        assert not list((ROOT / name).glob("*.py"))


def test_the_page_of_the_architecture_names_what_is_there():
    page = (ROOT / "ARCHITECTURE.md").read_text("utf-8")
    names = set(re.findall(r"`((?:\w+/)+[\w.]*|\w+\.py)`", page))
    assert len(names) > 50
    missing = [
        name for name in names if not any((ROOT / top / name).exists() for top in ("", "mmsat"))
    ]
    assert missing == ["mmsat/games/NAME.toml"] or not missing
    rooms = {path.name for path in (ROOT / "mmsat").iterdir() if (path / "__init__.py").exists()}
    assert {room for room in rooms if f"`{room}/`" not in page} == set()


def test_all_tests_of_the_kernel_run_under_the_sanitizers():
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8").replace("\\\n", "")
    listed = set(re.findall(r"^KERNEL_TESTS = (.*)", makefile, re.MULTILINE)[0].split())
    wanted = {
        str(path.relative_to(ROOT))
        for path in (ROOT / "tests").rglob("test_*.py")
        if "\nfrom mmsat._core import" in path.read_text(encoding="utf-8")
    }
    assert len(wanted) > 5
    assert wanted <= listed
    assert all((ROOT / name).is_file() for name in listed)
