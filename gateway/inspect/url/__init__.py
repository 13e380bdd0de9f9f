"""What a URL really points to, and what it carries along."""
