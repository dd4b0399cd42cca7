"""The pages for people: the feedback of a student, the report on a class.

- `feedback/`      a student's feedback page
- `class_report/`  the teacher's page and CSV (`python -m autograde report`)
- `marks.py`      the result of an exercise: a mark, its sign and its words
- `limits.py`     how much a page shows of what a student wrote
- `templates.py`  the Jinja environment of both pages
- `markup.py`      untrusted Markdown and HTML, as HTML that is safe to show
- `formulas.py`    TeX as MathML
- `source_code.py`  a student's code, coloured
- `marking.py`     sentences as HTML, in the languages of the page
"""
