"""A folder of any name in the exchange's inbound is a student's of a plain id, or nobody's."""

import os
from datetime import datetime
from logging import getLogger
from pathlib import Path
from tempfile import TemporaryDirectory

from hypothesis import given
from hypothesis import strategies as st

from autograde.collecting.class_list import is_plain_id
from autograde.nbgrader.exchange_inbound import inbound_records
from tests.security.generated import CASES

MOST = 255  # bytes of a file's name
characters = st.characters(exclude_characters="/\0", exclude_categories=["Cs"])
part = st.text(characters, max_size=40) | st.sampled_from(["ada", "s1", "..", "-rf", "=1+1", "a b"])
times = st.datetimes().map(lambda time: f"{time:%Y-%m-%d %H:%M:%S.%f} UTC") | part
whole = st.tuples(part, part, times, part).map("+".join)
names = (whole | st.text(characters, min_size=1, max_size=80)).filter(
    lambda name: name not in (".", "..", "") and len(os.fsencode(name)) <= MOST
)


@CASES
@given(names, st.booleans())
def test_fuzz_a_name_in_the_exchange(name, is_folder):
    with TemporaryDirectory() as place:
        path = Path(place, name)
        path.mkdir() if is_folder else path.touch()
        records = inbound_records([path], getLogger(), check_owner=False)
    for record in records:
        assert isinstance(record["timestamp"], datetime)
        assert record["filename"] == name
        assert is_folder
        assert is_plain_id(record["username"])
        assert name.startswith(record["username"] + "+")
