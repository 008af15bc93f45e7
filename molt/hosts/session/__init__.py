"""The moments of a conversation: typed input to typed output, the same for every host."""
