"""Honest code lives: what students really write runs in the worker as it does in a notebook."""

import time

import pytest

from autograde.grading.session import Session
from autograde.kit.catalogue import exercise
from confined.failures import WorkerLost
from confined.worker_handle import Worker

PICTURE = "image/png"
ENDLESS = """
import time
while True:
    try:
        time.sleep(1)
    except:
        pass
"""


@pytest.fixture
def session(any_zygote):
    files = {"helper.py": b"def double(x):\n    return 2 * x\n", "data/words.txt": "位置".encode()}
    with Session(any_zygote, files) as session:
        yield session


def printed(outputs):
    return "".join(output.get("text", "") for output in outputs)


@pytest.mark.parametrize(
    ("source", "text"),
    [
        ("import numpy as np\nprint(np.linalg.norm(np.ones(4)))", "2.0"),
        ("import torch\none = torch.eye(3).bfloat16()\nprint(one.matmul(one).sum())", "3"),
        ("import torch\nx = torch.ones(1).requires_grad_()\nx.backward()\nprint(x.grad)", "1."),
        ("import torch\nlayer = torch.nn.MultiheadAttention(8, 2)\nprint(layer.num_heads)", "2"),
        ("from helper import double\nprint(double(21))", "42"),
        ("print(open('data/words.txt', encoding='utf-8').read())", "位置"),
        ("open('notes.txt', 'w').write('kept')\nprint(open('notes.txt').read())", "kept"),
        ("import time\nfor _ in range(4):\n    time.sleep(0.1)\nprint('done')", "done"),
        ("%%time\nprint('timed')", "timed"),
        ("!echo from a shell", "from a shell"),
        ("import tempfile\nwith tempfile.TemporaryFile() as f:\n    print(f.write(b'abc'))", "3"),
        ("from collections import Counter\nCounter('aab')\nprint(Counter('aab')['a'])", "2"),
        ("import sympy_is_not_here", ""),
        ("from posenc_ref import sinusoidal\na, b = sinusoidal(3, 8)\nprint('on')", "on"),
        ("from posenc_viz import picture, Curves\npicture(Curves([]))\nprint('drawn')", "drawn"),
    ],
)  # fmt: skip
def test_a_cell_prints_what_it_prints_in_a_notebook(session, source, text):
    assert text in printed(session.run(source))
    assert session.restarts == 0


def test_threads_run(session):
    source = """
from concurrent.futures import ThreadPoolExecutor
with ThreadPoolExecutor(4) as pool:
    print(sum(pool.map(lambda n: n * n, range(10))))
"""
    assert "285" in printed(session.run(source))


@pytest.mark.parametrize("magic", ["", "%matplotlib inline\n"])
def test_a_plot_is_a_picture(session, magic):
    outputs = session.run(f"{magic}import matplotlib.pyplot as plt\nplt.plot([1, 2])\nplt.show()")
    assert any(PICTURE in output.get("data", {}) for output in outputs)


def test_a_warning_does_not_stop_a_cell(session):
    outputs = session.run("import warnings\nwarnings.warn('careful')\nprint('went on')")
    assert "went on" in printed(outputs)


def test_the_last_value_is_shown_and_is_not_a_score(session):
    (output,) = session.run("6 * 7")
    assert output["output_type"] == "display_data"
    assert output["data"]["text/plain"] == "42"


def test_an_error_is_shown_and_the_next_cell_runs(session):
    (error,) = session.run("1 / 0")
    assert error["ename"] == "ZeroDivisionError"
    assert "1" in printed(session.run("print(1)"))


def test_a_cell_that_ends_its_process_is_skipped_and_the_others_run(session):
    session.run("before = 1")
    (error,) = session.run("import os\nos._exit(0)")
    assert error["ename"] == "ProcessEnded"
    assert "1" in printed(session.run("print(before)"))
    assert session.restarts == 1


def test_when_the_time_of_a_submission_is_spent_nothing_is_run_any_more(session):
    session.run("def answer(q, k):\n    return k[None, :] - q[:, None]")
    assert session.verdict(exercise("key_minus_query"), "answer", 7).full
    session.until = time.monotonic() + 0.1
    session.run("import time\ntime.sleep(0.2)")
    (error,) = session.run("1 + 1")
    assert error["ename"] == "NotRun"
    assert session.verdict(exercise("key_minus_query"), "answer", 7).score == 0


def test_a_verdict_stands_though_the_worker_is_lost_after_it(session, monkeypatch):
    session.run("def answer(q, k):\n    return k[None, :] - q[:, None]")
    ask = Worker.ask

    def lost_at_close(worker, order, *args, **options):
        if order["do"] == "close":
            raise WorkerLost("no end after 10 s")
        return ask(worker, order, *args, **options)

    monkeypatch.setattr(Worker, "ask", lost_at_close)
    assert session.verdict(exercise("key_minus_query"), "answer", 7).full
    assert session.restarts == 1


def test_an_endless_cell_is_stopped_and_says_so(session):
    (error,) = session.run(ENDLESS)
    assert error["ename"] == "TooSlow"
    assert "5" in printed(session.run("print(5)"))
    assert session.restarts == 0
