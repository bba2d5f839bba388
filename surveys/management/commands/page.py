import hashlib
import sys
from argparse import ArgumentParser, ArgumentTypeError
from datetime import UTC, datetime
from pathlib import Path

from django.core.management.base import BaseCommand, CommandError

from surveys.definition.parsing import parse
from surveys.fieldwork.page import TEMPLATES, Page, all_pages, all_pages_of
from surveys.models import Survey
from surveys.site.errors import Refused
from surveys.site.headers import headers_of
from surveys.site.page_program import page_parts


def _moment(text: str) -> datetime:
    try:
        return datetime.strptime(text, "%Y-%m-%dT%H:%MZ").replace(tzinfo=UTC)
    except ValueError:
        raise ArgumentTypeError(
            f"{text!r} is not a time in UTC; write for example 2027-03-01T08:00Z"
        ) from None


class Command(BaseCommand):
    help = (
        "Build the respondents' page of a survey from this repository and the survey's public instrument, and print "
        "its SHA-256 in each state. Compare it with the page a site serves: any change shows."
    )
    requires_system_checks = ()

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument(
            "instrument",
            nargs="?",
            help="file with the instrument, or slug of a survey on this site",
        )
        parser.add_argument(
            "--state", choices=TEMPLATES, help="write the page in this state instead of the hashes"
        )
        parser.add_argument(
            "--opens", type=_moment, help="for a file: opening time, for example 2027-03-01T08:00Z"
        )
        parser.add_argument(
            "--closes", type=_moment, help="for a file: closing time, where the early page names it"
        )
        parser.add_argument(
            "--logo",
            type=Path,
            help="for a file: the PNG of the sender's logo, from the site's /brand/",
        )
        parser.add_argument(
            "--headers",
            action="store_true",
            help="write the headers of the page in this state instead of the hashes",
        )
        parser.add_argument(
            "--program",
            choices=page_parts(),
            help="write the program that starts with this file, or the style, instead",
        )

    def handle(
        self,
        *,
        instrument: str | None,
        state: str | None,
        opens: datetime | None,
        closes: datetime | None,
        logo: Path | None,
        headers: bool,
        program: str | None,
        **options: object,
    ) -> None:
        if program:
            sys.stdout.write(page_parts()[program])
            return
        if not instrument:
            raise CommandError("Name file with the instrument, or slug of a survey on this site.")
        file = Path(instrument)
        made = _of_file(file, opens, closes, logo) if file.is_file() else _of_site(instrument)
        state = state or ("open" if headers else None)
        if state is None:
            self.stdout.write("\n".join(f"{each.sha256}  {each.state}" for each in made))
            return
        page = next((each for each in made if each.state == state), None)
        if page is None:
            raise CommandError(
                "Add --opens, for example 2027-03-01T08:00Z: the page before the opening names the time."
            )
        if headers:
            self.stdout.write(
                "\n".join(f"{name}: {value}" for name, value in sorted(headers_of(page).items()))
            )
        else:
            sys.stdout.buffer.write(page.plain)


def _of_file(
    file: Path, opens: datetime | None, closes: datetime | None, logo: Path | None
) -> list[Page]:
    content = file.read_bytes()
    sha256 = hashlib.sha256(content).hexdigest()
    try:
        frozen = parse(sha256, text := content.decode())
    except (Refused, ValueError, KeyError, TypeError, AttributeError):
        raise CommandError(
            f"{file} is not the instrument of a survey as its site serves it."
        ) from None
    if frozen.logo and not logo:
        raise CommandError(
            f"The page shows a logo. Download {frozen.logo.address} from the site, and add --logo."
        )
    try:
        return all_pages(sha256, text, (opens, closes), logo.read_bytes() if logo else None)
    except Refused as reason:
        raise CommandError(str(reason)) from None


def _of_site(slug: str) -> list[Page]:
    published = Survey.objects.select_related("instrument").filter(
        import_only=False, instrument__isnull=False
    )
    survey = published.filter(slug=slug).first()
    if survey is None:
        raise CommandError(
            f"There is neither a file {slug!r} nor a published survey with this slug."
        )
    return all_pages_of(survey)
