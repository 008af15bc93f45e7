"""What broke a rule and got in anyway: held back until a person decides."""
