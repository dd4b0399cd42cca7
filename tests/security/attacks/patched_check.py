"""Replaces `check`, the scoring behind it, and the score that they give."""

from tests.security.pieces import WORTHLESS

ANSWER = f"""{WORTHLESS}
import autograde
import autograde.kit.scoring

check = autograde.check = lambda *args: 2.0
autograde.kit.scoring.evaluate = autograde.kit.scoring.evaluate_answer = lambda *args: None
autograde.kit.scoring.Verdict.score = property(lambda self: 2.0)
"""
