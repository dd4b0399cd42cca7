"""What a zip archive may cost, whatever its headers say; and which are left out, and why."""

import io
import os
import struct
import tracemalloc
import zipfile
from contextlib import suppress

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from autograde.collecting.archives import Archive
from autograde.collecting.limits import STUDENT, Allowance, DoesNotCount
from autograde.handed_in.files import NOTEBOOK_BYTES
from tests.autograde.collecting.a_class import FILE, planned, put, whose, zipped

MIB = 1 << 20
MOODLE = "张三_1_assignsubmission_file_"
ADA = f"Ada Lovelace_2_assignsubmission_file_{FILE}"


def reasons(plan):
    return {one.file.rsplit("/", 1)[-1]: one.why.en for one in plan.left_out}


@pytest.fixture
def archive(tmp_path):
    return tmp_path / "archive"


def bomb(count, size):
    """Return an archive of `count` notebooks of `size` zeros each."""
    data = io.BytesIO()
    with zipfile.ZipFile(data, "w", zipfile.ZIP_DEFLATED) as file:
        for number in range(count):
            file.writestr(f"{number}_{FILE}", b"\0" * size)
    return data.getvalue()


def test_a_bomb_costs_no_more_than_one_student_may(tmp_path):
    """S9: 300 kB of a student's were unpacked to 308 MB on the disk."""
    theirs = {f"{MOODLE}homework.zip": bomb(6, 49 * MIB)}
    assert len(theirs[f"{MOODLE}homework.zip"]) < 400_000
    files = theirs | {ADA: "{}"}
    for name, content in (("packed", {"all.zip": zipped(files)}), ("by themselves", files)):
        archive = tmp_path / name
        put(archive, content)
        tracemalloc.start()
        plan = planned(archive)
        _, peak = tracemalloc.get_traced_memory()
        tracemalloc.stop()
        assert peak < 4 * NOTEBOOK_BYTES, name
        assert plan.notebooks.keys() == {"20260001", "ada"}, name
        assert sum(path.stat().st_size for path in archive.rglob("*") if path.is_file()) < 500_000


def test_a_notebook_has_a_limit_whatever_its_header_says(archive):
    content = bytearray(zipped({f"{MOODLE}{FILE}": "\0" * (51 * MIB), ADA: "{}"}))
    for start in (content.find(b"PK\1\2") + 24, 22):  # its size, in the two headers
        content[start : start + 4] = struct.pack("<I", 100)
    put(archive, {"all.zip": bytes(content)})
    plan = planned(archive)
    assert plan.notebooks.keys() == {"ada"}
    assert f"{MOODLE}{FILE}" in reasons(plan)


@pytest.mark.parametrize(
    ("name", "content", "reason"),
    [
        ("homework.zip", b"PK\3\4 and no more", "cannot be unpacked (BadZipFile)"),
        ("homework.zip", zipped({f"work/{FILE}": "{}"})[:80], "cannot be unpacked (BadZipFile)"),
        ("homework.zip", {"notes.txt": "mine"}, "no notebook in it"),
        ("homework.zip", {"hw/inner.zip": "PK"}, "only another archive (hw/inner.zip)"),
        ("homework.zip", {"a\x1b.rar": "Rar!"}, "only another archive (a\\x1b.rar)"),
        ("homework.zip", {f"../../{FILE}": "{}"}, "leads out of the archive"),
        ("homework.zip", {f"/{FILE}": "{}"}, "leads out of the archive"),
        ("homework.zip", {f"..\\{FILE}": "{}"}, "leads out of the archive"),
        ("homework.zip", {f"{'a/' * 40}{FILE}": "{}"}, "leads out of the archive"),
        ("homework.zip", dict.fromkeys(map(str, range(1500)), ""), "more than 1000"),
        ("homework.zip", dict.fromkeys(map(str, range(20_000)), ""), "more than 1000"),
        ("homework.rar", b"Rar!", "only a .zip is opened: unpack this archive"),
        ("05_rope.ipynb.txt", b"{}", "its name ends in .txt: take that off"),
        ("homework.pdf", b"%PDF", "neither a notebook nor a .zip"),
    ],
)  # fmt: skip
def test_an_archive_that_is_left_out_says_why(archive, name, content, reason):
    content = zipped(content) if isinstance(content, dict) else content
    put(archive, {"all.zip": zipped({ADA: "{}"}), f"{MOODLE}{name}": content})
    plan = planned(archive)
    assert plan.notebooks.keys() == {"ada"}
    assert [reason in why for why in reasons(plan).values()] == [True]


@pytest.mark.parametrize("method", [zipfile.ZIP_BZIP2, zipfile.ZIP_LZMA])
def test_methods_that_cannot_be_limited_are_not_unpacked(archive, method):
    data = io.BytesIO()
    with zipfile.ZipFile(data, "w", method) as file:
        file.writestr(FILE, b"\0" * (20 * MIB))
    put(archive, {f"{MOODLE}a.zip": data.getvalue()})
    plan = planned(archive)
    assert plan.notebooks == {}
    assert ["unusual method" in why for why in reasons(plan).values()] == [True]


def test_a_student_has_so_many_archives_and_no_more(archive):
    packed = zipped({FILE: "{}"})
    put(archive, {f"{MOODLE}{number}.zip": packed for number in range(25)})
    plan = planned(archive)
    assert len(plan.notebooks["20260001"].earlier) == 19
    assert len(plan.left_out) == 5


def test_notebooks_that_cannot_be_read_are_tried_three_times(archive):
    """Each costs as much as a notebook may: a thousand would be an hour of the teacher's."""
    large = zipped({f"{number}_{FILE}": "\0" * (51 * MIB) for number in range(4)})
    put(archive, {f"{MOODLE}a.zip": large})
    plan = planned(archive)
    assert plan.notebooks == {}
    assert ["larger" in why for why in reasons(plan).values()] == [True, True, True, False]


def test_links_and_pipes_are_not_followed(archive, tmp_path):
    put(tmp_path, {"secret": "{}"})
    put(archive, {ADA: "{}"})
    (archive / f"{MOODLE}{FILE}").symlink_to(tmp_path / "secret")
    os.mkfifo(archive / f"{MOODLE}2.ipynb")
    plan = planned(archive)
    assert plan.notebooks.keys() == {"ada"}
    assert all("link or a device" in why for why in reasons(plan).values())


def test_names_in_gbk_and_utf8_are_read(archive):
    for who, encoding in (("张三", "gbk"), ("李四", "utf-8")):
        name = who.encode(encoding)
        content = zipped({f"{'N' * len(name)}_1_assignsubmission_file_{FILE}": "{}"})
        put(archive, {f"{encoding}.zip": content.replace(b"N" * len(name), name)})
    assert whose(planned(archive)).keys() == {"20260001", "20260002"}


def test_a_name_written_apart_is_the_name_written_together(archive):
    put(
        archive,
        {"macos.zip": zipped({f"Jose\u0301 Garci\u0301a_1_assignsubmission_file_{FILE}": ""})},
    )
    assert whose(planned(archive)).keys() == {"jose"}


@pytest.mark.parametrize("letter", [0, ord(".")])
def test_a_file_without_a_name_stops_nobody(archive, letter):
    """In 10 000 spoiled archives one; up to Python 3.11 `zipfile` takes the last letter of none."""
    content = bytearray(zipped({"a": "{}"}))
    content[content.find(b"PK\1\2") + 46] = letter
    put(archive, {f"{MOODLE}a.zip": bytes(content), ADA: "{}"})
    plan = planned(archive)
    assert plan.notebooks.keys() == {"ada"}
    assert ["cannot be unpacked" in why for why in reasons(plan).values()] == [True]


WHOLE = zipped({f"work/{FILE}": "{}" * 50, "notes.txt": "mine", "inner.zip": "PK"})


@given(
    st.lists(st.tuples(st.integers(0, len(WHOLE) - 1), st.integers(0, 255)), max_size=12),
    st.integers(0, len(WHOLE)),
)
@settings(max_examples=200, deadline=None)
def test_a_spoiled_archive_is_read_or_left_out_and_nothing_else(changes, end):
    content = bytearray(WHOLE)
    for place, value in changes:
        content[place] = value
    allowance = Allowance(MIB)
    with suppress(DoesNotCount):
        archive = Archive(bytes(content[:end] if end % 3 == 0 else content), STUDENT)
        for member in archive.members:
            assert len(archive.read(member, allowance)) <= MIB
