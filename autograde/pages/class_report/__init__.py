"""`python -m autograde report ASSIGNMENT`: what a class earned and holds, as a page and a table.

- `register.py`            who is in the class, the exercises, what each student handed in
- `read_register.py`       the same, read from the gradebook
- `pseudonyms.py`          names that only the course's key can lead back to students
- `counts.py`              the class in numbers: points, late, stuck, not run, left to grade by hand
- `exercise_counts.py`     one exercise in numbers: marks, checks, mistakes
- `mistakes.py`            the mistakes in an exercise, and who made each
- `item_statistics.py`     one exercise as a question: solved, discrimination
- `together.py`            which misconception goes with which
- `histogram.py`           the picture of the points
- `words.py`               the sentences of the page
- `page.py`                the page; its parts lie in `templates/`
- `table.py`               the CSV
- `alike_table.py`         the CSV of the pairs whose answers are alike
- `command.py`             all of it, in order
"""
