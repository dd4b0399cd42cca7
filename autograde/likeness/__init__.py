"""Answers of a class that are alike beyond what their exercise suggests: for eyes, no verdict.

Whoever solves an exercise by themselves writes much as others do. So an answer becomes the forms of
its statements, in which names, numbers, comments, layout and order do not count, and a form weighs
the more the fewer write it. Forms of the released notebook and of the course's solution weigh
nothing.

Answers in prose are alike if they are equal, whitespace apart, and longer than a word or two.

Written here with `ast`, not with a library: those that are kept (copydetect, JPlag) compare runs of
some twenty tokens, longer than most of these answers, and weigh what is common as what is rare.

- `forms.py`       an answer as the forms of its statements; run in a confined process
- `answers.py`     the answers of a class, of the course, and those that are known from elsewhere
- `alike.py`       weighs what two answers share
- `same_words.py`  the groups whose answers in prose are equal
- `pairs.py`       the pairs of a class, over all exercises of a chapter, and these groups
"""
