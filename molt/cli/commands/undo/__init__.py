"""The commands that the help lists below `Undo and share`."""
