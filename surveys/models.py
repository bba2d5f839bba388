"""What is stored. An answer passes Response (the inbox) and ends in a Batch; nothing here names a respondent."""

import secrets
import uuid

from django.conf import settings
from django.core.validators import RegexValidator
from django.db import models
from django.utils import timezone

from surveys.colleagues import Event, Invitation, Membership  # noqa: F401 (Django finds models here)

SLUG_LETTERS = "abcdefghjkmnpqrstuvwxyz23456789"  # no letter that is mistaken for another when read aloud


def random_slug() -> str:
    """12 letters of 31: an address that nobody finds by trying (59 bits)."""
    return "".join(secrets.choice(SLUG_LETTERS) for _ in range(12))


class Survey(models.Model):
    """A draft that its owner edits; once published, the frozen Instrument speaks and only `status` changes."""

    class Status(models.TextChoices):
        DRAFT = "draft"
        OPEN = "open"
        PAUSED = "paused"
        CLOSED = "closed"

    class Language(models.TextChoices):
        """What the respondents' pages can speak; each language by its own name."""

        ENGLISH = "en", "English"
        GERMAN = "de", "Deutsch"
        FRENCH = "fr", "Français"
        SPANISH = "es", "Español"
        ARABIC = "ar", "العربية"

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    slug = models.SlugField(unique=True, default=random_slug, editable=False)
    owner = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, related_name="surveys")
    title = models.CharField(max_length=200)
    introduction = models.TextField(
        blank=True, max_length=5000, help_text="What the survey is about and what the results are for."
    )
    contact = models.CharField(
        max_length=200, blank=True, help_text="Who asks, and how to reach you. Respondents read this."
    )
    consent = models.TextField(blank=True, max_length=5000, help_text="What a respondent agrees to by sending.")
    language = models.CharField(max_length=5, choices=Language, default=Language.ENGLISH)
    comprehension = models.BooleanField("ask whether the explanation was understood", default=False)
    status = models.CharField(max_length=10, choices=Status, default=Status.DRAFT, editable=False)
    created = models.DateTimeField(auto_now_add=True)
    project = models.CharField(max_length=100, blank=True, help_text="Surveys that the same people may answer.")
    limit = models.DecimalField("privacy budget", max_digits=5, decimal_places=2, default=5)  # of the total epsilon
    limit_reason = models.CharField("reason for a budget over 10", max_length=500, blank=True)
    predecessor = models.ForeignKey("self", models.PROTECT, null=True, editable=False, related_name="successors")
    edition = models.PositiveIntegerField(default=0, editable=False)  # counts changes, so that two editors notice
    opens = models.DateTimeField(null=True)
    closes = models.DateTimeField(null=True)
    target = models.PositiveIntegerField(null=True)  # responses wanted

    class Meta:
        ordering = ["-created"]

    def __str__(self) -> str:
        return self.title

    @property
    def is_draft(self) -> bool:
        return self.status == self.Status.DRAFT

    @property
    def is_early(self) -> bool:
        """Whether its opening time is still to come."""
        return self.opens is not None and timezone.now() < self.opens

    @property
    def is_over(self) -> bool:
        """Whether it is closed, by hand or by its closing time."""
        return self.status == self.Status.CLOSED or self._is_past_closing

    @property
    def _is_past_closing(self) -> bool:
        return not self.is_draft and self.closes is not None and self.closes <= timezone.now()

    @property
    def state(self) -> str:
        """What a reader is told: its status, where its times do not say otherwise."""
        if self.is_over:
            return self.Status.CLOSED
        return "scheduled" if self.status == self.Status.OPEN and self.is_early else self.status


class Question(models.Model):
    """A question of a draft. `design` and `parameters` say how its answers are randomized; see surveys.designs."""

    class Kind(models.TextChoices):
        YES_NO = "yes-no", "Sensitive yes/no question"
        CHOICE = "choice", "Sensitive question with one choice of several"
        ANY = "any", "Sensitive question, choose all that apply"
        BACKGROUND = "background", "Background question, sent as it is"
        NUMBER = "number", "Background number, sent as it is"

    class Mode(models.TextChoices):
        """Who draws the chances of a classical yes/no design."""

        AUTOMATIC = "automatic", "Automatic"
        SPINNER = "spinner", "Spinner"
        BY_HAND = "by-hand", "By hand"

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    survey = models.ForeignKey(Survey, models.CASCADE, related_name="questions")
    key = models.CharField(
        "variable name",
        max_length=32,
        validators=[RegexValidator(r"^[a-z][a-z0-9_]*\Z", "Use a to z, 0 to 9 and _, starting with a letter.")],
    )
    position = models.PositiveIntegerField()
    kind = models.CharField(max_length=10, choices=Kind)
    text = models.CharField(max_length=500)
    help = models.CharField("help text", max_length=500, blank=True)
    section = models.CharField("section that starts here", max_length=200, blank=True)
    minimum = models.IntegerField("smallest number", null=True, blank=True)
    maximum = models.IntegerField("largest number", null=True, blank=True)
    edition = models.PositiveIntegerField(default=0, editable=False)  # counts changes, so that two editors notice
    decline = models.BooleanField("offer “Prefer not to say”", default=False)
    design = models.CharField(max_length=32, blank=True)
    parameters = models.JSONField(default=dict, blank=True)
    mode = models.CharField(max_length=10, choices=Mode, default=Mode.AUTOMATIC)
    harmless = models.CharField(
        "harmless question",
        max_length=500,
        blank=True,
        help_text="Asked where an unrelated question is answered by hand.",
    )
    anchor = models.FloatField("known share of Yes", null=True, blank=True)  # to test the reports against

    class Meta:
        ordering = ["position"]
        constraints = [models.UniqueConstraint(fields=["survey", "key"], name="key_once_a_survey")]

    def __str__(self) -> str:
        return self.text

    @property
    def is_sensitive(self) -> bool:
        return self.kind not in (self.Kind.BACKGROUND, self.Kind.NUMBER)


class Choice(models.Model):
    """One choice of a choice or background question; yes/no questions have theirs by nature."""

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    question = models.ForeignKey(Question, models.CASCADE, related_name="choices")
    position = models.PositiveIntegerField()
    label = models.CharField(max_length=200)

    class Meta:
        ordering = ["position"]
        constraints = [models.UniqueConstraint(fields=["question", "label"], name="label_once_a_question")]

    def __str__(self) -> str:
        return self.label


class Instrument(models.Model):
    """A published survey: canonical JSON that never changes, its hash, and the running tally of its batches."""

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    survey = models.OneToOneField(Survey, models.PROTECT, related_name="instrument")
    sha256 = models.CharField(max_length=64, unique=True, editable=False)
    content = models.TextField(editable=False)
    tally = models.JSONField(default=dict, editable=False)  # {"n": n, "counts": {question key: [counts]}}

    def __str__(self) -> str:
        return self.sha256


class Response(models.Model):
    """The inbox: one randomized response on its way into a batch.

    These four fields are all there is, on purpose: no user, token, address, user agent, time or sequence. Sealing
    empties `record` and notes the date; the bare key stays one day to answer retries, then it is deleted.
    """

    key = models.UUIDField(primary_key=True, editable=False)
    instrument = models.ForeignKey(Instrument, models.PROTECT, editable=False, db_index=False)
    record = models.BinaryField(null=True)
    sealed_on = models.DateField(null=True, editable=False)

    class Meta:
        # What waits is few; the bare keys of a busy day are many, and must not slow the counting of what waits.
        indexes = [
            models.Index(fields=["instrument"], condition=models.Q(record__isnull=False), name="waiting"),
            models.Index(fields=["sealed_on"], condition=models.Q(record__isnull=True), name="sealed"),
        ]

    def __str__(self) -> str:
        return "waiting" if self.sealed_on is None else "sealed"


class Batch(models.Model):
    """Up to some ten thousand shuffled records in one value, with what they add up to."""

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    instrument = models.ForeignKey(Instrument, models.PROTECT, related_name="batches", editable=False)
    n = models.PositiveIntegerField(editable=False)
    counts = models.JSONField(editable=False)  # {question key: [counts]}
    records = models.BinaryField()

    class Meta:
        verbose_name_plural = "batches"

    def __str__(self) -> str:
        return f"{self.n} responses"


class AccessToken(models.Model):
    """Lets a program read what its person may read. The token is shown once; only its hash is kept."""

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    user = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="access_tokens")
    name = models.CharField(max_length=100)
    sha256 = models.CharField(max_length=64, unique=True, editable=False)
    scopes = models.JSONField(default=list)  # some of surveys.tokens.SCOPES
    expires = models.DateField(null=True, blank=True)  # the last day on which it is good
    created = models.DateField(auto_now_add=True)
    last_used = models.DateField(null=True, editable=False)

    def __str__(self) -> str:
        return self.name
