"""An extension of Jupyter's server: language buttons that need no kernel, sliders without delay.

A reader may choose a language before anything has run; the first kernel then speaks it at once.
`make lab` and the wheel switch it on, and say so to the page (`posencLanguage` in its settings).
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
        """Keep it; 400 for anything that is not a language, 500 where it cannot be written."""
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
    """Return the same way from kernel to page, but with Nagle's algorithm off.

    Tornado leaves it on, and a short message then waits, up to 40 ms, until the page has
    acknowledged the one before. The page moves a slider on when it has seen four: the kernel is
    busy, the slider's value, the picture, the kernel is idle.

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
