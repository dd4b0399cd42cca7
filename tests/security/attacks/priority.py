"""Asks for the highest priority and for a real-time scheduler."""

from tests.security.pieces import everywhere

ANSWER = everywhere("""
for ask in (
    lambda: os.nice(-20),
    lambda: os.setpriority(os.PRIO_USER, 0, -20),
    lambda: os.sched_setscheduler(0, os.SCHED_FIFO, os.sched_param(99)),
):
    try:
        ask()
        print("STOLEN: priority")
    except OSError as error:
        print(error)
""")
NEEDS = 2
PLAIN = "would slow this machine down"
