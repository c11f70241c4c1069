"""The command line of fcwseo: a thin layer over the library."""
