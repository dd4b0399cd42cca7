"""Whatever files are handed in, they are cells and bytes within the limits, or not gradable."""

import json
import os
from pathlib import Path
from tempfile import TemporaryDirectory

import nbformat
from hypothesis import given
from hypothesis import strategies as st
from nbformat.v4 import new_notebook
from nbgrader.coursedir import CourseDirectory

from autograde.grading.journal import fingerprint
from autograde.grading.rebuild import rebuild
from autograde.handed_in import files
from autograde.handed_in.cells import read_cells
from autograde.handed_in.files import NotGradable, read_submission, remove_links
from autograde.handed_in.left_out import leave_out
from autograde.handed_in.limits import BESIDE_BYTES, BESIDE_FILES, DEEPEST
from autograde.handed_in.paths import is_legible, is_plain, paths_below
from autograde.handed_in.timestamp import NAME, set_odd_timestamp_aside
from tests.security.generated import CASES, JSON, WORDS
from tests.security.handed_in import record
from tests.security.pieces import EXERCISE

RECORD = record()
ENCODINGS = ["utf-8", "utf-8-sig", "utf-16", "utf-16-le", "utf-16-be", "utf-32", "gb18030"]
SOURCE = WORDS | st.lists(WORDS, max_size=3) | st.just("\ud800") | JSON
PICTURE = st.dictionaries(st.sampled_from(["image/png", "text/html"]), st.just("aa") | JSON)
CELL = JSON | st.fixed_dictionaries(
    {"cell_type": st.sampled_from(["code", "markdown", "raw", "heading"]) | JSON, "source": SOURCE},
    optional={
        "metadata": st.fixed_dictionaries(
            {"nbgrader": st.fixed_dictionaries({"grade_id": st.just(EXERCISE) | JSON})}
        )
        | JSON,
        "attachments": st.dictionaries(WORDS | st.just("\udfff"), PICTURE | JSON, max_size=3)
        | JSON,
        "outputs": JSON,
    },
)
BOOK = st.fixed_dictionaries(
    {"cells": st.lists(CELL, max_size=5) | JSON}, optional={"nbformat": JSON}
)


@CASES
@given(BOOK | JSON, st.sampled_from(ENCODINGS), st.binary(max_size=3), st.integers(0, 400))
def test_bytes_are_cells_that_can_be_saved_or_not_gradable(book, encoding, noise, place):
    content = json.dumps(book).encode(encoding)
    content = content[:place] + noise + content[place:] if noise else content
    try:
        cells = rebuild(read_cells(content), RECORD)
    except NotGradable:
        return
    notebook = new_notebook(cells=cells)
    nbformat.validate(notebook)
    nbformat.v4.writes_json(notebook).encode()


PART = st.sampled_from(
    [
        "a",
        "b",
        ".c",
        "d.ipynb",
        "e" * 255,
        "--",
        "位",
        "\udcff",
        " ",
        "\x1b[2J",
        "a\nb",
        "\u202e.ipynb",
    ]
)
ENTRY = st.tuples(
    st.lists(PART, min_size=1, max_size=DEEPEST + 3).map(lambda parts: "/".join(parts)),
    st.sampled_from(["file", "sparse", "link", "pipe", "folder"]),
    st.binary(max_size=20),
)


def make(folder, entries):
    for name, kind, content in entries:
        path = folder / name
        if os.path.lexists(path):
            continue
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            if kind == "folder":
                path.mkdir()
            elif kind == "pipe":
                os.mkfifo(path)
            elif kind == "link":
                path.symlink_to("/etc/hostname")
            else:
                path.write_bytes(content)
                os.truncate(path, 1 << 40 if kind == "sparse" else len(content))
        except OSError:  # too long, or below a file
            continue


@CASES
@given(st.lists(ENTRY, max_size=8))
def test_of_what_lies_beside_a_notebook_files_within_the_limits_are_taken(entries):
    with TemporaryDirectory() as place:
        folder = Path(place) / "submitted" / "start"
        folder.mkdir(parents=True)
        (folder / "start.ipynb").write_bytes(b"{}")
        make(folder, entries)
        remove_links(folder)
        submitted = read_submission(folder / "start.ipynb", folder / "no source").files
        assert len(submitted) <= BESIDE_FILES
        assert sum(map(len, submitted.values())) <= BESIDE_BYTES
        assert not [name for name in submitted if name.endswith(files.NOTEBOOK)]
        before = fingerprint(folder)
        leave_out(folder)
        assert fingerprint(folder) == before
        inside = paths_below(folder)
        assert all(is_legible(path.relative_to(folder).as_posix()) for path in inside)
        left = [path for path in inside if path.suffix != files.NOTEBOOK]
        assert {path.relative_to(folder).as_posix() for path in left} == set(submitted)
        assert all(map(is_plain, left))


MOMENTS = st.sampled_from(
    ["2026-09-14 12:15:00 UTC", "2026-09-14 12:15:00.5 Asia/Shanghai", "2026-09-14T23:00:00+08:00"]
)
ODD = st.sampled_from(["/dev/zero", "/proc/kmsg", "../x", "9" * 50, "0000-00-00", "٣", "UTC", " "])
TIME = st.binary(max_size=120) | st.lists(MOMENTS | ODD | WORDS, max_size=3).map(
    lambda words: " ".join(words).encode("utf-8", "replace")
)


def place_timestamp(path, kind, content):
    if kind == "folder":
        path.mkdir()
        (path / "within").write_bytes(content)
    elif kind == "pipe":
        os.mkfifo(path)
    elif kind == "link":
        (path.parent / "moment").write_text("2026-09-14 12:15:00 UTC")
        path.symlink_to("moment")
    else:
        path.write_bytes(content)
        os.truncate(path, 1 << 40 if kind == "enormous" else len(content))


KINDS = st.sampled_from(["file", "enormous", "folder", "pipe", "link"])


@CASES
@given(TIME, KINDS, st.none() | KINDS)
def test_a_timestamp_is_one_that_nbgrader_reads_or_is_set_aside(content, kind, in_the_way):
    with TemporaryDirectory() as place:
        path = Path(place) / NAME
        place_timestamp(path, kind, content)
        if in_the_way:
            place_timestamp(path.with_name(f"{NAME}.unreadable"), in_the_way, b"mine")
        before = len(list(path.parent.iterdir()))
        set_odd_timestamp_aside(path.parent)
        CourseDirectory().get_existing_timestamp(place)
        assert len(list(path.parent.iterdir())) == before
        assert not path.exists() or kind == "file"
