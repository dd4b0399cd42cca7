"""`environment()`: the versions and device on this machine, the start of a bug report."""

from __future__ import annotations

import platform
from importlib.metadata import PackageNotFoundError, version

from bilingual import Text, language

PACKAGES = ("torch", "numpy", "matplotlib", "jupyterlab", "ipywidgets", "nbgrader")

COURSE = Text(en="course", zh="课程")
SYSTEM = Text(en="system", zh="系统")
DEVICE = Text(en="device", zh="计算设备")
THREADS = Text(en="CPU threads", zh="CPU线程数")
FONT = Text(en="Chinese in figures", zh="图中的中文")
MISSING = Text(en="not installed", zh="未安装")
FOUND = Text(en="yes", zh="能显示")
NO_FONT = Text(en="no font: labels are in English", zh="没有字体：标签用英文")
REPORT = Text(
    en="Asking for help? Paste these lines, the cell that failed, and its whole output.",
    zh="需要求助？请附上以上各行、出错的单元格和它的全部输出。",
)


def environment(*, chinese_in_figures: bool | None = None) -> None:
    """Print versions, device and threads, one a line, in the reader's language; never raises.

    chinese_in_figures: whether figures have a font for it (`posenc_viz.font.drawable` knows);
    None leaves that line out.
    """
    lines = described()
    if chinese_in_figures is not None:
        lines.append(line(FONT, (FOUND if chinese_in_figures else NO_FONT).label()))
    print(*lines, "", REPORT, sep="\n")


def described() -> list[str]:
    """Return the lines that `environment` prints about the machine."""
    return [
        line(COURSE, f"posenc-course {_version('posenc-course')}"),
        line(SYSTEM, f"{platform.system()} {platform.machine()}"),
        line("Python", platform.python_version()),
        *(line(name, _version(name)) for name in PACKAGES),
        *_of_torch(),
    ]


def line(name: Text | str, value: object) -> str:
    """Return "name: value", in Chinese with a full-width colon."""
    label = name.label() if isinstance(name, Text) else name
    return f"{label}{'：' if language() == 'zh' else ': '}{value}"


def _version(package: str) -> str:
    try:
        return version(package)
    except PackageNotFoundError:
        return MISSING.label()


def _of_torch() -> list[str]:
    try:
        import torch  # imported here: it takes seconds, and other commands do not need it

        from posenc_ref.device import device
    except (ImportError, OSError) as error:  # missing, or one of its libraries cannot be loaded
        return [line(DEVICE, error)]
    threads = line(THREADS, torch.get_num_threads())
    try:
        return [line(DEVICE, device()), threads]
    except ValueError as reason:  # POSENC_DEVICE names what this machine lacks
        return [line(DEVICE, reason), threads]
