from django.apps import AppConfig


class DemoConfig(AppConfig):
    name = "features.demo"
    verbose_name = "The demo, the public home page and invented answers"
    requires = ("features.simulation", "features.shared_reports")
