"""How a workspace begins: made, or adopted as it is."""
