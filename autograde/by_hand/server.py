"""The server on this machine for grading by hand.

It listens on 127.0.0.1 alone, but other users of the machine and any page in the browser can reach
it there. So its addresses begin with a token that nobody can guess, requests that change points
must come from its own pages, and its pages run no script but ours.
"""

from __future__ import annotations

import secrets
import socket
from collections.abc import Iterator
from contextlib import contextmanager
from importlib.resources import files
from typing import Any

from nbgrader.api import Gradebook, MissingEntry
from sqlalchemy.exc import SQLAlchemyError
from tornado.httpserver import HTTPServer
from tornado.netutil import bind_sockets
from tornado.web import Application, Finish, HTTPError, RequestHandler

from autograde.by_hand import words
from autograde.by_hand.desk import Desk
from autograde.by_hand.entry import Changed, Refused, read_entry, save
from autograde.by_hand.page import first_question, style, write_page
from autograde.pages.marking import points
from autograde.teacher.errors import CannotBegin, first_line
from bilingual import Text

ADDRESS = "127.0.0.1"
NAMES = (ADDRESS, "localhost")  # any other host name may be another site's (DNS rebinding)
BODY = 1 << 20  # bytes of an entry
HEADERS = {
    "Content-Security-Policy": "default-src 'none'; script-src 'self'; style-src 'self'; "
    "connect-src 'self'; img-src data:; base-uri 'none'; form-action 'none'; "
    "frame-ancestors 'none'",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Referrer-Policy": "no-referrer",
    "X-Content-Type-Options": "nosniff",
    "Cache-Control": "no-store",
}


def serve(desk: Desk, port: int = 0) -> tuple[HTTPServer, str]:
    """Serve a desk in the current event loop; return the server and its address with the token.

    port: 0 for a free one. Raises OSError if it is taken.
    """
    token = secrets.token_urlsafe(32)
    parts = {"desk": desk, "token": token}
    routes = [
        (r"/([^/]+)/", _Start, parts),
        (r"/([^/]+)/question/([^/]+)", _Question, parts),
        (r"/([^/]+)/(style\.css|by_hand\.js)", _File, parts),
        (r"/([^/]*).*", _Nothing, parts),
    ]
    application = Application(routes, log_function=lambda handler: None)  # it would log the token
    sockets = bind_sockets(port, ADDRESS, family=socket.AF_INET)
    server = HTTPServer(application, max_body_size=BODY)
    server.add_sockets(sockets)
    return server, f"http://{ADDRESS}:{sockets[0].getsockname()[1]}/{token}/"


class _Handler(RequestHandler):
    """Lets in requests with the token; entries must come from its own page."""

    def initialize(self, desk: Desk, token: str) -> None:
        self.desk, self.token = desk, token

    def set_default_headers(self) -> None:
        for name, value in HEADERS.items():
            self.set_header(name, value)

    def prepare(self) -> None:
        request = self.request
        if request.host_name not in NAMES:
            raise HTTPError(403)
        if not secrets.compare_digest(self.path_args[0].encode(), self.token.encode()):
            raise HTTPError(403)
        if request.method == "POST" and request.headers.get("Origin") != f"http://{request.host}":
            raise HTTPError(403)

    def write_error(self, status_code: int, **kwargs: Any) -> None:
        texts = {403: words.NO_ENTRY, 404: words.NOT_THERE}
        reason = self.plain(texts[status_code]) if status_code in texts else self._reason
        if self.request.method == "POST":
            self.finish({"trouble": reason})
        else:
            self.explain(status_code, reason)

    @contextmanager
    def gradebook(self) -> Iterator[Gradebook]:
        """Open the gradebook; if it cannot be read, answer with the reason and end the request."""
        try:
            with self.desk.api.gradebook as gradebook:
                yield gradebook
        except MissingEntry:
            raise HTTPError(404) from None
        except SQLAlchemyError as error:
            self.explain(503, self.plain(words.NOT_READ.format(why=first_line(error))))
            raise Finish from None
        except CannotBegin as error:
            self.explain(503, str(error))
            raise Finish from None

    def explain(self, status: int, reason: str) -> None:
        self.set_status(status)
        self.set_header("Content-Type", "text/plain; charset=utf-8")
        self.finish(reason)

    def plain(self, text: Text) -> str:
        return self.desk.marking().plain(text)


class _Nothing(_Handler):
    def get(self, token: str) -> None:
        raise HTTPError(404)


class _File(_Handler):
    def get(self, token: str, name: str) -> None:
        if name == "style.css":
            self.set_header("Content-Type", "text/css; charset=utf-8")
            self.finish(style())
        else:
            self.set_header("Content-Type", "text/javascript; charset=utf-8")
            self.finish((files("autograde.by_hand") / "templates" / name).read_bytes())


class _Start(_Handler):
    def get(self, token: str) -> None:
        with self.gradebook() as gradebook:
            name = first_question(self.desk, gradebook)
            if name is None:
                raise HTTPError(404)
            self.redirect(f"question/{name}", status=303)


class _Question(_Handler):
    def get(self, token: str, name: str) -> None:
        number = self.get_query_argument("page", "")
        page = int(number[:6]) if number.isdecimal() else None
        with self.gradebook() as gradebook:
            self.finish(write_page(self.desk, gradebook, name, page))

    def post(self, token: str, name: str) -> None:
        desk = self.desk
        try:
            entry = read_entry(name, self.request.body)
        except ValueError:
            raise HTTPError(400) from None
        try:
            with desk.api.gradebook as gradebook:
                answer = save(desk.notebooks, gradebook, entry)
                most = gradebook.find_graded_cell(name, desk.chapter, desk.chapter).max_score
            self.finish(desk.state(answer, most))
        except Refused as refused:
            self._refuse(400, refused.message)
        except Changed as changed:
            now = changed.answer
            text = words.CHANGED.format(
                points="–" if now.points is None else points(now.points), comment=now.comment
            )
            self._refuse(409, text, **now.version._asdict())
        except SQLAlchemyError as error:
            self._refuse(503, words.NOT_WRITTEN.format(why=first_line(error)))

    def _refuse(self, status: int, text: Text, **version: str) -> None:
        self.set_status(status)
        self.finish({"trouble": self.plain(text), **version})
