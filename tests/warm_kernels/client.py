"""What Jupyter starts as a kernel: asks the server for one, passes signals on, ends with it."""

import json
import os
import signal
import socket
import sys

SOCKET = "POSENC_TESTS_KERNELS"  # names the environment variable


def main() -> None:
    """Ask for a kernel with this process's arguments, environment, folder and files."""
    request = {"arguments": sys.argv[1:], "folder": os.getcwd(), "environment": dict(os.environ)}
    with socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET) as server:
        server.connect(os.environ[SOCKET])
        signal.signal(signal.SIGINT, lambda number, _: server.send(bytes([number])))
        socket.send_fds(server, [json.dumps(request).encode()], [0, 1, 2])
        server.recv(1)  # nothing comes: the kernel has ended


if __name__ == "__main__":
    main()
