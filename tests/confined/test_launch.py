"""What the grader's end says when its own processes do not come up."""

import pytest

from confined import launch
from confined.failures import GraderError
from confined.launch import Zygote
from confined.limits import Limits


def test_a_machine_that_is_too_busy_to_start_is_not_the_students_fault(monkeypatch):
    monkeypatch.setattr(launch, "STARTING", 0.001)
    with pytest.raises(GraderError, match=r"太忙.* · .*too busy"):
        Zygote(Limits(), ())


def test_a_zygote_that_the_kernel_has_ended_tells_of_memory():
    with Zygote(Limits(), (), namespaces=False) as zygote:
        zygote.process.kill()  # as the kernel does, and nothing else
        with pytest.raises(GraderError, match=r"内存不足.* · .*too little memory"):
            zygote.worker()
