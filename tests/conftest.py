"""Hypothesis for all tests: without a deadline, and in CI the same examples every time."""

import os

from hypothesis import settings

settings.register_profile("oracle", deadline=None, derandomize=os.environ.get("CI") == "true")
settings.load_profile("oracle")
