"""The READMEs say the same in both languages, and every link of the documents leads somewhere."""

import re
from pathlib import Path

import pytest

from tests.all_chapters import CHAPTERS
from tests.chapters.languages import HANZI, misprints
from tools.build.notebooks import BEGIN, END, READMES
from tools.build.tables import address_in_readme, chapter_table, ways_table

ROOT = Path(__file__).parents[2]
DOCUMENTS = sorted([*ROOT.glob("*.md"), *ROOT.glob("docs/*.md")])
LINK = re.compile(r"\]\(([^()\s]+)\)|src=\"([^\"]+)\"")
SAME = [r"^#+ ", r"^```\w*$", r"^\.venv\\\S+ .*$", r"^make \w+", r"`[^`\n]+`"]


def read(name: str) -> str:
    return (ROOT / name).read_text(encoding="utf-8")


def links(text: str) -> set[str]:
    return {link or source for link, source in LINK.findall(text)}


@pytest.mark.parametrize(("name", "language"), READMES.items())
def test_the_readme_has_the_commands_and_an_up_to_date_table(name, language):
    assert "\nmake lab " in read(name)
    assert "\nmake test " in read(name)
    table = read(name).partition(BEGIN)[2].partition(END)[0].strip()
    parts = (ways_table(CHAPTERS, address_in_readme), chapter_table(CHAPTERS, "notebooks/"))
    expected = "\n\n".join(part.in_language(language) for part in parts)
    assert table == expected, "run `make build`"


@pytest.mark.parametrize("part", SAME)
def test_both_have_the_same_sections_commands_and_code(part):
    en, zh = (sorted(re.findall(part, read(name), re.MULTILINE)) for name in READMES)
    assert en == zh


def test_both_have_the_same_links_and_each_links_the_other():
    en, zh = (links(read(name)) for name in READMES)
    assert en - zh == {"README.zh.md"}
    assert zh - en == {"README.md"}


def test_links_lead_somewhere(subtests):
    for path in DOCUMENTS:
        with subtests.test(path=path):
            text = path.read_text(encoding="utf-8")
            local = [link for link in links(text) if not link.startswith("https://")]
            headings = re.findall(r"^#+ (.+)$", text, re.MULTILINE)
            anchors = {re.sub(r"[^\w -]", "", one.lower()).replace(" ", "-") for one in headings}
            lost = [link for link in local if not _leads(link, path, anchors)]
            assert lost == []


def _leads(link: str, path: Path, anchors: set[str]) -> bool:
    return link[1:] in anchors if link.startswith("#") else (path.parent / link).exists()


def test_chinese_is_set_by_the_rules(subtests):
    for path in DOCUMENTS:
        with subtests.test(path=path):
            lines = path.read_text(encoding="utf-8").splitlines()
            # a line of both languages, such as a row of the glossary, is set as its columns are
            chinese = [one for one in lines if len(re.findall(f"[{HANZI}]", one)) > len(one) / 3]
            assert [problem for line in chinese for problem in misprints(line)] == []
