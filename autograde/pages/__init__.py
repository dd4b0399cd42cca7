"""The pages for people: the feedback of a student, the report on a class.

- `feedback/`      a student's feedback page
- `class_report/`  the teacher's page and CSV (`python -m autograde report`)
- `marks.py`      what an exercise came to: its sign and its words
- `templates.py`  the Jinja environment of both
- `markup.py`      Markdown and HTML of a stranger, as HTML that is safe to show
- `formulas.py`    TeX as MathML
- `source_code.py`  a student's code, coloured
- `marking.py`     sentences as HTML, in the languages of the page
"""
