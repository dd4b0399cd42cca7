"""Memory gathered into huge pages: the same memory, whatever the kernel says."""

from pathlib import Path

import torch

from confined import huge_pages, kernel

MAPS = "\n".join(  # a line without a name ends in a space
    [
        "555555554000-555555956000 rw-p 00000000 00:00 0                          [heap]",
        "7f0000000000-7f0000200000 rw-p 00000000 00:00 0 ",
        "7f0000300000-7f0000500000 rw-p 00000000 00:00 0 ",
        "7f1000000000-7f1000400000 r--p 00000000 00:00 0 ",
        "7f2000000000-7f2000400000 rw-p 00000000 08:01 99                   /usr/lib/libtorch.so",
        "7ffc00000000-7ffc00400000 rw-p 00000000 00:00 0                          [stack]",
    ]
)


def test_only_whole_huge_pages_of_the_heap_and_of_anonymous_memory():
    assert list(huge_pages._whole_huge_pages(MAPS)) == [
        (0x555555600000, 2 << 20),
        (0x7F0000000000, 2 << 20),
    ]


def test_memory_stays_as_it_is():
    tensor = torch.arange(3 << 20)
    huge_pages.gather()
    assert torch.equal(tensor, torch.arange(3 << 20))


def test_a_kernel_that_refuses_does_no_harm(monkeypatch):
    advices = []

    def refuse(start, size, advice):
        advices.append(advice)
        raise OSError(22, "Invalid argument")

    monkeypatch.setattr(kernel, "advise", refuse)
    huge_pages.gather()
    assert bool(advices) == Path("/proc/self/maps").exists()
