"""Shared by all tests: how long each part took."""

pytest_plugins = ["tests.durations"]
