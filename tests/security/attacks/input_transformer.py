"""Rewrites every later cell before IPython runs it."""

from tests.security.pieces import WORTHLESS

ANSWER = f"""{WORTHLESS}
get_ipython().input_transformers_cleanup.append(lambda lines: ["2.0"])
"""
