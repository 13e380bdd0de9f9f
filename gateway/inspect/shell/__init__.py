"""Shell text read as a shell would: which programs run, with which arguments, where."""
