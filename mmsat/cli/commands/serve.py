"""The command `mmsat serve`."""

import re
from typing import Any
from urllib.parse import quote

import click

from mmsat._util.registry import require_plugins
from mmsat.cli import options
from mmsat.cli.output import FAILURE, leave, log_to_stderr, print_message, say
from mmsat.cli.parameters import BoardSource, Number, Value
from mmsat.errors import MissingError
from mmsat.game.board import Board

try:
    from mmsat.web import server
    from mmsat.web.pool import Limits
except ModuleNotFoundError as error:
    if (error.name or "").partition(".")[0] not in ("starlette", "uvicorn", "anyio"):
        raise
    server = None  # type: ignore[assignment]


class Origin(Value[str]):
    """The origin of web pages, or "*" for every origin."""

    name = "ORIGIN"
    expected = "an origin such as https://example.org, or * for every site"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> str:
        """Return the origin without a trailing slash."""
        if not re.fullmatch(r"\*|https?://[A-Za-z0-9.-]+(:[0-9]{1,5})?/?", value):
            self.refuse(value, param)
        return str(value).rstrip("/")


@options.command(
    "serve",
    "mmsat serve",
    "mmsat serve 4x6/1122=1.1/3345=0.2 --port 8000 --no-browser",
    is_limited=False,
)
@click.argument("board", type=BoardSource(), required=False)
@click.option(
    "--port",
    type=Number(0, 65535),
    default=8765,
    help="Listen on port N (0: any free port).",
)
@click.option("--host", metavar="ADDRESS", default="127.0.0.1", help="Listen on this address.")
@click.option(
    "--plugin",
    "plugins",
    metavar="NAME",
    multiple=True,
    help="Allow the plug-in NAME; may be repeated.",
)
@click.option(
    "--embed",
    "embedders",
    type=Origin(),
    multiple=True,
    help="Allow pages of this site to show the board in a frame; may be repeated.",
)
@click.option("--no-browser", is_flag=True, help="Do not open the browser.")
def serve_command(
    board: Board | None,
    *,
    port: int,
    host: str,
    plugins: tuple[str, ...],
    embedders: tuple[str, ...],
    no_browser: bool,
) -> None:
    """Open the analysis board in the browser.

    The page analyzes any position: verdict, remaining codes, probabilities, best guesses, and which
    scores are wrong. Everything is computed on this machine; Ctrl-C stops the server. Questions
    can use only those plug-ins that --plugin names. Needs the extra `web`: run pip install ".[web]"
    in the checkout.

    Programs ask the same questions over HTTP, such as /api/check?board=4x6/1122=1.1; the address
    /api describes all of them.
    """
    if server is None:
        raise MissingError(
            'mmsat serve needs the extra `web`. Run pip install ".[web]" in the checkout.'
        )

    require_plugins(plugins)

    def announce(actual_port: int) -> None:
        fragment = "" if board is None else f"#{quote(str(board), safe='/=.!-_~:?')}"
        address = f"http://{server.bracket(host)}:{actual_port}/{fragment}"
        click.echo(address)
        if not server.is_local(host):
            say("everyone who can reach this machine can use this page")
        say("Ctrl-C stops the server")
        if not no_browser:
            server.open_browser(address)

    log_to_stderr()
    try:
        server.run(host, port, announce, Limits(plugins=plugins), embedders)
    except OSError as error:
        print_message(
            f"Error: port {port} of {host} cannot be used ({error.strerror}). "
            "Choose another with --port."
        )
        leave(FAILURE)
