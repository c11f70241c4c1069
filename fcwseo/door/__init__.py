"""The public functions of ``import fcwseo``: one for each command, and values with a short repr."""
