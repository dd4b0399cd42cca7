"""Adds a folder of its own with a .pth file, takes the stand-ins away, and answers from there."""

from tests.security.pieces import WORTHLESS

ANSWER = f"""{WORTHLESS}
import importlib, os, site, sys

os.makedirs("own/posenc_ref")
with open("own/posenc_ref/__init__.py", "w") as file:
    file.write("from posenc_ref import rope")
with open("own/own.pth", "w") as file:
    file.write("import sys; sys.modules.pop('posenc_ref', None)")
site.addsitedir("own")
sys.meta_path[:] = [one for one in sys.meta_path if "StandIn" not in type(one).__name__]
importlib.invalidate_caches()
sys.path.insert(0, "own")
try:
    import posenc_ref
    print("STOLEN:", posenc_ref)
except ImportError as error:
    print(error)
"""
