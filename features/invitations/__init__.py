"""Whom a survey with tickets invites, and how they hear of it: lists, links, letters and mails; never who answered."""
