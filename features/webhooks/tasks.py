"""What webhooks do every minute."""

from features.webhooks.deliveries import State, deliver_due, forget_old


def send_messages(**options: object) -> str:
    """Send the messages that are due, delete old ones, and return a line about both."""
    states = deliver_due()
    return (
        f"{states[State.DELIVERED]} delivered, {states[State.WAITING]} to be tried again, "
        f"{states[State.GIVEN_UP]} given up, {forget_old()} old ones deleted."
    )
