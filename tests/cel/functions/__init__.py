"""The libraries of functions, one by one."""
