"""What stands in running text: sayings, citations, claims, orders, what others wrote."""
