"""The sampled figures in a browser: by keyboard, by buttons, and without a script."""

import pytest

pytestmark = [pytest.mark.slow, pytest.mark.browser]


def live(page, number):
    """Return a figure with controls, scrolled to."""
    figure = page.locator("[data-frames]").nth(number)
    figure.scroll_into_view_if_needed()
    return figure


def pixels(figure, frame):
    """Return the picture once it shows this frame."""
    panels = figure.locator(f'.course-panels[data-frame="{frame}"]')
    panels.wait_for()
    return panels.evaluate(
        "panels => panels.innerHTML"
        "+ [...panels.querySelectorAll('canvas')].map(each => each.toDataURL())"
    )


def test_a_figure_with_two_controls_plays_by_keyboard(page, address, troubles):
    page.goto(f"{address}/zh/02_sinusoidal.html")
    figure = live(page, 0)
    first, second = figure.get_by_role("slider").all()
    assert first.evaluate("slider => slider.labels[0].textContent").startswith("位置p")
    seen = set()
    columns = int(second.get_attribute("max")) + 1
    for slider, key, step in ((first, "ArrowRight", columns), (second, "ArrowLeft", -1)):
        before = number(first) * columns + number(second)
        slider.focus()
        page.keyboard.press(key)
        seen.add(pixels(figure, before + step))
        value_text = slider.get_attribute("aria-valuetext")
        assert slider.evaluate("slider => slider.parentElement.querySelector('output').value") == (
            value_text
        )
    figure.get_by_role("button", name="重置").click()
    seen.add(pixels(figure, before - columns))
    assert len(seen) == 3
    assert troubles == []


def number(slider):
    return int(slider.input_value())


def test_buttons_choose_and_the_picture_follows(page, address):
    page.goto(f"{address}/en/02_sinusoidal.html")
    page.evaluate("document.querySelectorAll('details').forEach(each => each.open = true)")
    figure = live(page, 1)
    figure.locator(".course-panels[data-frame]").wait_for()
    seen = set()
    for option in figure.get_by_role("radio").all():
        option.check()
        page.wait_for_timeout(100)
        frame = figure.evaluate("figure => figure.querySelector('.course-panels').dataset.frame")
        seen.add(pixels(figure, frame))
    assert len(seen) == 4  # base has four options


def test_without_a_script_there_is_the_picture_and_no_dead_slider(browser, address):
    context = browser.new_context(java_script_enabled=False)
    page = context.new_page()
    page.goto(f"{address}/en/02_sinusoidal.html")
    figure = page.locator("[data-frames]").first
    assert figure.locator("svg").first.is_visible()
    assert not figure.get_by_role("slider").first.is_visible()
    assert "JavaScript" in figure.locator("noscript").inner_text()
    context.close()


def test_paper_has_the_picture_and_no_sliders(page, address):
    page.goto(f"{address}/en/02_sinusoidal.html")
    figure = live(page, 0)
    assert figure.get_by_role("slider").first.is_visible()
    page.emulate_media(media="print")
    assert figure.get_by_role("img").is_visible()
    assert not figure.get_by_role("slider").first.is_visible()


@pytest.mark.parametrize("name", ["en/index", "zh/02_sinusoidal"])
def test_the_name_of_a_picture_says_what_it_shows_now(page, address, name):
    page.goto(f"{address}/{name}.html")
    figure = live(page, 0)
    picture = figure.get_by_role("img")
    names = [picture.get_attribute("aria-label")]
    slider = figure.get_by_role("slider").first
    figure.locator(".course-panels[data-frame]").wait_for()
    slider.focus()
    for key in ("ArrowRight", "ArrowLeft"):
        page.keyboard.press(key)
        names.append(picture.get_attribute("aria-label"))
    assert names[0] == names[2] != names[1]  # the first is as the page was written


def test_the_contents_lead_back_to_the_section_that_was_read_last(page, address):
    page.goto(f"{address}/zh/index.html")
    assert not page.locator(".course-resume").is_visible()
    page.goto(f"{address}/zh/02_sinusoidal.html")
    heading = page.locator("article section[id] > h2").nth(2)
    heading.scroll_into_view_if_needed()
    heading.evaluate("heading => heading.scrollIntoView()")
    page.goto(f"{address}/zh/index.html")
    link = page.locator(".course-resume a")
    assert link.is_visible()
    link.click()
    page.wait_for_url("**/zh/02_sinusoidal.html#*")
