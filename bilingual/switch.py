"""`language_switch()`: three buttons at the top of a notebook, 中文 / English / both.

The prose of a notebook is in `<div lang="zh">` and `<div lang="en">` cells. A script in the output,
from `page/`, hides the cells of the other language: in JupyterLab, in a trusted notebook even
before any cell has run, and in pages exported by nbconvert. Where scripts do not run (GitHub) or
cannot reach the prose (VS Code, Colab), both languages show.

Python needs the choice for the labels of figures and the messages of checks. It receives it through
ipywidgets buttons in a second output, which the script hides and presses. (anywidget would do the
same, and leave no less behind in a saved notebook.)
"""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import ipywidgets as widgets
from IPython.display import display

from bilingual.setting import ONE_LANGUAGE, VARIABLE, Language, language, set_language, speak
from bilingual.text import Text

NAMES: dict[Language, str] = {"zh": "中文", "en": "English", "both": "中英对照 · both"}
RUN_ME = Text(en="run this cell to choose the language", zh="运行本单元格即可选择语言")
NO_BUTTONS = Text(
    en="This edition is in English: there are no language buttons.",
    zh="这一版只有中文，所以没有语言按钮。",
)
SCRIPTS = [  # the functions of one closure; CALL calls the last
    Path(__file__).with_name("page") / f"{name}.js"
    for name in ("steps", "sections", "mends", "switch")
]
CALL = 'languageSwitch(document.currentScript.parentElement.querySelector(".posenc-language"));'


def language_switch(only: Language | None = None) -> None:
    """Show the buttons; or, with `only`, fix the language of this kernel, and print that.

    `only` is for notebooks released in one language: it overrides what the reader chose elsewhere,
    but does not change that choice. Raises ValueError if it is not one language.
    """
    if only is not None:
        if only not in ONE_LANGUAGE:
            raise ValueError(f"only must be one of {', '.join(ONE_LANGUAGE)}, got {only!r}")
        speak(only)
        print(NO_BUTTONS)
        return
    display(_page(), raw=True)
    display(_kernel(), raw=True)


def _page() -> dict[str, str]:
    invitation = RUN_ME.in_language("both", " · ")
    functions = "".join(path.read_text(encoding="utf-8") for path in SCRIPTS)
    script = f"(() => {{\n{functions}{CALL}\n}})();"
    html = f'<div class="posenc-language">{invitation}</div>\n<script>\n{script}\n</script>'
    return {"text/html": html, "text/plain": f"<{invitation}>"}


def _kernel() -> dict[str, Any]:
    """Return the buttons that reach Python; a page without widgets shows nothing here."""
    options = [(NAMES[choice], choice) for choice in NAMES]
    buttons = widgets.ToggleButtons(options=options, value=language())
    buttons.add_class("posenc-language-kernel")
    buttons.observe(lambda change: _choose(change["new"]), names="value")
    return {**buttons._repr_mimebundle_(), "text/plain": ""}


def _choose(choice: Language) -> None:
    """Remember the choice if possible; this kernel follows it in any case."""
    try:
        set_language(choice)
    except OSError:  # no such folder, a full disk: the next notebook will not know the choice
        speak(choice)
    if VARIABLE in os.environ:  # it overrides what is remembered
        speak(choice)
