"""What was said in conversations with an agent."""
