"""Chinese in figures: drawn with the shipped font, or English; never boxes, never a warning."""

import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from matplotlib.font_manager import findfont

from bilingual import Text
from posenc_viz import Matrix, font
from posenc_viz.font import FAMILIES, FILE, FIRST, GLYPHS, drawable, readable
from posenc_viz.stage import Stage
from tests.posenc_viz.samples import X, Y, numbers

ROOT = Path(__file__).parents[2]


def test_the_shipped_font_is_found_by_its_own_name():
    assert FAMILIES == ["Posenc Sans SC", "DejaVu Sans"]
    assert Path(findfont(FAMILIES[0])) == FILE
    assert FILE.stat().st_size < 1.2 * 2**20
    licence = (FILE.parent / "OFL.txt").read_text(encoding="utf-8")
    assert "SIL OPEN FONT LICENSE" in licence
    assert "Copyright 2014-2021 Adobe" in licence


def test_the_font_carries_its_notice_and_no_name_of_the_original():
    fonts = pytest.importorskip("fontTools.ttLib")
    names = {record.nameID: str(record) for record in fonts.TTFont(FILE)["name"].names}
    assert "Adobe" in names[0]
    assert "SIL Open Font License" in names[13]
    assert all("Noto" not in names[k] and "Source" not in names[k] for k in (1, 3, 4, 6))


def test_the_common_hanzi_and_ascii_are_in_the_first_font():
    codes = (bytes([row, cell]) for row in range(0xB0, 0xD8) for cell in range(0xA1, 0xFF))
    level_1 = {code.decode("gb2312", errors="ignore") for code in codes} - {""}
    assert len(level_1) == 3755  # GB 2312-80, level 1
    assert level_1 | set(map(chr, range(0x20, 0x7F))) <= FIRST


@pytest.mark.parametrize("code", ["zh", "en", "both"])
def test_a_label_is_in_the_reader_s_language(code, language):
    language(code)
    label = Text(en="position", zh="位置")
    expected = {"zh": "位置", "en": "position", "both": "位置 · position"}
    assert readable(label) == expected[code]


def test_without_the_glyphs_a_label_is_english(language, monkeypatch):
    language("zh")
    assert readable(Text(en="rare", zh="獴")) == "rare"
    assert readable(Text(en="rare", zh="䲜$x$")) == "rare"
    monkeypatch.setattr(font, "GLYPHS", font._glyphs("DejaVu Sans"))
    assert readable(Text(en="position", zh="位置")) == "position"


def test_without_the_shipped_font_matplotlib_uses_its_own(tmp_path):
    assert font._families(tmp_path / "missing.otf") == ["DejaVu Sans"]


def test_a_character_that_no_font_has_becomes_its_code():
    assert readable("獴a") == "U+7374a"


@given(st.text(max_size=20))
def test_whatever_a_reader_types_can_be_drawn(typed):
    assert drawable(readable(typed), FIRST if "$" in typed else GLYPHS)


@pytest.mark.parametrize("token", ["老鼠", "獴", "a_b", "é", "🐱", "$", "a$b", r"\frac"])
def test_any_token_is_drawn_without_a_warning(token):
    panel = Matrix(numbers(0, 1, 1), [token], [token], token, x=X, y=Y)
    assert Stage().render([panel])  # warnings are errors here


def test_chinese_beside_a_formula_is_drawn():
    with_hanzi, without = (
        Stage().render([Matrix([[0.0]], "a", "a", f"{words}$x^2$")]) for words in ("位置", "　　")
    )
    assert with_hanzi != without


def test_the_font_tool_prints_its_usage():
    command = [sys.executable, str(ROOT / "tools" / "font.py"), "--help"]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    assert "Noto Sans CJK" in done.stdout
