"""Words of questions: which of them mean little, and how words are compared.

Negations mean much, so they are not among these words. surveys.definition.negations has them.
"""

import unicodedata

# Letters that Unicode does not decompose into a letter of the Latin alphabet and an accent.
LETTER_SPELLINGS = str.maketrans(
    {"ß": "ss", "æ": "ae", "œ": "oe", "ø": "o", "ł": "l", "đ": "d", "ı": "i"}
)
# Short words that mean little, in English, German, French and Spanish, as `fold` returns them.
STOP_WORDS = frozenset(
    (  # noqa: SIM905
        "am an and any are as at be been but by can could did didn do does doesn don ever for "
        "from had has have haven her his how in is isn it its last many more most much my of "
        "often on one or our past since so some such than that the their them there these they "
        "this those to two was we were what when where which who whom whose why will with "
        "within would year years you your yours month months been about because during "
        "ab aber als am an auch auf aus bei bin bis bist da damit dann das dass dein deine "
        "deinem deinen deiner dem den denn der des die dies diese diesem diesen dieser dieses "
        "doch du durch ein eine einem einen einer eines er es fur habe haben haben hast hat "
        "hatte ich ihr ihre ihrem ihren ihrer im in innerhalb ist ja je jemals kann mal man "
        "mein mit nach noch nun nur ob oder schon sein seit sich sie sind so uber um und uns "
        "unter von vor war waren warum was welche welchem welchen welcher welches wenn wer "
        "werden wie wieviel wir wird wo zu zum zur jahr jahre jahren letzten monate monaten "
        "wurde wurden "
        "ai aux avec avez avons au ce ces cet cette comme dans de deja des du elle elles en est "
        "et ete etes eu il ils je la le les leur leurs lors ma mais mes mon ne nos notre nous "
        "on ont ou par plus pour qu que quel quelle quelles quels qui sa se ses si son sont "
        "souvent sur ta te tes toi ton tu un une vos votre vous dernier derniere derniers annee "
        "annees mois cours "
        "al alguna algunas alguno algun como con cual cuales cuando cuanto cuantos de del donde "
        "durante el ella ellas ellos en entre era es esta este esto ha habia han has hay la las "
        "le les lo los mas me mi muy nos o para pero por porque que quien se ser si sido sobre "
        "son su sus tiene un una unas uno unos usted ustedes vez y ya ano anos mes meses ultimo "
        "ultimos ultima"
    ).split()
)


def fold(text: str) -> str:
    """Return a text in lower case without accents, for comparisons."""
    lower_case = text.casefold().translate(LETTER_SPELLINGS)
    decomposed = unicodedata.normalize("NFKD", lower_case)
    return "".join(letter for letter in decomposed if not unicodedata.combining(letter))
