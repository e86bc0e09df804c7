"""What `import mmsat` gives, and what it leaves alone until it is needed."""

from __future__ import annotations

import subprocess
import sys

import pytest

import mmsat

HEAVY = ("pysat", "ortools", "pyganak", "pandas", "numpy", "matplotlib", "rich", "click")


def loaded(code):
    """The top-level modules that a fresh interpreter has loaded after some code."""
    show = "import sys; print(*{name.partition('.')[0] for name in sys.modules})"
    done = subprocess.run(
        [sys.executable, "-c", f"{code}\n{show}"], capture_output=True, text=True, check=True
    )
    return set(done.stdout.split())


@pytest.mark.parametrize(
    "code",
    [
        "import mmsat",
        "import mmsat; print(mmsat.Board.parse('4x6/1122=1.1').is_consistent((0, 2, 2, 1)))",
        "import mmsat.library; mmsat.library.find('classic/rafler-1').board",
    ],
)
def test_reading_boards_loads_no_solver_and_nothing_heavy(code):
    modules = loaded(code)
    assert "mmsat" in modules
    assert not modules & set(HEAVY)


def test_the_probe_would_see_a_heavy_module():
    assert "click" in loaded("import mmsat, click")


def test_every_public_name_is_there_and_documented():
    assert list(mmsat.__all__) == sorted(set(mmsat.__all__))
    for name in mmsat.__all__:
        assert getattr(mmsat, name).__doc__, name
    assert set(mmsat.__all__) <= set(dir(mmsat))


def test_a_name_that_is_not_there_is_an_attribute_error():
    with pytest.raises(AttributeError, match="nothing_of_this_name"):
        _ = mmsat.nothing_of_this_name
