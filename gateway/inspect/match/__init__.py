"""Whether a pattern matches a command, and which of its words say so."""
