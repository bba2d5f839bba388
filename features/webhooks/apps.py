from django.apps import AppConfig


class WebhooksConfig(AppConfig):
    name = "features.webhooks"
    verbose_name = "Webhooks: messages to other programs"
    docs = "webhooks.md"
