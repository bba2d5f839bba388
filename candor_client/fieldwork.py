"""A published survey: the people invited to it, its team, when it takes answers, and its history."""

import io
from collections.abc import Iterable, Mapping
from typing import Any

import pandas as pd

from candor_client.connection import Connection, checked


class Fieldwork(Connection):
    def history(self, slug: str) -> pd.DataFrame:
        """Who of the team did what, newest first."""
        rows = pd.DataFrame(self._pages(f"surveys/{slug}/history/", {}))
        return rows.astype({"when": "datetime64[ns, UTC]"}) if len(rows) else rows

    def schedule(
        self,
        slug: str,
        *,
        opens: str | None = None,
        closes: str | None = None,
        target: int | None = None,
    ) -> dict[str, Any]:
        """Set when the survey opens and closes, as "2030-11-30T18:00Z", and the responses wanted; None: none."""
        return self._send(
            "PUT", f"surveys/{slug}/schedule/", {"opens": opens, "closes": closes, "target": target}
        )

    def link(self, slug: str) -> str:
        """What to send to respondents."""
        return self._get(f"surveys/{slug}/link/")["link"]

    def invite(self, slug: str, role: str) -> str:
        """A link for one colleague, who becomes editor, analyst or exporter. It cannot be had a second time."""
        return self._send("POST", f"surveys/{slug}/team/invitations/", {"role": role})["link"]

    def choose_steps(self, slug: str, tickets: str) -> None:
        """Who can answer a draft: "" is anyone with the link, "one" invited people, "two" too, with tickets first."""
        self._send("PUT", f"surveys/{slug}/steps/", {"tickets": tickets})

    def invite_people(
        self,
        slug: str,
        people: Iterable[Mapping[str, str]] = (),
        *,
        unnamed: int = 0,
        skip: bool = False,
    ) -> list[str]:
        """Put people on the list, at most 10,000 at once, as {"label": ..., "email": ...}; their ids.

        unnamed: how many codes without a name to add. skip: skip people who are there already.
        """
        asked = {"people": [dict(each) for each in people], "unnamed": unnamed, "skip": skip}
        return self._send("POST", f"surveys/{slug}/invitees/", asked)["added"]

    def invitees(self, slug: str) -> pd.DataFrame:
        """The list: id, label, email. attrs: invited, fetched, tickets, answered, waiting and refused."""
        pages = list(self._whole_pages(f"surveys/{slug}/invitees/"))
        rows = [row for page in pages for row in page["results"]]
        frame = pd.DataFrame(rows, columns=["id", "label", "email"])
        frame.attrs = {
            name: value
            for name, value in pages[0].items()
            if name not in ("results", "next", "previous")
        }
        return frame

    def links(self, slug: str) -> pd.DataFrame:
        """Label, e-mail, code and link of each invited person."""
        answer = checked(self._http.get(f"surveys/{slug}/invitees/links.csv"))
        return pd.read_csv(io.BytesIO(answer.content), dtype=str, keep_default_na=False)

    def send_invitations(self, slug: str) -> int:
        """Email an invitation to everyone who has not had one; returns how many."""
        return int(self._send("POST", f"surveys/{slug}/invitees/mail/")["mails"])

    def remind(self, slug: str, kind: str = "reminder") -> None:
        """Remind those without a ticket, or with kind="general" once all who have one."""
        checked(self._http.post(f"surveys/{slug}/invitees/remind/", json={"kind": kind}))

    def replace(self, slug: str, invitee: str) -> dict[str, Any]:
        """A new code and link for who lost them, or the ticket."""
        return self._send("POST", f"surveys/{slug}/invitees/{invitee}/replace/")

    def take_off(self, slug: str, invitee: str) -> None:
        """Take someone off the list: deletes label, address and code. A ticket they took still works."""
        checked(self._http.delete(f"surveys/{slug}/invitees/{invitee}/"))

    def finish(self, slug: str, title: str) -> None:
        """Delete list, codes, addresses and key of a closed survey, for good. title: its own, to be sure."""
        checked(self._http.post(f"surveys/{slug}/finish/", json={"confirm": title}))

    def add_webhook(self, slug: str, url: str, events: list[str]) -> dict[str, Any]:
        """Let an address be told of survey.published, survey.closed or survey.target_reached; with its secret."""
        return self._send("POST", f"surveys/{slug}/webhooks/", {"url": url, "events": events})

    def pause(self, slug: str) -> dict[str, Any]:
        return self._send("POST", f"surveys/{slug}/pause/")

    def close_survey(self, slug: str) -> dict[str, Any]:
        return self._send("POST", f"surveys/{slug}/close/")

    def reopen(self, slug: str) -> dict[str, Any]:
        return self._send("POST", f"surveys/{slug}/reopen/")

    def archive(self, slug: str) -> dict[str, Any]:
        """Out of the way of the surveys that are still needed; only a closed one."""
        return self._send("POST", f"surveys/{slug}/archive/")

    def unarchive(self, slug: str) -> dict[str, Any]:
        return self._send("POST", f"surveys/{slug}/unarchive/")
