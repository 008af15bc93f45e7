"""What molt has put into a clone, keeps open of it, and finds wrong with it."""
