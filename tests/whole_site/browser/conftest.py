from tests.browser.conftest import *  # noqa: F403
