"""Every figure of every chapter is described in words under it, in both languages."""

import re
from itertools import takewhile

import jupytext
import pytest

from tests.all_chapters import CHAPTERS, cells_of

DRAWS = re.compile(r"^(?:explore|picture)\(", re.MULTILINE)
SAYS = {"en": re.compile(r"^\*Picture: ", re.MULTILINE), "zh": re.compile("^\\*图：", re.MULTILINE)}


def undescribed(cells):
    """Return the first lines of figures whose next prose does not describe them."""
    figures = []
    for number, cell in enumerate(cells):
        if draws(cell):
            after = takewhile(lambda each: not draws(each), cells[number + 1 :])
            prose = [each for each in after if each.cell_type == "markdown"][:2]
            by_language = {each.metadata.get("lang"): each.source for each in prose}
            if not all(says.search(by_language.get(lang, "")) for lang, says in SAYS.items()):
                figures.append(DRAWS.split(cell.source)[1][:60])
    return figures


def draws(cell):
    return cell.cell_type == "code" and DRAWS.search(cell.source) is not None


@pytest.mark.parametrize("chapter", CHAPTERS, ids=lambda chapter: chapter.name)
def test_every_figure_is_described(chapter):
    assert undescribed(cells_of(chapter.name)) == []


@pytest.mark.parametrize(
    ("after", "figures"),
    [
        ('# %% [markdown] lang="en"\n# *Picture: x*\n# %% [markdown] lang="zh"\n# *图：一*', []),
        (
            '# %% [markdown] lang="en"\n# *Picture: x*\n# %% [markdown] lang="zh"\n# 图：一',
            ["show, k=1)"],
        ),
        ('# %% [markdown] lang="en"\n# Prose\n# %% [markdown] lang="zh"\n# 文字', ["show, k=1)"]),
        ("", ["show, k=1)"]),
    ],
)
def test_a_figure_without_a_description_is_found(after, figures):
    text = f"# %%\nexplore(show, k=1)\n\n{after}\n"
    assert undescribed(jupytext.reads(text, fmt="py:percent").cells) == figures
