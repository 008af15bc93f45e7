"""The commands that the help lists below `Begin`."""
