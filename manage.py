#!/usr/bin/env python
import os
import sys

from django.core.management import execute_from_command_line

from config import demo
from surveys.site.version import VERSION

if __name__ == "__main__":
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
    if sys.argv[1:] in (["--version"], ["version"]):  # Django would tell its own
        sys.exit(print("Candor", VERSION))
    if sys.argv[1:2] == ["demo"]:
        demo.prepare()
    execute_from_command_line(sys.argv)
