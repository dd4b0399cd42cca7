"""Never ends the cell."""

from tests.security.pieces import WORTHLESS

ANSWER = f"{WORTHLESS}\nwhile True:\n    pass"
