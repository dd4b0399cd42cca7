"""Names as their bearers have them: hanzi without a blank, family name first; others as spoken."""

import pytest

from autograde.teacher.full_name import full_name


@pytest.mark.parametrize(
    ("last", "first", "name"),
    [
        ("张", "子涵", "张子涵"),
        ("Lovelace", "Ada", "Ada Lovelace"),
        ("O'Brien", "Zoë Ann", "Zoë Ann O'Brien"),
        ("张", "Ada", "Ada 张"),
        ("김", "철수", "김철수"),
        ("李\u3000雷", "", "李雷"),
        ("欧阳", "\u3000娜娜", "欧阳娜娜"),
        ("Ada\u3000\t Lovelace", "", "Ada Lovelace"),
        ("Ada 张", "", "Ada 张"),
        ("", "三", "三"),
        (" 李 ", "", "李"),
        ("", "", ""),
    ],
)
def test_a_full_name(last, first, name):
    assert full_name(last, first) == name
