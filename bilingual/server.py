"""An extension of Jupyter's server: language buttons that need no kernel, sliders without delay.

A reader may choose a language before any cell has run; the first kernel then starts in it.
`make lab` and the wheel enable the extension, and tell the page (`posencLanguage` in its settings).
"""

from __future__ import annotations

from typing import Any

from jupyter_server.base.handlers import APIHandler
from jupyter_server.services.kernels.connection.base import BaseKernelWebsocketConnection
from jupyter_server.utils import url_path_join
from tornado.web import HTTPError, authenticated

from bilingual.setting import LANGUAGES, set_language

CONNECTION = "kernel_websocket_connection_class"  # among the server's settings


class LanguageHandler(APIHandler):
    """Keeps the language that a page sends, e.g. `PUT posenc/language` with the body `"zh"`."""

    @authenticated
    def put(self) -> None:
        """Keep the language; status 400 if it is unknown, 500 if it cannot be written."""
        choice = self.get_json_body()
        if choice not in LANGUAGES:
            raise HTTPError(400, f"language must be one of {', '.join(LANGUAGES)}")
        try:
            set_language(choice)
        except OSError as error:
            raise HTTPError(500, str(error)) from error
        self.set_status(204)
        self.finish()


def without_delay(
    connection: type[BaseKernelWebsocketConnection],
) -> type[BaseKernelWebsocketConnection]:
    """Return this kind of connection from kernel to page, with Nagle's algorithm off.

    Tornado leaves it on: a short message then waits, up to 40 ms, until the page has acknowledged
    the previous one. Each move of a slider takes four messages: kernel busy, slider's value,
    picture, kernel idle.

    Source: `tornado.websocket.WebSocketHandler.set_nodelay`.
    """

    class WithoutDelay(connection):
        def connect(self) -> Any:
            self.websocket_handler.set_nodelay(True)
            return super().connect()

    return WithoutDelay


def _jupyter_server_extension_points() -> list[dict[str, str]]:
    return [{"module": "bilingual.server"}]


def _load_jupyter_server_extension(server: Any) -> None:
    settings = server.web_app.settings
    address = url_path_join(settings["base_url"], "posenc/language")
    server.web_app.add_handlers(".*$", [(address, LanguageHandler)])
    settings[CONNECTION] = without_delay(settings[CONNECTION])
