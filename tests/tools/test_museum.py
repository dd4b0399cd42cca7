"""The museum: fresh, whole, in both languages, its rows those of the golden file."""

import json
import re
from collections import Counter

import pytest
from bs4 import BeautifulSoup
from PIL import Image

from bilingual import Text
from tests.chapters.languages import differences, misprints
from tools.museum import words
from tools.museum.page import IMAGE, PAGE, cells, museum, site_page
from tools.museum.rows import GOLDEN, golden, rows
from tools.pages import ROOT

ROWS = rows()
BY_TYPE = {row.model_type: row for row in ROWS}
TEXTS = [thing for thing in vars(words).values() if isinstance(thing, Text)]


def test_the_page_is_up_to_date():
    page = (ROOT / PAGE).read_text(encoding="utf-8")
    assert page == museum(ROWS), "stale, run `python -m tools.museum`"


def test_the_version_of_the_library_stands_on_the_page():
    version = json.loads(GOLDEN.read_text(encoding="utf-8"))["version"]
    for language in ("en", "zh"):
        assert f"transformers {version}" in site_page(ROWS, language, "")


def test_each_architecture_has_one_row_and_what_has_none_is_counted():
    names = Counter(row.model_type for row in ROWS)
    assert set(names.values()) == {1}
    upstream = {case["model_type"] for case in golden()["cases"]}
    assert names.keys() < upstream
    text = site_page(ROWS, "en", "")
    counts = [int(n) for n in re.findall(r"(\d+) (?:arch|without|whose)", text)]
    assert sum(counts) == len(upstream)


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("llama", {"kinds": ("rope",), "bases": (10000.0,), "shares": (1.0,), "still": 0}),
        ("gemma3_text", {"bases": (10000.0, 1000000.0), "windows": (4096,)}),
        ("smollm3", {"still": 9, "attending": 36, "bases": (2000000.0,)}),
        ("gpt_neox", {"shares": (0.25,)}),
        ("gemma4_text", {"shares": (1.0, 0.25)}),
        ("gpt_oss", {"scalings": ("yarn",), "windows": (128,), "trained": 4096}),
        ("bloom", {"kinds": ("alibi",), "bases": (), "year": 2022}),
        ("t5", {"kinds": ("t5",)}),
        ("bert", {"kinds": ("learned",), "trained": 512, "year": 2018}),
        ("marian", {"kinds": ("sinusoidal",)}),
        ("qwen2_vl_vision", {"kinds": ("rope_2d",)}),
    ],
)
def test_a_row_says_what_the_default_config_says(name, expected):
    assert {field: getattr(BY_TYPE[name], field) for field in expected} == expected


def test_rows_are_in_the_order_of_years():
    years = [row.year for row in ROWS]
    numbers = [year for year in years if year]
    assert numbers == sorted(numbers)
    assert years == numbers + [None] * (len(years) - len(numbers))  # last, as when sorted
    assert {*numbers} <= {*range(2018, 2027)}


@pytest.mark.parametrize("language", ["en", "zh"])
def test_each_cell_of_the_site_has_what_it_sorts_by(language):
    table = BeautifulSoup(site_page(ROWS, language, ""), "html.parser").table
    body = table.tbody.find_all("tr")
    assert len(body) == len(ROWS)
    for row, line in zip(ROWS, body, strict=True):
        assert [(td.text, td["data-key"]) for td in line.find_all("td")] == cells(row, language)
    assert len(table.thead.find_all("button")) == len(words.HEAD)


def test_both_languages_say_the_same():
    for text in TEXTS:
        assert differences(text.en, text.zh) + misprints(text.zh) == [], text


def test_the_picture_is_small():
    path = ROOT / IMAGE
    assert path.stat().st_size < 40 * 1024
    with Image.open(path) as image:
        assert image.convert("RGB").getpixel((1, 1)) == (255, 255, 255)


def test_chapter_11_counts_as_the_museum_does():
    early, late = (
        [row for row in ROWS if row.year in years]
        for years in (range(2018, 2021), range(2024, 2027))
    )
    turning = [row for row in late if row.rotating]
    tables = [row for row in late if not row.rotating and "learned" in row.kinds]
    assert not any(row.rotating for row in early)
    assert sum("alibi" in row.kinds for row in ROWS) == 2
    assert (sum(row.still > 0 for row in ROWS), sum(len(row.bases) > 1 for row in ROWS)) == (13, 12)
    assert all(row in late for row in ROWS if row.still or len(row.bases) > 1)
    text = (ROOT / "chapters" / "11_choose.py").read_text(encoding="utf-8")
    for lead, group in (
        (" ", ROWS),
        (" the ", early),
        (" the ", late),
        (" ", turning),
        (" ", tables),
    ):
        assert f"{lead}{len(group)} " in text
    for group in (ROWS, early, late, turning, tables):
        assert re.search(rf"(?<!\d){len(group)}个", text)
