"""The site in a browser: both languages, a search, formulas, nothing that shuts out."""

import re

import pytest
from axe_playwright_python.sync_playwright import Axe

from autograde.kit.catalogue import chapter_exercises, questions

pytestmark = [pytest.mark.slow, pytest.mark.browser]
WIDE, PHONE = {"width": 1440, "height": 900}, {"width": 390, "height": 844}
CHECKED = (  # Chinese pages in the dark theme, English ones in the light: the longest in both
    *("zh/index.html", "en/00_start.html", "zh/02_sinusoidal.html", "en/02_sinusoidal.html"),
    *("en/search.html", "zh/search.html?q=波长"),
)
SIMPLER = """() => {
  document.querySelectorAll("math").forEach((each) => each.replaceWith("x"));
  const kinds = new Set();
  for (const word of document.querySelectorAll(".highlight span[class]")) {
    if (kinds.has(word.className)) word.replaceWith(word.textContent);
    kinds.add(word.className);
  }
}"""
HANZI = re.compile(r"[\u4e00-\u9fff]")


@pytest.mark.parametrize(("locale", "language"), [("zh-CN", "zh"), ("fr", "en")])
def test_the_start_page_follows_the_browser_then_the_last_language_read(
    browser, address, locale, language
):
    context = browser.new_context(locale=locale)
    page = context.new_page()
    page.goto(address)
    page.wait_for_url(f"{address}/{language}/index.html")
    page.click(".course-language")
    other = {"zh": "en", "en": "zh"}[language]
    page.wait_for_url(re.compile(f"{address}/{other}/index.html"))
    page.goto(address)
    page.wait_for_url(f"{address}/{other}/index.html")
    context.close()


@pytest.mark.parametrize("language", ["zh", "en"])
def test_formulas_are_drawn(page, address, language):
    page.goto(f"{address}/{language}/02_sinusoidal.html")
    formulas = page.locator("math")
    assert formulas.count() > 100
    sizes = formulas.evaluate_all(
        "all => all.filter(one => one.checkVisibility()).map(one => one.getBoundingClientRect())"
        ".map(box => Math.min(box.width, box.height))"
    )
    assert min(sizes) > 2
    assert page.locator("math", has_text="\\").count() == 0
    assert [text for text in page.locator("article p").all_inner_texts() if "$" in text] == []


@pytest.mark.parametrize(
    ("language", "words"),
    [("zh", "波长"), ("zh", "正弦位置编码"), ("zh", "点积怎样变化"), ("en", "wavelengths")],
)
def test_the_search_finds(page, address, troubles, language, words):
    page.goto(f"{address}/{language}/search.html?q={words}")
    page.locator("#search-results li a[href*='02_sinusoidal']").first.wait_for()
    assert troubles == []


@pytest.mark.parametrize("language", ["zh", "en"])
def test_labels_hints_and_quiz_are_in_the_language_of_the_page(page, address, language):
    page.goto(f"{address}/{language}/02_sinusoidal.html")
    own = page.locator("h1, h2, h3, figure label > span, figure legend").all_inner_texts()
    own += page.locator("figure [role=img]").evaluate_all("all => all.map(one => one.ariaLabel)")
    chinese = [words for words in own if HANZI.search(words)]
    assert len(chinese) > 20 if language == "zh" else chinese == []
    hints = sum(len(task.hints) for task in chapter_exercises("02_sinusoidal"))
    assert page.locator(".course-hint").count() == hints
    options = sum(len(task.options) for task in questions("sinusoidal"))
    assert page.locator(".course-option").count() == options


@pytest.mark.parametrize("name", CHECKED)
def test_axe_finds_nothing_serious(page, address, name):
    """A letter stands for each formula, one word of code for all of its colour: axe is slow."""
    scheme = "dark" if name.startswith("zh") else "light"
    # a colour half way between two themes is nobody's choice
    page.emulate_media(color_scheme=scheme, reduced_motion="reduce")
    page.set_viewport_size(WIDE if "02" in name else PHONE)
    page.goto(f"{address}/{name}")
    page.wait_for_load_state("networkidle")
    page.evaluate("document.querySelectorAll('details').forEach(each => each.open = true)")
    page.evaluate(SIMPLER)
    violations = Axe().run(page).response["violations"]
    serious = [
        (one["id"], one["nodes"][0]["html"])
        for one in violations
        if one["impact"] in ("serious", "critical")
    ]
    assert serious == []
