"""What a draft tells respondents about data protection, checked whole and stored in one transaction."""

from datetime import date

from django.contrib.auth.models import AbstractBaseUser
from django.utils import timezone

from surveys.authoring.drafts.drafts import changing, set_told
from surveys.authoring.drafts.question_plan import Checks
from surveys.models import TOLD, Survey

TEXTS = TOLD[1:]  # without the sender
LATEST = 2200


def set_data_protection(
    *,
    survey: Survey,
    delete_on: str = "",
    by: AbstractBaseUser | None = None,
    edition: int | None = None,
    **texts: str,
) -> Survey:
    """delete_on: a day as 2027-01-31, or nothing. texts: of TEXTS; what is not given is taken out.

    Raises surveys.site.errors.Invalid with a message for each field; nothing is stored then.
    """
    if unknown := set(texts) - set(TEXTS):
        raise TypeError(f"unknown texts: {', '.join(unknown)}")
    check = Checks()
    with changing(survey, (*TEXTS, "delete_on"), by, edition) as held:
        set_told(check, held, dict.fromkeys(TEXTS, "") | texts)
        held.delete_on = check.run("delete_on", day_of_deletion, delete_on)
        check.done()
    return held


def day_of_deletion(typed: str, *, past: bool = False) -> date | None:
    """From text. past: take one that is, as a copy of an old survey has it; publishing waits for a later one.

    Raises ValueError.
    """
    typed = typed.strip()
    if not typed:
        return None
    try:
        day = date.fromisoformat(typed)
    except ValueError:
        raise ValueError("Write the day as 2027-01-31.") from None
    if day.year > LATEST:
        raise ValueError(f"{day} is too far off. Choose a day until {LATEST}.")
    if day <= timezone.now().date() and not past:
        raise ValueError(f"{day} is not in the future. The earliest day is tomorrow.")
    return day
