"""How this site is set up: settings, static files and the database, for `manage.py doctor`."""

import re
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import urlsplit

from django.conf import settings
from django.contrib.staticfiles import finders
from django.contrib.staticfiles.storage import staticfiles_storage
from django.core import checks, mail
from django.db import connection

from surveys.accounts import provider
from surveys.accounts.provider_requests import Unreachable
from surveys.definition import ticket_key
from surveys.models import Issuer
from surveys.operation.health import Check
from surveys.site.clock import clock_now
from surveys.site.version import VERSION

OF_HTTPS = {"security.W004", "security.W008", "security.W012", "security.W016"}
MEND = {
    "security.W009": "Put the output of the command in docs/deployment.md into SECRET_KEY.",
    "security.W018": "Remove DEBUG from the environment.",
}
# Settings of synchronous_commit with which a commit waits until a standby has it.
WAITS_FOR_STANDBY = ("on", "remote_apply", "remote_write")
APART = 5  # seconds that the clocks of two machines may differ
# The seconds after which PostgreSQL should begin a new file of its write-ahead log.
LONGEST_LOG_FILE = 3_600


def version() -> Iterator[Check]:
    yield Check("version", True, f"Candor {VERSION}.")


def django_settings() -> Iterator[Check]:
    """What Django itself looks at before a deployment: the secret key, DEBUG, cookies, headers."""
    warnings = [
        one
        for one in checks.run_checks(include_deployment_checks=True)
        if one.is_serious(checks.WARNING)
    ]
    if not settings.HTTPS:  # said once
        warnings = [one for one in warnings if one.id not in OF_HTTPS]
    for one in warnings:
        yield Check(
            "settings",
            False,
            " ".join(str(one.msg).split()),
            MEND.get(str(one.id)) or one.hint or str(one.id),
        )
    if not warnings:
        yield Check("settings", True, "manage.py check --deploy finds nothing.")


def https() -> Iterator[Check]:
    if not settings.HTTPS:
        said = "The site uses plain http. Passwords can be read on the way, and respondents’ pages don’t start."
        yield Check(
            "HTTPS",
            False,
            said,
            "Remove HTTPS=0 from the environment, and serve the site over HTTPS only.",
        )
    elif not settings.BEHIND_PROXY:
        said = "The site expects HTTPS, but doesn’t trust a web server in front of it to say so."
        yield Check(
            "HTTPS",
            False,
            said,
            "Set BEHIND_PROXY=1, with nginx in front of the site as documented.",
        )
    else:
        yield Check("HTTPS", True, "On; the web server in front says so (X-Forwarded-Proto).")


def hosts() -> Iterator[Check]:
    """The names under which visitors find the site, and whose forms are taken."""
    names = [
        name for name in settings.ALLOWED_HOSTS if name not in ("localhost", "127.0.0.1", "[::1]")
    ]
    if not names or "*" in names:
        said = (
            "The site answers to any name."
            if names
            else "The site answers only to this machine’s own names."
        )
        yield Check(
            "hosts",
            False,
            said,
            "Set ALLOWED_HOSTS to the site’s name, for example survey.example.org.",
        )
        return
    yield Check("hosts", True, f"The site answers to {', '.join(names)}.")
    odd = [origin for origin in settings.CSRF_TRUSTED_ORIGINS if urlsplit(origin).scheme != "https"]
    if odd and settings.HTTPS:
        yield Check(
            "hosts",
            False,
            (f"The site accepts forms from {', '.join(odd)}."),
            "Start each of CSRF_TRUSTED_ORIGINS with https://.",
        )


def which_database() -> Iterator[Check]:
    """Where the data is, without the password."""
    options = connection.settings_dict
    if connection.vendor == "sqlite":
        yield Check(
            "data", True, f"In SQLite’s file {options['NAME']}, which is for one server only."
        )
        return
    with connection.cursor() as cursor:
        cursor.execute("SHOW server_version")
        number = cursor.fetchone()[0]
    place = f"{options['HOST'] or 'this machine'}:{options['PORT'] or 5432}"
    yield Check("data", True, f"In PostgreSQL {number} at {place}, database {options['NAME']}.")


def pg_dump() -> Iterator[Check]:
    """Check that `manage.py backup` can read this server. Containers have no pg_dump, so others back them up."""
    program = shutil.which("pg_dump")
    if connection.vendor == "sqlite" or program is None:
        return
    done = subprocess.run(  # noqa: S603
        [program, "--version"], capture_output=True, text=True, check=False
    )
    match = re.search(r"\(PostgreSQL\) (\d+)", done.stdout)
    connection.ensure_connection()
    server = connection.pg_version // 10_000
    if match and int(match[1]) < server:
        said = f"pg_dump {match[1]} is too old for PostgreSQL {server}. No backup can be made."
        yield Check("backup program", False, said, f"Install postgresql-client-{server}.")


def write_ahead_log() -> Iterator[Check]:
    """Check that the write-ahead log, which holds what was deleted, is itself deleted after hours."""
    if connection.vendor == "sqlite":
        return
    with connection.cursor() as cursor:
        cursor.execute("SHOW wal_recycle")
        (recycling,) = cursor.fetchone()
        cursor.execute("SELECT setting::integer FROM pg_settings WHERE name = 'archive_timeout'")
        (seconds,) = cursor.fetchone()

    message = "Old files of the write-ahead log are deleted."
    if recycling == "on":
        message = "Old files of the write-ahead log are kept for use, with what was deleted."
    remedy = "As superuser: ALTER SYSTEM SET wal_recycle = off; SELECT pg_reload_conf()"
    yield Check("write-ahead log", recycling == "off", message, remedy)

    message = f"A new file of the write-ahead log is begun after {seconds} seconds at the latest."
    if not seconds:
        message = "archive_timeout is off: a file of the write-ahead log may be in use for weeks."
    remedy = "As superuser: ALTER SYSTEM SET archive_timeout = '1h'; SELECT pg_reload_conf()"
    is_short = 0 < seconds <= LONGEST_LOG_FILE
    yield Check("write-ahead log", is_short, message, remedy)


def second_copy() -> Iterator[Check]:
    """Say whether an answer is confirmed only once a second PostgreSQL has it.

    The settings say so. The site’s role cannot read whether the standby is connected. If it is not,
    no answer is confirmed.
    """
    said = "A second copy confirms each answer: "
    if connection.vendor == "sqlite":
        yield Check("second copy", True, f"{said}no: SQLite keeps one copy.")
        return
    with connection.cursor() as cursor:
        cursor.execute("SHOW synchronous_standby_names")
        (standby_names,) = cursor.fetchone()
        cursor.execute("SHOW synchronous_commit")
        (synchronous_commit,) = cursor.fetchone()
    is_confirmed = bool(standby_names.strip()) and synchronous_commit in WAITS_FOR_STANDBY
    yield Check("second copy", True, f"{said}{'yes' if is_confirmed else 'no'}.")


def clock() -> Iterator[Check]:
    """Opening and closing times, releases and logins go by this machine’s clock, and by that of the other nodes."""
    if connection.vendor == "sqlite":
        return
    with connection.cursor() as cursor:
        cursor.execute("SELECT clock_timestamp()")
        difference = abs((cursor.fetchone()[0] - clock_now()).total_seconds())
    said = f"This machine’s clock and the database’s are {difference:.1f} seconds apart."
    yield Check(
        "clock", difference <= APART, said, "Set both from the network: timedatectl set-ntp true."
    )


def tickets() -> Iterator[Check]:
    """Whether the keys that sign tickets can be opened; a site that never invites anybody needs none."""
    kept = (
        "Put the earlier TICKET_KEY back into the list, after the newest. Without it the "
        "site can’t sign these tickets."
    )
    if wrong := [key for key in settings.TICKET_KEY if key == settings.SECRET_KEY]:
        said = "TICKET_KEY is the same as SECRET_KEY. Anyone who learns one has both."
        yield Check(
            "tickets",
            False,
            said,
            "Run the command in docs/deployment.md again, only for TICKET_KEY.",
        )
    lost = sum(not ticket_key.can_open(one) for one in Issuer.objects.filter(private__isnull=False))
    if lost:
        said = f"The keys of {lost} surveys with tickets need a TICKET_KEY that is not set."
        yield Check("tickets", False, said, kept)
    elif not wrong:
        said = (
            "TICKET_KEY is set."
            if settings.TICKET_KEY
            else "TICKET_KEY is not set. No survey can have tickets."
        )
        yield Check("tickets", True, said)


def static_files() -> Iterator[Check]:
    """Whether what collectstatic wrote are the files of this version; a page’s scripts run only if it is."""
    mend = "Run manage.py collectstatic --no-input, then restart the site."
    lacking = [path for path in _ours() if not _is_collected(path)]
    if lacking:
        said = f"In {settings.STATIC_ROOT} {len(lacking)} are missing or of another version, as {lacking[0]}."
        yield Check("static files", False, said, mend)
    else:
        yield Check("static files", True, f"Those in {settings.STATIC_ROOT} are this version’s.")


def _ours() -> list[str]:
    return sorted(
        path for finder in finders.get_finders() for path, _ in finder.list(["CVS", ".*", "*~"])
    )


def _is_collected(path: str) -> bool:
    """collectstatic keeps each file as it was, beside the one with a hash in its name."""
    served, kept = staticfiles_storage.hashed_files.get(path), Path(settings.STATIC_ROOT, path)
    if not served or not staticfiles_storage.exists(served) or not kept.exists():
        return False
    return kept.read_bytes() == Path(finders.find(path)).read_bytes()


def email() -> Iterator[Check]:
    """Only where a server for e-mail is set."""
    if not settings.EMAIL_HOST or settings.EMAIL_HOST == "localhost":
        return
    try:
        with mail.get_connection(fail_silently=False):
            yield Check("e-mail", True, f"{settings.EMAIL_HOST} accepts messages.")
    except OSError as error:
        yield Check(
            "e-mail",
            False,
            f"{settings.EMAIL_HOST}: {error}",
            "Check the settings that begin with EMAIL_.",
        )


def logins() -> Iterator[Check]:
    """Only where people log in through an organization: whether its provider answers, as itself and at this time."""
    if not provider.is_on():
        return
    try:
        apart = provider.clock_difference()
    except Unreachable as error:
        mend = f"Open {provider.well_known()} from this machine. Its “issuer” must be OIDC_ISSUER, letter by letter."
        yield Check("logins", False, f"{error}.", mend)
        return
    said = f"{settings.OIDC_ISSUER} answers; its clock and this machine’s are {abs(apart):.0f} seconds apart."
    mend = "Set this machine’s time from the network: timedatectl set-ntp true."
    yield Check("logins", abs(apart) < provider.CLOCK_SKEW, said, mend)
