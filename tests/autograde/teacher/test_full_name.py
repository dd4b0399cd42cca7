"""Names as class lists have them: hanzi without a blank, others with one."""

import pytest

from autograde.teacher.full_name import full_name


@pytest.mark.parametrize(
    ("last", "first", "name"),
    [
        ("张", "子涵", "张子涵"),
        ("Lovelace", "Ada", "Lovelace Ada"),
        ("Müller", "Jörg", "Müller Jörg"),
        ("张", "Ada", "张 Ada"),
        ("", "三", "三"),
        (" 李 ", "", "李"),
        ("", "", ""),
    ],
)
def test_a_full_name(last, first, name):
    assert full_name(last, first) == name
