"""Search: requests that policies are likely to tell apart, made of what they declare and compare with.

A search shows; it never proves. What it finds is decided by the real engine, and is the same in every run.
"""

from gateway.search.request import Request, World
from gateway.search.seeking import Found, Source

__all__ = ["Found", "Request", "Source", "World"]
