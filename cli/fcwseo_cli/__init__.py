"""The command line of fcwseo: a thin coat over the library."""
