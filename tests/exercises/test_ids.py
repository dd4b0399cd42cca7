"""An exercise's id is for ever: gradebooks, saved progress and answer cells go by it."""

import re

from autograde.kit.catalogue import chapter_exercises, exercise_ids

ID = re.compile(r"[a-z][a-z0-9]*(_[a-z0-9]+)*")
CLINIC = "12_bug_clinic"
# what the broken functions of the clinic compute; an id names that, and not the symptom
SUBJECTS = {
    "alibi", "bucket", "chart", "chunk", "decode", "frequency", "grouped", "interpolation", "ntk",
    "rel", "rope", "rotation", "sinusoidal",
}  # fmt: skip


def test_an_id_is_words_in_lower_case():
    assert [name for name in exercise_ids() if not ID.fullmatch(name)] == []


def test_the_clinic_and_its_ids_belong_together():
    chapter = {exercise.id for exercise in chapter_exercises(CLINIC)}
    assert chapter == {name for name in exercise_ids() if name.startswith("clinic_")} != set()


def test_an_id_of_the_clinic_starts_with_its_subject():
    ids = {name for name in exercise_ids() if name.startswith("clinic_")}
    assert {name for name in ids if name.split("_")[1] not in SUBJECTS} == set()
