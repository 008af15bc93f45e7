"""The commands that the help lists below `Find`."""
