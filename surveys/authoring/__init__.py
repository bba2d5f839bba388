"""Writing a survey: by hand or from a file; what it costs and how much it will show."""
