"""Checks that Django runs before the site starts."""

from typing import Any

from django.apps import AppConfig, apps
from django.core.checks import CheckMessage, Error, register


@register
def check_required_features(app_configs: Any, **kwargs: Any) -> list[CheckMessage]:
    """Return an error for each feature that needs another one which is not installed."""
    return [error for config in apps.get_app_configs() for error in missing_features(config)]


def missing_features(config: AppConfig) -> list[CheckMessage]:
    """Return an error for each app that an app needs, in its attribute `requires`, and that is not installed."""
    return [
        Error(
            f"The feature {config.name} needs {name}, which is not installed.",
            hint=f"Add {name!r} to FEATURES in the settings, or remove {config.name!r}.",
            id="surveys.E001",
        )
        for name in getattr(config, "requires", ())
        if not apps.is_installed(name)
    ]
