"""What is indexed: chunks of files, their words, scripts and speakers."""
