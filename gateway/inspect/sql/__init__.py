"""What SQL would do; nothing of it is loaded before there is SQL to read."""
