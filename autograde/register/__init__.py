"""The register of a class: who is in it, what each student handed in, and what became of it.

- `register.py`         the columns of the gradebook, and a row for each student
- `read_register.py`    the same, read from the gradebook
- `results.py`          points and diagnoses of a class, from the gradebook and graded notebooks
- `handed_in_again.py`  students who handed in again since `grade` last ran
- `states.py`           what became of each student's work, in words
"""
