"""What lies in the built files: no solution, and no page that is too heavy."""

import re

import pytest
from bs4 import BeautifulSoup

from autograde.kit.catalogue import chapter_exercises
from tests.site.small import CHAPTERS
from tools.build.contents import ROOT
from tools.site.weight import LIMIT, too_heavy

SOLUTION = re.compile(r"### BEGIN SOLUTION\n(.*?)### END SOLUTION", re.DOTALL)
pytestmark = pytest.mark.slow


def text_of(page):
    """Return the text of a page, without its markup."""
    return BeautifulSoup(page.read_text(encoding="utf-8"), "html.parser").get_text()


@pytest.mark.parametrize("name", CHAPTERS)
def test_no_line_of_a_solution_is_on_a_page(site, name):
    text = (ROOT / "chapters" / f"{name}.py").read_text(encoding="utf-8")
    open_text = SOLUTION.sub("", text)
    for task in chapter_exercises(name):  # the last hint may come close to a line
        open_text += "".join(hint.en + hint.zh for hint in task.hints)
    lines = {line.strip() for part in SOLUTION.findall(text) for line in part.splitlines()}
    secret = {line for line in lines if len(line) > 12 and line not in open_text}
    assert secret
    for language in ("zh", "en"):
        page = text_of(site / language / f"{name}.html")
        assert "def " in page
        assert [line for line in secret if line in page] == []


def test_no_solution_mark_or_answer_of_a_teacher_is_in_any_file(site):
    for path in [*site.rglob("*.html"), *site.rglob("*.js")]:
        assert "BEGIN SOLUTION" not in path.read_text(encoding="utf-8"), path


def test_no_path_of_this_machine_is_in_the_site(site):
    for page in site.rglob("*.html"):
        assert str(ROOT) not in page.read_text(encoding="utf-8")


def test_no_page_is_too_heavy(site):
    assert too_heavy(site) == []


def test_a_heavy_page_is_found_by_what_it_can_load(tmp_path):
    (tmp_path / "page.html").write_text('<figure data-strips="a/01"></figure>')
    (tmp_path / "a").mkdir()
    for number in range(2):
        (tmp_path / "a" / f"01-{number}.webp").write_bytes(bytes(LIMIT // 2))
    assert [line.partition(":")[0] for line in too_heavy(tmp_path)] == ["page.html"]
