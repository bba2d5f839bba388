from tests.faults.conftest import *  # noqa: F403
