"""molt put into the configuration of a program that runs an agent, and taken out again."""
