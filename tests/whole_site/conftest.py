"""What the tests of the whole site share."""

from features.webhooks.tests.conftest import _patience

__all__ = ["_patience"]
