"""The words by which plain_code.py judges names and docstrings. All are in lower case."""

# ruff: noqa: SIM905 (lists of words are easier to read and to change as texts)

# Words that name nothing. A variable, argument, attribute, function or class may not
# have one of these as its whole name.
BANNED = frozenset(
    "found said asked seen wanted given told shown kept made drawn taken lying "
    "standing travelling telling there along beside apart aside outside elsewhere "
    "both each own way lot whom everybody nobody somebody paper speaking letters "
    "tell of wrong held known chosen before after picked looked marks mend "
    "looking here".split()
)

# One of the words in these four lists, alone, does not say what a function returns or does.
PREPOSITIONS = frozenset(
    "of from as by at in on for with without within beside along among between "
    "before after above below under over into onto out off against about around "
    "to".split()
)
QUESTION_WORDS = frozenset("what whether where when why how which who whom whose".split())
IRREGULAR_PARTICIPLES = frozenset(
    "found said told seen given shown kept made drawn taken held left known "
    "chosen written read sent put set met lost won built bought brought begun "
    "broken done gone grown hidden laid led meant paid sold spent split spread "
    "stood struck taught thought understood worn wound".split()
)
ADJECTIVES = frozenset(
    "ready due alike unlike whole apart alone plain clear open closed new old "
    "same other both each own least most first last next likely likeliest wide "
    "narrow short long large small few many much together there here needed "
    "foreign single".split()
)
# Words that look like participles, but are nouns or verbs.
NOUNS_IN_ING = frozenset(
    "string ping heading setting rating listing warning meaning ring thing "
    "nothing padding encoding rounding wording spelling building routing "
    "mapping sampling testing logging parsing".split()
)
NOUNS_IN_ED = frozenset("feed seed need speed embed exceed proceed red bed".split())

# A docstring that starts with one of these words begins with neither a verb nor a noun.
DOCSTRING_STARTS = frozenset(
    "of from as by where on for what whether none how when who whom which whose "
    "at in with without among against to into only not no all both each those "
    "these it that here there so but and or if".split()
)

# Words that are the verb of a sentence in any case.
AUXILIARIES = frozenset(
    "is are was were be been being has have had do does did can cannot may might "
    "must shall should will would isn't aren't doesn't don't can't".split()
)
# Verbs that start or carry the first sentence of a docstring. Only their stems: the
# forms in -s, -es, -ed, -ing and -ies are derived.
VERBS = frozenset(
    "abort accept act activate adapt add adjust adopt allow analyse analyze "
    "announce answer append apply approximate arrange ask assemble assert assign "
    "assume attach authenticate average bind block book build bump cache "
    "calculate call cancel cast change check choose clean clear clone close code "
    "collect combine compare complete compose compress compute configure confirm "
    "connect consume contain continue convert copy correct count cover create cut "
    "deal decide declare decode decorate decrease default define delay delete "
    "deliver deny derive describe deserialize detect determine disable discard "
    "dispatch display divide download draw drop dump encode end ensure enter "
    "enable erase escape estimate evaluate exceed exclude execute exist exit "
    "expand expect export expose extend extract fail fall fetch fill filter "
    "finalize find finish fit fix flatten flush follow force form format forward "
    "fulfil generate get give go grant group guess halve handle hash hide hold "
    "identify ignore implement import improve include increase increment indicate "
    "infer inherit initialize inject insert install inspect instantiate "
    "interpolate invert invite iterate join keep label lay lead learn leave let "
    "limit link list load lock log look lower make manage map mark mask match "
    "mean measure merge minimize mix modify move name need normalize note notify "
    "obtain occur offer open optimize order override pack parse pass patch "
    "perform permute pick place plan plot poll pop populate prepare prevent print "
    "process produce project protect prove provide prune publish pull push put "
    "query queue quote raise randomize rank read rebuild receive recode record "
    "recover redirect reduce refer refuse register reject relate release reload "
    "remove rename render renew reorder repeat replace report represent request "
    "require reset resolve respond restore restrict retrieve return reuse reverse "
    "revoke rewrite roll round route run sample sanitize save say scale scan "
    "schedule score scramble seal search select send separate serialize serve set "
    "shift show shuffle shut sign simulate skip solve sort specify split stack "
    "standardize start state stay step stop store stream strip submit subscribe "
    "subtract sum supply support suppress switch sync synchronize take tell test "
    "track transfer transform translate transpose treat trim truncate try turn "
    "unescape unpack unregister update upgrade upload use validate vary verify "
    "visit wait walk warn wrap write yield belong appear apply arrive become come "
    "depend differ equal fit happen have imply know last lie lack remain see seem "
    "stand stem work".split()
)
# Forms of verbs that cannot be derived from the stems.
IRREGULAR_VERBS = frozenset(
    "made found took taken gave given sent built chose chosen wrote written drew "
    "drawn held kept left put read ran said told saw seen set shown went got lets".split()
)
