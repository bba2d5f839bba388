from django.apps import AppConfig


class StatisticalPackagesConfig(AppConfig):
    name = "features.statistical_packages"
    verbose_name = "Files and scripts for SPSS, Stata, R and Python"
