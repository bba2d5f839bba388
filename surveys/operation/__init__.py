"""Whether the site does what it should, for those who run it. Nothing in here looks at what is not released."""
