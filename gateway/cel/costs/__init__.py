"""What an evaluation takes, before there is one: the most steps for any values, and the fewest."""
