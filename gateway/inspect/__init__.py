"""What an argument would do: shell commands and SQL read as their programs read them, never as raw text."""
