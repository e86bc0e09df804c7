"""Gather the pages of the site: `python -m docs.sources FOLDER`.

Pages of the repository are copied to the same path, together with the files that they link to, so
that their links still work. Pages of commands, games and public names are generated from their help
and docstrings, and the pages of encodings and reductions are extended from their catalogues, so
that nothing is written twice. The examples of the commands are run, and their pages show their
output.
"""

import json
import re
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterable
from functools import cache, partial
from inspect import cleandoc
from os.path import normpath, relpath
from pathlib import Path

import mmsat
from docs.commands import command_page
from docs.schemas import reference
from mmsat.cli.group import COMMANDS, SECTIONS
from mmsat.game.names import PUBLISHED_GAMES
from mmsat.reductions.reduce import GAME_REDUCTIONS, REDUCTIONS
from mmsat.web.pool import Limits
from mmsat.web.server import describe

ROOT = Path(__file__).parents[1]
HOME = "index.md"
"""The front page, which is the README of the repository."""
LINK = re.compile(r"(?<=\]\()(?![a-z]+:|#)([^)#\s]+)(#[^)]*)?(?=\))")
PAGES = (".md", ".ipynb")
GENERATED = ("build", "dist", "changes")
"""Folders without pages: generated files, and the fragments of the next CHANGELOG."""
CHAPTERS = {
    "Tutorials": [
        "docs/tutorials/player",
        "docs/tutorials/app-author",
        "docs/tutorials/sat",
        "docs/tutorials/complexity",
    ],
    "How to": [
        "docs/how-to/wrong-row",
        "docs/how-to/check-a-log",
        "docs/how-to/outside-solvers",
        "docs/how-to/own-game",
        "docs/how-to/plug-in",
        "docs/how-to/analysis-board",
        "docs/how-to/puzzles",
        "docs/how-to/cluster",
        "docs/how-to/cite-and-verify",
        "examples/README",
    ],
    "Reference": [
        "commands/index",
        "library/index",
        "docs/notation",
        "docs/json",
        "docs/exit-codes",
        "http",
        "mmsat/games/README",
        "encodings/README",
        "mmsat/reductions/README",
        "mmsat/strategy/README",
        "mmsat/play/reviews",
        "mmsat/play/puzzles",
        "mmsat/auditing/README",
        "instances/README",
        "docs/gallery",
    ],
    "Explanation": [
        "docs/explanation/how-it-decides",
        "docs/explanation/how-it-explains",
        "docs/explanation/how-it-counts",
        "docs/explanation/what-can-be-checked",
        "docs/explanation/np-completeness",
        "docs/explanation/related-work",
    ],
    "The project": ["ARCHITECTURE", "CONTRIBUTING", "CHANGELOG", "benchmarks/README"],
}
"""The chapters of the side bar, by purpose."""
FUNCTIONS = {
    "Decide and explain": "check check_many explain steps suspect",
    "Prove and verify": "prove prove_explanation prove_count prove_codes prove_optimum prove_value "
    "verify",
    "Count and list": "codes count estimate",
    "Play and review": "suggest suggest_many play_round match match_many review puzzle "
    "minimal_puzzle",
    "Study strategies": "analyze optimal static game_value",
    "Logs and arrays": "audit check_arrays count_arrays",
    "Other solvers": "encode decode",
    "Games": "games score",
    "Reductions and instances": "reduce chain generate generate_many generate_log",
}
"""The public functions by task."""


@cache
def repository_pages() -> tuple[str, ...]:
    """Return the paths of the pages in the repository."""
    files = (path.relative_to(ROOT) for path in ROOT.rglob("*") if path.suffix in PAGES)
    return tuple(sorted(str(path) for path in files if not skipped(path)))


def skipped(path: Path) -> bool:
    """Return whether a path is hidden, or in a folder of `GENERATED`."""
    return any(part.startswith(".") or part in GENERATED for part in path.parts)


def toctree(pages: Iterable[str], caption: str = "") -> str:
    """Return a table of contents. With a caption, it is shown in the side bar only."""
    head = f":caption: {caption}\n:hidden:\n" if caption else ""
    return f"\n\n```{{toctree}}\n:maxdepth: 1\n{head}\n" + "\n".join(pages) + "\n```\n"


def gather(folder: Path) -> None:
    """Write all pages, and the files that they show, to a folder."""
    for name in repository_pages():
        text = (ROOT / name).read_text("utf-8")
        if name.endswith(".md"):
            text = relink(text, name, folder) + addition(name, folder)
        write(folder / (HOME if name == "README.md" else name), text)
    for name, make in generated_pages().items():
        write(folder / name, make(folder))


def write(file: Path, text: str) -> None:
    """Write a page unless it is unchanged, so that Sphinx does not build it again."""
    file.parent.mkdir(parents=True, exist_ok=True)
    if not file.exists() or file.read_text("utf-8") != text:
        file.write_text(text, "utf-8")


def relink(text: str, name: str, folder: Path) -> str:
    """Return a page with links to pages: folders become their README, other files are copied."""
    here = str(Path(name).parent)

    def target(match: re.Match[str]) -> str:
        path = normpath(f"{here}/{match[1]}")
        if (ROOT / path).is_dir():
            path = f"{path}/README.md"
        if path not in repository_pages():
            copy(path, folder)
        path = HOME if path == "README.md" else path
        return relpath(path, here) + (match[2] or "")

    return LINK.sub(target, text)


def copy(path: str, folder: Path) -> None:
    """Copy a file that a page links to."""
    (folder / path).parent.mkdir(parents=True, exist_ok=True)
    shutil.copyfile(ROOT / path, folder / path)


def addition(name: str, folder: Path) -> str:
    """Return the text that the site appends to a page of the repository."""
    parts = Path(name).parts
    if name == "README.md":
        return contents()
    if name == "docs/json.md":
        return reference()
    if name == "mmsat/games/README.md":
        return toctree(f"../../games/{name}" for name in PUBLISHED_GAMES)
    if parts[0] == "encodings" and len(parts) == 3 and parts[1] != "models":
        (entry,) = command_json("encodings", parts[1])["encodings"]
        return "\n\n## In the catalogue\n\n" + table({**entry, **entry.pop("size", {})}, "readme")
    if parts[:2] == ("mmsat", "reductions") and len(parts) == 4:
        return reduction_picture(parts[2], folder)
    pages = below(name) if parts[-1] == "README.md" else []
    return toctree(pages) if pages else ""


def reduction_picture(module: str, folder: Path) -> str:
    """Return the drawn board of a reduction's example; empty for reductions to games."""
    if module.replace("_", "-") not in REDUCTIONS:
        return ""
    board = mmsat.Board.parse((ROOT / f"mmsat/reductions/{module}/board.txt").read_text("utf-8"))
    write(folder / f"mmsat/reductions/{module}/board.svg", board._repr_svg_())
    return "\n\n## Drawn\n\n![the board of the example](board.svg)\n"


def generated_pages() -> dict[str, Callable[[Path], str]]:
    """Return the functions that generate pages, by path."""
    reductions = [f"{name.replace('-', '_')}/README" for name in (*REDUCTIONS, *GAME_REDUCTIONS)]
    return {
        "commands/index.md": command_index,
        **{f"commands/{name}.md": partial(command_page, name) for name in COMMANDS},
        "library/index.md": library_index,
        **{f"library/{name}.md": partial(library_page, name) for name in mmsat.__all__},
        **{f"games/{name}.md": partial(game_page, name) for name in PUBLISHED_GAMES},
        "http.md": lambda _: describe(Limits()),
        "mmsat/reductions/README.md": lambda _: "# Reductions\n" + toctree(reductions),
    }


def command_json(*arguments: str) -> dict[str, object]:
    """Return the JSON document that a command prints."""
    command = [sys.executable, "-m", "mmsat", *arguments, "--json"]
    done = subprocess.run(command, check=True, capture_output=True, text=True)  # noqa: S603
    document: dict[str, object] = json.loads(done.stdout)
    return document


def table(fields: dict[str, object], *omitted: str) -> str:
    """Return a table of names and values, except those in `omitted` and those without a value."""
    rows = [
        f"| {key.replace('_', ' ')} | {cell(value)} |"
        for key, value in fields.items()
        if key not in omitted and value not in (None, "", [])
    ]
    return "\n".join(["| | |", "|---|---|", *rows]) + "\n"


def cell(value: object) -> str:
    """Return a value as text in a table."""
    if isinstance(value, list):
        return ", ".join(map(str, value))
    if isinstance(value, dict):
        return "; ".join(f"{key}: {cell(part)}" for key, part in value.items())
    return str(value).replace("|", "\\|")


def game_page(name: str, folder: Path) -> str:
    """Return the page of a published game: its definition, and a board."""
    (game,) = command_json("games", name)["games"]
    board = mmsat.Board.parse(game["notation"])
    write(folder / f"games/{name}.svg", board._repr_svg_())
    shown = table(game, "name", "title", "words", "symbols", "notation")
    return (
        f"# {game['title']}\n\n{shown}\nA board line: `{game['notation']}`\n\n"
        f"![a board of {name}]({name}.svg)\n"
    )


def command_index(_: Path) -> str:
    """Return the list of commands by task."""
    parts = [f"## {heading}\n{toctree(names)}" for heading, names in SECTIONS.items()]
    return "# Commands\n\n" + "\n".join(parts)


def library_index(_: Path) -> str:
    """Return the summary of the public names: functions by task, then types and errors."""
    functions = {name for names in FUNCTIONS.values() for name in names.split()}
    others = [name for name in mmsat.__all__ if name not in functions]
    errors = [name for name in others if name.endswith(("Error", "Warning", "Fault"))]
    groups = {
        **{task: names.split() for task, names in FUNCTIONS.items()},
        "Types": [name for name in others if name not in errors],
        "Errors and warnings": errors,
    }
    text = "# Library\n\nRows, pegs and colors start at 0 in Python, and at 1 in text and JSON."
    for heading, names in groups.items():
        rows = "\n".join(f"| [{name}]({name}.md) | {summary(name)} |" for name in names)
        text += f"\n\n## {heading}\n\n| name | summary |\n|---|---|\n{rows}\n"
    hidden = toctree(mmsat.__all__).replace(":maxdepth: 1\n", ":maxdepth: 1\n:hidden:\n")
    return text + hidden


def summary(name: str) -> str:
    """Return the first line of the docstring of a public name, for a table."""
    return cleandoc(getattr(mmsat, name).__doc__).partition("\n")[0].replace("|", "\\|")


def library_page(name: str, _: Path) -> str:
    """Return the page of a public name: its docstring, and those of its members."""
    kind = "function" if name.islower() else "class"
    directive = "exception" if name.endswith("Error") else kind
    return f"# {name}\n\n```{{eval-rst}}\n.. auto{directive}:: mmsat.{name}\n```\n"


def contents() -> str:
    """Return the side bar, which lists the chapters.

    The last chapter also has all pages that are in no other chapter and below no other README.
    """
    chapters = {caption: [*pages] for caption, pages in CHAPTERS.items()}
    listed = {page for pages in chapters.values() for page in pages}
    chapters["The project"] += [page for page in below("README.md") if page not in listed]
    return "".join(toctree(pages, caption) for caption, pages in chapters.items())


def below(name: str) -> list[str]:
    """Return the pages whose nearest README is this one."""
    all_pages = {*repository_pages(), *generated_pages()}

    def nearest_readme(page: str) -> str | None:
        readmes = (str(folder / "README.md") for folder in Path(page).parents)
        return next((path for path in readmes if path in all_pages and path != page), None)

    folder = str(Path(name).parent)
    return [
        relpath(Path(page).with_suffix(""), folder)
        for page in repository_pages()
        if nearest_readme(page) == name
    ]


if __name__ == "__main__":
    gather(Path(sys.argv[1]))
