"""A draft from whatever file a person has: the JSON of a survey, or a format that a feature reads."""

from django.contrib.auth.models import AbstractBaseUser

from surveys import extensions
from surveys.authoring.files import other_tools, survey_file
from surveys.models import Survey
from surveys.site.errors import Unreadable
from surveys.site.files.sizes import too_large_message

LARGEST_SURVEY_FILE = 4 * survey_file.LARGEST  # bytes: a character takes four at most


def largest_size() -> int:
    """Return the number of bytes that a file may have, in the format that allows most."""
    return max([LARGEST_SURVEY_FILE, *(each.largest for each in extensions.survey_formats)])


def bring(content: bytes, owner: AbstractBaseUser, name: str = "") -> tuple[Survey, list[str]]:
    """The draft, and what could not be taken over. name: of the file, where it has one. Raises Unreadable."""
    if told := other_tools.recognised(content, name):
        raise Unreadable(told)
    for survey_format in extensions.survey_formats:
        if name.lower().endswith(survey_format.extensions) or survey_format.is_content(content):
            return survey_format.read(content, owner, name)
    if len(content) > LARGEST_SURVEY_FILE:
        raise Unreadable(too_large_message(LARGEST_SURVEY_FILE))
    try:
        text = content.decode("utf-8-sig")
    except UnicodeDecodeError:
        raise Unreadable("The file is not text in UTF-8. Save it as UTF-8.") from None
    return survey_file.read(survey_file.parse(text), owner=owner), []
