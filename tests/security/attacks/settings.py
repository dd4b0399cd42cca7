"""Appends a line to the course's settings, which run in the grader's own process."""

from tests.security.pieces import everywhere

ANSWER = everywhere("""
for name in ("nbgrader_config.py", "course.toml", "confined.py", "usercustomize.py"):
    open(course + "/" + name, "a").write("\\nimport os; os.environ['STOLEN'] = '1'\\n")
""")
NEEDS = 2
