"""When a reflection is due, and who starts it at night."""
