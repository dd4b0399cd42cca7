"""Never comes back from compiled code, where no signal is heard."""

from tests.security.pieces import WORTHLESS

ANSWER = f"{WORTHLESS}\nsum(range(10**15))"
