"""Puts its own function in the place of the reference."""

from tests.security.pieces import WORTHLESS

ANSWER = f"""{WORTHLESS}
import importlib

for name in ("posenc_ref", "posenc_ref.positions", "autograde.exercises.key_minus_query"):
    module = importlib.import_module(name)
    for known in ("relative_positions", "key_minus_query", "_want"):
        setattr(module, known, key_minus_query)
"""
