"""The report of invented people before anyone is asked, and what an analysis says of a difference between them."""
