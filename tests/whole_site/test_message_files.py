"""The message files hold the texts of the core and of all features, and none besides."""

import pytest
from django.conf import settings
from django.core.management import call_command

from surveys.management.commands.messages import (
    LANGUAGES,
    compiled,
    po_file,
    read,
    renewed,
    written,
)

EACH = pytest.mark.parametrize("language", LANGUAGES)


@EACH
def test_compiled_messages_are_fresh(language: str) -> None:
    path = po_file(language)
    assert path.read_bytes() == written(renewed(language)), "run manage.py messages"
    assert path.with_suffix(".mo").read_bytes() == compiled(read(language)), (
        "run manage.py messages"
    )


def test_the_command_changes_nothing_that_is_fresh() -> None:
    before = {path: path.read_bytes() for path in settings.BASE_DIR.glob("locale/*/LC_MESSAGES/*")}
    assert len(before) == 2 * len(LANGUAGES)
    call_command("messages")
    assert {path: path.read_bytes() for path in before} == before
