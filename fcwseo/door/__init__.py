"""What ``import fcwseo`` offers: a function for each command, and values that show themselves."""
