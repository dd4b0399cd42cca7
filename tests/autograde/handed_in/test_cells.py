"""A notebook that an honest program wrote oddly is graded as one that it wrote well."""

import base64
import copy
import json
import struct
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from autograde.handed_in.cells import GB18030, SubmittedCell, cells_of, encoding_of, read_cells
from autograde.handed_in.files import NotGradable
from autograde.handed_in.limits import PASTED_PIXELS

ROOT = Path(__file__).resolve().parents[3]
BOOK = json.loads((ROOT / "solutions/00_start/00_start.ipynb").read_text(encoding="utf-8"))
PLAIN = cells_of(BOOK)
ENCODINGS = ["utf-8", "utf-8-sig", "utf-16", "utf-16-be", "utf-32", "gb18030"]


def older(book, cell):
    book["nbformat_minor"] = 0
    cell.pop("id", None)


def same_ids(book, cell):
    cell["id"] = "the-same"


def windows_lines(book, cell):
    cell["source"] = "".join(cell["source"]).replace("\n", "\r\n")


def one_string(book, cell):
    cell["source"] = "".join(cell["source"])


def colab(book, cell):
    book["metadata"] |= {"accelerator": "GPU", "colab": {"provenance": [], "toc_visible": True}}
    cell["metadata"] |= {"id": "aB-3x", "outputId": "0", "colab": {"height": 34, "base_uri": "x"}}


def visual_studio_code(book, cell):
    book["metadata"] = {"language_info": {"name": "python"}, "vscode": {"interpreter": {"hash": 1}}}
    cell["metadata"]["vscode"] = {"languageId": "python"}


def foreign_outputs(book, cell):
    kinds = ["application/vnd.plotly.v1+json", "application/vnd.jupyter.widget-view+json", "a/b"]
    cell["outputs"] = [{"output_type": "display_data", "data": {kind: {}}} for kind in kinds]


def invalid_outputs(book, cell):
    cell["outputs"], cell["execution_count"] = [{"x": 1}, None, float("inf")], "In [3]"


def not_a_number(book, cell):
    book["metadata"]["loss"] = float("nan")
    cell["metadata"]["loss"] = [float("nan"), -float("inf")]


def half_characters(book, cell):
    cell["metadata"]["\udc80"] = "\ud800"


def bare(book, cell):
    book.pop("nbformat", None)
    book.pop("metadata", None)
    for name in ("outputs", "execution_count", "id"):
        cell.pop(name, None)
    if "nbgrader" not in cell.get("metadata", {}):
        cell.pop("metadata", None)


ODDITIES = [
    older, same_ids, windows_lines, one_string, colab, visual_studio_code, foreign_outputs,
    invalid_outputs, not_a_number, half_characters, bare,
]  # fmt: skip


@settings(deadline=None)
@given(
    st.lists(st.sampled_from(ODDITIES), unique=True).map(
        lambda odd: sorted(odd, key=ODDITIES.index)
    ),
    st.sampled_from(ENCODINGS),
    st.booleans(),
    st.sampled_from([None, 1, "\r\n"]),
)
def test_an_odd_notebook_has_the_cells_of_a_plain_one(oddities, encoding, ascii_only, indent):
    book = copy.deepcopy(BOOK)
    for oddity in oddities:
        for cell in book["cells"]:
            oddity(book, cell)
    content = json.dumps(
        book, ensure_ascii=ascii_only or half_characters in oddities, indent=indent
    )
    assert read_cells(content.encode(encoding)) == PLAIN


def test_what_is_not_in_utf_is_read_as_editors_in_china_save_it():
    text = json.dumps({"cells": [{"cell_type": "markdown", "source": "位置"}]}, ensure_ascii=False)
    assert [encoding_of(text.encode(one)) for one in ("gb18030", "utf-8")] == [GB18030, "utf-8"]
    for encoding in ("gb18030", "gbk", "gb2312"):
        assert read_cells(text.encode(encoding)) == [SubmittedCell("markdown", "位置")]


def test_half_a_character_in_a_source_is_a_question_mark():
    (cell,) = cells_of({"cells": [{"cell_type": "code", "source": ["'\ud800'"]}]})
    assert cell == SubmittedCell("code", "'?'")


@pytest.mark.parametrize(
    ("content", "why"),
    [
        (b"", "Expecting value"),
        (b"\x80", "can't decode"),
        (b"[1, 2", "Expecting"),
        (b'{"worksheets": []}', "nbformat 4"),
        (b"[" * 100_000, "Recursion"),
        (b'{"a": ' + b"9" * 5000 + b"}", "digits"),
        (b'{"cells": [{"cell_type": "code"}]}', "cell 1 has no source"),
        (b'{"cells": [{"cell_type": "heading", "source": ""}]}', "cell 1 is neither"),
    ],
)
def test_what_is_not_a_notebook_is_refused_with_a_reason(content, why):
    with pytest.raises(NotGradable, match=why):
        read_cells(content)


@pytest.mark.parametrize(("points", "keeps"), [(8, True), (20_000, False)])
def test_a_pasted_picture_of_more_points_than_a_page_shows_is_dropped(points, keeps):
    header = struct.pack(">8sI4sII", b"\x89PNG\r\n\x1a\n", 13, b"IHDR", points, points)
    pasted = {"image.png": {"image/png": base64.b64encode(header).decode()}}
    cell = {"cell_type": "markdown", "source": "words", "attachments": pasted}
    (read,) = cells_of({"cells": [cell]})
    assert read.pictures == (pasted if keeps else {})


def test_pasted_pictures_share_one_limit_of_pixels():
    header = struct.pack(">8sI4sII", b"\x89PNG\r\n\x1a\n", 13, b"IHDR", 7000, 7000)
    bundle = {"image/png": base64.b64encode(header).decode()}
    cell = {"cell_type": "markdown", "source": "", "attachments": {"a": bundle, "b": bundle}}
    read = cells_of({"cells": [cell, cell]})
    assert sum(len(each.pictures) for each in read) * 7000**2 <= PASTED_PIXELS
    assert read[0].pictures == cell["attachments"]
