"""What a path names beside the place where it lies, and how it is spelled."""
