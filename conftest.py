"""Fixtures and options for all tests, in tests/ and in the features."""

pytest_plugins = ["tests.fixtures"]
