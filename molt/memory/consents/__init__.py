"""What a workspace asks for that leads out of it, and what a person has agreed to."""
