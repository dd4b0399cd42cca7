"""Reads the memory, the files and the environment of other processes in /proc."""

from tests.security.pieces import WORTHLESS

ANSWER = f"""
import glob, os

for path in glob.glob("/proc/[0-9]*/environ") + glob.glob("/proc/[0-9]*/root{{course}}/*"):
    try:
        print(path, open(path).read())
    except OSError as error:
        print(error)
{WORTHLESS}""".replace("{course}", '""" + course + r"""')
NEEDS = 1
