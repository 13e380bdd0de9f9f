"""The command `gatewayctl`; the library is `gateway`."""
