"""The models of what an author writes: a survey, its questions and their choices."""

import secrets
import uuid
from datetime import datetime

from django.conf import settings
from django.core.validators import RegexValidator
from django.db import connection, models
from django.utils import timezone
from django.utils.functional import cached_property

# The characters of addresses. None of these is mistaken for another one when it is read aloud.
SLUG_LETTERS = "abcdefghjkmnpqrstuvwxyz23456789"


def random_slug() -> str:
    """Return 12 random characters of SLUG_LETTERS: 59 bits, so that nobody finds it by trying."""
    return "".join(secrets.choice(SLUG_LETTERS) for _ in range(12))


def database_uuid(value: uuid.UUID) -> uuid.UUID | str:
    """Return a UUID as a parameter of an SQL statement.

    PostgreSQL has a type for UUIDs; SQLite stores the 32 hexadecimal digits.
    """
    parameter: uuid.UUID | str = models.UUIDField().get_db_prep_value(value, connection)
    return parameter


class Translated(models.Model):
    """Base class of models whose texts are in the first language of a survey, with translations.

    translations: the translated texts by language and column: {"de": {"text": "..."}}. A text that
        is missing is not translated yet. If a language is removed from the survey, its texts stay,
        in case the language is added again. definition.fields lists the columns that have texts.
    """

    translations = models.JSONField(default=dict, editable=False)

    class Meta:
        abstract = True


# A survey in two steps (Survey.Tickets.TWO) opens only when at least this many people have taken a
# ticket.
LEAST_TICKETS = 20


class Survey(Translated):
    """A survey. As a draft it can be edited; once it is published, its Instrument counts.

    After publishing, the questions do not change: a respondent's page is made of the Instrument.

    surveys.definition.fields describes the columns that are settings, with their labels and help
    texts. Its tables STATE and COPIED_WITH name all other columns.
    """

    class Status(models.TextChoices):
        """The stored status. The opening and closing times do not change it: see `state`."""

        DRAFT = "draft"
        # A published survey that takes answers, if its times allow it.
        OPEN = "open"
        # A published survey that takes no answers for a while.
        PAUSED = "paused"
        CLOSED = "closed"
        # An import-only survey that accepts files of responses.
        FILLING = "filling"

    class Language(models.TextChoices):
        """The languages of the respondents' pages, each with its name in this language."""

        ENGLISH = "en", "English"
        GERMAN = "de", "Deutsch"
        FRENCH = "fr", "Français"
        SPANISH = "es", "Español"
        ARABIC = "ar", "العربية"

    class Tickets(models.TextChoices):
        """The rule that decides who can answer, and when invited people take their tickets.

        See surveys.fieldwork.tickets.
        """

        # Without tickets, whoever has the link can answer.
        NONE = "", "Anyone with the link"
        # One step: invited people take a ticket and answer while the survey is open.
        ONE = "one", "Answer right away"
        # Two steps: they take tickets until the opening time, and answer from then on.
        TWO = "two", "Tickets first, answers later"

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    # The name of the survey in addresses.
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
    # The languages besides the first one, in the order in which respondents can choose them.
    further_languages = models.JSONField(default=list, editable=False)
    # A setting of earlier versions, which the API and files still have. No page depends on it.
    comprehension = models.BooleanField(default=False)
    neutral_title = models.BooleanField(default=False)
    shared_device = models.BooleanField(default=False)
    results_after_closing = models.BooleanField(default=False)
    section_pages = models.BooleanField(default=False)
    status = models.CharField(max_length=10, choices=Status, default=Status.DRAFT, editable=False)
    created = models.DateTimeField(auto_now_add=True)
    # True if the responses come from files. Such a survey may have designs with infinite epsilon,
    # and has no page for respondents.
    import_only = models.BooleanField(default=False, editable=False)
    project = models.CharField(max_length=100, blank=True)
    # A level of protection, an epsilon for all answers together, or "" if the design of each
    # question is set by hand: see definition.protection.
    protection = models.CharField(max_length=10, blank=True, default="balanced")
    # The reason that the author gave for publishing with a warning in red.
    reason = models.CharField(max_length=500, blank=True, editable=False)
    predecessor = models.ForeignKey(
        "self", models.SET_NULL, null=True, editable=False, related_name="successors"
    )
    # The number of changes, so that two people who edit at the same time notice it.
    edition = models.PositiveIntegerField(default=0, editable=False)
    opens = models.DateTimeField(null=True)
    closes = models.DateTimeField(null=True)
    # The number of responses that the author wants to reach.
    target = models.PositiveIntegerField(null=True)
    # The number of sensitive questions that each device picks from the question subset; null if
    # every respondent is asked all questions.
    draw = models.PositiveSmallIntegerField(null=True, editable=False)
    # True if the survey is closed and its owner has moved it to the archive.
    archived = models.BooleanField(default=False, editable=False)
    # The name in the header of respondents' pages, with logo and colours: see
    # surveys.definition.sender.
    sender = models.CharField(max_length=100, blank=True)
    logo = models.ForeignKey(
        "Logo", models.PROTECT, null=True, editable=False, related_name="surveys"
    )
    # The colours of links and buttons, such as "#0f5866", on light and on dark screens.
    accent = models.CharField(max_length=7, blank=True)
    accent_dark = models.CharField(max_length=7, blank=True)
    # The texts that data protection law requires: see surveys.definition.data_protection.
    controller = models.TextField(max_length=1000, blank=True)
    officer = models.TextField(max_length=1000, blank=True)
    legal_basis = models.TextField(max_length=1000, blank=True)
    purpose = models.TextField(max_length=1000, blank=True)
    rights = models.TextField(max_length=2000, blank=True)
    tickets = models.CharField(
        max_length=3, choices=Tickets, blank=True, default=Tickets.NONE, editable=False
    )
    # True if anyone can read the results: see the feature `shared_reports`.
    public_results = models.BooleanField(default=False, editable=False)
    # The day on which the site deletes all responses; null if there is no such day.
    delete_on = models.DateField(null=True)
    # True from the moment when a simulation has sent some of the answers: see the feature `demo`.
    invented = models.BooleanField(default=False, editable=False)

    class Meta:
        ordering = ["-created"]
        # Respondents cannot answer an import-only survey, so it is never open or paused. No other
        # survey accepts files of responses.
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
        """Return the survey, read again with its row locked until the transaction ends.

        So two people cannot change the same survey at the same time.
        """
        return Survey.objects.select_for_update(no_key=True).get(pk=self.pk)

    @property
    def languages(self) -> tuple[str, ...]:
        """The languages in which the survey can be answered. Report and exports use the first."""
        return (str(self.language), *self.further_languages)

    @property
    def series(self) -> str:
        """The slug of the first version, which all versions of a survey have in common."""
        first = self
        while first.predecessor is not None:
            first = first.predecessor
        return first.slug

    @cached_property
    def people_invited(self) -> int:
        """The number of people on the list of a survey with tickets; 0 without tickets.

        They are counted once for each object.
        """
        return self.invitees.count() if self.tickets else 0

    @property
    def expected_people(self) -> int | None:
        """The smaller of the target and the number of invited people.

        If there is only one of them, it is that one, and None if there is neither.
        """
        numbers = [number for number in (self.target, self.people_invited) if number]
        return min(numbers, default=None)

    @property
    def is_draft(self) -> bool:
        """True if the survey is not published."""
        return self.status == self.Status.DRAFT

    @property
    def is_early(self) -> bool:
        """True if the survey does not take answers yet, since it has an opening time.

        Either this time has not come, or it has passed in a survey in two steps, and too few people
        have taken a ticket. A survey without an opening time is never early.
        """
        if self.opens is None:
            return False
        return timezone.now() < self.opens or self.lacks_tickets

    @property
    def lacks_tickets(self) -> bool:
        """True if a survey in two steps has too few people with tickets to hide one of them.

        This is never so without tickets, before publishing, and once the tickets are finished.
        """
        if (
            self.tickets != self.Tickets.TWO
            or not hasattr(self, "issuer")
            or self.issuer.is_finished
        ):
            return False
        return self.invitees.filter(fetched__number=0)[:LEAST_TICKETS].count() < LEAST_TICKETS

    @property
    def is_finished(self) -> bool:
        """True if the tickets are finished for good, so that the survey can never open again."""
        return hasattr(self, "issuer") and self.issuer.is_finished

    @property
    def gives_tickets(self) -> bool:
        """True if people with a code can take a ticket now.

        They can do so while the survey is open, neither paused nor closed, also before its opening
        time. In a survey in two steps they can do so only until the opening time.
        """
        if not self.tickets or self.status != self.Status.OPEN or self.is_over:
            return False
        if self.tickets == self.Tickets.ONE:
            return True
        return self.opens is not None and timezone.now() < self.opens

    @property
    def is_over(self) -> bool:
        """True if the survey is closed, by hand or by its closing time. A draft is not over.

        This depends on the clock of the machine. For steps that cannot be undone, use `is_over_at`
        with the time of surveys.site.clock.
        """
        return self.is_over_at(timezone.now())

    def is_over_at(self, time: datetime) -> bool:
        """Return whether the survey is closed by hand, or its closing time has come by this time.

        A draft is not over, even if its closing time has passed.
        """
        if self.status == self.Status.CLOSED:
            return True
        if self.is_draft or self.closes is None:
            return False
        return self.closes <= time

    @property
    def state(self) -> str:
        """The status as people see it, with regard to the opening and closing times.

        This is "closed" after the closing time, "scheduled" if the survey is open but early, and
        otherwise the stored status.
        """
        if self.is_over:
            return self.Status.CLOSED
        if self.status == self.Status.OPEN and self.is_early:
            return "scheduled"
        return self.status


class Logo(models.Model):
    """A small PNG that the site has created from a picture. The picture itself is never stored."""

    # The hash of the PNG, in hexadecimal digits. Surveys with the same logo share one row.
    sha256 = models.CharField(max_length=64, primary_key=True, editable=False)
    png = models.BinaryField(editable=False)
    width = models.PositiveSmallIntegerField(editable=False)
    height = models.PositiveSmallIntegerField(editable=False)

    def __str__(self) -> str:
        return self.sha256


class Question(Translated):
    """A question of a draft.

    `design` and `parameters` are the design that was set by hand; they are empty if
    definition.protection derives one. surveys.definition.fields describes them and all other
    settings of a question.
    """

    class Kind(models.TextChoices):
        """The kinds of questions. surveys.definition.kinds describes their properties."""

        YES_NO = "yes-no", "Yes/no"
        CHOICE = "choice", "Single choice"
        ANY = "any", "Multiple choice (select all that apply)"
        QUANTITY = "quantity", "Number"
        SCALE = "scale", "Rating scale"
        WRITTEN = "written", "Short text"
        BACKGROUND = "background", "Background question (not scrambled)"
        NUMBER = "number", "Background number (not scrambled)"

    class Mode(models.TextChoices):
        """The means by which a yes/no answer is randomized: see surveys.definition.designs.modes.

        Only some designs of yes/no questions allow a spinner, or randomizing by hand.
        """

        # The respondent's device randomizes the answer, unseen.
        AUTOMATIC = "automatic", "Automatic"
        # The respondent does what a spinner on the screen or on paper says.
        SPINNER = "spinner", "Spinner"
        # The respondent throws coins or dice, or picks slips of paper.
        BY_HAND = "by-hand", "By hand"

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    survey = models.ForeignKey(Survey, models.CASCADE, related_name="questions")
    # The name of the variable in files and programs.
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
    # The short name for reports and figures; "" if it is made from the question.
    short = models.CharField(max_length=40, blank=True)
    # The label of the choice that means “none of these”, or "".
    none = models.CharField(max_length=200, blank=True)
    # The heading of the section that starts with this question, or "".
    section = models.CharField(max_length=200, blank=True)
    # The heading of a grid. Neighbouring questions with the same heading are its rows: see
    # surveys.definition.grids.
    grid = models.CharField(max_length=500, blank=True)
    # The smallest and largest number, and the difference between two neighbouring ones.
    minimum = models.IntegerField(null=True, blank=True)
    maximum = models.IntegerField(null=True, blank=True)
    step = models.PositiveIntegerField(null=True, blank=True)
    unit = models.CharField(max_length=40, blank=True)
    # The number of changes, so that two people who edit at the same time notice it.
    edition = models.PositiveIntegerField(default=0, editable=False)
    # True if respondents can choose “Prefer not to say”.
    decline = models.BooleanField(default=False)
    design = models.CharField(max_length=32, blank=True)
    parameters = models.JSONField(default=dict, blank=True)
    # The quantity that a number or a scale without a design is for: "mean" or "shares". An empty
    # text means the mean.
    aim = models.CharField(max_length=6, blank=True)
    # True if all respondents are asked, whichever other questions their devices pick.
    everyone = models.BooleanField(default=False)
    # The expected share of respondents who are asked a question with a condition, in per cent.
    expected_asked = models.PositiveSmallIntegerField(null=True, blank=True)
    mode = models.CharField(max_length=10, choices=Mode, default=Mode.AUTOMATIC)
    # The question that some people, picked at random, answer instead: for the unrelated question
    # design by hand.
    harmless = models.CharField(
        max_length=500,
        blank=True,
    )
    # The question as two statements, for Warner's design with a spinner or by hand.
    statement = models.CharField(max_length=500, blank=True)
    opposite = models.CharField(max_length=500, blank=True)
    # True if the question belongs to the question subset, from which each device picks some.
    drawn = models.BooleanField(default=False, editable=False)
    # The true share of “Yes” if it is known. The reports are tested against this share.
    anchor = models.FloatField(null=True, blank=True)
    # The condition that decides who is asked: see definition.routing.conditions. With when_section
    # it is the condition of all questions of the section that starts with this question.
    when = models.JSONField(null=True, blank=True, default=None)
    when_section = models.BooleanField(default=False)
    # True if this is one of the at most three background questions that define the report groups.
    cut = models.BooleanField(default=False)
    # The margin of error, as displayed, that the author accepted although it is large. The page
    # warns again at another margin.
    accepted = models.CharField(max_length=40, blank=True, editable=False)

    class Meta:
        ordering = ["position"]
        constraints = [models.UniqueConstraint(fields=["survey", "key"], name="key_once_a_survey")]

    def __str__(self) -> str:
        return self.text

    @property
    def whole(self) -> str:
        """The text of the question outside of its grid: "heading – text" for a row of a grid.

        A row of a grid is not clear without the heading, so the heading precedes its text.
        """
        return f"{self.grid} – {self.text}" if self.grid else self.text


class Choice(Translated):
    """One answer of a single choice, multiple choice or background question.

    Yes/no questions need none. In a question with written answers, a choice is a text that is
    counted from the first release on: see surveys.models.Round.
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
