"""What lies in the built files: no solution, no path, no heavy page; and how one is found."""

import random
import re

import pytest
from bs4 import BeautifulSoup

from autograde.kit.catalogue import chapter_exercises
from tests.all_chapters import CHAPTERS
from tests.site.pages import NAMES
from tools.build.assemble import assemble
from tools.build.contents import ROOT
from tools.build.unseen import is_predicted
from tools.site.weight import ALL, FIRST, too_heavy

SOLUTION = re.compile(r"### BEGIN SOLUTION\n(.*?)### END SOLUTION", re.DOTALL)
HANZI = re.compile(r"[\u4e00-\u9fff]")
pytestmark = pytest.mark.slow


def text_of(page):
    """Return the text of a page, without its markup."""
    return BeautifulSoup(page.read_text(encoding="utf-8"), "html.parser").get_text()


@pytest.mark.parametrize("name", NAMES)
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


@pytest.mark.parametrize(("page", "frames"), [(FIRST, 0), (0, ALL)])
def test_a_heavy_page_is_found_by_what_it_loads_and_can_load(tmp_path, page, frames):
    noise = random.Random(0).randbytes  # which gzip cannot make smaller
    (tmp_path / "a").mkdir()
    (tmp_path / "a" / "01.js").write_bytes(noise(frames))
    (tmp_path / "a" / "image.png").write_bytes(noise(page))
    html = '<figure data-frames="a/01.js"></figure><img src="a/image.png">'
    (tmp_path / "page.html").write_text(html)
    assert [line.partition(":")[0] for line in too_heavy(tmp_path)] == ["page.html"]
    (tmp_path / "page.html").write_text("")
    assert too_heavy(tmp_path) == []


@pytest.mark.parametrize("language", ["zh", "en"])
def test_what_the_reader_is_to_predict_is_folded_and_so_is_code_beside_a_figure(site, language):
    page = (site / language / "02_sinusoidal.html").read_text(encoding="utf-8")
    soup = BeautifulSoup(page, "html.parser")
    (chapter,) = (one for one in CHAPTERS if one.name == "02_sinusoidal")
    answers = soup.select("details.below-input")
    assert len(answers) == sum(map(is_predicted, assemble(chapter).cells)) > 0
    assert not any(details.has_attr("open") for details in answers)
    prompts = {details.summary.get_text(" ", strip=True) for details in soup.select("details.hide")}
    assert all(HANZI.search(prompt) for prompt in prompts) == (language == "zh")
    for figure in soup.select("figure.course-figure"):
        cell = figure.find_parent("div", class_="cell")
        folded = cell.select_one("details.above-input, details.below-input")
        assert folded is not None
