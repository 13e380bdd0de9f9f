"""Public suites that the code is measured against."""
