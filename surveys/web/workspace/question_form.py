"""The form of one question: what was typed, and what of it means which design."""

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any, TypeVar

from django import forms
from django.db import transaction

from surveys.authoring.drafts import drafts
from surveys.authoring.drafts.question_plan import QuestionPlan, plan_question
from surveys.authoring.drafts.text_checks import steps
from surveys.authoring.files.choice_list import ListedChoice, parse_lines
from surveys.definition import fields
from surveys.definition.designs.design import Design, in_page_order
from surveys.definition.designs.external import designs_for
from surveys.definition.designs.levels import AUTOMATIC
from surveys.definition.instrument import MOST_IN_GROUPS
from surveys.definition.kinds import KINDS, MOST_SHARES, Traits
from surveys.definition.values import split_yes_no_line
from surveys.models import Question, Survey
from surveys.site.errors import Invalid
from surveys.web.widgets import Area, Choice, File, Line, Switch
from surveys.web.workspace.advice import AIM_HINTS, MODE_HINTS, PAPER_MODES
from surveys.web.workspace.choice_lists import Held
from surveys.web.workspace.condition_form import ConditionForm
from surveys.web.workspace.forms import TypedForm, form_field
from surveys.web.workspace.kind_forms import KIND_FORMS, SETTINGS, fits, needs, radios

T = TypeVar("T")
USUAL_VALUES = 51  # of a number whose ends are not typed yet
FIRST = 3  # designs that stand before the fold
ROWS = [
    name for name in fields.names(Question) if name not in ("grid", "parameters")
]  # each with a field
OPTIONAL = ("help", "short", "none", "section", "key", "unit", "statement", "anchor", "values")
WIDGETS = {
    "text": Area(2),
    "unit": Line(10),
    "values": Line(20),
    "expected_asked": Line(3),
    "mode": Choice(Question.Mode.choices, MODE_HINTS, first=True),
}
ANSWERING = [
    name
    for name in fields.names(Question, part="answer")
    if name not in ("decline", "design", "parameters", "values")
]
# What stands below the box of choices.
CODES = "If your data files use codes, write them like this: Yes = 1."


class QuestionForm(TypedForm):
    is_grid = False
    vars().update(
        {
            name: form_field(Question, name, optional=name in OPTIONAL, widget=WIDGETS.get(name))
            for name in ROWS
        }
    )
    choices = forms.Field(
        required=False,
        label="Answers",
        help_text=f"One on each line. {CODES} Single choice: 2 to 20,000; above 25, people type to search. Multiple "
        "choice: up to 100.",
        widget=Area(6),
    )
    file = forms.Field(
        required=False,
        label="Or upload the choices (optional)",
        help_text="A text file with one choice per line, or a CSV with a “label” column (“label::de” for German, and "
        "so on). A “value” column has the codes of your data files. Replaces the choices above.",
        widget=File(".txt", ".csv", ".tsv", "text/plain", "text/csv", "text/tab-separated-values"),
    )
    low = forms.Field(
        required=False,
        label="From",
        help_text="Lowest possible answer, for example 0.",
        widget=Line(5),
    )
    high = forms.Field(
        required=False, label="To", help_text="Highest possible answer.", widget=Line(5)
    )
    points = forms.Field(
        required=False,
        label="Scale points",
        help_text=f"One on each line, lowest first, 2 to 11 points. {CODES}",
        widget=Area(5),
    )
    candidates = forms.Field(
        required=False,
        label="Candidates (optional)",
        help_text="The texts you want to count, one per line, up to 10,000. Respondents don’t see them. You can add "
        "more later, but texts listed now are estimated more precisely.",
        widget=Area(6),
    )
    aim = forms.Field(
        required=False,
        label="What do you want to know?",
        widget=Choice(
            [(aim, label) for aim, (label, _) in AIM_HINTS.items()],
            {aim: hint for aim, (_, hint) in AIM_HINTS.items()},
            first=True,
        ),
    )
    declinable = forms.BooleanField(
        required=False,
        label="Offer “Prefer not to say”",
        help_text="People can skip without making something up. The report counts skips separately.",
        widget=Switch(),
    )

    def __init__(
        self,
        *args: Any,
        survey: Survey,
        initial: dict[str, Any],
        before: Sequence[Question] = (),
        after: Sequence[Question] = (),
        held: Held | None = None,
        brought: tuple[Sequence[ListedChoice], str] = ((), ""),
        **options: Any,
    ) -> None:
        """before, after: the questions asked before and after it.

        held: the list of choices that stays unless another is written or brought. brought: web.workspace.choice_lists.
        """
        super().__init__(*args, initial=initial, **options)
        self.held, (self.brought, self.unreadable) = held, brought
        # What is wrong with the field of values, once it was read.
        self.values_problem = ""
        if held:
            self.initial["choices"] = ""
        if self.brought:  # what is wrong with it can be mended in the field
            self.data = self.data.copy()
            self.data["choices"] = "\n".join(choice.line for choice in self.brought)
        self.survey, self.offered = survey, designs_for(survey.import_only)
        if survey.import_only:
            self.fields["mode"].label = "Who draws?"
            self.fields["mode"].widget = Choice(
                [(mode, label) for mode, label, _ in PAPER_MODES],
                {mode: hint for mode, _, hint in PAPER_MODES},
            )
        self.whom = ConditionForm(
            before, initial.get("when"), self.data if self.is_bound else None, after
        )
        own = {"epsilon": "A number above 0: smaller is stronger."}
        for key, parameters in [
            (AUTOMATIC, own),
            *((each.key, each.parameters) for each in self.offered.values()),
        ]:
            for letter, meaning in parameters.items():
                self.fields[f"{key}-{letter}"] = forms.Field(
                    required=False,
                    label=_parameter_label(letter),
                    help_text=meaning,
                    widget=Line(5, spellcheck="false", autocapitalize="none"),
                )

    def say(self, name: str, message: str) -> None:
        name = self._own_name(name)
        if (
            f"{self.typed('design')}-{name}" in self.fields
        ):  # several can be wrong alike, so the message names it
            label = _parameter_label(name)
            message = (
                message if message.startswith((label, name.capitalize())) else f"{label}: {message}"
            )
            name = f"{self.typed('design')}-{name}"
        super().say(name, message)

    def _own_name(self, name: str) -> str:
        """Of a field that this kind has under another name; values stand beside the choices."""
        if name == "values" and name not in self._needed:
            name = "choices"
        return next((field for field in self._needed if SETTINGS.get(field) == name), name)

    @property
    def traits(self) -> Traits:
        """Of the kind that is typed; where there is none of that name, of one choice."""
        return KINDS.get(self.typed("kind"), KINDS[Question.Kind.CHOICE])

    @property
    def _needed(self) -> tuple[str, ...]:
        return KIND_FORMS[self.traits.key].fields

    def typed(self, name: str) -> str:
        """What the field holds: on a page that was only opened, what it starts with."""
        if self.is_bound:
            return super().typed(name)
        value = self.initial.get(name)
        return "" if value is None else str(value)

    def plan(self) -> QuestionPlan | None:
        """How the answers would be randomized, without storing anything."""
        of_survey = {
            name: getattr(self.survey, name) for name in ("language", "import_only", "protection")
        }
        asked = self._answering() | of_survey
        if self.is_bound:
            return self.attempt(plan_question, **asked)
        try:
            return plan_question(**asked)
        except Invalid:  # there are no choices yet, and nobody has typed anything wrong
            return None

    def attempt(self, service: Callable[..., Any], **arguments: Any) -> Any:
        """As for any form, and says what is wrong with a file of choices whatever else is."""
        found = super().attempt(service, **arguments)
        if self.unreadable and "file" not in self.errors:
            self.say("file", self.unreadable)
        if self.values_problem and "values" not in self.errors:
            self.say("values", self.values_problem)
        return found

    def save(self, question: Question | None = None, **who: Any) -> Question | None:
        names = (*fields.names(Question, part="question"), "key")
        texts = {name: self.typed(name) for name in names if name in self.data}
        if question:
            texts["edition"] = self.edition()
        return self.attempt(
            partial(self._with_condition, drafts.save_question),
            survey=self.survey,
            question=question,
            cut=self._ticked("cut") and self._size() <= MOST_IN_GROUPS,
            everyone=self._ticked("everyone")
            if self.traits.sensitive and self.survey.protection
            else None,
            when_section=self._ticked("when_section"),
            **texts,
            **self._answering(),
            **who,
        )

    def _with_condition(self, save: Callable[..., T], **asked: Any) -> T:
        """Save with the condition, which is wrong at a field of its own, and everything else with it."""
        try:
            when, wrong = self.whom.when(), {}
        except Invalid as error:
            when, wrong = self.initial.get("when"), error.errors
        wrong |= {"file": self.unreadable} if self.unreadable else {}
        wrong |= {"values": self.values_problem} if self.values_problem else {}
        with transaction.atomic():
            saved = save(when=when, **asked)
            if wrong:
                raise Invalid(wrong)
        return saved

    def _answering(self) -> dict[str, Any]:
        design = self.typed("design")
        own = self.offered[design].parameters if design in self.offered else ()
        letters = ["epsilon"] if design == AUTOMATIC else own
        typed = {name: self.typed(self._own_name(name)) for name in ANSWERING}
        if "aim" in self._needed:
            typed["aim"] = self.wanted()
        listed = self._choices()
        return typed | {
            "decline": any(
                self._ticked(name) for name in ("decline", "declinable") if name in self._needed
            ),
            "choices": [choice.label for choice in listed],
            "values": [choice.value for choice in listed],
            "design": design,
            "parameters": {letter: self.typed(f"{design}-{letter}") for letter in letters},
            "mode": self.typed("mode") or Question.Mode.AUTOMATIC,
        }

    def wanted(self) -> str:
        """What is to be known of a number or a scale."""
        return self.typed("aim") or "mean"

    def kinds(self) -> list[dict[str, Any]]:
        return radios(in_grid=self.is_grid)

    def needs(self) -> dict[str, str]:
        return needs(in_grid=self.is_grid)

    def is_scrambled(self) -> bool:
        """Which of the two tiles is chosen; the kind decides."""
        return self.traits.sensitive

    def is_more_open(self) -> bool:
        names = ("help", "section", "none", "decline", "declinable")
        return any(self[name].errors for name in names) or any(
            self.typed(name) for name in names[:3]
        )

    def is_method_open(self) -> bool:
        """Whether the method, the variable name or a check is something to be seen."""
        others = {
            "kind",
            "text",
            "choices",
            "file",
            "short",
            "when",
            "cut",
            "help",
            "section",
            "none",
            "decline",
        }
        others |= {
            "declinable",
            "low",
            "high",
            "step",
            "unit",
            "points",
            "candidates",
            "minimum",
            "maximum",
        }
        wrong = self.errors.keys() - others
        chosen = self.typed("mode") not in ("", Question.Mode.AUTOMATIC) or self._ticked("everyone")
        has_values = bool(self.traits.has_yes and self.initial.get("stored_values"))
        return bool(wrong or chosen or has_values or self.typed("anchor")) or (
            self.traits.sensitive and self.has_own_method()
        )

    def _ticked(self, name: str) -> bool:
        return self.typed(name) not in ("", "False")

    def _choices(self) -> Sequence[ListedChoice]:
        """Return the choices of the file, else those in the field, else those that are held.

        For a yes/no question, whose choices are fixed, only the values count.
        """
        if "values" in self._needed:
            return [ListedChoice("", value) for value in self._fixed_values()]
        if self._own_name("choices") == "choices":
            if self.brought:
                return self.brought
            if self.held and not self.typed("choices").strip():
                return self.held.choices
        lines = self.typed(self._own_name("choices")).replace("\r\n", "\n").split("\n")
        if self.traits.is_written:
            return [ListedChoice(line) for line in lines]
        return parse_lines(lines)

    def _fixed_values(self) -> Sequence[str]:
        """Return the values of a yes/no question. Stored ones stay while the field is unchanged."""
        typed = self.typed("values").strip()
        stored: Sequence[str] | None = self.initial.get("stored_values")
        if stored is not None and typed == self.initial["values"]:
            return stored
        if not typed:
            return []
        try:
            return split_yes_no_line(typed)
        except ValueError as error:
            self.values_problem = str(error)
            return []

    def _size(self) -> int:
        """How many answers there are, as far as it is typed: question.js counts alike."""
        if self.traits.is_written:
            return 0
        own = len(self.traits.fixed) or sum(
            bool(choice.label.strip()) for choice in self._choices()
        )
        if "step" in self._needed:
            own = self._values()
        if "points" in self._needed:
            own = min(max(own, 2), MOST_SHARES)
        return max(own + self._ticked("decline"), 2)

    def _values(self) -> int:
        """How many numbers can be answered; what is usual while that is not typed."""
        try:
            low, high, step = steps(self.typed("low"), self.typed("high"), self.typed("step"))
        except ValueError:
            return USUAL_VALUES
        return (high - low) // step + 1

    def own_epsilon(self) -> Any:
        return self[f"{AUTOMATIC}-epsilon"]

    def has_own_method(self) -> bool:
        """Whether the author has chosen one, or has to, so that the list of them must be open."""
        return not self.survey.protection or bool(self["design"].value())

    def designs(self) -> dict[str, list[dict[str, Any]]]:
        """The designs as the page lists them: the first few that fit the question, and the rest."""
        listed = [
            self._listed(design, place)
            for place, design in enumerate(in_page_order(self.offered.values()))
        ]
        fitting = [design for design in listed if fits(self.traits, design["fits"], self._size())][
            :FIRST
        ]
        return {"first": fitting, "rest": [design for design in listed if design not in fitting]}

    def is_rest(self) -> bool:
        """Whether the chosen design stands behind the second fold."""
        return self.typed("design") in [design["key"] for design in self.designs()["rest"]]

    def _listed(self, design: Design, place: int) -> dict[str, Any]:
        return {
            "key": design.key,
            "place": place,
            "title": design.title,
            "hint": design.advice,
            "fits": _fitting(design),
            "fields": [self[f"{design.key}-{letter}"] for letter in design.parameters],
        }


def _fitting(design: Design) -> str:
    """For which kinds a design is: of several answers "any", of "two", of "one" choice, "ordered", or of "both"."""
    if design.select != "one":
        return design.select
    return "two" if design.two_answers_only else "both" if design.ordered else "one"


def _parameter_label(letter: str) -> str:
    return (
        "Privacy loss ε"
        if letter == "epsilon"
        else letter
        if len(letter) == 1
        else letter.capitalize()
    )
