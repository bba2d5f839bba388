"""A survey from its draft to its report, with the client that was generated: python drive.py ADDRESS TOKEN."""

import json
import random
import sys
import uuid

from candor_api.api.publish_and_close import surveys_close_create, surveys_publish_create
from candor_api.api.read_results import surveys_report_retrieve, surveys_report_shares_svg_retrieve
from candor_api.api.site import responses_submit
from candor_api.api.write import surveys_create
from candor_api.client import AuthenticatedClient
from candor_api.models import Problem, PublishPeople, Question, Report, SurveyDetail, SurveyInput
from candor_api.models.design_enum import DesignEnum
from candor_api.models.kind_enum import KindEnum

address, token = sys.argv[1:]
client = AuthenticatedClient(base_url=address, token=token, prefix="Token")
refused = surveys_create.sync(client=client, body=SurveyInput(title=""))
assert isinstance(refused, Problem)
question = Question(
    key="tax", kind=KindEnum.YES_NO, text="Have you ever evaded taxes?", design=DesignEnum.TWO_COIN
)
draft = surveys_create.sync(
    client=client,
    body=SurveyInput(
        title="Taxes", contact="Ada, ada@example.org", protection="", questions=[question]
    ),
)
assert isinstance(draft, SurveyDetail), draft
opened = surveys_publish_create.sync(draft.slug, client=client, body=PublishPeople(no_number=True))
assert isinstance(opened, SurveyDetail), opened
for _ in range(40):
    body = {
        "instrument": opened.instrument,
        "key": str(uuid.uuid4()),
        "reports": {"tax": random.randrange(2)},
    }
    sent = responses_submit.sync_detailed(draft.slug, client=client, body=body)
    assert sent.status_code == 201, sent
closed = surveys_close_create.sync(draft.slug, client=client)
assert isinstance(closed, SurveyDetail), closed
report = surveys_report_retrieve.sync(draft.slug, client=client)
assert isinstance(report, Report), report
figure = surveys_report_shares_svg_retrieve.sync_detailed(draft.slug, "tax", client=client)
assert b"<svg" in figure.content
told = {
    "status": closed.status.value,
    "n": report.n,
    "questions": [each.key for each in report.questions],
}
print(json.dumps(told | {"refused": refused.to_dict()}))
