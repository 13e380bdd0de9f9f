"""Tests of changes that cases do not notice."""
