"""Writes a flood that is not text to each standard stream, below Python."""

from tests.security.pieces import WORTHLESS

ANSWER = f"""{WORTHLESS}
import os

for number in range(3):
    try:
        for _ in range(100):
            os.write(number, bytes([255]) * 100_000)
    except OSError as error:
        print(error)
"""
