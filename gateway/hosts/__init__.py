"""The agents that ask: each turns its own message into a call, and a decision into its own answer."""
