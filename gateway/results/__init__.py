"""What happens to a result before anybody reads it: made plain, checked, redacted, bounded and fenced."""
