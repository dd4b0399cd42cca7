"""The test that a file makes of its table of bad calls, message by message."""

import re
from collections.abc import Callable

import pytest

Calls = dict[str, Callable[[], object]]  # by the message of the error


def each_raises(calls: Calls, *errors: type[Exception]) -> Callable[[str], None]:
    """Return the test that each call raises one of `errors` with its message."""

    @pytest.mark.parametrize("message", calls)
    def test(message: str) -> None:
        with pytest.raises(errors, match=re.escape(message)):
            calls[message]()

    return test
