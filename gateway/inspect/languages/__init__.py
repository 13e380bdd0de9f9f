"""Code in programming languages other than the shell's, read without being run."""
