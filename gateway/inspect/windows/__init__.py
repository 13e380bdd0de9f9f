"""Command lines of Windows: PowerShell and cmd, read without being run."""
