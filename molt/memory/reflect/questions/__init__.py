"""Golden questions, asked of the memory as it is, was, or would be."""
