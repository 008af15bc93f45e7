"""The commands that the help lists below `Who, when and why`."""
