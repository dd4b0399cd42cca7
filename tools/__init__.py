"""What maintainers and the Makefile run; nothing here is installed."""
