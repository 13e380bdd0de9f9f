"""What depends on the past: the journal, approvals, and the life of a call."""
