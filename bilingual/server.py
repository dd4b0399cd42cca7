"""An extension of Jupyter's server: the language buttons reach the settings file without a kernel.

A reader may choose before anything has run; the first kernel then speaks that language at once.
`make lab` and the wheel switch it on, and say so to the page (`posencLanguage` in its settings).
"""

from __future__ import annotations

from typing import Any

from jupyter_server.base.handlers import APIHandler
from jupyter_server.utils import url_path_join
from tornado.web import HTTPError, authenticated

from bilingual.setting import LANGUAGES, set_language


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


def _jupyter_server_extension_points() -> list[dict[str, str]]:
    return [{"module": "bilingual.server"}]


def _load_jupyter_server_extension(server: Any) -> None:
    address = url_path_join(server.web_app.settings["base_url"], "posenc/language")
    server.web_app.add_handlers(".*$", [(address, LanguageHandler)])
