"""Imports what takes a kernel long, then forks a kernel for each client, until its input ends.

python tests/warm_kernels/server.py SOCKET
"""

import gc
import json
import os
import select
import signal
import socket
import sys
import threading
from importlib import import_module

SLOW = (
    *("ipykernel.kernelapp", "ipykernel.ipkernel", "ipykernel.debugger", "ipywidgets"),
    *("matplotlib.figure", "matplotlib.backends.backend_agg"),
    *("torch", "torch._dynamo"),  # which the first optimizer imports
)
REQUEST = 2**18  # bytes: a long environment


def main() -> None:
    """Serve; each child becomes a kernel and ends as one."""
    del sys.path[0]  # this folder
    os.environ["MPLBACKEND"] = "module://matplotlib_inline.backend_inline"  # as a kernel has it
    for name in SLOW:
        import_module(name)
    gc.freeze()  # no kernel looks for garbage among these,
    gc.set_threshold(100_000)  # nor, often, among what it makes itself
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)  # nobody asks how a kernel ended
    with socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET) as listener:
        listener.bind(sys.argv[1])
        listener.listen()
        print("ready", flush=True)
        while listener in select.select([listener, sys.stdin], [], [])[0]:
            client, _ = listener.accept()
            if os.fork() == 0:
                listener.close()
                become_kernel(client)
            client.close()


def become_kernel(client: socket.socket) -> None:
    """Run a kernel as the client would have; it ends with the client."""
    from ipykernel.kernelapp import launch_new_instance

    data, files, _, _ = socket.recv_fds(client, REQUEST, 3)
    request = json.loads(data)
    for number, file in enumerate(files):
        os.dup2(file, number)
        os.close(file)
    os.setsid()
    signal.signal(signal.SIGCHLD, signal.SIG_DFL)
    os.chdir(request["folder"])
    os.environ.clear()
    os.environ.update(request["environment"])
    threading.Thread(target=obey, args=[client], daemon=True).start()
    launch_new_instance(request["arguments"])
    os._exit(0)


def obey(client: socket.socket) -> None:
    """Pass the client's signals on; end when it has ended."""
    while signals := client.recv(1):
        signal.pthread_kill(threading.main_thread().ident, signals[0])
    os._exit(0)


if __name__ == "__main__":
    main()
