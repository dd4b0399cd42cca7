"""Stops every process that it may signal, itself too."""

from tests.security.pieces import WORTHLESS

ANSWER = f"""{WORTHLESS}
import os, signal

os.kill(-1, signal.SIGSTOP)
os.kill(os.getpid(), signal.SIGSTOP)
"""
NEEDS = 2
PLAIN = "would stop every process of this machine"
