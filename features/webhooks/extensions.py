from features.webhooks import receivers  # noqa: F401 (connects them to the signals)
from features.webhooks.sections import add_webhook, section_context
from features.webhooks.tasks import send_messages
from surveys.extensions import Page, PeriodicTask, Section, pages, periodic_tasks, sections

pages.register(Page("webhook", tab="settings"))
sections.register(
    Section(
        "settings", "webhooks", "webhooks/section.html", context=section_context, save=add_webhook
    )
)
periodic_tasks.register(PeriodicTask("deliver", send_messages))
