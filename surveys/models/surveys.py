"""What an author writes: a survey, its questions and their choices."""

import secrets
import uuid
from datetime import datetime

from django.conf import settings
from django.core.validators import RegexValidator
from django.db import models
from django.utils import timezone
from django.utils.functional import cached_property

SLUG_LETTERS = (
    "abcdefghjkmnpqrstuvwxyz23456789"  # no letter that is mistaken for another when read aloud
)


def random_slug() -> str:
    """12 letters of 31: an address that nobody finds by trying (59 bits)."""
    return "".join(secrets.choice(SLUG_LETTERS) for _ in range(12))


class Translated(models.Model):
    """What is written in a survey's first language, and translated into its further ones.

    translations: {"de": {"text": "..."}}; a text that is not there is not translated yet. Of a language that was taken
    out they stay, in case it comes back. Which columns are texts, and what people call a column: definition.fields.
    """

    translations = models.JSONField(default=dict, editable=False)

    class Meta:
        abstract = True


LEAST_FETCHED = 20  # people with a ticket, before a survey in two steps opens


class Survey(Translated):
    """A draft that its owner edits; once published, the frozen Instrument speaks and only `status` changes."""

    class Status(models.TextChoices):
        DRAFT = "draft"
        OPEN = "open"
        PAUSED = "paused"
        CLOSED = "closed"
        FILLING = "filling"  # import-only: takes files

    class Language(models.TextChoices):
        """What the respondents' pages can speak; each language by its own name."""

        ENGLISH = "en", "English"
        GERMAN = "de", "Deutsch"
        FRENCH = "fr", "Français"
        SPANISH = "es", "Español"
        ARABIC = "ar", "العربية"

    class Tickets(models.TextChoices):
        """Whether only invited people can answer, and when they take their tickets: surveys.fieldwork.tickets."""

        NONE = "", "Anyone with the link"
        ONE = "one", "Answer right away"
        TWO = "two", "Tickets first, answers later"

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    slug = models.SlugField(unique=True, default=random_slug, editable=False)
    owner = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, related_name="surveys")
    title = models.CharField(max_length=200)
    introduction = models.TextField(blank=True, max_length=5000)
    contact = models.CharField(max_length=200, blank=True)
    consent = models.TextField(blank=True, max_length=5000)
    asks_consent = models.BooleanField(default=False)
    after_sending = models.TextField(blank=True, max_length=5000)
    after_declining = models.TextField(blank=True, max_length=5000)
    help_lines = models.TextField(blank=True, max_length=3000)
    language = models.CharField(max_length=5, choices=Language, default=Language.ENGLISH)
    # Beside the first, in the order in which respondents are offered them.
    further_languages = models.JSONField(default=list, editable=False)
    comprehension = models.BooleanField(default=False)
    neutral_title = models.BooleanField(default=False)
    shared_device = models.BooleanField(default=False)
    results_after_closing = models.BooleanField(default=False)
    section_pages = models.BooleanField(default=False)
    status = models.CharField(max_length=10, choices=Status, default=Status.DRAFT, editable=False)
    created = models.DateTimeField(auto_now_add=True)
    # Its responses come from files. It may hold designs with infinite epsilon and never meets a respondent here.
    import_only = models.BooleanField(default=False, editable=False)
    project = models.CharField(max_length=100, blank=True)
    # A level, an epsilon for all answers together, or nothing where each question is set: definition.protection.
    protection = models.CharField(max_length=10, blank=True, default="balanced")
    reason = models.CharField(max_length=500, blank=True, editable=False)  # for publishing in red
    predecessor = models.ForeignKey(
        "self", models.SET_NULL, null=True, editable=False, related_name="successors"
    )
    edition = models.PositiveIntegerField(
        default=0, editable=False
    )  # counts changes, so that two editors notice
    opens = models.DateTimeField(null=True)
    closes = models.DateTimeField(null=True)
    target = models.PositiveIntegerField(null=True)  # responses wanted
    # How many of the questions that are drawn by lot each person is asked; None where everybody is asked all.
    draw = models.PositiveSmallIntegerField(null=True, editable=False)
    archived = models.BooleanField(
        default=False, editable=False
    )  # closed, and out of the way of those still needed
    # Who asks, as the header of respondents' pages shows it: surveys.definition.sender.
    sender = models.CharField(max_length=100, blank=True)
    logo = models.ForeignKey(
        "Logo", models.PROTECT, null=True, editable=False, related_name="surveys"
    )
    accent = models.CharField(max_length=7, blank=True)
    accent_dark = models.CharField(max_length=7, blank=True)
    # What data protection law asks for: surveys.definition.data_protection.
    controller = models.TextField(max_length=1000, blank=True)
    officer = models.TextField(max_length=1000, blank=True)
    legal_basis = models.TextField(max_length=1000, blank=True)
    purpose = models.TextField(max_length=1000, blank=True)
    rights = models.TextField(max_length=2000, blank=True)
    tickets = models.CharField(
        max_length=3, choices=Tickets, blank=True, default=Tickets.NONE, editable=False
    )
    public_results = models.BooleanField(default=False, editable=False)
    delete_on = models.DateField(null=True)
    # Whether a simulation sent some of its answers, for good: the feature `demo` does that.
    invented = models.BooleanField(default=False, editable=False)

    class Meta:
        ordering = ["-created"]
        constraints = [
            models.CheckConstraint(
                condition=models.Q(
                    import_only=False, status__in=["draft", "open", "paused", "closed"]
                )
                | models.Q(import_only=True, status__in=["draft", "filling", "closed"]),
                name="import_only_never_meets_respondents",
            )
        ]

    def __str__(self) -> str:
        return self.title

    def locked(self) -> "Survey":
        """The survey read again, its row held until the transaction ends, so that two people cannot both act on it."""
        return Survey.objects.select_for_update(no_key=True).get(pk=self.pk)

    @property
    def languages(self) -> tuple[str, ...]:
        """All languages in which it can be answered; the first is the one of report and exports."""
        return (str(self.language), *self.further_languages)

    @property
    def series(self) -> str:
        """The slug of its first version: what all versions of a survey have in common."""
        first = self
        while first.predecessor is not None:
            first = first.predecessor
        return first.slug

    @cached_property
    def people_invited(self) -> int:
        """The number of people on the list of a survey with tickets, counted once for each object."""
        return self.invitees.count() if self.tickets else 0

    @property
    def expected_people(self) -> int | None:
        """The smaller of the target and the number of people invited, or None if there is neither."""
        known = [number for number in (self.target, self.people_invited) if number]
        return min(known, default=None)

    @property
    def is_draft(self) -> bool:
        return self.status == self.Status.DRAFT

    @property
    def is_early(self) -> bool:
        """Whether its opening time is still to come, or too few have taken a ticket by then."""
        return self.opens is not None and (timezone.now() < self.opens or self.lacks_tickets)

    @property
    def lacks_tickets(self) -> bool:
        """In two steps, whether fewer people have taken a ticket than it takes to hide one among them."""
        if (
            self.tickets != self.Tickets.TWO
            or not hasattr(self, "issuer")
            or self.issuer.is_finished
        ):
            return False
        return self.invitees.filter(fetched__number=0)[:LEAST_FETCHED].count() < LEAST_FETCHED

    @property
    def is_finished(self) -> bool:
        """Whether its tickets are finished for good, so that it can never be opened again."""
        return hasattr(self, "issuer") and self.issuer.is_finished

    @property
    def gives_tickets(self) -> bool:
        """Whether whoever has a code can take a ticket now: in two steps until the opening time."""
        if not self.tickets or self.status != self.Status.OPEN or self.is_over:
            return False
        return self.tickets == self.Tickets.ONE or (
            self.opens is not None and timezone.now() < self.opens
        )

    @property
    def is_over(self) -> bool:
        """Whether it is closed, by hand or by its closing time. What cannot be taken back asks `is_over_at`."""
        return self.is_over_at(timezone.now())

    def is_over_at(self, time: datetime) -> bool:
        """Return whether it is closed by hand, or its closing time has passed at this time."""
        if self.is_draft or self.closes is None:
            return self.status == self.Status.CLOSED
        return self.status == self.Status.CLOSED or self.closes <= time

    @property
    def state(self) -> str:
        """What a reader is told: its status, where its times do not say otherwise."""
        if self.is_over:
            return self.Status.CLOSED
        return "scheduled" if self.status == self.Status.OPEN and self.is_early else self.status


class Logo(models.Model):
    """A small PNG that was made here from a picture somebody brought; never the picture itself."""

    sha256 = models.CharField(max_length=64, primary_key=True, editable=False)
    png = models.BinaryField(editable=False)
    width = models.PositiveSmallIntegerField(editable=False)
    height = models.PositiveSmallIntegerField(editable=False)

    def __str__(self) -> str:
        return self.sha256


class Question(Translated):
    """A question of a draft. `design` and `parameters` are its own method, none where definition.protection has one."""

    class Kind(models.TextChoices):
        """What is true of each stands in surveys.definition.kinds."""

        YES_NO = "yes-no", "Yes/no"
        CHOICE = "choice", "Single choice"
        ANY = "any", "Multiple choice (select all that apply)"
        QUANTITY = "quantity", "Number"
        SCALE = "scale", "Rating scale"
        WRITTEN = "written", "Short text"
        BACKGROUND = "background", "Background question (not scrambled)"
        NUMBER = "number", "Background number (not scrambled)"

    class Mode(models.TextChoices):
        """Who draws the chances of a classical yes/no design."""

        AUTOMATIC = "automatic", "Automatic"
        SPINNER = "spinner", "Spinner"
        BY_HAND = "by-hand", "By hand"

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    survey = models.ForeignKey(Survey, models.CASCADE, related_name="questions")
    key = models.CharField(
        max_length=32,
        validators=[
            RegexValidator(
                r"^[a-z][a-z0-9_]*\Z", "Use a to z, 0 to 9 and _, starting with a letter."
            )
        ],
    )
    position = models.PositiveIntegerField()
    kind = models.CharField(max_length=10, choices=Kind)
    text = models.CharField(max_length=500)
    help = models.CharField(max_length=500, blank=True)
    short = models.CharField(max_length=40, blank=True)
    none = models.CharField(max_length=200, blank=True)
    section = models.CharField(max_length=200, blank=True)
    # Neighbours with one heading are the rows of a grid: surveys.definition.grids.
    grid = models.CharField(max_length=500, blank=True)
    minimum = models.IntegerField(null=True, blank=True)
    maximum = models.IntegerField(null=True, blank=True)
    step = models.PositiveIntegerField(null=True, blank=True)
    unit = models.CharField(max_length=40, blank=True)
    edition = models.PositiveIntegerField(
        default=0, editable=False
    )  # counts changes, so that two editors notice
    decline = models.BooleanField(default=False)
    design = models.CharField(max_length=32, blank=True)
    parameters = models.JSONField(default=dict, blank=True)
    aim = models.CharField(
        max_length=6, blank=True
    )  # of a number or a scale without a design: mean or shares
    everyone = models.BooleanField(
        default=False
    )  # asked of all, whatever else a person's device picks
    expected_asked = models.PositiveSmallIntegerField(
        null=True, blank=True
    )  # with a condition: percent of the people
    mode = models.CharField(max_length=10, choices=Mode, default=Mode.AUTOMATIC)
    harmless = models.CharField(
        max_length=500,
        blank=True,
    )
    # Of Warner's design with a spinner or by hand: the question as two statements.
    statement = models.CharField(max_length=500, blank=True)
    opposite = models.CharField(max_length=500, blank=True)
    drawn = models.BooleanField(
        default=False, editable=False
    )  # one of those of which each person is asked only some
    anchor = models.FloatField(null=True, blank=True)  # to test the reports against
    # Whom it is asked: definition.routing.conditions. With when_section all questions of the section that starts here.
    when = models.JSONField(null=True, blank=True, default=None)
    when_section = models.BooleanField(default=False)
    cut = models.BooleanField(default=False)  # background: one of the at most three of the cut
    # The margin, as its page showed it, that its author left as too uncertain; the page speaks up again at another one.
    accepted = models.CharField(max_length=40, blank=True, editable=False)

    class Meta:
        ordering = ["position"]
        constraints = [models.UniqueConstraint(fields=["survey", "key"], name="key_once_a_survey")]

    def __str__(self) -> str:
        return self.text

    @property
    def whole(self) -> str:
        """Its text where it stands alone: a row of a grid says little without the heading."""
        return f"{self.grid} – {self.text}" if self.grid else self.text


class Choice(Translated):
    """One choice of a choice or background question; yes/no questions have theirs by nature.

    Of a question with written answers one text that is counted from the first release on: surveys.models.Round.
    """

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    question = models.ForeignKey(Question, models.CASCADE, related_name="choices")
    position = models.PositiveIntegerField()
    label = models.CharField(max_length=200)

    class Meta:
        ordering = ["position"]
        constraints = [
            models.UniqueConstraint(fields=["question", "label"], name="label_once_a_question")
        ]

    def __str__(self) -> str:
        return self.label
