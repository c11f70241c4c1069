"""Best-first search on the predictor of FCWSEO."""

from collections.abc import Sequence
from random import Random

from fcwseo.evolution.seating import Rule
from fcwseo.relevance.protocol import Relevance
from fcwseo.strategies.explanation import Space
from fcwseo.strategies.fcwseo import Fcwseo, FcwseoParameters
from fcwseo.strategies.protocol import Turns
from fcwseo_ontology.topic import Topic


class Greedy(Fcwseo):
    """FCWSEO without web space evolution and pagination: the link of the highest predicted relevance whose
    host may be asked.
    """

    def __init__(self, topic: Topic, relevance: Relevance, rng: Random) -> None:
        super().__init__(topic, relevance, rng, parameters=FcwseoParameters(later=0.0))

    def _seats(self, space: Space, turns: Turns) -> int:
        return space.bank.size

    def _order(self, space: Space, seats: int, turns: Turns) -> Sequence[tuple[int, Rule]]:
        return [(place, Rule.VALUE) for place in range(seats)]
