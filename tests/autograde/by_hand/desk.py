"""A desk with a small class at it, served as the command does, and what is asked of it."""

import asyncio
import json
import threading
import urllib.error
import urllib.request
from contextlib import contextmanager

import nbformat
from bs4 import BeautifulSoup
from nbformat.v4 import new_markdown_cell, new_notebook

from autograde.by_hand.answers import Version
from autograde.by_hand.desk import Desk
from autograde.by_hand.server import serve
from autograde.kit.cell_role import CellRole
from autograde.teacher.course_folder import course_api
from tests.autograde.small_class import KIT, gradebook, make_course

QUESTION = "a_why"
KEY = {"en": "**Model answer.** Because.\n\n**Points.** 3 for a reason.", "zh": "有理由得3分。"}


def make_class(folder, answers):
    """Make the small class in `folder`; of those in `answers` all wait, with these words."""
    make_course(folder)
    write_key(folder)
    for student, words in answers.items():
        write_answer(folder, student, words)
    with gradebook(folder) as book:
        for student in answers:
            grade = book.find_grade(QUESTION, KIT, KIT, student)
            grade.needs_manual_grade, grade.manual_score = True, None
        book.db.commit()
    return folder


def write_answer(folder, student, words):
    path = folder / "autograded" / student / KIT / f"{KIT}.ipynb"
    notebook = nbformat.read(path, as_version=4)
    notebook.cells[1].source = words
    nbformat.write(notebook, path)


def write_key(folder):
    """Write the course's own notebook: the question in both languages, and its key."""
    cells = [
        new_markdown_cell(f"### Why? {language}\n\nSay why.", metadata=role.metadata())
        for language in ("en", "zh")
        for role in [CellRole("prose", lang=language)]
    ]
    divs = [f'<div lang="{language}">\n\n{words}\n\n</div>' for language, words in KEY.items()]
    thinking = CellRole("thinking", QUESTION).metadata()
    path = folder / "source" / KIT / f"{KIT}.ipynb"
    path.parent.mkdir(parents=True)
    nbformat.write(
        new_notebook(cells=[*cells, new_markdown_cell("\n".join(divs), metadata=thinking)]), path
    )


@contextmanager
def served(folder, language="en", names=False):
    """Serve the desk of the course in `folder` from another thread; give its address."""
    desk = Desk(course_api(folder), KIT, language, names, b"an order")
    loop, ready, addresses = asyncio.new_event_loop(), threading.Event(), []
    stop = asyncio.Event()

    async def work():
        server, address = serve(desk)
        addresses.append(address)
        ready.set()
        await stop.wait()
        server.stop()
        await server.close_all_connections()

    thread = threading.Thread(target=loop.run_until_complete, args=(work(),))
    thread.start()
    assert ready.wait(60)
    try:
        yield addresses[0]
    finally:
        loop.call_soon_threadsafe(stop.set)
        thread.join()
        loop.close()


def ask(address, body=None, **headers):
    """Return status, headers and text of a page; with a body, of what becomes of it."""
    if body is not None:
        headers = {"Origin": "/".join(address.split("/")[:3]), **headers}
    request = urllib.request.Request(address, body, headers)
    try:
        with urllib.request.urlopen(request) as reply:
            return reply.status, reply.headers, reply.read().decode()
    except urllib.error.HTTPError as error:
        with error:
            return error.code, error.headers, error.read().decode()


def cards(address, question=QUESTION, page=""):
    """Return the answers on the page, as elements."""
    status, _, text = ask(f"{address}question/{question}{page}")
    assert status == 200, text
    return BeautifulSoup(text, "html.parser").select("#answers > article")


def enter(address, card, points="", comment="", question=QUESTION):
    """Save an entry for an answer as the page's script does; return the status and the reply."""
    entry = {"grades": card["data-grades"].split(), "points": points, "comment": comment}
    versions = {name: card[f"data-{name}"] for name in Version._fields}
    body = json.dumps({**entry, **versions}).encode()
    status, _, text = ask(f"{address}question/{question}", body)
    return status, json.loads(text)


def entered(folder, student, name=QUESTION):
    """Return what the gradebook has: points, whether it waits, the comment."""
    with gradebook(folder) as book:
        grade = book.find_grade(name, KIT, KIT, student)
        comments = {comment.name: comment for comment in grade.notebook.comments}
        comment = comments[name].manual_comment if name in comments else None
        return grade.manual_score, grade.needs_manual_grade, comment
