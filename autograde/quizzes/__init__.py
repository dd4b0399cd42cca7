"""One file per chapter, named after it: `quizzes/sinusoidal.py` holds `questions`."""
