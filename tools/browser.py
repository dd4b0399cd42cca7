"""Find the Chromium that the browser tests drive; on Debian as root, install it if there is none.

Prints the path. Without a browser it prints how to get one, and the browser tests are skipped; if
POSENC_REQUIRE_BROWSER is set (CI), that is a failure.
"""

from __future__ import annotations

import os
import platform
import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))  # a script does not have the packages' folder on its path

from bilingual import Text  # noqa: E402

NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome")
APPLICATIONS = (  # where macOS and Windows put them, off PATH
    "/Applications/Chromium.app/Contents/MacOS/Chromium",
    "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
    r"C:\Program Files\Google\Chrome\Application\chrome.exe",
)
HOW = Text(
    en="No Chromium found: browser tests are skipped. Install Chromium or Chrome "
    "(Debian: sudo apt-get install chromium; macOS: brew install --cask chromium), "
    "or set POSENC_CHROMIUM to its path.",
    zh="没有找到Chromium：浏览器测试将被跳过。请安装Chromium或Chrome"
    "（Debian：sudo apt-get install chromium；macOS：brew install --cask chromium），"
    "或把POSENC_CHROMIUM设为它的路径。",
)


def chromium() -> Path | None:
    """Return the path of a Chromium: POSENC_CHROMIUM, else one on PATH, else a usual place."""
    choice = os.environ.get("POSENC_CHROMIUM")
    if choice:
        return Path(choice)
    for path in (*map(shutil.which, NAMES), *APPLICATIONS):
        if path and Path(path).exists():
            return Path(path)
    return None


def is_required() -> bool:
    """Return whether tests must fail, not skip, if there is no browser."""
    return bool(os.environ.get("POSENC_REQUIRE_BROWSER"))


def can_install() -> bool:
    """Return whether this is Debian, and we are root. (Ubuntu's package is a snap: no use here.)"""
    if not hasattr(os, "geteuid") or os.geteuid() != 0:
        return False
    try:
        return platform.freedesktop_os_release()["ID"] == "debian"
    except OSError:
        return False  # not Linux


def main() -> int:
    """Find or install a Chromium; return the exit status."""
    if chromium() is None and can_install():
        subprocess.run(["apt-get", "update"], check=True)
        subprocess.run(["apt-get", "install", "-y", "chromium"], check=True)
    path = chromium()
    print(path or HOW)
    return int(path is None and is_required())


if __name__ == "__main__":
    sys.exit(main())
