"""The commands that the help lists below `Agents and their programs`."""
