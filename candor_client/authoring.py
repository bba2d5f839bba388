"""Surveys from the first draft to publishing: texts, translations, protection, how many respondents it needs."""

from collections.abc import Mapping
from typing import Any

import pandas as pd

from candor_client.connection import Connection, checked
from candor_client.frames import flat_choice, report_frame

OF_THE_SERVER = (
    "slug",
    "status",
    "created",
    "edition",
    "invented",
    "instrument",
)  # of a survey: no one can send them


class Authoring(Connection):
    def surveys(self, **filters: str) -> pd.DataFrame:
        """Your surveys and those of your teams, a row each. filters: status, project, search, archived, ordering."""
        rows = pd.DataFrame(self._pages("surveys/", filters))
        return rows.astype({"created": "datetime64[ns, UTC]"}) if len(rows) else rows

    def survey(self, slug: str) -> dict[str, Any]:
        """Everything that was written and set, as create() takes it: create(survey(slug)) is a draft with all of it.

        The logo is in base64. Times, team and lists of invited people are not part of it.
        """
        return self._get(f"surveys/{slug}/")

    def create(self, survey: Mapping[str, Any]) -> dict[str, Any]:
        """A new draft, as {"title": ..., "questions": [...]}; /api/v1/docs/ has all fields.

        What only the server sets, as survey() gives it too, is left out.
        """
        return self._send(
            "POST", "surveys/", {name: survey[name] for name in survey if name not in OF_THE_SERVER}
        )

    def change(self, slug: str, **changes: Any) -> dict[str, Any]:
        """Change a draft: texts that are not given stay; questions, if given, take the place of all there are."""
        return self._send("PATCH", f"surveys/{slug}/", changes)

    def delete(self, slug: str) -> None:
        """Delete a draft."""
        checked(self._http.delete(f"surveys/{slug}/"))

    def texts(self, slug: str) -> pd.DataFrame:
        """Every text that respondents read, a row each: place, key, field, choice, and a column for each language."""
        answer = self._get(f"surveys/{slug}/languages/")
        rows = [
            {**{name: each[name] for name in ("place", "key", "field", "choice")}, **each["texts"]}
            for each in answer["texts"]
        ]
        return pd.DataFrame(rows, columns=["place", "key", "field", "choice", *answer["languages"]])

    def translate(self, slug: str, texts: pd.DataFrame) -> pd.DataFrame:
        """Add the languages of these columns to a draft, and write its texts in them; empty cells change nothing."""
        answer = self._get(f"surveys/{slug}/languages/")
        codes = [
            name
            for name in texts.columns
            if name not in ("place", "key", "field", "choice", answer["languages"][0])
        ]
        new = [code for code in codes if code not in answer["languages"]]
        if new:
            self._send(
                "PUT", f"surveys/{slug}/languages/", {"languages": [*answer["languages"], *new]}
            )
        rows = [
            {
                **{"key": row["key"], "field": row["field"], "choice": int(row["choice"])},
                "texts": {
                    code: row[code] for code in codes if isinstance(row[code], str) and row[code]
                },
            }
            for row in texts.to_dict("records")
        ]
        self._send("PATCH", f"surveys/{slug}/languages/", {"texts": rows})
        return self.texts(slug)

    def preview(self, slug: str) -> dict[str, Any]:
        """What respondents would get if the draft were published now: instrument, sha256, epsilon."""
        return self._get(f"surveys/{slug}/preview/")

    def protection(self, slug: str) -> dict[str, Any]:
        """How well the survey protects each person, by one answer and by all, and what each level would show.

        Of a draft also its points: what publishing waits for ("must"), and what deserves a thought ("think").
        """
        return self._get(f"surveys/{slug}/protection/")

    def rehearse(
        self,
        slug: str,
        n: int,
        shares: Mapping[str, list[float]] | None = None,
        suppose: Mapping[str, Any] | None = None,
        **asked: Any,
    ) -> pd.DataFrame:
        """The report that n invented people would give, as report() has it. Nothing is stored.

        shares: question key -> the true share of each answer, in the instrument's order (No before Yes). suppose: a
        difference between groups, as {"outcome": "tax:1", "group": "region:1", "difference": 0.1}; attrs["supposed"]
        then holds the sentence, power, family and needed_n, in report_sentences what the report says, and in model
        the model with its terms.
        """
        body = {
            "n": n,
            "shares": dict(shares or {}),
            **({"suppose": dict(suppose)} if suppose else {}),
            **asked,
        }
        answer = self._send("POST", f"surveys/{slug}/rehearsal/", body)
        frame = report_frame(answer)
        frame.attrs["supposed"] = answer["supposed"]
        return frame

    def publish(
        self, slug: str, instrument: str | None = None, *, reason: str = "", no_number: bool = False
    ) -> dict[str, Any]:
        """Publish a survey: lock its questions and open it. Doing it twice changes nothing.

        instrument: the sha256 of the preview that was read; nothing else is published then.
        reason: why so little protection is justified, without which a survey with almost none is refused.
        no_number: publish all the same where the target is probably too small for any number.
        """
        asked = {"instrument": instrument, "reason": reason, "no_number": no_number}
        return self._send(
            "POST",
            f"surveys/{slug}/publish/",
            {name: given for name, given in asked.items() if given},
        )

    def prepare(self, slug: str) -> dict[str, Any]:
        """Prepare an import-only survey: lock its questions, to check files against them."""
        return self._send("POST", f"surveys/{slug}/prepare/")

    def duplicate(self, slug: str, *, import_only: bool = False) -> dict[str, Any]:
        """A new draft with the same texts and questions; import_only: for answers on paper, which come in files."""
        return self._send("POST", f"surveys/{slug}/duplicate/", {"import_only": import_only})

    def new_version(self, slug: str) -> dict[str, Any]:
        """A new draft that names this published survey as its predecessor."""
        return self._send("POST", f"surveys/{slug}/version/")

    def designs(self) -> pd.DataFrame:
        """What a question can be randomized with, a row each: key, title, parameters (name -> meaning), kinds."""
        answer = self._get("designs/")["designs"]
        rows = [
            each | {"parameters": {one["name"]: one["meaning"] for one in each["parameters"]}}
            for each in answer
        ]
        return pd.DataFrame(rows).set_index("key")

    def plan(self, design: str, **asked: Any) -> dict[str, Any]:
        """How many respondents a question needs: kind, size, parameters, share, n, half_width, null, power.

        other, ratio, sided: for the difference between two groups.
        """
        return self._send("POST", "planning/", {"design": design, **asked})

    def simulate(self, design: str, shares: list[float], n: int, **asked: Any) -> pd.DataFrame:
        """What n respondents would show if the true shares were these, a row for each choice."""
        result = self._send(
            "POST", "simulation/", {"design": design, "shares": shares, "n": n, **asked}
        )
        return pd.DataFrame([flat_choice(choice) for choice in result["choices"]])
