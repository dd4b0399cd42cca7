"""The kit's list of chapters is that of `chapters/`, and is read without an exercise."""

import os
import subprocess
import sys

from autograde.kit.catalogue import chapter_names, chapter_of, exercise, exercise_ids
from autograde.kit.chapter import CHAPTERS

IMPORTED = """
import sys
{code}
names = (name.rpartition(".") for name in sys.modules)
print(*sorted(name for room, _, name in names if room == "autograde.exercises" and name[0] != "_"))
"""


def test_every_chapter_has_exercises_for_its_time_to_go_down_with():
    assert chapter_names() == list(CHAPTERS)


def test_an_exercise_is_in_the_chapter_that_it_names():
    assert [name for name in exercise_ids() if chapter_of(name) != exercise(name).chapter] == []


def imported(code, tmp_path):
    """Return the exercises that code imports in a fresh interpreter."""
    command = [sys.executable, "-c", IMPORTED.format(code=code)]
    env = {**os.environ, "POSENC_DATA_DIR": str(tmp_path), "POSENC_LANGUAGE": "en"}
    done = subprocess.run(command, capture_output=True, text=True, check=True, env=env)
    return done.stdout.split("\n")[-2].split()


def test_listing_chapter_names_imports_no_exercise(tmp_path):
    code = "from autograde.kit.catalogue import chapter_names; chapter_names()"
    assert imported(code, tmp_path) == []


def test_the_progress_of_a_chapter_imports_its_own_exercises(tmp_path):
    code = "from autograde import progress; progress('05_rope')"
    assert imported(code, tmp_path) == sorted(CHAPTERS["05_rope"].exercises)


def test_the_progress_of_the_course_imports_no_exercise(tmp_path):
    """Importing torch with them would keep JupyterLab's start waiting."""
    assert imported("from autograde import progress; progress()", tmp_path) == []
