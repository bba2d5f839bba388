import sys
from functools import partial

from django.core.management.base import BaseCommand
from django.db import Error

from surveys.operation import deployment, machine, restore_mark
from surveys.operation.health import Check, readiness

# What asks the database comes after readiness(), which says whether it answers.
BEFORE = (
    deployment.version,
    deployment.django_settings,
    deployment.hosts,
    deployment.https,
    deployment.static_files,
    deployment.email,
    deployment.logins,
    machine.check_account,
    machine.check_folders,
    machine.check_permissions,
    machine.check_disk_space,
    machine.check_restarts,
    partial(readiness, awaits_first_run=True),
)
ON_THE_DATABASE = (
    deployment.which_database,
    deployment.pg_dump,
    deployment.write_ahead_log,
    deployment.second_copy,
    restore_mark.check_restore,
    machine.enabled_timers,
    deployment.clock,
    deployment.tickets,
)


class Command(BaseCommand):
    help = (
        "Check that this site is set up correctly, and say how to fix each problem. Exit code 1 if there is one. Run "
        "it as the service's account, with its environment."
    )
    requires_system_checks = []

    def handle(self, *args: object, **options: object) -> None:
        failures = 0
        for work in (*BEFORE, *ON_THE_DATABASE):
            try:
                for check in work():
                    failures += not check.ok
                    self._say(check)
            except Error:
                continue  # said already
        self.stdout.write(f"{failures} to fix." if failures else "No problems.")
        if failures:
            sys.exit(1)

    def _say(self, check: Check) -> None:
        self.stdout.write(f"{'ok  ' if check.ok else 'FAIL'}  {check.name}: {check.said}")
        if not check.ok:
            self.stdout.write(f"      Fix: {check.mend}")
