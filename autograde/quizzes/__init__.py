"""One file a chapter, named by its stem: `quizzes/sinusoidal.py` holds `questions`."""
