"""Leaves a daemon: two forks, a session of its own, every signal ignored."""

from tests.security.pieces import everywhere

ANSWER = everywhere("""
if os.fork() == 0:
    try:
        os.setsid()
    except OSError:
        pass
    if os.fork() == 0:
        for number in range(1, 65):
            try:
                signal.signal(number, signal.SIG_IGN)
            except (OSError, ValueError):
                pass
        for descriptor in range(256):
            try:
                os.close(descriptor)
            except OSError:
                pass
        time.sleep(600)
    os._exit(0)
""")
