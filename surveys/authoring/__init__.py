"""Writing a survey: by hand, from a file, from a ready instrument; what it costs and how much it will show."""
