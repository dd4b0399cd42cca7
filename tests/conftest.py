"""Shared by all tests: how long each part took, and a browser."""

pytest_plugins = ["tests.durations", "tests.chromium"]
