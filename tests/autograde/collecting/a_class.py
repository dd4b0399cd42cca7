"""A made-up class, and downloads of its work made from tables of names."""

import io
import zipfile
from contextlib import ExitStack
from datetime import UTC, datetime
from functools import partial

from autograde.collecting.class_list import ClassList
from autograde.collecting.downloads import read_download
from autograde.collecting.plan import make_plan
from autograde.collecting.platforms import is_named

CHAPTER = "05_rope"
FILE = f"{CHAPTER}.ipynb"
NAMES = {  # student id: first name, last name
    "20260001": ("三", "张"),
    "20260002": ("四", "李"),
    "20260003": ("小明", "王"),
    "20260007": ("伟", "王"),
    "20260008": ("伟", "王"),
    "20260009": ("修", "欧阳"),
    "20260666": ("Mallory", "Brown"),
    "ada": ("Ada", "Lovelace"),
    "li_lei": ("雷", "李"),
    "12345": ("Jane", "Doe"),
    "jose": ("José", "García"),
    "2": ("二", "赵"),
}
WHOLE = '{"cells": []}'  # a notebook
STUDENTS = ClassList(NAMES)
DUE = datetime(2026, 9, 14, 15, tzinfo=UTC)
NOW = datetime(2026, 9, 20, tzinfo=UTC)
PACKED = (2026, 9, 19, 12, 0, 0)


def zipped(files, times=None):
    """Return an archive with these texts by name; `times` by name, else one for all."""
    data = io.BytesIO()
    with zipfile.ZipFile(data, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, text in files.items():
            info = zipfile.ZipInfo(name, (times or {}).get(name, PACKED))
            info.compress_type = zipfile.ZIP_DEFLATED
            archive.writestr(info, text)
    return data.getvalue()


def put(folder, files):
    """Write files by name below a folder."""
    for name, content in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content if isinstance(content, bytes) else content.encode())


def planned(folder, platform=None, students=STUDENTS, due=DUE, now=NOW, zone=None, **more):
    """Return the plan for what lies in a folder."""
    with ExitStack() as opened:
        whose = partial(is_named, chapter=CHAPTER, students=students, platform=platform)
        download = read_download(folder, whose, opened, zone)
        times = {"due": due, "now": now, "zone": zone, **more}
        return make_plan(download, CHAPTER, students, platform=platform, **times)


def whose(plan):
    """Return whose file each is, by student."""
    return {student: one.upload.name for student, one in plan.notebooks.items()}
