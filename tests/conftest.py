"""Shared by all tests: how long each part took, what the kit counted, a browser, their order."""

import torch

pytest_plugins = ["tests.durations", "tests.kit_summary", "tests.chromium", "tests.order"]

# two workers with two threads each wait for each other at every small operation
torch.set_num_threads(1)
