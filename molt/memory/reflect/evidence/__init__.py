"""Whether what is proposed stands in what happened."""
