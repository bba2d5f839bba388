from features.statistical_packages.ddi import Ddi
from features.statistical_packages.parquet import Parquet
from features.statistical_packages.programs import card_context
from features.statistical_packages.scripts.python import PythonImport
from features.statistical_packages.scripts.r import Analysis, RImport
from features.statistical_packages.scripts.spss import SpssImport
from features.statistical_packages.scripts.stata import StataImport
from features.statistical_packages.stata_spss import Spss, Stata
from surveys.extensions import Section, export_formats, sections

for each in (Spss, Stata, Parquet, Ddi, Analysis, RImport, PythonImport, SpssImport, StataImport):
    export_formats.register(each)
sections.register(
    Section(
        "files.responses",
        "statistical-packages",
        "statistical_packages/card.html",
        context=card_context,
    )
)
