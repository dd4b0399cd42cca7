"""What loops know of torch's memory and threads."""

import mmap
import os
import subprocess
import sys

import psutil
import torch

from posenc_loops import threads as lending
from posenc_loops.memory import ask_for_pages
from posenc_loops.rope import turned_in_one_pass

ONE_LIBRARY = """
import torch
torch.set_num_threads(3)
from posenc_loops.rope import turned_in_one_pass
from posenc_loops.threads import threads
assert threads() == 3
torch.rand(2000, 2000).exp()
import os
before = len(os.listdir("/proc/self/task"))
x, table = torch.zeros(1, 8, 600, 64), torch.zeros(600, 32)
turned_in_one_pass(x, table, table, "half")
torch.rand(2000, 2000).exp()
assert len(os.listdir("/proc/self/task")) == before, "the loops have threads of their own"
libraries = {line.split()[-1] for line in open("/proc/self/maps") if "omp" in line}
assert len(libraries) == 1, libraries
"""


def test_loops_run_on_the_threads_of_torch():
    code = [sys.executable, "-c", ONE_LIBRARY]
    done = subprocess.run(code, capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, done.stderr


def test_without_torchs_threads_few_numbers_are_turned_and_many_are_not(monkeypatch):
    monkeypatch.setattr(lending, "OPENMP", None)
    before = torch.get_num_threads()
    x, table = torch.zeros(1, 8, 600, 64), torch.zeros(600, 32)
    try:
        torch.set_num_threads(2)
        assert turned_in_one_pass(x, table, table, "half") is None
        assert turned_in_one_pass(x[:, :, :3], table[:3], table[:3], "half") is not None
        torch.set_num_threads(1)
        assert turned_in_one_pass(x, table, table, "half") is not None
    finally:
        torch.set_num_threads(before)


def test_a_forked_child_has_one_thread(monkeypatch):
    monkeypatch.setattr(lending, "PROCESS", os.getpid() + 1)
    assert lending.threads() == 1
    assert lending.lent()


def test_pages_that_are_asked_for_are_there_and_keep_what_they_hold():
    memory = mmap.mmap(-1, 64 * mmap.PAGESIZE)
    address = torch.frombuffer(memory, dtype=torch.uint8).data_ptr()
    memory[5 * mmap.PAGESIZE] = 7
    before = present(address)
    ask_for_pages(address + 3 * mmap.PAGESIZE + 100, address + 40 * mmap.PAGESIZE + 1)
    assert memory[5 * mmap.PAGESIZE] == 7
    assert present(address) - before >= 36


def present(address):
    """Return how many pages of the mapping at this address are in memory."""
    maps = psutil.Process().memory_maps(grouped=False)
    (here,) = (part for part in maps if part.addr.startswith(f"{address:x}-"))
    return here.rss // mmap.PAGESIZE
