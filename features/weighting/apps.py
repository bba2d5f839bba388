from django.apps import AppConfig


class WeightingConfig(AppConfig):
    name = "features.weighting"
