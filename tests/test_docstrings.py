"""The public docstrings: their form as numpydoc validates it, their fields, and their examples."""

from __future__ import annotations

import ast
import doctest
import enum
import functools
import inspect
import re
import textwrap
from pathlib import Path

import pytest
from numpydoc.docscrape import get_doc_object
from numpydoc.validate import ERROR_MSGS, validate

import mmsat

OMITTED = {
    "ES01": "a summary line is often enough",
    "EX01": "results and their methods need no example; functions are checked below",
    "SA01": "the overview of the package lists related calls by task",
}
"""Checks of numpydoc that are not applied, with the reason."""
RETURN_CHECKS = {"RT01", "YD01"}
"""Checks that a Returns or Yields section exists.

They apply to functions with parameters. Without parameters, "Return the number of codes." and the
annotation say everything.
"""
PACKAGE = str(Path(mmsat.__file__).parent)


def own_classes(thing):
    """Yield a class and its base classes in this package."""
    return (base for base in thing.__mro__ if base.__module__.startswith("mmsat."))


def public_objects():
    """Yield the public functions, classes, methods and properties by name.

    An override without a docstring is omitted, because it inherits that of a base class.
    """
    for name in mmsat.__all__:
        thing = getattr(mmsat, name)
        yield name, thing
        if not inspect.isclass(thing):
            continue
        members = {}
        for base in own_classes(thing):
            for member_name, member in vars(base).items():
                function = getattr(member, "__func__", member)  # of a class method
                kinds = (property, functools.cached_property)
                if isinstance(function, kinds) or inspect.isfunction(function):
                    is_silent = not function.__doc__ and hasattr(super(base, thing), member_name)
                    if not member_name.startswith("_") and not is_silent:
                        members.setdefault(member_name, function)
        for member_name, member in members.items():
            yield f"{name}.{member_name}", member


OBJECTS = dict(public_objects())


def needed_checks(thing):
    """Return the numpydoc checks for an object."""
    checks = set(ERROR_MSGS) - set(OMITTED)
    if inspect.isclass(thing):
        initializer = getattr(inspect.unwrap(thing.__init__), "__code__", None)
        if initializer is None or not initializer.co_filename.startswith(PACKAGE):
            checks.discard("PR01")  # generated: the parameters are the fields
    elif inspect.isfunction(thing) and not {*inspect.signature(thing).parameters} - {"self", "cls"}:
        checks -= RETURN_CHECKS
    return checks


@pytest.mark.parametrize("public_name", mmsat.__all__)
def test_numpydoc_accepts_the_docstrings_of_a_name_and_its_members(public_name):
    errors = [
        f"{name}, {code}: {message}"
        for name, thing in OBJECTS.items()
        if name.partition(".")[0] == public_name
        for code, message in validate(get_doc_object(thing))["errors"]
        if code in needed_checks(thing)
    ]
    assert errors == []


def test_members_are_validated_as_well():
    assert len(OBJECTS) > 3 * len(mmsat.__all__)


def test_numpydoc_sees_a_missing_section():
    def bad(board):
        """Return something."""
        return board

    errors = validate(get_doc_object(bad))["errors"]
    assert {code for code, _ in errors} & needed_checks(bad) == {"PR01", "RT01"}


@pytest.mark.parametrize("name", [name for name in OBJECTS if inspect.isclass(OBJECTS[name])])
def test_every_field_of_a_public_class_is_documented(name):
    """By a string below it."""
    thing = OBJECTS[name]
    source = textwrap.dedent(inspect.getsource(thing))
    body = ast.parse(source).body[0].body
    silent = []
    for statement, following in zip(body, [*body[1:], None], strict=True):
        is_field = isinstance(statement, ast.AnnAssign) or (
            issubclass(thing, enum.Enum) and isinstance(statement, ast.Assign)
        )
        is_text = isinstance(following, ast.Expr) and isinstance(following.value, ast.Constant)
        if is_field and not is_text:
            silent.append(ast.unparse(statement))
    assert silent == []


def doctests():
    """Return the doctests of the public docstrings, and of the package."""
    parser = doctest.DocTestParser()
    docstrings = {"mmsat": mmsat.__doc__} | {name: OBJECTS[name].__doc__ for name in OBJECTS}
    tests = [
        parser.get_doctest(text or "", {"mmsat": mmsat}, name, None, 0)
        for name, text in docstrings.items()
    ]
    return [pytest.param(test, id=test.name) for test in tests if test.examples]


@pytest.mark.parametrize("examples", doctests())
def test_examples_run(examples):
    assert doctest.DocTestRunner().run(examples).failed == 0


def test_every_public_function_has_an_example():
    functions = {name for name in mmsat.__all__ if inspect.isfunction(OBJECTS[name])}
    assert functions - {param.id for param in doctests()} == set()


def test_the_overview_lists_every_public_function_once():
    """`help(mmsat)` begins with the calls by task."""
    listed = re.findall(r"^    ([a-z_]+)  +[A-Z].*\.$", mmsat.__doc__, re.MULTILINE)
    functions = [name for name in mmsat.__all__ if inspect.isfunction(OBJECTS[name])]
    assert sorted(listed) == functions
