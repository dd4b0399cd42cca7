"""Reads what the kernel shows of itself and of others, by every path that leads there."""

from tests.security.pieces import everywhere

ANSWER = everywhere("""
for path in (
    "/proc/1/environ", "/proc/self/environ", "/proc/self/root/etc/shadow", "/proc/kcore",
    "/proc/sysrq-trigger", "/proc/keys", "/sys/kernel", "/sys/fs/cgroup", "/dev/mem", "/dev/kmsg",
    "/dev/tty", "/dev/ptmx", "/dev/fd/0", "/run", "/var/run/secrets", "/etc/shadow", "/boot",
):
    try:
        content = os.listdir(path) if os.path.isdir(path) else open(path, "rb").read(10)
        print("STOLEN:", path, content)
    except OSError:
        pass
""")
NEEDS = 1
PLAIN = "would read this machine's own"
