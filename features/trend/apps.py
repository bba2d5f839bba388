from django.apps import AppConfig


class TrendConfig(AppConfig):
    name = "features.trend"
    verbose_name = "Comparison with an earlier version of the survey"
