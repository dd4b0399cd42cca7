"""The language switch without a browser: its outputs, and what its buttons tell Python."""

import re

import ipywidgets
import pytest

from bilingual import language, set_language, switch
from bilingual.switch import language_switch


@pytest.fixture(autouse=True)
def outputs(monkeypatch, tmp_path):
    """Collect what would be displayed; settings of its own."""
    monkeypatch.setenv("POSENC_DATA_DIR", str(tmp_path))
    monkeypatch.setenv("POSENC_LANGUAGE", "both")
    monkeypatch.delenv("POSENC_LANGUAGE")
    bundles = []
    monkeypatch.setattr(switch, "display", lambda bundle, raw: bundles.append(bundle))
    return bundles


def pressable(monkeypatch):
    """Return the ipywidgets buttons that the script presses."""
    buttons = []

    class Kept(ipywidgets.ToggleButtons):
        def __init__(self, **options):
            super().__init__(**options)
            buttons.append(self)

    monkeypatch.setattr(ipywidgets, "ToggleButtons", Kept)
    language_switch()
    return buttons[0]


def test_the_outputs_are_the_same_each_time_and_in_each_language(outputs):
    assert language_switch() is None
    set_language("zh")
    language_switch()
    page, kernel, page_again, kernel_again = outputs
    assert page == page_again
    assert page["text/plain"] == "<运行本单元格即可选择语言 · run this cell to choose the language>"
    assert kernel["text/plain"] == kernel_again["text/plain"] == ""


def test_without_a_script_the_page_says_what_to_do_and_hides_nothing(outputs):
    language_switch()
    plain = re.sub(r"<script>.*</script>", "", outputs[0]["text/html"], flags=re.DOTALL)
    assert "运行本单元格" in plain
    assert "style" not in plain


def test_the_script_stands_alone(outputs):
    language_switch()
    html = outputs[0]["text/html"]
    assert "http" not in html
    assert html.count("</script>") == 1


def test_the_script_and_python_agree_on_the_order_of_the_buttons(outputs):
    language_switch()
    (names,) = re.findall(r"const NAMES = \{(.*?)\};", outputs[0]["text/html"])
    assert re.findall(r'(\w+): "([^"]+)"', names) == list(switch.NAMES.items())


@pytest.mark.parametrize("code", ["zh", "en"])
def test_a_press_is_remembered(monkeypatch, code):
    pressable(monkeypatch).value = code
    assert language() == code


def test_a_press_takes_precedence_over_the_environment(monkeypatch):
    monkeypatch.setenv("POSENC_LANGUAGE", "zh")
    pressable(monkeypatch).value = "en"
    assert language() == "en"


def test_a_press_counts_where_nothing_can_be_remembered(monkeypatch, tmp_path):
    (tmp_path / "file").touch()
    monkeypatch.setenv("POSENC_DATA_DIR", str(tmp_path / "file" / "below"))
    pressable(monkeypatch).value = "en"
    assert language() == "en"


def test_the_buttons_start_at_the_stored_language(monkeypatch):
    set_language("zh")
    assert pressable(monkeypatch).value == "zh"


def test_holding_one_language_does_not_change_the_stored_choice(monkeypatch, outputs, capsys):
    set_language("zh")
    language_switch(only="en")
    assert language() == "en"
    assert not outputs
    assert capsys.readouterr().out == "This edition is in English: there are no language buttons.\n"
    monkeypatch.delenv("POSENC_LANGUAGE")
    assert language() == "zh"


@pytest.mark.parametrize("code", ["fr", "both"])
def test_only_must_be_one_language(code):
    with pytest.raises(ValueError, match="only must be one of zh, en"):
        language_switch(only=code)
