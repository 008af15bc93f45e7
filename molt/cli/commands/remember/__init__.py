"""The commands that the help lists below `Remember`."""
