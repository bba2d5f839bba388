"""The settings of a survey, a question and a choice, with their labels and help texts.

Type, largest length and default are those of the model's column, which has the name of the
setting. Forms, the API, survey files, copies, new versions, history, missing translations and
freezing read these tables. A column that is not a setting is in STATE, with the reason.
"""

from collections.abc import Iterable
from dataclasses import replace
from functools import cache
from typing import Any

from surveys.definition.field import Field, Model, text
from surveys.models import Choice, Question, Survey

# The settings of a survey. All settings of a list have the same part, which the table SURVEY sets.
_WELCOME_TEXTS = [
    text("title", "title", "Respondents see it at the top of the page.", since=1, required=True),
    text(
        "introduction",
        "introduction",
        "What the survey is about and what the results are for. Its first sentences are on the "
        "first screen: at most 160 characters, 90 to 120 where people are asked to agree. Leave an "
        "empty line between paragraphs.",
        since=1,
    ),
    text(
        "contact",
        "contact",
        "Who runs the survey and how to reach them: a name and an email address.",
        since=1,
    ),
    text(
        "consent",
        "consent",
        "What people agree to when they take part. Shown just before the questions; best under 160 "
        "characters.",
        since=3,
    ),
    Field(
        "asks_consent",
        "consent before the start",
        "Adds the buttons “Agree and start” and “Do not take part” to the first screen. If people "
        "decline, nothing is sent or stored.",
        ask="Ask people to agree before they start",
        since=4,
    ),
]
_CLOSING_TEXTS = [
    text(
        "after_sending",
        "text after sending",
        "Thank people and say what happens next. Shown once the answers are sent.",
    ),
    text(
        "after_declining",
        "text for those who do not take part",
        "Shown to people who choose “Do not take part”.",
    ),
    text(
        "help_lines",
        "help lines",
        "One on each line, for example: Help for victims, tel:116-006, "
        "https://www.example.org/help. Shown at the start and at the end.",
        subject="The text of the help lines",
    ),
]
_PAGE_SETTINGS = [
    Field(
        "language",
        "language",
        "Everything around your own texts is shown to respondents in this language.",
        ask="Language of the survey",
        since=1,
    ),
    Field(
        "neutral_title",
        "title out of the browser’s history",
        "The browser history shows only “Survey”. Anyone who opens the page still sees the title.",
        ask="Keep the title out of the browser’s history",
        since=4,
    ),
    Field(
        "shared_device",
        "several people on one device",
        "For a tablet that people pass on. The page keeps nothing about a person, and a button "
        "makes it ready for the next one.",
        ask="Several people answer on one device",
        since=4,
    ),
    Field(
        "results_after_closing",
        "no result before the survey closes",
        "Otherwise results appear from 40 responses while the survey is open, and from 20 once it "
        "is closed.",
        ask="Show no result before the survey closes",
        since=4,
    ),
    Field(
        "section_pages",
        "sections on one page",
        "Otherwise they come one at a time. A section starts where a question has a heading.",
        ask="Show the questions of a section on one page",
        since=4,
    ),
    Field(
        "project",
        "project",
        "Use one name for surveys that the same people may answer. Their privacy loss is then "
        "added up.",
    ),
]
# Settings that files and the API still have, but that no form asks for any more.
_PAST_SETTINGS = [
    Field(
        "comprehension",
        "question about the explanation",
        "Of surveys made before “Try it” took its place. The key can still be read. The page "
        "ignores it.",
        ask="Ask whether the explanation was understood",
        since=2,
    ),
]
_PROTECTION_SETTINGS = [
    Field("protection", "protection", ask="How well is each person protected?", stays=True),
]
_NEW_SURVEY_SETTINGS = [
    Field(
        "import_only",
        "responses from files",
        "For a survey asked elsewhere with randomized response: on paper, by phone, with another "
        "tool. You can’t publish it to respondents, and you can’t change this later.",
        ask="Take the responses from files",
        since=4,
        stays=True,
    ),
]
_SENDER_SETTINGS = [
    text(
        "sender",
        "name of the sender",
        "Who runs the survey, shown at the top of every page: an institute, a university, an "
        "office.",
        stays=True,
    ),
    Field("logo", "logo", since=4, stays=True, sparse=True),
    Field(
        "accent",
        "colour of links and buttons",
        "For example #0f5866. It must be readable on light pages.",
        since=4,
        stays=True,
        sparse=True,
    ),
    Field(
        "accent_dark",
        "colour of links and buttons on dark screens",
        "No colour is readable on both light and dark pages. Empty: the nearest readable one.",
        ask="The same on dark screens",
        since=4,
        stays=True,
        sparse=True,
    ),
]
_DATA_PROTECTION_SETTINGS = [
    text("controller", "controller", "Who is responsible for the data by law, with an address."),
    text("officer", "data protection officer", "With an address, if there is one."),
    text("purpose", "purpose", "What the data are collected for."),
    text("legal_basis", "legal basis", "For example consent, Article 6 (1) (a) GDPR."),
    text(
        "rights",
        "rights of respondents",
        "For example to complain to an authority. Also say that you can’t find a single response "
        "again, because it has no name.",
        subject="The text on rights",
    ),
    Field(
        "delete_on",
        "day on which all responses are deleted",
        "From 00:00 UTC of that day the site closes the survey, if it is still open, and deletes "
        "every response. Counts, report groups and results stay. Respondents read the day, so you "
        "can’t move it later.",
        since=4,
        stays=True,
        sparse=True,
    ),
]
_TICKET_SETTINGS = [
    Field("tickets", "who can answer", ask="Who can answer?", since=4, stays=True, sparse=True),
]
_SCHEDULE_SETTINGS = [
    Field(
        "target",
        "responses wanted",
        "A rough number is enough; you can change it.",
        ask="How many responses do you expect?",
        stays=True,
        sparse=True,
    ),
]

# The settings of a question, in the same way: the table QUESTION sets their parts.
_KIND = [
    Field("kind", "kind", ask="Question type", since=1, required=True),
]
_QUESTION_TEXTS = [
    text("text", "question", since=1, required=True),
    text("help", "help text", "Shown in small print below the question.", since=1),
    text(
        "short",
        "short name",
        "For reports and figures. Empty: made from the question.",
        since=0,
        sparse=True,
    ),
    Field(
        "none",
        "“None of these”",
        "Which answer means it. Reports name it first, without a rank.",
        sparse=True,
    ),
]
_ANSWER_SETTINGS = [
    Field(
        "values",
        "values",
        "If your data files use codes, write both, for example No = 2, Yes = 1.",
        ask="Codes in files",
        sparse=True,
    ),
    Field("minimum", "smallest number", "A whole number, for example 18.", sparse=True),
    Field(
        "maximum",
        "largest number",
        "There can be at most 1,000 different numbers.",
        sparse=True,
    ),
    Field(
        "step",
        "step between two numbers",
        "Such as 100. At most 1,001 numbers.",
        ask="In steps of",
        sparse=True,
    ),
    text("unit", "unit", "Appears next to the field, such as hours.", sparse=True),
    Field(
        "decline",
        "“Prefer not to say”",
        "Skipping is scrambled like any other answer. A yes/no question then has three answers, "
        "and methods for two answers don’t fit it.",
        ask="Offer “Prefer not to say”",
    ),
    Field("design", "design", ask="How strongly are the answers protected?"),
    Field("parameters", "parameters of the design"),
    Field(
        "aim",
        "aim",
        "The mean, or the share of each answer.",
        ask="What do you want to know?",
        sparse=True,
    ),
    Field("mode", "who draws", ask="Who scrambles the answer?", since=2),
    text(
        "harmless",
        "harmless question",
        "Some people, picked at random, answer this question instead. Example: Was your mother "
        "born in April, May or June? It only protects people whose answer no one else knows.",
        ask="Harmless question, for “By hand” with “Unrelated question”",
        since=2,
    ),
    text(
        "statement",
        "statement for Yes",
        "Only for spinner and by hand. Example: I have evaded taxes.",
        ask="Statement for Yes",
    ),
    text("opposite", "statement for No", "Its opposite, for example: I have never evaded taxes."),
    Field(
        "anchor",
        "known share of Yes",
        "Makes this a check question. Enter a share you know, for example births in January to "
        "March (24.6). The report tests the answers against it.",
        ask="Known share of Yes, in %",
        sparse=True,
    ),
]
_PLACE_SETTINGS = [
    Field("everyone", "asked of everyone", "One question can be.", ask="Ask everyone", sparse=True),
    Field(
        "cut",
        "groups in the report",
        "Up to three questions. After closing, everyone with access to the report can compare "
        "these groups. Small groups are merged until each has at least 30 people. A list of more "
        "than 100 choices makes no groups.",
        ask="Use for groups in the report",
        sparse=True,
    ),
    Field("when", "condition", ask="Condition: ask only some people", since=4, sparse=True),
    Field(
        "when_section",
        "condition for the whole section",
        "For a question with a heading above it: up to the next heading. Each question can have "
        "its own condition too.",
        ask="Apply to the whole section",
        sparse=True,
    ),
]
_SECTION_SETTINGS = [
    text(
        "section",
        "section",
        "Starts a section of the survey.",
        ask="Heading above this question",
        since=3,
    ),
    Field(
        "expected_asked",
        "people expected",
        "In percent. Empty: estimated from the answers.",
        sparse=True,
    ),
]
_GRID_AND_KEY = [
    text(
        "grid",
        "heading of the grid",
        "The heading above this question and the questions next to it with the same heading: the "
        "rows of a grid. They have the same type, answers, help and protection.",
        sparse=True,
    ),
    Field(
        "key",
        "variable name",
        "Names the question in files and programs, such as tax_evasion. Empty: made from the "
        "short name or text.",
        since=1,
    ),
]
_CHOICE_SETTINGS = [
    text("label", "choice", since=1, required=True),
]


def _in_part(part: str, settings: Iterable[Field], model: Model = Survey) -> list[Field]:
    """Return copies of the settings that have this part and this model.

    The lists of settings leave both out, since all settings of a list have the same ones.

    part: the page, or the part of the code, that changes the settings: see Field.
    model: the model that has the columns of the settings.
    """
    return [replace(setting, part=part, model=model) for setting in settings]


# The order is that of forms, of the API and of survey files.
SURVEY = (
    *_in_part("survey", _WELCOME_TEXTS),
    *_in_part("after", _CLOSING_TEXTS),
    *_in_part("survey", _PAGE_SETTINGS),
    *_in_part("past", _PAST_SETTINGS),
    *_in_part("protection", _PROTECTION_SETTINGS),
    *_in_part("new", _NEW_SURVEY_SETTINGS),
    *_in_part("sender", _SENDER_SETTINGS),
    *_in_part("data_protection", _DATA_PROTECTION_SETTINGS),
    *_in_part("tickets", _TICKET_SETTINGS),
    *_in_part("schedule", _SCHEDULE_SETTINGS),
)
QUESTION = (
    *_in_part("answer", _KIND, Question),
    *_in_part("question", _QUESTION_TEXTS, Question),
    *_in_part("answer", _ANSWER_SETTINGS, Question),
    *_in_part("place", _PLACE_SETTINGS, Question),
    *_in_part("question", _SECTION_SETTINGS, Question),
    *_in_part("place", _GRID_AND_KEY, Question),
)
CHOICE = tuple(_in_part("choices", _CHOICE_SETTINGS, Choice))
TABLES: dict[Model, tuple[Field, ...]] = {Survey: SURVEY, Question: QUESTION, Choice: CHOICE}
# The columns that are not settings, with the reason.
STATE: dict[Model, dict[str, str]] = {
    Survey: {
        "id": "of this survey alone",
        "slug": "of this survey alone",
        "owner": "of this survey alone",
        "created": "of this survey alone",
        "edition": "of this survey alone",
        "status": "where it is in its life",
        "archived": "where it is in its life",
        "opens": "times of one fieldwork",
        "closes": "times of one fieldwork",
        "predecessor": "what it was made of, which a new version sets",
        "public_results": "decided once it is closed",
        "invented": "of the answers of this survey alone",
        "reason": "given when this survey was published",
    },
    Question: {
        "id": "its own",
        "survey": "whose question it is",
        "edition": "counts its changes",
        "accepted": "of one margin",
    },
    Choice: {"id": "its own", "question": "whose choice it is"},
}
# The columns that are copied and sent together with something else, which is named here.
COPIED_WITH: dict[Model, dict[str, str]] = {
    Survey: {
        "further_languages": "the languages",
        "translations": "each text",
        "draw": "the questions",
    },
    Question: {
        "position": "the order of the list",
        "translations": "each text",
        "drawn": "the draw of the survey",
    },
    Choice: {"position": "the order of the list", "translations": "each text"},
}


@cache
def rows(model: Model, **attributes: Any) -> tuple[Field, ...]:
    """Return the rows of TABLES for a model whose attributes have these values.

    Each row describes one setting. They are in the order of forms.

    attributes: values by the name of an attribute of Field, such as part="sender" or
        is_switch=True. Without any, all settings are returned.
    """
    matching = []
    for field in TABLES[model]:
        if all(getattr(field, name) == value for name, value in attributes.items()):
            matching.append(field)
    return tuple(matching)


def names(model: Model, **attributes: Any) -> tuple[str, ...]:
    """Return the names of the settings of a model whose attributes have these values.

    attributes: values by the name of an attribute of Field, as in `rows`.
    """
    return tuple(field.name for field in rows(model, **attributes))


def texts(model: Model) -> tuple[str, ...]:
    """Return the names of the texts of a model that an author can translate.

    Short names are among them, although respondents do not read them.
    """
    return names(model, translatable=True)


def instrument_texts(model: Model) -> tuple[str, ...]:
    """Return the names of the texts of a model that respondents read and instruments store."""
    return tuple(field.name for field in rows(model, translatable=True) if field.since)


def field_of(model: Model, name: str) -> Field:
    """Return the description of a setting of a model, such as its label and its limits.

    It is the row of TABLES with this name. Raises StopIteration if there is none.
    """
    return next(field for field in TABLES[model] if field.name == name)


def label(model: Model, name: str) -> str:
    """Return the label of a setting, by the name of its column, for messages and the history.

    A column that is not a setting, such as the state of a survey, is labelled with its name, in
    which every underscore becomes a space.
    """
    for field in TABLES[model]:
        if field.name == name:
            return field.label
    return name.replace("_", " ")
