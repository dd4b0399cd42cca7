"""Walks the whole disk for the reference, the checks and the solutions."""

from tests.security.pieces import WORTHLESS

ANSWER = f"""
import os

for folder, folders, files in os.walk("/"):
    folders[:] = [name for name in folders if name not in ("proc", "sys", "torch", "doc", "share")]
    if os.path.basename(folder) in ("posenc_ref", "autograde", "solutions"):
        print("STOLEN" if files else "", folder, files[:3])
{WORTHLESS}"""
NEEDS = 2
