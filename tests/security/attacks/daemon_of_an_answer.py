"""Leaves processes behind in the answer, which runs in a fork."""

ANSWER = """
import os, subprocess, time


def key_minus_query(q_positions, k_positions):
    subprocess.Popen(["sleep", "600"])
    if os.fork() == 0:
        time.sleep(600)
"""
