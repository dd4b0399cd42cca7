"""`python -m autograde report ASSIGNMENT`: a class's points and mistakes, as a page and a table.

- `pseudonyms.py`          names that only the course's key can lead back to students
- `counts.py`              the class in numbers: points, late, stuck, not run, left to grade by hand
- `exercise_counts.py`     one exercise in numbers: marks, checks, mistakes
- `mistakes.py`            the mistakes in an exercise, and who made each
- `item_statistics.py`     item analysis of one exercise: solved, discrimination
- `together.py`            misconceptions that go together
- `histogram.py`           the picture of the points
- `words.py`               the sentences of the page
- `page.py`                the page; its parts lie in `templates/`
- `table.py`               the CSV
- `alike_table.py`         the CSV of the pairs whose answers are alike
- `command.py`             all of it, in order
"""
