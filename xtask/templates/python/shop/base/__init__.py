"""Part of the shop."""
