"""Settings of the site, all read from the environment, so that one file serves demo, tests and production.

SECRET_KEY          required unless DEBUG is on
TICKET_KEY          for surveys with tickets: a long random string; or several with commas between, the newest first
DATABASE_URL        required unless DEBUG is on: postgres://user:password@host/name, or sqlite:////path/of/a/file
ALLOWED_HOSTS       comma-separated; default: this machine only
HTTPS               1 where the site is served over HTTPS (the default outside DEBUG); 0 for http on this machine
API_RATE            how often each token may ask, as 600/minute (the default)
BEHIND_PROXY        1 where a web server such as nginx stands in front; 0 by default. X-Forwarded-Proto then says
                    whether a request came by HTTPS, and X-Forwarded-For, if the server sends it, under which address
                    it is counted. nginx as documented sends none, and counts by itself
SUBMISSION_RATE     how many responses a minute one address may send; 600 by default, 0 for no limit
WEBHOOKS_TO_PRIVATE_NETWORKS   1 lets webhooks lead to this machine and its own network too, and by http; 0 by default
EMAIL_URL           where mails to invited people go, as smtp+tls://user:password@mail.example.org:587; none by default
EMAIL_FROM          from whom they come, as survey@example.org; needed with EMAIL_URL
METRICS_TOKEN       who sends it as "Authorization: Bearer ..." may read /metrics and the details of /readyz
METRICS_ADDRESSES   comma-separated addresses or networks that may, where they ask this process directly
OIDC_ISSUER         people of an organization log in through its OpenID provider, as
                    https://login.example.edu/realms/staff; none by default. docs/sign-in.md
OIDC_CLIENT_ID      as the provider shows it; needed with OIDC_ISSUER, as is OIDC_CLIENT_SECRET
OIDC_CLIENT_SECRET  as the provider shows it
OIDC_NAME           the organization’s name on buttons; “your organization” by default
OIDC_ADMIT          whose verified e-mail makes an account, as example.edu,uni.example; * for anyone whom the provider
                    lets in; by default only people with a link
LOG_FORMAT          plain (the default) or json
VAR                 the folder of what the site writes besides the database; var/ beside the program by default
INBOX_KEYS          the folder of the private keys of the inbox, which no backup may hold;
                    inbox-keys/ in VAR by default; “elsewhere” on a node that runs no timers
STATIC_ROOT         where collectstatic writes and the server reads
"""

from ipaddress import ip_network
from pathlib import Path

import environ
from csp.constants import NONE, SELF
from django.core.exceptions import ImproperlyConfigured

from config.logs import FORMATTERS, logging_config
from config.postgres import postgres_options
from surveys.site.version import VERSION

BASE_DIR = Path(__file__).resolve().parent.parent
env = environ.Env()
VAR = Path(env.str("VAR", default=str(BASE_DIR / "var")))
_FOLDER = env.str("INBOX_KEYS", default="")
INBOX_KEYS: Path | None = BASE_DIR / (_FOLDER or VAR / "inbox-keys")
if _FOLDER == "elsewhere":
    INBOX_KEYS = None

DEBUG = env.bool("DEBUG", default=False)
SECRET_KEY = env.str("SECRET_KEY", default="only-for-debugging" if DEBUG else "")
if not SECRET_KEY:
    raise ImproperlyConfigured(
        "Set SECRET_KEY to a long random string (or use DEBUG=1 on your own machine)."
    )
if SECRET_KEY == "put-the-output-of-the-command-in-deployment.md-here":  # noqa: S105 (the one that everybody can read)
    raise ImproperlyConfigured(
        "SECRET_KEY is still the example’s. Replace it with the output of the command."
    )

# Under it lie the keys that sign tickets, and from it the codes of invited people are made. Old ones open what is old.
TICKET_KEY = env.list("TICKET_KEY", default=["only-for-debugging"] if DEBUG else [])
if any(len(key) < 32 for key in TICKET_KEY) and not DEBUG:
    raise ImproperlyConfigured(
        "TICKET_KEY can be guessed. Use the output of the command in docs/deployment.md."
    )

ALLOWED_HOSTS = env.list("ALLOWED_HOSTS", default=["localhost", "127.0.0.1", "[::1]"])
CSRF_TRUSTED_ORIGINS = env.list("CSRF_TRUSTED_ORIGINS", default=[])
HTTPS = env.bool("HTTPS", default=not DEBUG)

# Features can be removed: delete the folder and the line. The order is that on pages.
FEATURES = [
    "features.demo",
    "features.ethics_document",
    "features.invitations",
    "features.paper_forms",
    "features.regression",
    "features.xlsform",
    "features.response_import",
    "features.shared_reports",
    "features.simulation",
    "features.statistical_packages",
    "features.survey_templates",
    "features.text_candidates",
    "features.translation",
    "features.trend",
    "features.webhooks",
    "features.weighting",
]
INSTALLED_APPS = [
    "config.apps.AdministrationConfig",
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.sessions",
    "django.contrib.messages",
    "django.contrib.staticfiles",
    "django.forms",
    "csp",
    "rest_framework",
    "drf_spectacular",
    "django_otp",
    "django_otp.plugins.otp_totp",
    "django_otp.plugins.otp_static",
    "surveys",
    *FEATURES,
]

MIDDLEWARE = [
    "surveys.site.service_workers.remove_service_workers",
    "surveys.operation.probes.probes_first",
    "django.middleware.security.SecurityMiddleware",
    "whitenoise.middleware.WhiteNoiseMiddleware",
    "surveys.web.respondent_requests.respondents_first",
    "surveys.web.turns.in_turn",
    "csp.middleware.CSPMiddleware",
    "surveys.site.headers.page_headers",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "surveys.web.time_zones.in_ones_own_zone",
    "django.contrib.messages.middleware.MessageMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
]

ROOT_URLCONF = "config.urls"
WSGI_APPLICATION = "config.wsgi.application"
TEMPLATES = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "DIRS": [BASE_DIR / "templates"],
        "APP_DIRS": True,
        "OPTIONS": {
            "context_processors": [
                "django.template.context_processors.request",
                "django.contrib.auth.context_processors.auth",
                "django.contrib.messages.context_processors.messages",
                "surveys.site.version.version_context",
            ],
        },
    },
]
CSRF_FAILURE_VIEW = "surveys.web.errors.forged"
FORM_RENDERER = "surveys.web.widgets.Parts"

DATABASE_PATIENCE = env.int(
    "DATABASE_PATIENCE", default=10
)  # seconds to wait for a lock or a connection
_FILE = f"sqlite:///{VAR / 'candor.sqlite3'}"
_DATABASE = env.str("DATABASE_URL", default="") or (_FILE if DEBUG else "")
if not _DATABASE:  # a command without the service’s environment would quietly work on another database than the service
    raise ImproperlyConfigured(
        f"Set DATABASE_URL to postgres://user:password@host/name, or for a file to {_FILE}"
    )
DATABASES = {"default": env.db_url_config(_DATABASE)}
DATABASES["default"] |= {
    "CONN_MAX_AGE": 60,
    "CONN_HEALTH_CHECKS": True,
}  # a restarted database is found again
if DATABASES["default"]["ENGINE"] == "django.db.backends.sqlite3":
    # WAL lets people read while an answer is written; IMMEDIATE makes two writers queue instead of fail; what is
    # deleted is overwritten with zeros. A file is the same one wherever a command is started.
    if DATABASES["default"]["NAME"] != ":memory:":
        DATABASES["default"]["NAME"] = str(BASE_DIR / DATABASES["default"]["NAME"])
    DATABASES["default"]["OPTIONS"] = {
        "transaction_mode": "IMMEDIATE",
        "timeout": DATABASE_PATIENCE,
        "init_command": "PRAGMA journal_mode=WAL; PRAGMA synchronous=FULL; PRAGMA foreign_keys=ON; "
        "PRAGMA secure_delete=ON;",
    }
else:
    _OPTIONS = postgres_options(DATABASES["default"].get("OPTIONS", {}), DATABASE_PATIENCE)
    DATABASES["default"]["OPTIONS"] = _OPTIONS
    if (
        _OPTIONS["prepare_threshold"] is None
    ):  # a pooler, whose next connection knows nothing of a cursor
        DATABASES["default"].setdefault("DISABLE_SERVER_SIDE_CURSORS", True)
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"

AUTH_PASSWORD_VALIDATORS = [
    {"NAME": f"django.contrib.auth.password_validation.{name}"}
    for name in (
        "UserAttributeSimilarityValidator",
        "MinimumLengthValidator",
        "CommonPasswordValidator",
        "NumericPasswordValidator",
    )
]
OTP_ADMIN_HIDE_SENSITIVE_DATA = True  # whoever reads the key of a second factor has it
OTP_TOTP_ISSUER = "Candor"  # how the site is named in an authenticator app
# Whoever guesses codes has to wait as for passwords. The library's own delays grow without end, and would lock out
# whoever has the right code.
OTP_TOTP_THROTTLE_FACTOR = OTP_STATIC_THROTTLE_FACTOR = 0
PASSWORD_RESET_TIMEOUT = 3 * 86_400  # seconds; of a link that sets a password
OIDC_ISSUER = env.str("OIDC_ISSUER", default="")
OIDC_CLIENT_ID = env.str("OIDC_CLIENT_ID", default="")
OIDC_CLIENT_SECRET = env.str("OIDC_CLIENT_SECRET", default="")
OIDC_NAME = env.str("OIDC_NAME", default="") or "your organization"
OIDC_ADMIT = [
    domain.strip().casefold().lstrip("@")
    for domain in env.list("OIDC_ADMIT", default=[])
    if domain.strip()
]
if OIDC_ISSUER and not (OIDC_CLIENT_ID and OIDC_CLIENT_SECRET):
    raise ImproperlyConfigured(
        "Set OIDC_CLIENT_ID and OIDC_CLIENT_SECRET, as the provider shows them."
    )
if OIDC_ISSUER and not OIDC_ISSUER.startswith("https://") and not DEBUG:
    raise ImproperlyConfigured("OIDC_ISSUER must begin with https://.")
if OIDC_ISSUER.rstrip("/") == "https://accounts.google.com" and "*" in OIDC_ADMIT:
    raise ImproperlyConfigured("OIDC_ADMIT=* would let in anyone with a Google account.")
LOGIN_URL = "login"
LOGIN_REDIRECT_URL = "workspace:surveys"
LOGOUT_REDIRECT_URL = "home"

LANGUAGE_CODE = "en"
TIME_ZONE = "UTC"
USE_I18N = True
LOCALE_PATHS = [BASE_DIR / "locale"]  # respondents' pages speak the language of their survey
USE_TZ = True

STATIC_URL = "/static/"
STATIC_ROOT = Path(env.str("STATIC_ROOT", default=str(VAR / "static")))
STATICFILES_DIRS = [BASE_DIR / "static"]
STORAGES = {
    "default": {"BACKEND": "django.core.files.storage.FileSystemStorage"},
    # Hashed names without rewriting: the bytes served are the bytes in the repository.
    "staticfiles": {"BACKEND": "whitenoise.storage.CompressedManifestStaticFilesStorage"},
}

# The workspace's policy. In surveys/site/headers.py respondent pages get a stricter one, and both their import map's
# hash.
CONTENT_SECURITY_POLICY = {
    "DIRECTIVES": {
        "default-src": [NONE],
        "script-src": [SELF],
        "style-src": [SELF],
        "img-src": [SELF],
        "connect-src": [SELF],
        "form-action": [SELF],
        "base-uri": [NONE],
        "frame-ancestors": [NONE],
        "require-trusted-types-for": ["'script'"],
        "trusted-types": [NONE],
    }
}
SECURE_REFERRER_POLICY = "same-origin"
SECURE_CROSS_ORIGIN_OPENER_POLICY = "same-origin"
X_FRAME_OPTIONS = "DENY"
SESSION_COOKIE_SECURE = CSRF_COOKIE_SECURE = SECURE_SSL_REDIRECT = HTTPS
SECURE_HSTS_SECONDS = 31_536_000 if HTTPS else 0
SECURE_HSTS_INCLUDE_SUBDOMAINS = SECURE_HSTS_PRELOAD = HTTPS
BEHIND_PROXY = env.bool("BEHIND_PROXY", default=False)
if BEHIND_PROXY:
    SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https")

# A submission is small; nothing else that is posted comes near this either.
DATA_UPLOAD_MAX_NUMBER_FIELDS = (
    10_000  # a list for each code and each answer of a file with hundreds of questions
)
DATA_UPLOAD_MAX_MEMORY_SIZE = 1_500_000  # the longest list of choices, 1 MB, and the form around it
SUBMISSION_LIMIT = 65_536  # bytes
SUBMISSION_RATE = env.int(
    "SUBMISSION_RATE", default=600
)  # a minute from one address, in each process

# How many responses go into one batch, and how many are sealed in one transaction. Whoever sends to SQLite meanwhile
# waits until that ends, so there it is short: bench/holdups.py.
SEAL_SLICE = 10_000
SEAL_STEP = 1_000 if DATABASES["default"]["ENGINE"].endswith("sqlite3") else 10_000

# Otherwise whoever has an account could make the server ask its neighbours.
WEBHOOKS_TO_PRIVATE_NETWORKS = env.bool("WEBHOOKS_TO_PRIVATE_NETWORKS", default=False)

# Below this many responses a report warns and makes no statement.
FEW_RESPONSES = env.int("FEW_RESPONSES", default=30)

# Without a server for mail nothing is sent, and the pages say so. A mail that a server does not take in time waits.
EMAIL_URL = env.str("EMAIL_URL", default="")
if EMAIL_URL:
    vars().update(env.email_url_config(EMAIL_URL))
    DEFAULT_FROM_EMAIL = env.str("EMAIL_FROM", default="")
    if "@" not in DEFAULT_FROM_EMAIL:
        raise ImproperlyConfigured("Set EMAIL_FROM, as survey@example.org: mails need a sender.")
EMAIL_TIMEOUT = 20  # seconds

METRICS_TOKEN = env.str("METRICS_TOKEN", default="")
if METRICS_TOKEN and len(METRICS_TOKEN) < 20:
    raise ImproperlyConfigured("METRICS_TOKEN can be guessed. Use at least 20 random characters.")
try:
    METRICS_ADDRESSES = [
        ip_network(address) for address in env.list("METRICS_ADDRESSES", default=[])
    ]
except ValueError as error:
    raise ImproperlyConfigured(f"METRICS_ADDRESSES: {error}.") from error

REST_FRAMEWORK = {
    "DEFAULT_AUTHENTICATION_CLASSES": [
        "surveys.web.api.authentication.TokenAuthentication",
        "rest_framework.authentication.SessionAuthentication",
    ],
    "DEFAULT_PERMISSION_CLASSES": [
        "rest_framework.permissions.IsAuthenticated",
        "surveys.web.api.authentication.HasScope",
    ],
    "DEFAULT_THROTTLE_CLASSES": ["surveys.web.api.authentication.TokenThrottle"],
    "DEFAULT_THROTTLE_RATES": {"api": env.str("API_RATE", default="600/minute")},  # for each token
    "DEFAULT_RENDERER_CLASSES": ["rest_framework.renderers.JSONRenderer"],
    "DEFAULT_PARSER_CLASSES": ["surveys.web.api.parsers.Parser"],
    "DEFAULT_CONTENT_NEGOTIATION_CLASS": "surveys.web.api.negotiation.ContentNegotiation",
    "DEFAULT_SCHEMA_CLASS": "surveys.web.api.operations.DescribedSchema",
    "EXCEPTION_HANDLER": "surveys.web.api.problems.handler",
}
SPECTACULAR_SETTINGS = {
    "TITLE": "Candor API",
    "DESCRIPTION": (
        "Surveys, reports and exports of randomized answers. Shares are fractions. Each answer to GET has an ETag. "
        "Sent as If-None-Match, it gets 304 as long as nothing has changed. Sent as If-Match with PUT, PATCH or "
        "DELETE, it gets 412 if something has. A file is the body of a request, or the only file of a form. Every "
        "error is a problem document; its type leads to a page that says what to do."
    ),
    "VERSION": VERSION,
    "OAS_VERSION": "3.1.0",
    "LICENSE": {"name": "MIT", "identifier": "MIT"},
    "SERVERS": [{"url": "/", "description": "this site"}],
    "SERVE_INCLUDE_SCHEMA": False,
    "SCHEMA_PATH_PREFIX": "/api/v1/",
    "ENUM_NAME_OVERRIDES": {
        "StatusEnum": "surveys.models.Survey.Status",
        "KindEnum": "surveys.models.Question.Kind",
        "ModeEnum": "surveys.models.Question.Mode",
        "LanguageEnum": "surveys.models.Survey.Language",
        "ScopeEnum": "surveys.web.api.serializers.SCOPE_CHOICES",
        "ImportStateEnum": "surveys.models.Import.State",
        "IntervalEnum": "mechanisms.estimation.intervals.METHODS",
        "FindingVerdictEnum": "surveys.results.report.headlines.Verdict",
        "VerdictEnum": "surveys.results.report.quality.Verdict",
        "DifferenceVerdictEnum": "surveys.statements.comparisons.VERDICTS",
        "SensitiveKindEnum": "surveys.definition.kinds.SENSITIVE_CHOICES",
    },
    "POSTPROCESSING_HOOKS": [
        "drf_spectacular.hooks.postprocess_schema_enums",
        "surveys.web.api.schema.add_submission",
        "surveys.web.api.schema.put_successes_first",
        "surveys.web.api.tasks.listed",
    ],
}

# Nothing about a respondent in a log: warnings and errors only, and Django's request logger names a path, no address.
LOG_FORMAT = env.str("LOG_FORMAT", default="plain")
if LOG_FORMAT not in FORMATTERS:
    raise ImproperlyConfigured(
        f"LOG_FORMAT is {LOG_FORMAT!r}; it can be {' or '.join(FORMATTERS)}."
    )
LOGGING = logging_config(LOG_FORMAT, "WARNING")
# A refused submission is the respondent's affair: only the site's own failures are logged.
LOGGING["loggers"] = {"django.request": {"level": "ERROR"}}
