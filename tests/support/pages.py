"""Run the examples of a documentation page: its commands and its Python."""

from __future__ import annotations

import doctest
import os
import re
import subprocess
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

CODE = re.compile(r"^```(\w+)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
SECONDS = 120
"""Time limit of a command, also on a busy machine."""
HEREDOC = re.compile(r"<<'(\w+)'")


def blocks(text, language):
    """Return the code blocks of a language."""
    return [block for name, block in CODE.findall(text) if name == language]


def exchanges(text):
    """Yield the commands of the console blocks, each with its printed output."""
    for block in blocks(text, "console"):
        for exchange in re.split(r"^\$ ", block, flags=re.MULTILINE)[1:]:
            command, _, printed = exchange.partition("\n")
            if end := HEREDOC.search(command):
                body, _, printed = printed.partition(f"\n{end[1]}\n")
                command += f"\n{body}\n{end[1]}"
            yield command, printed


def shell(command, folder):
    """Run a command in a folder, with the `mmsat` of this environment."""
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    return subprocess.run(
        ["bash", "-c", command],
        cwd=folder,
        env={**os.environ, "PATH": path, "NO_COLOR": "1"},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        check=False,
        timeout=SECONDS,
    )


def matches(printed, shown):
    """Return whether an output is as shown; `...` stands for any lines, or any text in a line."""
    pattern = re.escape(shown.strip("\n")).replace(re.escape("..."), ".*")
    return re.fullmatch(pattern, printed.strip("\n"), re.DOTALL) is not None


def run_commands(text, folder):
    """Run the commands of a page in order; return their number and the unexpected outputs."""
    wrong, number = [], 0
    for command, shown in exchanges(text):
        number += 1
        printed = shell(command, folder).stdout
        if not matches(printed, shown):
            wrong.append(f"$ {command}\n{printed}")
    return number, wrong


def run_python(text, name):
    """Run the Python blocks of a page in order; return the numbers of examples and failures."""
    known, examples, failed = {}, 0, 0
    for block in blocks(text, "python"):
        test = doctest.DocTestParser().get_doctest(block, known, name, name, 0)
        examples += len(test.examples)
        failed += doctest.DocTestRunner().run(test, clear_globs=False).failed
        known = test.globs
    return examples, failed


def refresh(text, folder):
    """Return a page with the current outputs of its commands; those that still match are kept."""

    def block(match):
        lines = []
        for command, shown in exchanges(match[0]):
            printed = shell(command, folder).stdout
            kept = shown if shown.strip() and matches(printed, shown) else printed
            lines += [f"$ {command}", *kept.strip("\n").splitlines()]
        return "\n".join(["```console", *lines, "```"])

    return re.sub(r"^```console\n.*?^```$", block, text, flags=re.MULTILINE | re.DOTALL)


if __name__ == "__main__":
    for name in sys.argv[1:]:
        page = Path(name)
        with TemporaryDirectory() as temporary:
            page.write_text(refresh(page.read_text("utf-8"), temporary), "utf-8")
