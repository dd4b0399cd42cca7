"""Days of lateness by the class's clock, around changes of the clocks, and what they cost."""

from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from autograde.teacher.late_words import late_by, penalty_sentences
from autograde.teacher.lateness import (
    DAY,
    NOTHING_COUNTS,
    Lateness,
    LatePolicy,
    clock,
    days_late,
    extended,
    of_gradebook,
    to_gradebook,
)

BERLIN = ZoneInfo("Europe/Berlin")  # clocks change on 2026-03-29 at 02:00 and 2026-10-25 at 03:00
SHANGHAI = ZoneInfo("Asia/Shanghai")  # never
LORD_HOWE = ZoneInfo("Australia/Lord_Howe")  # by half an hour, on 2026-04-05 and 2026-10-04
NO_GRACE = timedelta(0)

zones = st.sampled_from([UTC, BERLIN, SHANGHAI, LORD_HOWE, ZoneInfo("America/New_York")])
moments = st.datetimes(datetime(2026, 2, 1), datetime(2026, 12, 1), timezones=st.just(UTC))
spans = st.timedeltas(timedelta(0), timedelta(days=40))
graces = st.timedeltas(timedelta(0), timedelta(hours=24))
policies = st.builds(
    LatePolicy,
    per_day=st.floats(0.01, 1),
    of=st.sampled_from(["maximum", "points"]),
    grace=graces,
    floor=st.floats(0, 1),
)


def berlin(*parts):
    return datetime(*parts, tzinfo=BERLIN)


@pytest.mark.parametrize(
    ("due", "handed_in", "days"),
    [
        # 23:00 on the eve of the change: its day ends at 23:00, 23 or 25 hours later
        (berlin(2026, 3, 28, 23), berlin(2026, 3, 29, 23), 1),
        (berlin(2026, 3, 28, 23), berlin(2026, 3, 29, 23, 0, 1), 2),
        (berlin(2026, 10, 24, 23), berlin(2026, 10, 25, 23), 1),
        (berlin(2026, 10, 24, 23), berlin(2026, 10, 25, 23, 0, 1), 2),
        # the same night without a change
        (datetime(2026, 10, 24, 23, tzinfo=UTC), datetime(2026, 10, 25, 23, tzinfo=UTC), 1),
        # due at 02:30, which comes twice: forty minutes later, though the clock shows less
        (berlin(2026, 10, 25, 2, 30), berlin(2026, 10, 25, 2, 10).replace(fold=1), 1),
        # in time, at the very moment, one second later
        (berlin(2026, 9, 14, 23), berlin(2026, 9, 14, 22), 0),
        (berlin(2026, 9, 14, 23), berlin(2026, 9, 14, 23), 0),
        (berlin(2026, 9, 14, 23), berlin(2026, 9, 14, 23, 0, 1), 1),
    ],
)
def test_a_day_ends_at_the_deadlines_time_of_day(due, handed_in, days):
    assert days_late(due, handed_in, due.tzinfo, NO_GRACE) == days


@given(due=moments, days=st.integers(1, 60), zone=zones, grace=graces)
def test_each_days_end_belongs_to_it_and_the_next_moment_to_the_next(due, days, zone, grace):
    end = extended(due, days, zone) + grace
    assert days_late(due, end, zone, grace) == days
    assert days_late(due, end + timedelta(microseconds=1), zone, grace) == days + 1


@given(due=moments, first=spans, more=spans, zone=zones, grace=graces)
def test_who_comes_later_is_never_less_late(due, first, more, zone, grace):
    earlier = days_late(due, due + first, zone, grace)
    assert earlier <= days_late(due, due + first + more, zone, grace)
    assert earlier <= days_late(due, due + first, zone, NO_GRACE)


@given(due=moments, span=spans, zone=zones, grace=graces)
def test_days_are_those_of_the_elapsed_time_but_for_the_hours_of_a_change(due, span, zone, grace):
    days = days_late(due, due + span, zone, grace)
    if span <= grace:
        assert days == 0
    else:
        assert (span - grace) / DAY - 1 / 12 <= days <= (span - grace) / DAY + 1 + 1 / 12


@given(due=moments, before=spans, zone=zones, grace=graces)
def test_who_is_in_time_or_within_the_grace_is_not_late(due, before, zone, grace):
    assert days_late(due, due - before, zone, grace) == 0
    assert days_late(due, due + grace, zone, grace) == 0


@given(due=moments, days=st.integers(1, 60), span=spans, zone=zones, grace=graces)
def test_an_extension_of_days_takes_as_many_off(due, days, span, zone, grace):
    later = extended(due, days, zone)
    late = days_late(due, due + span, zone, grace)
    # an hour that is skipped or comes twice may put the end of one day an hour off
    assert abs(days_late(later, due + span, zone, grace) - max(0, late - days)) <= 1
    if zone in (UTC, SHANGHAI):
        assert days_late(later, due + span, zone, grace) == max(0, late - days)


@given(due=moments, days=st.integers(1, 60), zone=st.sampled_from([BERLIN, SHANGHAI, LORD_HOWE]))
def test_an_extension_of_days_ends_at_the_same_time_of_day_where_there_is_one(due, days, zone):
    before, after = due.astimezone(zone), extended(due, days, zone).astimezone(zone)
    wall = before.replace(tzinfo=None, fold=0) + days * DAY
    skipped = wall.replace(tzinfo=zone).astimezone(UTC).astimezone(zone).replace(tzinfo=None)
    assert after.replace(tzinfo=None) == (wall if skipped == wall else skipped)


@given(moment=moments, zone=zones)
def test_the_gradebook_keeps_a_moment(moment, zone):
    assert of_gradebook(to_gradebook(moment.astimezone(zone))) == moment


@given(policy=policies, days=st.integers(0, 30), score=st.floats(0, 30), more=st.floats(0, 30))
def test_a_penalty_takes_no_more_than_there_is_nor_below_the_floor(policy, days, score, more):
    most = score + more
    penalty = policy.penalty(days, score, most)
    assert 0 <= penalty <= score
    assert penalty <= policy.penalty(days + 1, score, most)
    assert score - penalty >= min(score, policy.floor * most) - 1e-9
    uncut = days * policy.per_day * (most if policy.of == "maximum" else score)
    assert penalty in (pytest.approx(uncut), pytest.approx(max(0, score - policy.floor * most)))
    assert policy.penalty(0, score, most) == 0


@given(days=st.integers(1, 30), score=st.floats(0, 30), most=st.floats(0, 20))
def test_where_late_work_earns_nothing_nothing_is_left(days, score, most):
    assert NOTHING_COUNTS.penalty(days, score, most) == score  # extra credit among it


def test_a_moment_is_shown_by_the_clocks_of_the_class():
    moment = datetime(2026, 9, 14, 15, tzinfo=UTC)
    assert clock(moment, SHANGHAI) == "2026-09-14 23:00"
    assert clock(moment, BERLIN) == "2026-09-14 17:00"


@pytest.mark.parametrize(
    ("policy", "days", "score", "en", "zh"),
    [
        (None, 2, 15, "nothing is taken off", "不扣分"),
        (NOTHING_COUNTS, 1, 15, "earns no points", "不得分"),
        (LatePolicy(0.1), 2, 15, "2 × 10 % of the 20 points of the chapter", "每天扣满分20分的10%"),
        (LatePolicy(0.1, "points"), 1, 15, ": 10 % of the 15 points earned", "扣所得15分的10%"),
        (LatePolicy(0.1, floor=0.5), 4, 15, "below 10 points", "扣到10分"),
        (LatePolicy(0.5), 2, 15, "below 0 points", "扣到0分"),
        (LatePolicy(0.1, floor=0.5), 4, 7, "below 7 points", "扣到7分"),
        (LatePolicy(0.1, grace=timedelta(minutes=15)), 0, 15, "period of 15 minutes", "15分钟"),
    ],
)
def test_the_sentences_say_how_a_penalty_came_about(policy, days, score, en, zh):
    due = datetime(2026, 9, 14, 15, tzinfo=UTC)
    late = Lateness(due + timedelta(days=days, minutes=1), due, False, days)
    sentences = penalty_sentences(late, policy, score, 20)
    assert en in " ".join(text.en for text in sentences)
    assert zh in "".join(text.zh for text in sentences)


@pytest.mark.parametrize(
    ("seconds", "en"),
    [
        (1, "1 min"),
        (600, "10 min"),
        (3600, "1.0 h"),
        (9000, "2.5 h"),
        (86399, "1 d 0.0 h"),
        (86400, "1 d 0.0 h"),
        (2 * 86400 - 100, "2 d 0.0 h"),
        (190800, "2 d 5.0 h"),
    ],
)
def test_late_by_how_much(seconds, en):
    assert late_by(seconds).en == en
