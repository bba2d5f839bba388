from django.apps import AppConfig


class SharedReportsConfig(AppConfig):
    name = "features.shared_reports"
    verbose_name = "Report links and public results"
