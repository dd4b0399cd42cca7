"""What a worker asks of the kernel: what is not on the list of the allowed is refused."""

import errno
import json
import random

import pytest

from confined import system_calls

CALL = """
import ctypes, json

libc = ctypes.CDLL(None, use_errno=True)


def error(number, *args):
    failed = libc.syscall(*[ctypes.c_long(value) for value in (number, *args)]) == -1
    return ctypes.get_errno() if failed else 0


print(json.dumps([error(*call) for call in {calls}]))
"""
USES = {  # refused by an argument: the call, its arguments, which of them is an int of 32 bits
    "a terminal's input": ("ioctl", (0, 0x5412, 0), 1),
    "a console's input": ("ioctl", (0, 0x541C, 0), 1),
    "to outlive the grader": ("prctl", (1, 0, 0, 0, 0), 0),
    "internet": ("socket", (2, 1, 0), 0),
    "netlink": ("socket", (16, 3, 0), 0),
    "a cluster's sockets": ("socketpair", (30, 1, 0, 0), 0),
}
MEMORY = {  # that no limit counts: flags of mmap
    "a stack": 0x22 | 0x100,
    "shared": 0x21,
    "shared and validated": 0x23,
}
UNKNOWN = [
    "io_uring_setup",
    "bpf",
    "userfaultfd",
    "perf_event_open",
    "kexec_load",
    "add_key",
    "clone3",
    "chroot",
    "swapoff",
    "move_pages",
    "personality",
    "process_madvise",
]
HONEST = [  # what notebooks do, beside what the solutions of the chapters do
    "!ls / | head -3; date",
    "import threading\nline = threading.Thread(target=print)\nline.start()\nline.join()",
    "import multiprocessing\nother = multiprocessing.Process()\nother.start()\nother.join()",
    "import asyncio\nasyncio.run(asyncio.sleep(0.01))",
    "import subprocess, sys\nsubprocess.run([sys.executable, '-c', 'import json'], check=True)",
    "import tempfile, shutil\nshutil.rmtree(tempfile.mkdtemp())",
    "import torch\ntorch.save(torch.ones(3), 'own.pt')\ntorch.load('own.pt')",
    "import matplotlib.pyplot as plt\nplt.plot([1, 2])\nplt.savefig('own.png')",
    "import numpy as np\nnp.save('own.npy', np.ones(3))\nnp.load('own.npy', mmap_mode='r')",
]
HIGH = [0, 1, 0x7FFFFFFF, *(random.Random(2026).getrandbits(31) for _ in range(20))]


def number(name):
    seccomp = system_calls.library()
    return seccomp.resolve_syscall(seccomp.system_arch(), name)


@pytest.fixture
def errors(zygote):
    """Return the error numbers of calls that a cell makes; 0 where one is let through."""
    with zygote.worker() as worker:
        if worker.layers["seccomp"]:
            pytest.skip(worker.layers["seccomp"])

        def of(calls):
            (output,) = worker.run(CALL.format(calls=calls))
            return json.loads(output["text"])

        yield of


@pytest.mark.parametrize("what", USES)
def test_the_kernel_reads_32_bits_of_an_int_and_so_does_the_filter(errors, what):
    name, args, place = USES[what]
    calls = [
        [number(name), *args[:place], args[place] + (high << 32), *args[place + 1 :]]
        for high in HIGH
    ]
    assert errors(calls) == [errno.EPERM] * len(HIGH)


@pytest.mark.parametrize("what", MEMORY)
def test_memory_that_no_limit_counts(errors, what):
    assert errors([[number("mmap"), 0, 1 << 20, 3, MEMORY[what], -1, 0]]) == [errno.EPERM]


def test_memory_of_ones_own(errors):
    assert errors([[number("mmap"), 0, 1 << 20, 3, 0x22, -1, 0]]) == [0]


def test_what_is_refused_of_the_list_says_so(errors):
    names = [name for name in system_calls.REFUSED if number(name) > 0]
    assert errors([[number(name), 0, 0, 0, 0, 0] for name in names]) == [errno.EPERM] * len(names)


def test_what_is_not_on_the_list_is_unknown(errors):
    calls = [[number(name), 0, 0, 0, 0, 0] for name in UNKNOWN]
    assert errors(calls) == [errno.ENOSYS] * len(calls)


@pytest.mark.parametrize("source", HONEST)
def test_what_notebooks_do_is_let_through(zygote, source):
    with zygote.worker() as worker:
        assert not [one for one in worker.run(source) if one["output_type"] == "error"]


def test_the_stack_grows_no_further_than_it_may(zygote):
    grow = "import resource\n\nresource.setrlimit(resource.RLIMIT_STACK, (1 << 30, 1 << 30))"
    with zygote.worker() as worker:
        (error,) = worker.run(grow)
    assert error["ename"] in ("ValueError", "PermissionError")


def test_each_refused_call_stands_on_the_list_and_once():
    lines = system_calls.ALLOWED.read_text(encoding="utf-8").splitlines()
    allowed = " ".join(line for line in lines if not line.startswith("#")).split()
    assert set(system_calls.REFUSED) <= set(allowed)
    assert len(set(system_calls.REFUSED)) == len(system_calls.REFUSED)
    assert allowed == sorted(set(allowed))
