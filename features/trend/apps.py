from django.apps import AppConfig


class TrendConfig(AppConfig):
    name = "features.trend"
