"""Rings deadlines at drawn moments and looks what each leaves behind.

python -m tests.confined.ring_alarms 10000
"""

import random
import signal
import sys
import threading
import time

from confined import deadline

CALLS = (deadline.call_within, deadline.call_within_cpu)
LONGEST = 100e-6  # seconds: about twice what such a call takes, so that half of them are too slow
ENDLESS = 0.02


def swallow():
    """Take as long as a short call, or for ever, and swallow what comes."""
    until = time.monotonic() + random.choice([0.0, LONGEST / 4, LONGEST / 2, ENDLESS])
    while time.monotonic() < until:
        try:
            len("abc")
        except BaseException:
            continue


def nested():
    random.choice(CALLS)(random.uniform(0, LONGEST), swallow)


def rung(moments, works):
    """Return how many of so many calls were too slow; each has left everything as it was."""
    handler, tracing, late = signal.getsignal(signal.SIGALRM), sys.gettrace(), 0
    for _ in range(moments):
        try:
            random.choice(CALLS)(random.uniform(0, LONGEST), random.choice(works))
        except deadline.TooSlow:
            late += 1
        assert signal.getitimer(signal.ITIMER_REAL) == (0.0, 0.0)
        assert signal.getsignal(signal.SIGALRM) is handler
        assert sys.gettrace() is tracing
    return late


def main():
    moments = int(sys.argv[1])
    deadline.AGAIN = LONGEST / 2  # rings again while it is taken down
    print(rung(moments, [swallow, nested]))
    late = []
    thread = threading.Thread(target=lambda: late.append(rung(moments // 10, [swallow])))
    thread.start()
    thread.join()
    print(*late)
    assert threading.active_count() == 1


if __name__ == "__main__":
    main()
