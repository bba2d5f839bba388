import os

from django.core.wsgi import get_wsgi_application

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
application = get_wsgi_application()

from config.warming import warm_up  # noqa: E402 (it needs what the line before has set up)

warm_up()
