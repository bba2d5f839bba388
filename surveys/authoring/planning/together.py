"""What several surveys cost a person together who answers them all."""

from dataclasses import dataclass
from uuid import UUID

from django.db.models import QuerySet

from mechanisms.planning.privacy import total_epsilon
from surveys.definition.instrument import SurveyDefinition
from surveys.definition.parsing import parse_instrument
from surveys.models import Instrument, Survey


@dataclass(frozen=True)
class Together:
    """What a person spends who answers this survey and the others that belong with it."""

    epsilon: float
    versions: int  # earlier and later versions that were published, without this one
    project: str
    others: int  # other published surveys of the project, versions not counted twice

    @property
    def is_more(self) -> bool:
        return self.versions + self.others > 0


def together(survey: Survey, own: float, visible: QuerySet[Survey]) -> Together:
    """The sum over the published versions of this survey and the published surveys of its project.

    visible: the surveys that the reader may see; others are not counted, and their number is not given away.
    """
    others = visible.exclude(status=Survey.Status.DRAFT).exclude(pk=survey.pk).order_by()
    rows = list(others.values_list("pk", "predecessor_id", "project"))
    versions = _versions(survey, [(pk, before) for pk, before, _ in rows])
    project = {pk for pk, _, name in rows if survey.project and name == survey.project}
    counted = Instrument.objects.filter(survey__in=versions | project) if versions | project else []
    losses = [own, *(parse_instrument(instrument).epsilon for instrument in counted)]
    return Together(total_epsilon(losses), len(versions), survey.project, len(project - versions))


def published_versions(survey: Survey, visible: QuerySet[Survey]) -> list[SurveyDefinition]:
    """Earlier and later versions of a survey, as far as the reader sees them."""
    others = visible.exclude(status=Survey.Status.DRAFT).exclude(pk=survey.pk).order_by()
    versions = _versions(survey, list(others.values_list("pk", "predecessor_id")))
    return (
        [
            parse_instrument(instrument)
            for instrument in Instrument.objects.filter(survey__in=versions)
        ]
        if versions
        else []
    )


def _versions(survey: Survey, links: list[tuple[UUID, UUID | None]]) -> set[UUID]:
    """All that descend from one another, found from the predecessors that each names."""
    family, size = {survey.pk, survey.predecessor_id} - {None}, 0
    while size != len(family):
        size = len(family)
        for pk, before in links:
            if pk in family and before:
                family.add(before)
            if before in family:
                family.add(pk)
    return family & {pk for pk, _ in links}
