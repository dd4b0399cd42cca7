"""What the processes of a pool share: one process imports this, and they are its forks.

What is imported stays, so nothing looks for garbage among it: not now, which would take a fifth of
the time, nor in a fork, which would write to, and so copy, every page that it shares.
"""

import gc
from importlib import import_module

gc.disable()
for room in ("notebook", "submission"):
    import_module(f"autograde.grading.{room}")
gc.freeze()
gc.enable()
