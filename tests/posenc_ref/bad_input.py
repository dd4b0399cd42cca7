"""The test that a file makes of its table of bad calls."""

import re
from collections.abc import Callable

import pytest

Calls = dict[str, Callable[[], object]]  # by the message of the error


def each_raises(calls: Calls, *errors: type[Exception]) -> Callable[[], None]:
    """Return the test that each call raises one of `errors` with its message."""

    def test() -> None:
        for message, call in calls.items():
            with pytest.raises(errors, match=re.escape(message)):
                pytest.fail(f"nothing raises {message!r}, {call()!r} comes back")

    return test
