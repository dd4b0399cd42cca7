"""What the processes of a pool share: one process imports this, and they are its forks.

The fork server starts beside these imports, which take as long. What is imported stays, so nothing
looks for garbage among it: not now, which would take a fifth of the time, nor in a fork, which
would write to, and so copy, every page that it shares.
"""

import gc
import warnings
from contextlib import suppress
from importlib import import_module

from autograde.grading.fork_servers import HIDDEN_FROM_ANSWERS, fork_server
from confined.failures import GraderError

# Ctrl-C ends the fork servers of graded code, children of which multiprocessing's knows nothing
warnings.filterwarnings("ignore", "forkserver: waitpid returned unexpected pid")
with suppress(GraderError):  # each process that grades tries it again, and tells
    fork_server(HIDDEN_FROM_ANSWERS)
gc.disable()
for room in ("notebook", "submission"):
    import_module(f"autograde.grading.{room}")
gc.freeze()
gc.enable()
