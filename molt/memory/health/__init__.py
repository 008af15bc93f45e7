"""How well a workspace is: what is wrong with it, what it costs, how well it answers."""
