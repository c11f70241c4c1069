"""The errors that ``fcwseo_ontology`` raises on purpose; ``fcwseo.errors`` draws the whole tree.

FcwseoError
  InvalidInput      a file, option or configuration that cannot be used
    InvalidCorpus     no document in it that can be read
    InvalidOntology   not an ontology, or a broken one
    InvalidTopic      a topic without words, or not a topic
  MissingExtra      an optional part that is not installed
"""


class FcwseoError(Exception):
    """An error with a message of one line: what is wrong, where, and what to do. ``exit_code`` is the exit
    code of a command.
    """

    exit_code = 1


class InvalidInput(FcwseoError):
    """A file, option or setting cannot be used."""

    exit_code = 4


class InvalidCorpus(InvalidInput):
    """No document of the corpus can be read."""


class InvalidOntology(InvalidInput):
    """The file is not an ontology, or a damaged one."""


class InvalidTopic(InvalidInput):
    """The file is not a topic, or the topic has no words."""


class MissingExtra(FcwseoError):
    """An optional package is not installed."""
