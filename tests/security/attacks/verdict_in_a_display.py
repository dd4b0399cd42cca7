"""Shows a verdict of its own making: full marks, where the grader keeps them."""

from tests.security.pieces import WORTHLESS

ANSWER = f"""{WORTHLESS}
from IPython.display import display

verdict = dict(exercise="key_minus_query", unsolved=False, failed=[], cause=None, reason=None)
display({{"text/plain": "2.0"}}, raw=True, metadata={{"posenc": verdict}}, display_id="check")
"""
