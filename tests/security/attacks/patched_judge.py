"""Replaces `check`, the judge and the score that they give."""

from tests.security.pieces import WORTHLESS

ANSWER = f"""{WORTHLESS}
import autograde
import autograde.judge

check = autograde.check = lambda *args: 2.0
autograde.judge.judge = autograde.judge.judge_answer = lambda *args: None
autograde.judge.Verdict.score = property(lambda self: 2.0)
"""
