"""Structure of the code: imports without cycles, short files, documented methods."""

from __future__ import annotations

import ast
import re
import subprocess
import sys
from functools import cache
from pathlib import Path

import networkx as nx
import pytest

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
"""Top-level entries of a checkout, except hidden and ignored ones."""
GENERATED = {"__pycache__", "build", "dist", "mmsat.egg-info"}
MAX_MODULE_LINES = 600
MAX_ATTRIBUTES = 12
"""Maximum number of attributes of a class."""
DEFINITIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)


@cache
def modules() -> dict[str, ast.Module]:
    """Return the syntax trees of all modules of mmsat by full module name."""
    files = {
        ".".join(file.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__"): file
        for file in sorted((ROOT / "mmsat").rglob("*.py"))
    }
    return {name: ast.parse(file.read_text("utf-8")) for name, file in files.items()}


def functions(tree: ast.Module) -> list[ast.FunctionDef | ast.AsyncFunctionDef]:
    """Return all functions and methods of a module, nested ones included."""
    kinds = (ast.FunctionDef, ast.AsyncFunctionDef)
    return [node for node in ast.walk(tree) if isinstance(node, kinds)]


def imported_names(tree: ast.AST) -> set[str]:
    """Return the full names of all imported modules and members."""
    names = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            names |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module:
            names |= {f"{node.module}.{alias.name}" for alias in node.names}
    return names


def imported_modules(tree: ast.AST) -> set[str]:
    """Return the modules of mmsat that a piece of code imports, at any depth."""
    imported = set()
    for name in imported_names(tree):
        module = name
        while module and module not in modules():
            module = module.rpartition(".")[0]
        if module and module != "mmsat":
            imported.add(module)
    return imported


def import_graph() -> nx.DiGraph:
    """Return the graph of the imports that run when a module is imported, or for type checking."""
    graph = nx.DiGraph()
    for name, tree in modules().items():
        if name != "mmsat":  # the public API imports every package, and no package imports it
            top = ast.Module([node for node in tree.body if not isinstance(node, DEFINITIONS)], [])
            graph.add_edges_from((name, other) for other in imported_modules(top) - {name})
    return graph


def test_there_are_no_import_cycles():
    graph = import_graph()
    assert len(graph) > 150
    components = nx.strongly_connected_components(graph)
    assert [sorted(component) for component in components if len(component) > 1] == []


@pytest.mark.parametrize("package", ["play", "proof", "strategy"])
def test_imports_inside_functions_form_no_cycles_within(package):
    graph = nx.DiGraph(
        (name, other)
        for name, tree in modules().items()
        for other in imported_modules(tree) - {name}
        if all(module.startswith(f"mmsat.{package}.") for module in (name, other))
    )
    components = nx.strongly_connected_components(graph)
    assert len(graph) > 5
    assert [sorted(component) for component in components if len(component) > 1] == []


def test_tests_share_helpers_in_support_only():
    """Benchmarks use the same helpers; tests import benchmarks only in tests/benchmarks."""
    imports = [
        (str(file.relative_to(ROOT)), name)
        for folder in ("tests", "benchmarks")
        for file in sorted((ROOT / folder).rglob("*.py"))
        for name in imported_names(ast.parse(file.read_text("utf-8")))
    ]
    from_tests = [entry for entry in imports if entry[1].startswith("tests.")]
    from_benchmarks = [
        entry
        for entry in imports
        if entry[1].startswith("benchmarks.") and not entry[0].startswith("benchmarks/")
    ]
    assert min(len(from_tests), len(from_benchmarks)) > 20
    assert [entry for entry in from_tests if not entry[1].startswith("tests.support.")] == []
    assert [
        entry for entry in from_benchmarks if not entry[0].startswith("tests/benchmarks/")
    ] == []


def documented_methods(name: str, classes: dict[str, list[ast.ClassDef]]) -> set[str]:
    """Return the methods with docstrings of the classes with a name, and of their base classes."""
    documented = set()
    for definition in classes.get(name, ()):
        documented |= {
            method.name
            for method in definition.body
            if isinstance(method, ast.FunctionDef) and ast.get_docstring(method)
        }
        for base in definition.bases:
            plain = base.value if isinstance(base, ast.Subscript) else base
            documented |= documented_methods(getattr(plain, "id", ""), classes)
    return documented


def test_public_methods_are_documented_or_override_a_documented_method():
    classes: dict[str, list[ast.ClassDef]] = {}
    for tree in modules().values():
        for definition in (node for node in ast.walk(tree) if isinstance(node, ast.ClassDef)):
            classes.setdefault(definition.name, []).append(definition)
    methods = [
        (definition.name, method.name)
        for definitions in classes.values()
        for definition in definitions
        for method in definition.body
        if isinstance(method, ast.FunctionDef) and not method.name.startswith("_")
    ]
    assert len(methods) > 300
    undocumented = [
        (class_name, method)
        for class_name, method in methods
        if not class_name.startswith("_") and method not in documented_methods(class_name, classes)
    ]
    assert undocumented == []


def attributes(definition: ast.ClassDef) -> set[str]:
    """Return the attributes of a class: declared fields, and those that methods set on `self`."""
    fields = {
        node.target.id
        for node in definition.body
        if isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name)
    }
    return fields | {
        node.attr
        for node in ast.walk(definition)
        if isinstance(node, ast.Attribute)
        and isinstance(node.ctx, ast.Store)
        and ast.unparse(node.value) == "self"
    }


def test_no_class_has_many_attributes():
    """Results, which declare their fields and have no `__init__`, may have more."""
    sizes = {
        f"{name}.{definition.name}": len(attributes(definition))
        for name, tree in modules().items()
        for definition in ast.walk(tree)
        if isinstance(definition, ast.ClassDef)
        and (
            name.startswith(("mmsat.solving", "mmsat.constraints", "mmsat.diagnosis"))
            or "__init__" in {getattr(member, "name", "") for member in definition.body}
        )
    }
    assert len(sizes) > 250
    assert {name: size for name, size in sizes.items() if size > MAX_ATTRIBUTES} == {}


def test_the_state_of_the_oracle_is_not_set_from_outside():
    targets = [
        ast.unparse(node)
        for name, tree in modules().items()
        if name.startswith("mmsat.diagnosis")
        for node in ast.walk(tree)
        if isinstance(node, ast.Attribute | ast.Subscript) and isinstance(node.ctx, ast.Store)
    ]
    assert targets
    assert [text for text in targets if "oracle." in text or "portfolio." in text] == []


def test_no_module_is_long():
    lines = {
        str(file): file.read_text("utf-8").count("\n") for file in (ROOT / "mmsat").rglob("*.py")
    }
    assert max(lines.values()) <= MAX_MODULE_LINES, max(lines, key=lines.__getitem__)


def test_ruff_checks_every_file_of_the_package():
    """An exclude pattern without a slash matches folders of that name at any depth."""
    command = [Path(sys.executable).with_name("ruff"), "check", "--show-files", ROOT]
    listed = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    folders = ("mmsat", "tests", "benchmarks", "examples", "docs")
    files = {str(file) for folder in folders for file in (ROOT / folder).rglob("*.py")}

    assert files - set(listed.splitlines()) == set()


def test_modules_are_imported_by_statements():
    """A string with a module and a name hides an import from mypy, editors and import-linter."""
    strings = [
        (name, node.value)
        for name, tree in modules().items()
        for node in ast.walk(tree)
        if isinstance(node, ast.Constant) and re.fullmatch(r"mmsat(\.\w+)+:\w+", str(node.value))
    ]

    assert strings == []


def test_no_message_has_a_placeholder_that_is_never_filled():
    """In an f-string `{{}}` is a plain pair of braces, which the user sees."""
    texts = [
        (name, node.value)
        for name, tree in modules().items()
        for joined in ast.walk(tree)
        if isinstance(joined, ast.JoinedStr)
        for node in joined.values
        if isinstance(node, ast.Constant) and re.search(r"\{[a-z_]*\}", str(node.value))
    ]

    assert texts == []


def test_a_checkout_has_no_other_top_level_entries():
    entries = {path.name for path in ROOT.iterdir() if not path.name.startswith(".")}
    assert entries - GENERATED <= TOP
    for name in ("encodings", "instances"):  # a package there would hide the standard library's
        assert not list((ROOT / name).glob("*.py"))


def test_architecture_page_names_existing_files_and_all_packages():
    page = (ROOT / "ARCHITECTURE.md").read_text("utf-8")
    names = set(re.findall(r"`((?:\w+/)+[\w.]*|\w+\.py)`", page))
    assert len(names) > 50
    missing = [
        name for name in names if not any((ROOT / top / name).exists() for top in ("", "mmsat"))
    ]
    assert missing == ["mmsat/games/NAME.toml"] or not missing
    packages = {path.name for path in (ROOT / "mmsat").iterdir() if (path / "__init__.py").exists()}
    assert {package for package in packages if f"`{package}/`" not in page} == set()


def test_documents_name_existing_source_files():
    """Names in capital letters are placeholders."""
    tops = [ROOT / name for name in sorted(TOP - {"tests"}) if (ROOT / name).is_dir()]
    sources = [f"/{file}" for top in tops for file in top.rglob("*.*")]
    pages = [*ROOT.glob("*.md"), *(file for top in tops for file in top.rglob("*.md"))]
    named = [
        (str(page.relative_to(ROOT)), name)
        for page in pages
        for name in re.findall(
            r"`((?:\w+/)*[a-z]\w*\.(?:py|pyi|cpp|hpp|inc|js))`", page.read_text("utf-8")
        )
    ]

    assert len(named) > 100
    missing = [
        (page, name)
        for page, name in named
        if not any(source.endswith(f"/{name}") for source in sources) and not (ROOT / name).exists()
    ]
    assert missing == []


def test_all_tests_of_the_kernel_run_under_the_sanitizers():
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8").replace("\\\n", "")
    listed = set(re.findall(r"^KERNEL_TESTS = (.*)", makefile, re.MULTILINE)[0].split())
    kernel_tests = {
        str(path.relative_to(ROOT))
        for path in (ROOT / "tests").rglob("test_*.py")
        if "\nfrom mmsat._core import" in path.read_text(encoding="utf-8")
    }
    assert len(kernel_tests) > 5
    assert kernel_tests <= listed
    assert all((ROOT / name).is_file() for name in listed)
