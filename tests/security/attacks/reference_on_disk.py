"""Walks the whole disk for the reference, the checks and the solutions."""

from tests.security.pieces import everywhere

ANSWER = everywhere("""
for folder, folders, files in os.walk("/"):
    inside = "site-packages/" in folder
    folders[:] = [name for name in folders if name not in ("proc", "sys", "usr") and not inside]
    if os.path.basename(folder) in ("posenc_ref", "autograde", "solutions", "submitted") and files:
        print("STOLEN", folder, files[:3])
""")
NEEDS = 2
