"""What is the name of a thing, by the words around it."""
