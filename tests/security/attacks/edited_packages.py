"""Edits the installed torch, the worker's own source and the compiled files beside them."""

from tests.security.pieces import everywhere

ANSWER = everywhere("""
import IPython
for module in (torch, IPython, sys.modules.get("confined.worker"), os):
    for path in (module.__file__, module.__cached__):
        try:
            open(path, "a").write("")
            print("STOLEN: may write", path)
        except OSError as error:
            print(error)
""")
NEEDS = 2
PLAIN = "would write to this machine's Python"
