"""The stub of the kernel (mmsat/_core.pyi) has the names that the kernel has."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import mmsat
from mmsat import _core

FUNCTION = ast.FunctionDef
PARAMETERS = re.compile(r"(\w+)(?=: )")


def read_stub():
    """Return the classes and functions of the stub as {name: {member: parameter names}}.

    A function of the module is the member "" of its name. A property has no parameters.
    """
    tree = ast.parse((Path(mmsat.__file__).parent / "_core.pyi").read_text("utf-8"))
    declared = {}
    for node in tree.body:
        if isinstance(node, ast.ClassDef) and not any(map(is_enum, node.bases)):
            declared[node.name] = {
                member.name: parameters_of(member)
                for member in node.body
                if isinstance(member, FUNCTION) and not is_overload(member)
            }
        elif isinstance(node, FUNCTION):
            declared[node.name] = {"": parameters_of(node)}
    return declared


def is_enum(base):
    return isinstance(base, ast.Name) and base.id == "Enum"


def is_overload(function):
    return any(
        isinstance(each, ast.Name) and each.id == "overload" for each in function.decorator_list
    )


def parameters_of(function):
    return [argument.arg for argument in function.args.args if argument.arg != "self"]


def read_kernel(member):
    """Return the parameter names of a kernel function, from its only signature."""
    ((signature, *_),) = member.__nb_signature__
    arguments = re.sub(r"\[[^\[\]]*\]", "", signature.partition("(")[2])
    while "[" in arguments:
        arguments = re.sub(r"\[[^\[\]]*\]", "", arguments)
    return PARAMETERS.findall(arguments.rpartition(") -> ")[0])


def test_parameters_have_the_same_names():
    compared = 0
    for name, members in read_stub().items():
        for member, parameters in members.items():
            actual = getattr(_core, name)
            if member:
                actual = getattr(actual, member)
            if isinstance(actual, property):
                assert not parameters, (name, member)
                continue
            if len(actual.__nb_signature__) > 1:
                continue  # overloads for arrays of different types
            assert read_kernel(actual) == parameters, (name, member)
            compared += 1
    assert compared > 60


def test_all_public_names_are_declared():
    source = (Path(mmsat.__file__).parent / "_core.pyi").read_text("utf-8")
    for name, kernel_class in vars(_core).items():
        if name.startswith("_"):
            continue
        assert re.search(rf"^(class|def) {name}\b|^{name}: ", source, re.MULTILINE), name
        if isinstance(kernel_class, type) and name in read_stub():
            members = {member for member in vars(kernel_class) if not member.startswith("_")}
            stated = {member for member in read_stub()[name] if not member.startswith("_")}
            assert members == stated, name
