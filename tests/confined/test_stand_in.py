"""What graded code has in place of the reference accepts every operation."""

import operator

import pytest

from confined.stand_in import StandIn


@pytest.mark.parametrize("name", ["iadd", "isub", "imul", "itruediv", "imatmul", "ipow", "ior"])
def test_a_value_that_is_changed_in_place_is_a_stand_in(name):
    assert isinstance(getattr(operator, name)(StandIn(), 2), StandIn)
    assert isinstance(getattr(operator, name)(2, StandIn()), StandIn)


def test_a_loop_over_it_ends_at_once_and_it_unpacks_into_the_names_that_there_are():
    assert [*StandIn()] == []
    first, second = StandIn()
    assert [type(first), type(second)] == [StandIn, StandIn]
