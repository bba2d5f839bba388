from django.apps import AppConfig


class SimulationConfig(AppConfig):
    name = "features.simulation"
    verbose_name = "Simulated respondents, and the trusted server as a lesson"
    requires = ("features.regression",)
