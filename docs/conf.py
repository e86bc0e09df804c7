"""Configuration of Sphinx for the site, whose pages `docs/sources.py` gathers."""

import re
from html import unescape
from pathlib import Path
from typing import Any

from docutils import nodes
from pygments.lexers import TextLexer

import mmsat

project = "mmsat"
author = "the authors of mmsat"
copyright = "the authors of mmsat, MIT license"  # noqa: A001  (Sphinx calls it so)
version = release = mmsat.__version__

root_doc = "index"
extensions = ["myst_nb", "numpydoc", "sphinx.ext.autodoc"]
myst_enable_extensions = ["deflist"]
myst_heading_anchors = 4
suppress_warnings = ["myst.header"]  # the entry for CSPLib starts with headings of level 3
nb_execution_mode = "force"  # a cache could show the output of older code
nb_execution_timeout = 300
nb_execution_raise_on_error = True
nb_execution_show_tb = True

autodoc_typehints_format = "short"
autodoc_member_order = "bysource"
autodoc_preserve_defaults = True
autodoc_default_options = {"members": True, "inherited-members": "str,tuple"}
default_role = "literal"
smartquotes = False  # it would change the -- before options
python_use_unqualified_type_names = True
numpydoc_show_class_members = False  # autodoc lists them
nitpicky = True
linkcheck_ignore = ["https?://"]

DESCRIPTION = re.compile("<title>(.*?)</title>(?:\\s*<desc>(.*?)</desc>)?", re.DOTALL)
"""Title and description in a picture of mmsat."""

html_theme = "furo"
html_title = f"mmsat {release}"
html_show_sphinx = False
html_show_search_summary = False  # on disk, browsers do not fetch the pages for summaries
html_copy_source = False


def resolve(app: Any, _: Any, node: Any, content: Any) -> Any:
    """Return a link from a type in a signature to the page of a public name, or plain text."""
    if node.get("refdomain") != "py":
        return None
    name = node["reftarget"].rpartition(".")[2]
    if name in mmsat.__all__:
        page = app.builder.get_relative_uri(node["refdoc"], f"library/{name}")
        return nodes.reference("", "", content, refuri=page, internal=True)
    return content


def describe(app: Any, page: Any) -> None:
    """Set the alternative text of pictures to their title and description."""
    for node in page.findall(nodes.image):
        file = Path(app.srcdir, node["uri"])
        text = file.read_text("utf-8") if file.suffix == ".svg" and file.is_file() else ""
        if description := DESCRIPTION.search(text):
            node["alt"] = unescape(": ".join(filter(None, description.groups())))


def setup(app: Any) -> None:
    """Register the functions above, and lexers that leave some code blocks plain."""
    app.connect("doctree-read", describe, priority=900)  # after the paths of pictures are resolved
    app.connect("missing-reference", resolve)
    for name in ("clauses", "codes"):
        app.add_lexer(name, TextLexer)
