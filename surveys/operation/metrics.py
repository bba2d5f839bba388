"""The site in numbers, in the text format of Prometheus (version 0.0.4).

Nothing is counted per request, since that would date answers, and nothing that is not released, in any survey. What is
released is told for all surveys together.
"""

from collections.abc import Iterator

from django.db import Error

from surveys.models import Delivery, Instrument
from surveys.operation import restarts, timers
from surveys.operation.health import readiness, waiting_migrations
from surveys.site.version import VERSION

CONTENT_TYPE = "text/plain; version=0.0.4; charset=utf-8"
QUEUED = (Delivery.State.WAITING, Delivery.State.GIVEN_UP)


def metrics() -> str:
    """Of a database that is away it says that, and no more."""
    ready = readiness()
    lines = [*_gauge("candor_info", "The version that runs.", {f'version="{VERSION}"': 1})]
    lines += _gauge(
        "candor_ready", "Whether /readyz says ok.", {"": all(check.ok for check in ready)}
    )
    lines += _gauge(
        "candor_process_starts",
        "Starts of this machine's processes within the last hour; at most 100.",
        {"": len(restarts.recent())},
    )
    try:
        inside = [*_of_the_database()]
    except Error:
        inside = []
    lines += _gauge("candor_database_up", "Whether the database answers.", {"": bool(inside)})
    return "\n".join([*lines, *inside, ""])


def _of_the_database() -> Iterator[str]:
    waiting = len(waiting_migrations())
    yield from _gauge(
        "candor_migrations_waiting", "Migrations that are not applied.", {"": waiting}
    )
    if waiting:  # the tables may be others
        return
    ends = timers.finished()
    yield from _gauge(
        "candor_command_finished_timestamp_seconds",
        "When a timer's command last finished; 0 for never.",
        {
            f'command="{name}"': ends[name].timestamp() if name in ends else 0
            for name in timers.PATIENCE
        },
    )
    tallies = Instrument.objects.values_list("tally__n", flat=True)
    yield from _gauge(
        "candor_responses_released",
        "Responses in the reports of all surveys.",
        {"": sum(n or 0 for n in tallies)},
    )
    yield from _gauge(
        "candor_webhook_messages",
        "Messages to webhooks that are not delivered, of the last 30 days.",
        {f'state="{state}"': Delivery.objects.filter(state=state).count() for state in QUEUED},
    )


def _gauge(name: str, said: str, values: dict[str, float]) -> Iterator[str]:
    yield f"# HELP {name} {said}"
    yield f"# TYPE {name} gauge"
    for labels, value in values.items():
        yield f"{name}{f'{{{labels}}}' if labels else ''} {float(value):.16g}"
