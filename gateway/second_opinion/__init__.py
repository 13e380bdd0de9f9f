"""A condition that another CEL implementation answers otherwise, looked for by `gatewayctl lint --second-opinion`.

Every condition is evaluated over the calls that the policy brings along: the `examples` of its parts, and the calls of
the cases in its `*.test.yaml` files. cel-python evaluates the same, and where the two disagree the smallest part of the
condition that makes the difference is underlined, with both answers. A difference that is known is a note and says why
there is one; any other is a warning: either the condition means something else than it seems to, or one of the two
implementations is wrong. What can't be compared, such as functions that cel-python lacks, is counted in a note.

What is decided never depends on cel-python, and without the option nothing asks it.

Bad: an argument that may be a number or a text is compared with a text, which cel-python fails on for a number

    rules:
      - id: no-reference
        tools: [order]
        when: args.reference == 'none'
        effect: deny
        message: An order needs a reference.

Good:

    rules:
      - id: no-reference
        tools: [order]
        when: string(args.reference) == 'none'
        effect: deny
        message: An order needs a reference.

Silence it with a comment on the line or above it: `# gateway: ignore[second-opinion] …`.
"""

from gateway.second_opinion.opinion import SEVERITY, second_opinion

__all__ = ["SEVERITY", "second_opinion"]
