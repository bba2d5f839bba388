"""What commands are told by name."""

from django.core.management.base import CommandError

from surveys.models import Survey


def survey_named(slug: str) -> Survey:
    """CommandError where there is none."""
    found = Survey.objects.filter(slug=slug).first()
    if found is None:
        raise CommandError(f"No survey has the slug {slug!r}.")
    return found
