"""Find a Chromium for the browser tests, or install one. Run as a module it installs where none is found."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

from tests.servers import debian_packages

# What a page does not need. For each window an address bar that nobody sees would load pages of its own for its popups,
# which takes longer than most tests. The other names are Playwright's, whose switch a second one replaces.
WITHOUT = (
    *("WebUIOmniboxPopup", "WebUIOmniboxAimPopup"),
    *(
        "AvoidUnnecessaryBeforeUnloadCheckSync",
        "DestroyProfileOnBrowserClose",
        "HttpsUpgrades",
        "LensOverlay",
    ),
    *(
        "HttpsFirstBalancedModeAutoEnable",
        "MediaRouter",
        "PaintHolding",
        "ThirdPartyStoragePartitioning",
    ),
    *(
        "AvoidCorsURLLoaderRestartOnRedirect",
        "OptimizationHints",
        "NetworkTimeServiceQuerying",
        "AimEnabled",
    ),
    "PreconnectToSearch",
)
NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")


def find() -> str | None:
    """$CHROMIUM, then the usual names, then the one that Playwright installed."""
    if chosen := os.environ.get("CHROMIUM"):
        return shutil.which(chosen)
    return next(filter(None, map(shutil.which, NAMES)), None) or _playwrights()


def _playwrights() -> str | None:
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        path = playwright.chromium.executable_path
    return path if Path(path).exists() else None


def install() -> None:
    debian_packages.install("chromium", "fonts-dejavu-core")
    if find() is None:
        subprocess.run([sys.executable, "-m", "playwright", "install", "chromium"], check=False)


if __name__ == "__main__":
    if (chosen := os.environ.get("CHROMIUM")) and find() is None:
        sys.exit(
            f"CHROMIUM is {chosen}, and no program is there. Name one, or unset it to have one found."
        )
    if find() is None:
        install()
    print("Chromium:", find() or "none to be had; the browser tests will fail and say so")
