"""Answers that are more alike than their exercise explains: for a teacher to read, not a verdict.

Even independent solutions of an exercise look much alike. So an answer becomes the forms of its
statements, in which names, numbers, comments, layout and order do not count. The fewer students
write a form, the more it weighs. Forms of the released notebook and of the course's solution weigh
nothing.

Answers in prose are alike if they are equal, except for whitespace, and longer than a word or two.

Written here with `ast`, not with a library: the maintained ones (copydetect, JPlag) compare runs of
some twenty tokens, longer than most of these answers, and weigh common code like rare code.

- `forms.py`       an answer as the forms of its statements; run in a confined process
- `answers.py`     the answers of a class, of the course, and known ones from elsewhere
- `alike.py`       weighs what two answers share
- `same_words.py`  the groups whose answers in prose are equal
- `pairs.py`       the pairs of a class, over all exercises of a chapter, and these groups
"""
