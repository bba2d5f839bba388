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


# It belongs to no model. Creating a field takes longer than converting a UUID.
_UUID_FIELD = models.UUIDField()


def database_uuid(value: uuid.UUID) -> uuid.UUID | str:
    """Return a UUID in the form in which a handwritten SQL statement takes it as a parameter.

    With PostgreSQL, which has a type for UUIDs, this is the UUID itself; with SQLite it is a text
    of 32 hexadecimal digits.
    """
    parameter: uuid.UUID | str = _UUID_FIELD.get_db_prep_value(value, connection)
    return parameter


def database_now() -> datetime | str:
    """Return the time of this machine's clock as a handwritten SQL statement takes it.

    Only statements that compare it with opening and closing times use this: see site.clock.
    """
    now: datetime | str = connection.ops.adapt_datetimefield_value(timezone.now())
    return now


class Translated(models.Model):
    """Base class of models with texts for respondents, which can be translated.

    The columns of a subclass have the texts in the first language of the survey. definition.fields
    lists these columns.
    """

    # The texts in other languages, by language and column: {"de": {"text": "..."}}. A text that is
    # missing is not translated yet. If a language is removed from the survey, its texts stay, in
    # case the language is added again.
    translations = models.JSONField(default=dict, editable=False)

    class Meta:
        abstract = True


# A survey in two steps (Survey.Tickets.TWO) opens only when at least this many people have taken a
# ticket.
LEAST_TICKETS = 20


class Survey(Translated):
    """A survey, with the settings that its author chooses and the state that it is in.

    As a draft it can be edited. When it is published, its questions and texts are copied to an
    Instrument, of which the respondents' pages are made, and they do not change any more.

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
        """The rule that decides who can answer: everyone, or invited people who took a ticket.

        A ticket lets a person answer once, without showing who the person is. See
        surveys.fieldwork.tickets.
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

    # The texts and settings of the respondents' pages.
    title = models.CharField(max_length=200)
    introduction = models.TextField(blank=True, max_length=5000)
    contact = models.CharField(max_length=200, blank=True)
    consent = models.TextField(blank=True, max_length=5000)
    # True if people have to agree before the first question.
    asks_consent = models.BooleanField(default=False)
    after_sending = models.TextField(blank=True, max_length=5000)
    # The text for people who do not agree.
    after_declining = models.TextField(blank=True, max_length=5000)
    # Telephone numbers and addresses where respondents find help, one on each line.
    help_lines = models.TextField(blank=True, max_length=3000)
    language = models.CharField(max_length=5, choices=Language, default=Language.ENGLISH)
    # The languages besides the first one, in the order in which respondents can choose them.
    further_languages = models.JSONField(default=list, editable=False)
    # A setting of earlier versions, which the API and files still have. No page depends on it.
    comprehension = models.BooleanField(default=False)
    # True if the history of the browser shows only “Survey”, and not the title.
    neutral_title = models.BooleanField(default=False)
    # True if several people answer on one device, such as a tablet that is passed on.
    shared_device = models.BooleanField(default=False)
    # True if no result is shown before the survey is closed.
    results_after_closing = models.BooleanField(default=False)
    # True if the questions of a section are on one page, and not one at a time.
    section_pages = models.BooleanField(default=False)

    # The state of the survey, and the settings for its author.
    status = models.CharField(max_length=10, choices=Status, default=Status.DRAFT, editable=False)
    created = models.DateTimeField(auto_now_add=True)
    # True if the responses come from files. Such a survey may have designs with infinite epsilon,
    # and has no page for respondents.
    import_only = models.BooleanField(default=False, editable=False)
    # The name of surveys that the same people may answer, so that their privacy losses are added.
    project = models.CharField(max_length=100, blank=True)
    # A level of protection, an epsilon for all answers together, or "" if the design of each
    # question is set by hand: see definition.protection.
    protection = models.CharField(max_length=10, blank=True, default="balanced")
    # The reason that the author gave for publishing with a warning in red.
    reason = models.CharField(max_length=500, blank=True, editable=False)
    # The survey of which this one is a new version; null for a first version.
    predecessor = models.ForeignKey(
        "self", models.SET_NULL, null=True, editable=False, related_name="successors"
    )
    # The number of changes, so that two people who edit at the same time notice it.
    edition = models.PositiveIntegerField(default=0, editable=False)
    # The opening and closing times, from and until which people can answer; null for no such time.
    opens = models.DateTimeField(null=True)
    closes = models.DateTimeField(null=True)
    # The number of responses that the author wants to reach.
    target = models.PositiveIntegerField(null=True)
    # The number of sensitive questions that each device picks from the question subset; null if
    # every respondent is asked all questions.
    draw = models.PositiveSmallIntegerField(null=True, editable=False)
    # True if the survey is closed and its owner has moved it to the archive.
    archived = models.BooleanField(default=False, editable=False)

    # The sender of the survey, and what the law requires.
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

        So two people cannot change the same survey at the same time. Call this in a transaction.
        """
        # With `no_key` other transactions may still add rows that refer to the survey.
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
        """The number of people on the invitation list of a survey with tickets; 0 without tickets.

        It is 0 again once the tickets are finished, because the list is deleted then. This is
        queried once for each object, and does not change afterwards.
        """
        return self.invitees.count() if self.tickets else 0

    @property
    def expected_people(self) -> int | None:
        """The number of people to plan with: the target, or the invited people if they are fewer.

        This is None if the survey has neither a target nor invited people.
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
        return self.is_before_opening or self.lacks_tickets

    @property
    def is_before_opening(self) -> bool:
        """True if the survey has an opening time, and this time has not come."""
        return self.opens is not None and timezone.now() < self.opens

    @property
    def lacks_tickets(self) -> bool:
        """True if fewer than LEAST_TICKETS people have taken a ticket, in a survey in two steps.

        With so few people, taking a ticket could point to a person's answers. This is never true
        for other surveys, before publishing, and once the tickets are finished.
        """
        if self.tickets != self.Tickets.TWO:
            return False
        # Publishing creates the issuer, and the tickets are counted in the list of invited people,
        # which is deleted when the tickets are finished.
        if not hasattr(self, "issuer") or self.issuer.is_finished:
            return False
        # A person who lost a ticket has several, and the first one of each person has number 0.
        people_with_ticket = self.invitees.filter(fetched__number=0)
        # The query stops counting at LEAST_TICKETS.
        return people_with_ticket[:LEAST_TICKETS].count() < LEAST_TICKETS

    @property
    def is_finished(self) -> bool:
        """True if no ticket can ever be signed again, so that the survey can never open again.

        This is False without tickets and before publishing.
        """
        # Only a published survey with tickets has an issuer.
        return hasattr(self, "issuer") and self.issuer.is_finished

    @property
    def gives_tickets(self) -> bool:
        """True if invited people can take a ticket now.

        They can do so while the survey is neither paused nor closed, also before its opening time,
        and only until its closing time. In a survey in two steps they can do so only until the
        opening time.
        """
        if not self.tickets or self.status != self.Status.OPEN or self.is_over:
            return False
        takes_one_step = self.tickets == self.Tickets.ONE
        if takes_one_step:
            return True
        # In a survey in two steps, tickets end where answers begin. Without an opening time,
        # answers would never begin.
        return self.is_before_opening

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
    """A question of a survey, as its author writes it.

    When the survey is published, its questions are copied to the Instrument. The columns that are
    settings are described in surveys.definition.fields.
    """

    class Kind(models.TextChoices):
        """The kinds of questions, each with its name. Respondents' devices scramble most answers.

        surveys.definition.kinds describes the properties of each kind.
        """

        YES_NO = "yes-no", "Yes/no"
        CHOICE = "choice", "Single choice"
        ANY = "any", "Multiple choice (select all that apply)"
        QUANTITY = "quantity", "Number"
        SCALE = "scale", "Rating scale"
        WRITTEN = "written", "Short text"
        BACKGROUND = "background", "Background question (not scrambled)"
        NUMBER = "number", "Background number (not scrambled)"

    class Mode(models.TextChoices):
        """The means by which a yes/no answer is randomized. Only some designs allow all of them.

        See surveys.definition.designs.modes.
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
    # The position in the survey, in which the questions are sorted.
    position = models.PositiveIntegerField()
    kind = models.CharField(max_length=10, choices=Kind)
    text = models.CharField(max_length=500)
    help = models.CharField(max_length=500, blank=True)
    # The short name for reports and figures; "" if it is made from the question.
    short = models.CharField(max_length=40, blank=True)
    # The label of the choice that means “none of these”, or "".
    none = models.CharField(max_length=200, blank=True)
    # The values of the answers in files, as texts in the order of the answers (in a yes/no question
    # No, then Yes); empty for the default values. See surveys.definition.values.
    values = models.JSONField(default=list, blank=True)
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
    # How answers are randomized: the key of a design, such as Warner's, and its parameters by name.
    # Both are empty if the level of protection of the survey decides: see definition.protection.
    design = models.CharField(max_length=32, blank=True)
    parameters = models.JSONField(default=dict, blank=True)
    # The result that the author wants of a number or a scale, "mean" or "shares", by which a design
    # is chosen. "" means the mean.
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
    # The true share of “Yes”, from 0 to 1, if it is known. The reports are tested against it.
    anchor = models.FloatField(null=True, blank=True)
    # The condition that decides who is asked; null if everyone is. See
    # definition.routing.conditions. With when_section it is the condition of all questions of the
    # section that starts with this question.
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
    """One of the answers from which respondents choose, in a question that lists its answers.

    Yes/no questions need no choices. In a question with written answers, a choice is a text that
    respondents may write, and that is counted from the first release on. See Round in
    surveys.models.answers.
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
