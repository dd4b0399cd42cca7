"""Why a teacher's command stops, in one line."""

from __future__ import annotations


class CannotBegin(Exception):
    """A command cannot do its work; the message says why and what to do."""

    def __init__(self, message: object) -> None:
        """Show the message, a Text or another error, in the reader's language."""
        super().__init__(str(message))


def first_line(error: BaseException) -> str:
    """Return an error's type and the first line of what it says; SQLAlchemy's have many."""
    return f"{type(error).__name__} {error}".strip().partition("\n")[0]
