"""`python -m autograde by-hand`: its options, and the browser."""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import os
import secrets
import tempfile
import webbrowser
from pathlib import Path
from threading import Thread
from typing import TYPE_CHECKING

from autograde.teacher.arguments import CHAPTER
from autograde.teacher.errors import CannotBegin
from bilingual import Text

if TYPE_CHECKING:
    from autograde.by_hand.desk import Desk

NAMES = Text(
    en="show who wrote an answer, in the order of names (otherwise hidden, the order drawn)",
    zh="显示回答者的姓名，按姓名排序（默认隐藏姓名，顺序随机）",
)
PORT = Text(en="the port to listen on (a free one)", zh="监听的端口（默认任选一个空闲的）")
NO_BROWSER = Text(en="print the address and open no browser", zh="只打印地址，不打开浏览器")
OPEN = Text(
    en="{chapter} is at this address, which is for you alone:\n  {address}\n"
    "Open it yourself if no browser shows it. Each entry is saved as you make it. "
    "Ctrl-C ends this command.",
    zh="{chapter}的评分页面在这个地址，请勿告诉他人：\n  {address}\n"
    "如果浏览器没有显示这个页面，请自行打开该地址。每次填写都会立即保存。按Ctrl-C结束本命令。",
)
NOTHING = Text(
    en="{chapter} has no written question, and no exercise of it waits for you.",
    zh="{chapter}没有书面题，也没有练习在等你评分。",
)
NOT_GRADED = Text(
    en="No submission of {chapter} has been graded yet: run python -m autograde grade {chapter}, "
    "then come back for the written questions.",
    zh="{chapter}还没有已评分的提交：请先运行python -m autograde grade {chapter}，再来批改书面题。",
)
NO_PORT = Text(en="Port {port} cannot be used: {why}.", zh="端口{port}无法使用：{why}。")
BROWSER_SECONDS = 60  # to start and read the address
LEAD = '<!DOCTYPE html><meta charset="utf-8"><meta http-equiv="refresh" content="0;url={address}">'


def add_arguments(command: argparse.ArgumentParser) -> None:
    """Add the options of `by-hand`."""
    command.add_argument("chapter", help=CHAPTER.label())
    command.add_argument("--names", action="store_true", help=NAMES.label())
    command.add_argument("--port", type=int, default=0, help=PORT.label())
    command.add_argument("--no-browser", action="store_true", help=NO_BROWSER.label())
    command.set_defaults(run=_run)


def _run(options: argparse.Namespace) -> None:
    from autograde.by_hand.answers import question_names
    from autograde.by_hand.desk import Desk
    from autograde.teacher.course_folder import choices, open_course, reader_language

    api = open_course(Path.cwd(), options.chapter)
    reader = reader_language(choices(Path.cwd()))
    with api.gradebook as gradebook:
        if not question_names(api, gradebook, options.chapter):
            print(NOTHING.format(chapter=options.chapter))
            return
        if not gradebook.assignment_submissions(options.chapter):
            raise CannotBegin(NOT_GRADED.format(chapter=options.chapter))
    desk = Desk(api, options.chapter, reader, options.names, secrets.token_bytes(32))
    with contextlib.suppress(KeyboardInterrupt):  # the way to end it
        asyncio.run(_serve(desk, options.port, not options.no_browser))


async def _serve(desk: Desk, port: int, browser: bool) -> None:
    from autograde.by_hand.server import serve

    try:
        _, address = serve(desk, port)
    except (OSError, OverflowError) as error:
        raise CannotBegin(NO_PORT.format(port=port, why=error)) from error
    print(OPEN.format(chapter=desk.chapter, address=address), flush=True)
    if browser:
        # Ubuntu's browsers are Snaps, which read files in the home only, and no hidden ones
        home = Path.home() if os.access(Path.home(), os.W_OK) else None
        with tempfile.TemporaryDirectory(prefix="posenc-by-hand-", dir=home) as folder:
            open_browser(address, Path(folder))
            await asyncio.sleep(BROWSER_SECONDS)
    await asyncio.Event().wait()


def open_browser(address: str, folder: Path) -> None:
    """Open an address through a file for this user alone: anybody can read command lines."""
    file = folder / "open.html"
    file.touch(0o600)
    file.write_text(LEAD.format(address=address), encoding="utf-8")
    # webbrowser waits for a browser in the terminal or from $BROWSER; the server must not
    Thread(target=webbrowser.open, args=[file.as_uri()], daemon=True).start()
