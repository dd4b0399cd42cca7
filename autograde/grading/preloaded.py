"""What the processes of a pool share: one process imports this module, and they are its forks.

The fork server starts during these imports, which take as long. Imported objects stay, so the
garbage collector skips them: now it would take a fifth of the time, and in a fork it would write
to, and so copy, every shared page.
"""

import gc
import warnings
from contextlib import suppress
from importlib import import_module

from autograde.grading.fork_servers import HIDDEN_FROM_ANSWERS, fork_server
from confined.failures import GraderError

# Ctrl-C ends the fork servers of graded code, which multiprocessing's fork server did not start
warnings.filterwarnings("ignore", "forkserver: waitpid returned unexpected pid")
with suppress(GraderError):  # each process that grades tries again, and reports it
    fork_server(HIDDEN_FROM_ANSWERS)
gc.disable()
for module in ("notebook", "submission"):
    import_module(f"autograde.grading.{module}")
gc.freeze()
gc.enable()
