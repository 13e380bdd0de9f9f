"""Python code, read without being run."""
