"""A process of the pool that dies takes nobody's grade with it."""

import os
from concurrent.futures.process import BrokenProcessPool

import pytest

from autograde.grading.ahead import Ahead
from autograde.grading.options import JudgeOptions
from autograde.grading.pool import Judges


def test_a_broken_pool_is_replaced():
    with Judges(1) as judges:
        assert judges.submit(abs, -3).result() == 3
        with pytest.raises(BrokenProcessPool):
            judges.submit(os._exit, 1).result()
        assert judges.submit(abs, -4).result() == 4


def test_what_the_broken_pool_had_begun_is_judged_again(monkeypatch):
    with Judges(1) as judges:
        ahead = Ahead(judges, JudgeOptions())
        key = ahead.begin([], {})
        ahead.begun[key] = judges.submit(os._exit, 1)  # the process dies over it
        ahead.judge([], {})  # no error
        assert not ahead.begun
