"""What to do about the errors that newcomers meet: one sentence, after Python's own message.

`check` prints it under its report; `watch` prints it after any other cell that ends in
such an error. JupyterLab as `make lab` starts it loads this file into every new kernel
(tools/study/jupyter/share/kernels), so that the sentence is there before anything is imported.
"""

from __future__ import annotations

import os
import re
import sys
import unicodedata
from textwrap import fill

from IPython import get_ipython
from IPython.core.interactiveshell import ExecutionResult, InteractiveShell

from autograde.kit.catalogue import UnknownName
from autograde.kit.way import WAY
from autograde.notebook.place import record_place
from autograde.notebook.stale import missing, record_run
from bilingual import Text

INVALID = re.compile(r"invalid (?:non-printable )?character .*U\+([0-9A-F]+)")
NUMBER = re.compile(r"invalid \w+ literal")
# typed on a Chinese keyboard, besides what Unicode calls full-width; — is on the _ key
KEYBOARD = dict(zip("。、【】“”‘’《》—…", [*".,[]\"\"''<>_", "..."], strict=True))
SPACE = Text(en="space", zh="空格")
COURSE = {"autograde", "bilingual", "confined", "posenc_glass", "posenc_ref", "posenc_viz"}

NEW_SESSION = Text(
    en="{name} is not there yet: each time you open a chapter, its cells have to run again: menu "
    "Run, then Run All Above Selected Cell.",
    zh="还没有{name}：每次打开一章，都要把前面的单元格重新运行一遍：菜单Run，"
    "再选Run All Above Selected Cell。",
)
NOT_YET = Text(
    en="There is no {name} here: its cell has not run (menu Run, then Run All Above Selected "
    "Cell), or the name is spelt differently there, or an import is missing.",
    zh="这里没有{name}：也许它的单元格还没有运行（菜单Run，再选Run All Above Selected Cell），"
    "也许那里的写法不一样，也许漏了导入。",
)
OTHER_AGE = Text(
    en="This notebook and the installed course have different versions: save, stop `make lab` with "
    "Ctrl-C and start it again. It brings both up to date and keeps your answers.",
    zh="这个notebook和已安装的课程版本不一致：请保存，用Ctrl-C停掉`make lab`再重新启动。"
    "两者都会更新，你的答案会保留。",
)
RENAMED = Text(
    en="Did an update rename it? Save, stop `make lab` with Ctrl-C and start it again: it renews "
    "this notebook and keeps your answers.",
    zh="是不是更新后改了名？请保存，用Ctrl-C停掉`make lab`再重新启动：它会更新这个notebook，"
    "你的答案会保留。",
)
FULL_WIDTH = Text(
    en="Line {line} has the full-width character {wide}: code needs the half-width {plain}.",
    zh="第{line}行有全角字符「{wide}」：代码里要用半角的「{plain}」，请切换到英文输入法再输入。",
)
TWO_THINGS = Text(
    en="`check` takes two things: the exercise's name in quotes, and your function without them, "
    'as in check("rope_half", rope_half).',
    zh='`check`要两样东西：加引号的练习名，和不加引号的函数，如check("rope_half", rope_half)。',
)
NO_MEMORY = Text(
    en="The GPU's memory is full: close what else uses it (menu Kernel, then Shut Down All "
    "Kernels) and run from the top, or start on the CPU: POSENC_DEVICE=cpu make lab",
    zh="GPU显存不够：请关掉其他占用显存的程序（菜单Kernel，再选Shut Down All Kernels）后从头运行，"
    "或者改用CPU启动：POSENC_DEVICE=cpu make lab",
)


def first_aid(error: BaseException | None) -> Text | None:
    """Return what to do about `error`, None if it is not one that newcomers meet."""
    if isinstance(error, NameError) and not isinstance(error, UnboundLocalError) and error.name:
        usual = NOT_YET if _has_begun() else NEW_SESSION
        return missing(error.name) or usual.format(name=error.name)
    if isinstance(error, SyntaxError) and (wide := _unexpected_character(error)):
        return _full_width(wide, error.lineno)
    if isinstance(error, ImportError) and (error.name or "").partition(".")[0] in COURSE:
        return OTHER_AGE
    if isinstance(error, UnknownName) and not error.close and error.kind != WAY:
        return RENAMED
    if isinstance(error, TypeError) and str(error).startswith("check() missing"):
        return TWO_THINGS
    if type(error).__name__ == "OutOfMemoryError":  # torch's
        return NO_MEMORY
    return None


def watch() -> None:
    """From now on print that sentence after each such cell; does nothing outside a notebook.

    The reader's place in the course is recorded after each cell too.
    """
    if (shell := get_ipython()) is not None:
        load_ipython_extension(shell)


def load_ipython_extension(shell: InteractiveShell) -> None:
    """Do what `watch` does; IPython calls this for `--ext autograde.notebook.first_aid`."""
    for reaction in (record_run, _print_advice, record_place):
        shell.events.register("post_run_cell", reaction)  # a second time changes nothing


def _has_begun() -> bool:
    """Return whether the first cell of a chapter has run in this kernel."""
    shell = get_ipython()
    return shell is None or "language_switch" in shell.user_ns


def _unexpected_character(error: SyntaxError) -> str | None:
    """Return the character that Python did not expect; None if the error is another one."""
    message = error.msg or ""
    if invalid := INVALID.search(message):
        return chr(int(invalid[1], 16))
    if NUMBER.match(message):  # Python 3.11.2 names the number in front of the character
        return (error.text or "")[error.offset or 0 :][:1]
    return None


def _full_width(wide: str, line: int | None) -> Text | None:
    """Return what to type in place of `wide`; None if `wide` is not a full-width character."""
    is_wide = unicodedata.east_asian_width(wide) == "F"  # ² is not, and 2 would not mend it
    plain = KEYBOARD.get(wide) or (unicodedata.normalize("NFKC", wide) if is_wide else "")
    if not plain or not plain.isascii():
        return None
    if plain == " ":  # nobody would see it in the message
        wide = plain = SPACE
    return FULL_WIDTH.format(line=line, wide=wide, plain=plain)


def _print_advice(result: ExecutionResult) -> None:
    if advice := first_aid(result.error_in_exec or result.error_before_exec):
        if os.environ.get("NBGRADER_EXECUTION") == "validate":
            print(fill(str(advice), 80), file=sys.stderr)  # Validate shows nothing else but errors
        else:
            print(advice)
