"""Sends SIGKILL to its parents, to every process that it can name, and to all at once."""

from tests.security.pieces import everywhere

ANSWER = everywhere("""
for number in [os.getppid(), *range(2, 5000), -1]:
    try:
        if number != os.getpid():
            os.kill(number, signal.SIGKILL)
    except OSError:
        pass
""")
NEEDS = 2
PLAIN = "would end every process of this machine"
