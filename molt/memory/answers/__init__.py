"""What a workspace says of itself: a memory, an entity, the block for a prompt, its state."""
