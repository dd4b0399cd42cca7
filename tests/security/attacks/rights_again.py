"""Asks for root, for rights, for a raised limit, for a higher priority."""

from tests.security.pieces import everywhere

ANSWER = everywhere("""
import resource
for ask in (
    lambda: os.setuid(0), lambda: os.setresuid(0, 0, 0), lambda: os.setgroups([0]),
    lambda: os.nice(-10), lambda: os.sched_setscheduler(0, os.SCHED_FIFO, os.sched_param(9)),
    lambda: resource.setrlimit(resource.RLIMIT_NPROC, (10_000, 10_000)),
    lambda: os.chown("/tmp", 0, 0), lambda: os.mknod("disk", 0o60660, os.makedev(8, 0)),
):
    try:
        ask()
        print("STOLEN: rights")
    except (OSError, ValueError) as error:
        print(error)
print(os.popen("sudo -n id || su -c id || pkexec id").read())
""")
NEEDS = 1
PLAIN = "would change the grader's own rights"
