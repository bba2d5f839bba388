"""Ready instruments to start from. Each takes its subject and its reference period from a published study, in words of
our own, and its designs from surveys.designs.levels."""

from dataclasses import dataclass
from typing import Any

from django.contrib.auth.models import AbstractBaseUser

from surveys.authoring import exchange
from surveys.models import Survey

YES_NO = {"kind": "yes-no", "design": "balanced"}


@dataclass(frozen=True)
class Ready:
    key: str
    title: str
    about: str
    source: str
    introduction: str
    questions: tuple[dict[str, Any], ...]


TAX = Ready(
    "tax",
    "Taxes and undeclared work",
    "Undeclared income and undeclared work in the past 12 months, with the branch as background.",
    "Korndörfer, M., Krumpal, I. and Schmukle, S. C. (2014). Measuring and explaining tax evasion: improving "
    "self-reports using the crosswise model. Journal of Economic Psychology 45, 18–32.",
    "This survey is about taxes and undeclared work. The results show how common both are, never what one person did.",
    (
        YES_NO
        | {
            "key": "income",
            "text": "In the past 12 months, did you leave income out of a tax return that belonged in it?",
            "help": "Income of any size, from work, rent, interest or sales.",
        },
        YES_NO
        | {
            "key": "paid_for_work",
            "text": "In the past 12 months, did you pay somebody for work without declaring it?",
            "help": "For example cleaning, repairs, building or care.",
        },
        {
            "key": "employment",
            "kind": "background",
            "text": "What describes your situation best?",
            "choices": ["Employed", "Self-employed", "Retired", "In education", "None of these"],
        },
    ),
)
DOPING = Ready(
    "doping",
    "Doping in sport",
    "Prohibited substances or methods in the past 12 months and supplements that were known to be risky.",
    "Ulrich, R., Pope, H. G., Cléret, L. et al. (2018). Doping in two elite athletics competitions assessed by "
    "randomized-response surveys. Sports Medicine 48, 211–219.",
    "This survey asks athletes about prohibited substances and methods. Its results show how common their use is, "
    "never what one athlete did.",
    (
        {
            "key": "doping",
            "kind": "yes-no",
            "design": "strong",
            "text": "In the past 12 months, did you knowingly use a prohibited substance or a prohibited method?",
            "help": "Prohibited at that time by the rules of your sport.",
        },
        YES_NO
        | {
            "key": "risk",
            "text": "In the past 12 months, did you take a supplement in which you suspected something prohibited?",
        },
        {
            "key": "level",
            "kind": "background",
            "text": "At which level do you compete?",
            "choices": ["International", "National", "Regional", "Recreational"],
        },
    ),
)
HARASSMENT = Ready(
    "harassment",
    "Harassment at work",
    "Unwanted sexual behaviour and bullying at work in the past 12 months, and whether it was reported.",
    "European Union Agency for Fundamental Rights (2014). Violence against women: an EU-wide survey. Main results. "
    "Luxembourg: Publications Office of the European Union.",
    "This survey asks what happens at work. Its results show how common it is, never what happened to one person.",
    (
        YES_NO
        | {
            "key": "touched",
            "text": "In the past 12 months, did somebody at work touch, hug or kiss you against your will?",
        },
        YES_NO
        | {
            "key": "remarks",
            "text": "In the past 12 months, did sexual remarks or pictures at work offend or frighten you?",
        },
        {
            "key": "told",
            "kind": "choice",
            "design": "balanced",
            "text": "If something like that happened to you, whom did you tell first?",
            "choices": ["It did not happen to me", "Nobody", "Somebody at work", "Somebody outside work"],
        },
    ),
)
HEALTH = Ready(
    "health",
    "Drugs and health",
    "Use of cannabis and of other drugs in the past 12 months, by age group.",
    "European Monitoring Centre for Drugs and Drug Addiction (2002). Handbook for surveys on drug use among the "
    "general population. Lisbon: EMCDDA. (European Model Questionnaire.)",
    "This survey asks about drugs and health. Its results help to plan services; they never show what one person did.",
    (
        YES_NO
        | {
            "key": "cannabis",
            "text": "In the past 12 months, did you use cannabis?",
        },
        YES_NO
        | {
            "key": "other_drugs",
            "text": "In the past 12 months, did you use another illegal drug?",
            "help": "For example cocaine, ecstasy, amphetamines or heroin.",
        },
        {
            "key": "age",
            "kind": "background",
            "text": "How old are you?",
            "choices": ["15 to 24", "25 to 34", "35 to 44", "45 to 54", "55 or older"],
        },
    ),
)
CHEATING = Ready(
    "cheating",
    "Cheating at university",
    "Cheating in exams and copied texts in the past 12 months, with the field as background.",
    "Scheers, N. J. and Dayton, C. M. (1987). Improved estimation of academic cheating behavior using the randomized "
    "response technique. Research in Higher Education 26, 61–69.",
    "This survey asks students about cheating. Its results show how common it is, never what one student did.",
    (
        YES_NO
        | {
            "key": "exam",
            "text": "In the past 12 months, did you use forbidden help in an exam?",
            "help": "For example notes, a telephone, or another person’s answers.",
        },
        YES_NO
        | {
            "key": "text",
            "text": "In the past 12 months, did you hand in a text as yours that somebody or something else wrote?",
        },
        {
            "key": "field",
            "kind": "background",
            "text": "What do you study?",
            "choices": [
                "Arts and humanities",
                "Social sciences",
                "Natural sciences",
                "Engineering",
                "Medicine",
                "Other",
            ],
        },
    ),
)
READY = {ready.key: ready for ready in (TAX, DOPING, HARASSMENT, HEALTH, CHEATING)}


def start(ready: Ready, owner: AbstractBaseUser) -> Survey:
    """A draft of one's own made from a ready instrument."""
    texts = {"title": ready.title, "introduction": ready.introduction}
    return exchange.read({"candor": exchange.FORMAT, **texts, "questions": list(ready.questions)}, owner=owner)
