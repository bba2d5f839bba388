from features.webhooks import receivers  # noqa: F401 (connects them to the signals)
from features.webhooks.sections import WEBHOOKS
from features.webhooks.tasks import send_messages
from surveys.extensions import Page, PeriodicTask, pages, periodic_tasks, sections

pages.register(Page("webhook", tab="settings"))
sections.register(WEBHOOKS)
periodic_tasks.register(PeriodicTask("deliver", send_messages))
