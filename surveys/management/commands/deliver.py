from surveys.health import runs
from surveys.management.timed import TimedCommand
from surveys.webhooks.sending import State, deliver_due, forget_old


class Command(TimedCommand):
    help = "Send what webhooks are to be told, and forget what is older than 30 days. Run it on a timer, every minute."

    def handle(self, *args: object, **options: object) -> None:
        done = deliver_due()
        self.stdout.write(
            f"{done[State.DELIVERED]} delivered, {done[State.WAITING]} to be tried again, "
            f"{done[State.GIVEN_UP]} given up, {forget_old()} old ones forgotten."
        )
        runs.note("deliver")
