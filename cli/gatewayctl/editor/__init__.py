"""What an editor is told about policies while they are written: a language server, one module a feature.

Nothing here needs a policy that loads: names, keys and conditions are read by `reading`, which takes half-typed text
as it comes. Only findings, and what a tool comes to, are those of the real loader.
"""
