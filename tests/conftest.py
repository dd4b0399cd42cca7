"""Shared by all tests: how long each part took, what the kit counted, and a browser."""

pytest_plugins = ["tests.durations", "tests.kit_summary", "tests.chromium"]
