from django.apps import AppConfig


class WeightingConfig(AppConfig):
    name = "features.weighting"
    verbose_name = "Weighting to known shares of the population"
