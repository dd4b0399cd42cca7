"""Where libseccomp is not installed a layer is missing, and that is all."""

import ctypes.util
import sys

import pytest

from confined import system_calls
from confined.confine import Layers, _layer


@pytest.fixture
def no_libseccomp(monkeypatch):
    find = ctypes.util.find_library
    monkeypatch.delitem(sys.modules, "pyseccomp", raising=False)
    monkeypatch.setattr(
        ctypes.util, "find_library", lambda name: None if name == "seccomp" else find(name)
    )


@pytest.mark.usefixtures("no_libseccomp")
def test_without_libseccomp_the_layer_says_so():
    layers: Layers = {}
    with _layer(layers, "seccomp"):
        system_calls.filters()
    assert layers["seccomp"] == "ImportError: Unable to find libseccomp"
