"""Reads what the installer wrote of the course, and follows the names of its files."""

from tests.security.pieces import everywhere

ANSWER = everywhere("""
import importlib.metadata

for one in importlib.metadata.distributions():
    if "posenc" in str(one.metadata["Name"]).lower():
        for file in one.files or ():
            if file.parts[0] in ("posenc_ref", "autograde", "solutions") and file.suffix == ".py":
                try:
                    print("STOLEN:", file, file.read_text()[:100])
                except OSError as error:
                    print(error)
""")
NEEDS = 2
PLAIN = "there the course is installed to be read"
