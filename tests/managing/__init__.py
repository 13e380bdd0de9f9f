"""Overrides and custom tools in the store, and the actions that change them."""
