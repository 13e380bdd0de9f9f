"""What operators change of a tenant's tools at run time: overrides and custom tools, kept in the store."""
