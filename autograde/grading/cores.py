"""How many processes can work at once."""

import os


def cores() -> int:
    """Return how many cores this process may use: a container or a job may not have them all."""
    if hasattr(os, "sched_getaffinity"):  # Linux
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1
