"""The errors that fcwseo raises on purpose.

FcwseoError
  InvalidInput        a file, option or setting cannot be used
    InvalidCorpus       no document of the corpus can be read
    InvalidOntology     the file is not an ontology, or a damaged one
    InvalidTopic        the file is not a topic, or the topic has no words
      UnfitTopic          the strategy cannot use this topic
    InvalidWeb          the file or folder is not a web, or a damaged one
    InvalidSeeds        there are no seeds, or the web contains none of them
    InvalidStrategy     the strategy is unknown, or breaks its contract
    InvalidRelevance    the relevance is unknown, or breaks its contract
    InvalidRun          the command cannot use or continue this run directory
      RunLocked           another process writes to it
  PluginFailed        a strategy or relevance of the user raised an error
  MissingExtra        an optional package is not installed
  NoSpace             the disk is full; everything written before is complete
  NothingFound        the crawl ended without a page
  NoParser            no parser process can be started
  NoFiles             this process may not open enough files

A dead link is not an error, but a ``fcwseo.pages.Failure``. ``exit_code`` of each class is the exit code of a
command that ends with this error.
"""

from fcwseo_ontology.errors import (
    FcwseoError,
    InvalidCorpus,
    InvalidInput,
    InvalidOntology,
    InvalidTopic,
    MissingExtra,
)

__all__ = [
    "FcwseoError",
    "InvalidCorpus",
    "InvalidInput",
    "InvalidOntology",
    "InvalidRelevance",
    "InvalidRun",
    "InvalidSeeds",
    "InvalidStrategy",
    "InvalidTopic",
    "InvalidWeb",
    "MissingExtra",
    "NoFiles",
    "NoParser",
    "NoSpace",
    "NothingFound",
    "PluginFailed",
    "RunLocked",
    "UnfitTopic",
]


class UnfitTopic(InvalidTopic):
    """The strategy cannot use this topic."""


class InvalidWeb(InvalidInput):
    """A file or folder is not a web, or a damaged one."""


class InvalidSeeds(InvalidInput):
    """There are no seeds, or the web contains none of them."""


class InvalidStrategy(InvalidInput):
    """A strategy is unknown, or breaks its contract."""


class InvalidRelevance(InvalidInput):
    """A relevance is unknown, or breaks its contract."""


class InvalidRun(InvalidInput):
    """A run directory that the command cannot use or continue."""


class RunLocked(InvalidRun):
    """Another process writes to the run directory."""


class PluginFailed(FcwseoError):
    """A strategy or relevance of the user raised an error."""


class NoSpace(FcwseoError):
    """The disk is full; everything written before is complete."""

    exit_code = 3


class NothingFound(FcwseoError):
    """A crawl ended without a page."""


class NoParser(FcwseoError):
    """No parser process can be started, so every page would look unreadable."""


class NoFiles(FcwseoError):
    """This process may not open enough files, so every host would look unreachable."""
