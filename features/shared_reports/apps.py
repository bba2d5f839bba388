from django.apps import AppConfig


class SharedReportsConfig(AppConfig):
    name = "features.shared_reports"
