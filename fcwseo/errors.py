"""Everything fcwseo raises on purpose.

FcwseoError
  InvalidInput        a file, option or configuration that cannot be used
    InvalidCorpus       no document in it that can be read
    InvalidOntology     not an ontology, or a broken one
    InvalidTopic        a topic without words, or not a topic
      UnfitTopic          a topic that a strategy cannot read
    InvalidWeb          not a web, or a damaged one
    InvalidSeeds        no seeds, or none that this web knows
    InvalidStrategy     no strategy of that name, or one that cannot be used
    InvalidRelevance    no relevance of that name, or one that cannot be used
    InvalidRun          a run directory that this command cannot continue
      RunLocked           another process is writing to it
  PluginFailed        a user's own strategy or relevance raised an error
  MissingExtra        an optional part that is not installed
  NoSpace             the disk is full; what was written so far is whole
  NothingFound        a crawl that is over before it found a page
  NoParser            no process to parse in can be had: without one every page would look unreadable

A dead link is not an error: see ``fcwseo.pages.Failure``. Each class knows the exit code of its command.
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
    "NoParser",
    "NoSpace",
    "NothingFound",
    "PluginFailed",
    "RunLocked",
    "UnfitTopic",
]


class UnfitTopic(InvalidTopic):
    pass


class InvalidWeb(InvalidInput):
    pass


class InvalidSeeds(InvalidInput):
    pass


class InvalidStrategy(InvalidInput):
    pass


class InvalidRelevance(InvalidInput):
    pass


class InvalidRun(InvalidInput):
    pass


class RunLocked(InvalidRun):
    pass


class PluginFailed(FcwseoError):
    pass


class NoSpace(FcwseoError):
    exit_code = 3


class NothingFound(FcwseoError):
    pass


class NoParser(FcwseoError):
    pass
