"""How gunicorn serves Candor, wherever it is started from this folder. Options on the command line win."""

import json
import os

from surveys.site import minute  # noqa: F401 (workers share what is loaded before they part)

accesslog = None  # nobody's visit is written down
loglevel = "error"  # its warnings name the address of whoever sent a malformed request
threads = 4
control_socket_disable = True  # it is one file per user, so two sites would take it from each other
as_json = os.environ.get("LOG_FORMAT") == "json"

if as_json:
    from config.logs import logging_config

    logconfig_dict = logging_config("json", "ERROR") | {"loggers": {"gunicorn.error": {"level": "ERROR"}}}


def when_ready(server):
    said = f"Candor answers at {', '.join(map(str, server.LISTENERS))}"
    print(json.dumps({"level": "INFO", "logger": "gunicorn", "message": said}) if as_json else said, flush=True)
