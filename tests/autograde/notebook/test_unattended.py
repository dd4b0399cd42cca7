"""An answer that asks the keyboard or ends the kernel gets a reason, and the notebook lives."""

import builtins

import pytest

from autograde.kit.catalogue import exercise
from autograde.kit.scoring import evaluate
from autograde.notebook import unattended as module
from autograde.notebook.unattended import unattended


class Shell:
    """What of IPython's shell an `exit()` calls."""

    ended = False

    def ask_exit(self):
        self.ended = True


@pytest.fixture
def shell(monkeypatch):
    shell = Shell()
    monkeypatch.setattr(module, "get_ipython", lambda: shell)
    return shell


def asks(x):
    return float(input("How much? ")) * x


@pytest.mark.parametrize("way", ["input", "exit"])
def test_the_reason_names_what_is_called(shell, way):
    def ends(x):
        shell.ask_exit()
        return 2 * x

    before = builtins.input
    with unattended():
        verdict = evaluate(exercise("double"), {"input": asks, "exit": ends}[way])
    assert verdict.score == 0
    assert f"it calls {way}()" in verdict.outcomes[0].reason.en
    assert f"它调用了{way}()" in verdict.outcomes[0].reason.zh
    assert builtins.input is before
    assert not shell.ended


def test_afterwards_a_reader_can_end_the_kernel(shell):
    with pytest.raises(RuntimeError, match="of the check itself"), unattended():
        raise RuntimeError("of the check itself")
    shell.ask_exit()
    assert shell.ended


def test_without_a_kernel_input_is_refused_all_the_same():
    with unattended():
        assert "input()" in evaluate(exercise("double"), asks).outcomes[0].reason.en
