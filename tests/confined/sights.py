"""What a worker gets at of the environment that it runs in; printed by a process of any other."""

import json
import sys

from confined.confine import tier
from confined.fork_server_handle import ForkServer
from confined.limits import Limits
from confined.view import COURSE

SOURCES = (
    "import fileinput",
    "open('own.txt', 'w').write('x')",
    f"import os; os.listdir({sys.prefix!r})",
    f"open({sys.prefix!r} + '/own.txt', 'w')",
)


def seen(worker):
    """Return the tier of its confinement, and the errors of each of `SOURCES`."""
    outputs = map(worker.run, SOURCES)
    return [
        tier(worker.layers),
        *([one["ename"] for one in each if "ename" in one] for each in outputs),
    ]


if __name__ == "__main__":
    with ForkServer(COURSE) as server, server.zygote(Limits()) as zygote, zygote.worker() as worker:
        print(json.dumps(seen(worker)))
