"""What a student chose reaches a terminal as text that it does not obey."""

import pytest

from autograde.handed_in.escaped import escaped


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("张三 é\\n", "张三 é\\n"),
        ("\x1b[2J", "\\x1b[2J"),
        ("a\r\nb\t", "a\\r\\nb\\t"),
        ("\u202ea\u200b", "\\u202ea\\u200b"),
        ("\udc80", "\\udc80"),  # of a file name that is not UTF-8
    ],
)
def test_what_is_not_printable_is_its_code(text, line):
    assert escaped(text) == line
