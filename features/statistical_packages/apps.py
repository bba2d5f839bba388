from django.apps import AppConfig


class StatisticalPackagesConfig(AppConfig):
    name = "features.statistical_packages"
