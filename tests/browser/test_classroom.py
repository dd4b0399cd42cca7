"""The teacher's and the student's buttons in JupyterLab: formgrader, Validate."""

import pytest

from autograde.demo import steps
from autograde.demo.students import class_of
from autograde.kit.catalogue import chapter_exercises
from autograde.teacher.course_folder import course_api
from tests.browser.conftest import CHAPTER

pytestmark = [
    pytest.mark.browser,
    # nbgrader's release_feedback leaves files open
    pytest.mark.filterwarnings("ignore:unclosed:ResourceWarning"),
]

NOTEBOOK = f"{CHAPTER}/{CHAPTER}.ipynb"
CLASS = ("right", "mistaken_1")


@pytest.fixture(scope="module")
def lab(server):
    """Return the server, in whose folder a small class has handed in."""
    class_list = [student for student in class_of(CHAPTER) if student.id in CLASS]
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("POSENC_LANGUAGE", "both")
        api = course_api(server.folder)
        steps.generate(api, CHAPTER)
        steps.release(api, CHAPTER)
        for student in class_list:
            steps.enrol(api, student)
            steps.hand_in(api, CHAPTER, student)
        steps.collect(api, CHAPTER)
    return server


def test_formgrader_opens_and_lists_the_assignment_and_who_handed_in(lab, page):
    notebook = lab.open(page, f"students/right/{NOTEBOOK}")
    notebook.command("nbgrader:open-formgrader")
    formgrader = page.frame_locator("iframe[src*='formgrader']")
    row = formgrader.locator("tr", has_text=CHAPTER)
    row.wait_for()
    assert row.locator(".num-submissions").inner_text().strip() == str(len(CLASS))
    row.locator(".num-submissions a").click()
    for student in CLASS:
        formgrader.locator("tr", has_text=student).wait_for()


def test_validate_passes_a_solved_notebook(lab, page):
    assert validated(lab, page, "right") == "Success! Your notebook passes all the tests."


def test_validate_shows_the_failing_cell_and_the_reasons(lab, page):
    text = validated(lab, page, "mistaken_1")
    task = chapter_exercises(CHAPTER)[0]
    assert "The following cell failed:" in text
    assert f'check("{task.id}"' in text
    assert unfolded(task.misconceptions[0].sentence.en) in unfolded(text)
    assert unfolded(task.misconceptions[0].sentence.zh) in unfolded(text)


def validated(lab, page, student):
    """Press Validate on a student's notebook and return what the dialog says."""
    lab.open(page, f"students/{student}/{NOTEBOOK}")
    page.locator(".validate-button").first.click()
    message = page.locator(".jp-Dialog #validation-message")
    message.wait_for()
    text = message.inner_text().strip()
    page.locator(".jp-Dialog button").last.click()
    return text


def unfolded(text):
    """Return text without white space: the dialog breaks long lines."""
    return "".join(text.split())
